"""`deploy/many-servers` and `deploy/kubernetes`: what can be known without a container engine.

nginx is run by its file before three servers, and PostgreSQL by the scripts of the containers.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from goals_client import Client, Closed, edit, until
from goals_server import ROOT, UNLIMITED, Server, free_port, goals
from shared_server import SharedServer
from test_changes import Stream
from tier import THOROUGH

pytestmark = THOROUGH

MANY = ROOT / "deploy/many-servers"
COMPOSE: dict[str, Any] = yaml.safe_load((MANY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
SERVERS = [service for name, service in SERVICES.items() if name.startswith("server")]
PARTS: dict[str, dict[str, Any]] = {
    part["kind"]: part for part in yaml.safe_load_all((ROOT / "deploy/kubernetes/goals.yaml").read_text())
}
CONFIGURATION = (MANY / "nginx.conf").read_text()


def nginx() -> str:
    found = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, "there is no nginx here: run scripts/setup all"
    return found


def replaced(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text, f"there is no {old}"
        text = text.replace(old, new)
    return text


class TestCompose:
    def test_only_the_proxy_is_reached_from_outside(self) -> None:
        assert {name: service["ports"] for name, service in SERVICES.items() if "ports" in service} == {"proxy": ["443:443"]}
        assert {name for name, service in SERVICES.items() if "outside" in service["networks"]} == {"proxy"}
        assert COMPOSE["networks"]["inside"]["internal"] is True

    def test_the_proxy_leads_to_every_server(self) -> None:
        addresses = [service["networks"]["inside"]["ipv4_address"] for service in SERVERS]
        assert len(addresses) == 3
        assert re.findall(r"server ([0-9.]+):8080;", CONFIGURATION) == addresses
        assert all(address.startswith("172.30.77.") for address in addresses)

    def test_servers_wait_for_the_migration_and_have_time_to_stop(self) -> None:
        for service in SERVERS:
            assert service["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}
            assert int(service["stop_grace_period"].removesuffix("s")) > 10
        assert goals(*SERVICES["migrate"]["command"], "--help").expect(0)

    def test_passwords_are_in_files_alone(self) -> None:
        for name, service in SERVICES.items():
            for variable, value in service.get("environment", {}).items():
                assert "PASS" not in variable or value.startswith("/run/secrets/"), f"{variable} of {name}"
        made = set(re.findall(r"> (secrets/\S+)", (MANY / "secrets.sh").read_text()))
        assert {secret["file"] for secret in COMPOSE["secrets"].values()} == {f"./{file}" for file in made}
        for service in SERVICES.values():
            assert set(service.get("secrets", [])) <= COMPOSE["secrets"].keys()

    def test_mounts_what_there_is(self) -> None:
        for service in SERVICES.values():
            for source in (volume.split(":")[0] for volume in service.get("volumes", [])):
                assert source in COMPOSE["volumes"] or source == "./tls" or (MANY / source).is_file(), source

    def test_images_have_a_version(self) -> None:
        assert {service["image"] for service in SERVICES.values()} == {
            "goals:many-servers", "nginx:1.28-bookworm", "postgres:17-bookworm",
        }


class TestKubernetes:
    def test_the_parts_find_each_other(self) -> None:
        labels = PARTS["Deployment"]["spec"]["template"]["metadata"]["labels"]
        assert PARTS["Service"]["spec"]["selector"] == labels
        for kind in ("Deployment", "PodDisruptionBudget"):
            assert PARTS[kind]["spec"]["selector"]["matchLabels"] == labels
        path = PARTS["Ingress"]["spec"]["rules"][0]["http"]["paths"][0]
        assert path["backend"]["service"] == {
            "name": PARTS["Service"]["metadata"]["name"], "port": {"name": PARTS["Service"]["spec"]["ports"][0]["name"]},
        }
        assert PARTS["Deployment"]["spec"]["replicas"] > PARTS["PodDisruptionBudget"]["spec"]["minAvailable"]
        cluster = yaml.safe_load((ROOT / "deploy/kubernetes/postgresql.yaml").read_text())
        name = cluster["metadata"]["name"]
        assert f"@{name}-rw/" in PARTS["ConfigMap"]["data"]["GOALS_DATABASE"]
        for kind in ("Job", "Deployment"):
            pod = PARTS[kind]["spec"]["template"]["spec"]
            assert pod["enableServiceLinks"] is False
            assert [volume["secret"]["secretName"] for volume in pod["volumes"] if "secret" in volume] == [f"{name}-app", f"{name}-ca"]
            for container in pod["initContainers"] + pod["containers"]:
                assert {mount["name"] for mount in container["volumeMounts"]} <= {volume["name"] for volume in pod["volumes"]}

    def test_nobody_but_the_ingress_and_prometheus_reaches_the_servers(self) -> None:
        pod, policy = PARTS["Deployment"]["spec"]["template"], PARTS["NetworkPolicy"]["spec"]
        assert policy["podSelector"]["matchLabels"] == pod["metadata"]["labels"] and policy["policyTypes"] == ["Ingress"]
        allowed = [port["port"] for rule in policy["ingress"] if rule["from"] for port in rule["ports"]]
        assert allowed == [port["name"] for port in pod["spec"]["containers"][0]["ports"]]

    def test_every_path_that_is_probed_answers(self, server: Server) -> None:
        container = PARTS["Deployment"]["spec"]["template"]["spec"]["containers"][0]
        probes = [container[f"{kind}Probe"]["httpGet"] for kind in ("readiness", "liveness")]
        assert [probe["path"] for probe in probes] == ["/readyz", "/healthz"]
        assert {probe["port"] for probe in probes} <= {port["name"] for port in container["ports"]}
        for probe in probes:
            server.client(None).get(probe["path"]).expect(200)
        (health,) = {tuple(service["healthcheck"]["test"]) for service in SERVERS}
        assert health[0] == "CMD" and goals(*health[2:], server.url).expect(0).out == "ready\n"

    def test_a_pod_may_stop_in_peace(self) -> None:
        pod = PARTS["Deployment"]["spec"]["template"]["spec"]
        before = int(pod["containers"][0]["lifecycle"]["preStop"]["exec"]["command"][1])
        assert pod["terminationGracePeriodSeconds"] > before + 10

    def test_the_copy_of_the_password_is_one_that_libpq_reads(self, tmp_path: Path) -> None:
        given = tmp_path / "secret/pgpass"
        given.parent.mkdir()
        given.write_text("a line")
        given.chmod(0o640)
        (tmp_path / "pgpass").mkdir()
        for kind in ("Job", "Deployment"):
            (copy,) = PARTS[kind]["spec"]["template"]["spec"]["initContainers"]
            command = [re.sub(r"^/", f"{tmp_path}/", word) for word in copy["command"]]
            subprocess.run(command, check=True)
            copied = tmp_path / PARTS["ConfigMap"]["data"]["PGPASSFILE"].lstrip("/")
            assert copied.read_text() == "a line" and stat.S_IMODE(copied.stat().st_mode) == 0o600

    def test_the_database_goes_on_with_two_copies_only(self) -> None:
        spec = yaml.safe_load((ROOT / "deploy/kubernetes/postgresql.yaml").read_text())["spec"]
        assert spec["postgresql"]["synchronous"] == {"method": "any", "number": 1, "dataDurability": "required"}
        assert spec["bootstrap"]["initdb"]["encoding"] == "UTF8"


class Proxy:
    """nginx by the file of `deploy`, without TLS, and telling who answered."""

    def __init__(self, folder: Path, servers: SharedServer):
        self.port = free_port()
        self.servers = servers
        text = replaced(
            CONFIGURATION,
            ("listen 443 ssl http2;", f"listen 127.0.0.1:{self.port};\n    add_header Served-By $upstream_addr always;"),
            ("events {}", "pid nginx.pid;\nerror_log stderr;\nworker_processes 2;\nevents {}"),
            ("http {", "http {\n  access_log off;"),
            *(
                (f"{service['networks']['inside']['ipv4_address']}:8080", f"127.0.0.1:{server.address[1]}")
                for service, server in zip(SERVERS, servers.all, strict=True)
            ),
        )
        text = re.sub(r"(?m)^ *ssl_certificate.*\n", "", text)
        (folder / "nginx.conf").write_text(text)
        self.process = subprocess.Popen([nginx(), "-p", folder, "-c", folder / "nginx.conf", "-e", "stderr", "-g", "daemon off;"])
        until(self.listens, "nginx listens")

    @property
    def address(self) -> tuple[str, int]:
        return ("127.0.0.1", self.port)

    def listens(self) -> bool:
        assert self.process.poll() is None, "nginx ended"
        try:
            socket.create_connection(self.address).close()
        except OSError:
            return False
        return True

    def client(self, token: str | None) -> Client:
        return Client(self.address, token)

    def served_by(self, client: Client, **fields: str) -> str:
        """Who answers, on a connection of its own. It may be a list, of whom nobody but the last did."""
        response = client.get("/v1/goals", headers=fields)
        client.close()
        served = response.header("Served-By")
        assert served is not None, response.shown()
        return served.rpartition(", ")[2]

    def server(self, served: str) -> Any:
        return next(one for one in self.servers.all if served == f"127.0.0.1:{one.address[1]}")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    nginx()
    with SharedServer(tmp_path, *UNLIMITED, "--trust-proxy", "--public-url", "https://goals.example", servers=3).start() as servers:
        proxy = Proxy(tmp_path, servers)
        yield proxy
        proxy.end()


def test_nginx_takes_the_file_with_tls(tmp_path: Path) -> None:
    subject = ["-subj", "/CN=goals.example", "-days", "2", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    files = ["-keyout", str(tmp_path / "privkey.pem"), "-out", str(tmp_path / "fullchain.pem")]
    subprocess.run(["openssl", "req", "-x509", *subject, *files], check=True, capture_output=True)
    text = replaced(CONFIGURATION, ("/etc/nginx/tls", str(tmp_path)), ("listen 443", f"listen 127.0.0.1:{free_port()}"))
    (tmp_path / "nginx.conf").write_text(text)
    command = [nginx(), "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"), "-e", "stderr", "-g", "pid nginx.pid;"]
    tried = subprocess.run(command, capture_output=True, text=True)
    assert tried.returncode == 0 and "[warn]" not in tried.stderr, tried.stderr


def test_a_token_and_a_session_stay_at_one_server(proxy: Proxy) -> None:
    # Of so many tokens, which chance spreads, none of three servers is left out.
    tokens = [proxy.servers.account()["token"] for _ in range(40)]
    places = [{proxy.served_by(proxy.client(token)) for _ in range(3)} for token in tokens]
    assert all(len(place) == 1 for place in places), places
    assert len(set().union(*places)) == 3, f"of 40 tokens none went to one of the servers: {places}"
    sessions = []
    for token in tokens:
        signed_in = proxy.client(token).post("/v1/session").expect(204)
        sessions.append((signed_in.header("Set-Cookie") or "").split(";")[0])
    assert all(session.startswith("__Host-goals_session=") for session in sessions)
    for session in sessions:
        others = ("", "theme=1; ", "theme=2; ")
        assert len({proxy.served_by(proxy.client(None), Cookie=other + session) for other in others}) == 1
    assert len({proxy.served_by(proxy.client(None), Cookie=session) for session in sessions}) > 1
    assert len({proxy.served_by(proxy.client(None)) for _ in range(6)}) == 1


def test_a_stream_tells_at_once_what_another_server_recorded(proxy: Proxy) -> None:
    phone = proxy.client(proxy.servers.token)
    goal = phone.add_goal()
    stream = Stream(proxy.address, proxy.servers.token)
    assert stream.status == 200
    elsewhere = next(one for one in proxy.servers.all if one is not proxy.server(stream.fields["served-by"]))
    for _ in range(3):
        bump = edit("bump", goal=goal)
        Client(elsewhere.address, proxy.servers.token).apply(bump)
        while (event := stream.event()).type != "edit":
            pass
        assert json.loads(event.text)["id"] == bump["id"]
    stream.close()


def sent(client: Client, bump: dict[str, Any]) -> dict[str, Any] | None:
    """What came of an edit; None where nginx itself answers, with a page that is no problem of ours."""
    try:
        return client.outcomes(bump)[0]
    except (Closed, AssertionError):
        return None


def test_clients_of_a_killed_server_go_on_at_another(proxy: Proxy) -> None:
    token = proxy.servers.token
    me = proxy.client(token)
    goal = me.add_goal()
    stream = Stream(proxy.address, token)
    cursor = stream.event().id
    place = stream.fields["served-by"]
    Server.kill(proxy.server(place))  # alone
    with pytest.raises(EOFError):
        while True:
            stream.event()
    bump = edit("bump", goal=goal)
    outcome = until(lambda: sent(me, bump), "another server records the edit")
    assert outcome["status"] in ("applied", "duplicate")
    assert proxy.served_by(proxy.client(token)) != place
    again = Stream(proxy.address, token, last=cursor)
    while (event := again.event()).type != "edit":
        pass
    assert json.loads(event.text)["id"] == bump["id"]
    again.close()
