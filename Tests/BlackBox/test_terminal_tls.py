"""The terminal client over https, behind nginx by the file of `deploy`: whom it trusts, and what comes through."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from goals_client import Client, until
from goals_server import ROOT, Server, free_port
from test_deploy_many import nginx, replaced
from test_shared_tls import Authority
from test_terminal import Person, progress
from test_terminal_trouble import Watch
from tier import THOROUGH

pytestmark = THOROUGH


class Gateway:
    """nginx before a server, with a certificate of an authority that no system knows."""

    def __init__(self, folder: Path, server: Server):
        authority = Authority(folder / "authority", "Nobody")
        self.certificate = str(authority.certificate)
        (folder / "both.pem").write_bytes(authority.certify("localhost"))
        port = free_port()
        self.url = f"https://localhost:{port}"
        self.log = folder / "access.log"
        site = replaced(
            (ROOT / "deploy" / "nginx.conf").read_text(),
            ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
            ("goals.example.org;", "localhost;"),
            ("http://127.0.0.1:8080", server.url),
        )
        site = site.replace("listen 80;", f"listen unix:{folder}/unused;")
        site = re.sub(r"(?m)^ *listen \[::\].*\n", "", site)
        site = re.sub(r"(ssl_certificate(_key)?) .*;", rf"\1 {folder}/both.pem;", site)
        file = folder / "nginx.conf"
        file.write_text(f"pid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log {self.log};\n{site}}}\n")
        self.process = subprocess.Popen([nginx(), "-p", folder, "-c", file, "-e", "stderr", "-g", "daemon off;"])
        until(self.log.exists, "nginx is there")


@pytest.fixture
def gateway(tmp_path: Path, server: Server) -> Iterator[Gateway]:
    gateway = Gateway(tmp_path, server)
    yield gateway
    gateway.process.terminate()
    gateway.process.wait()


@pytest.fixture
def person(tmp_path: Path) -> Person:
    (tmp_path / "home").mkdir()
    return Person(tmp_path / "home")


def test_tells_its_token_to_nobody_whom_it_does_not_trust(person: Person, me: Client, gateway: Gateway) -> None:
    for trusted in ({}, {"SSL_CERT_FILE": str(person.home / "none.pem")}):
        said = person.run("login", f"{gateway.url}/#token={me.token}", env=trusted).expect(1)
        assert said.err == f"goals: No server answers at {gateway.url}.\n"
    # It has the certificate of another name.
    other = gateway.url.replace("localhost", "127.0.0.1")
    person.run("login", f"{other}/#token={me.token}", env={"SSL_CERT_FILE": gateway.certificate}).expect(1)
    assert gateway.log.read_text() == ""


def test_counts_and_hears_of_others_once_it_trusts_the_server(person: Person, me: Client, gateway: Gateway) -> None:
    person.env["SSL_CERT_FILE"] = gateway.certificate
    person.run("login", f"{gateway.url}/#token={me.token}").expect(0)
    person.run("add", "Yoga", "--times", "9").expect(0)
    count = 0

    def is_sent() -> bool:
        # What is known of an edit after a moment is printed, so a slow machine may need another one.
        nonlocal count
        count += 1
        return person.run("bump", "yoga", "--json").expect(0).json()["sent"]

    until(is_sent, "an edit is sent at once", 20)
    assert progress(me) == {"Yoga": count}
    with Watch(person) as watch:
        watch.shows(f"{count} of 9")
        me.post(f"/v1/goals/{me.goals()[0]['id']}/bump").expect(200)
        watch.shows(f"{count + 1} of 9")
    assert progress(me) == {"Yoga": count + 1}
