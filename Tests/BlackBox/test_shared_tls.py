"""Servers that reach PostgreSQL by TLS: who it is has to be proved, and what is wrong is said."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from goals_client import new_id, until
from goals_server import UNLIMITED, goals
from shared_server import Cluster, SharedServer
from tier import THOROUGH

pytestmark = THOROUGH

KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


class Authority:
    """A CA of its own, which certifies servers."""

    def __init__(self, folder: Path, name: str):
        folder.mkdir()
        self.folder, self.certificate, self.key = folder, folder / "ca.crt", folder / "ca.key"
        openssl("req", "-x509", *KEY, "-days", "2", "-subj", f"/CN={name}", "-keyout", self.key, "-out", self.certificate)

    def certify(self, host: str) -> bytes:
        """A key and its certificate, in one text."""
        key, request, names, made = (self.folder / name for name in ("key", "request", "names", "certificate"))
        names.write_text(f"subjectAltName=DNS:{host}\n")
        openssl("req", *KEY, "-subj", f"/CN={host}", "-keyout", key, "-out", request)
        signer: list[str | Path] = ["-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial"]
        openssl("x509", "-req", "-in", request, *signer, "-days", "2", "-extfile", names, "-out", made)
        return key.read_bytes() + made.read_bytes()


class TLSCluster(Cluster):
    """One that listens on this machine's address, too, with a certificate for `localhost`."""

    def __init__(self, certificate: bytes):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.tcp_port = free.getsockname()[1]
        super().__init__("listen_addresses = '127.0.0.1'", f"port = {self.tcp_port}")
        self.pem = Path(self.folder, "tls.pem")
        self.local = f"postgresql://postgres@/postgres?host={self.folder}&port={self.tcp_port}"
        self.present(certificate)
        for name in ("ssl_cert_file", "ssl_key_file"):
            self.sql(f"ALTER SYSTEM SET {name} = '{self.pem}'", self.local)
        self.speak_tls("on")
        self.name = f"goals_{new_id()[-12:]}"
        self.sql(f"CREATE DATABASE {self.name}", self.local)

    def present(self, certificate: bytes) -> None:
        """To whoever connects after the next reload."""
        self.pem.touch(0o600)
        self.pem.write_bytes(certificate)
        if os.geteuid() == 0:
            shutil.chown(self.pem, "postgres")

    def speak_tls(self, value: str) -> None:
        self.sql(f"ALTER SYSTEM SET ssl = {value}", self.local)
        self.reload()
        until(lambda: self.sql("SHOW ssl", self.local).strip() == value, f"ssl is {value}")

    def reload(self) -> None:
        loaded = "SELECT pg_conf_load_time()"
        before = self.sql(loaded, self.local)
        self.sql("SELECT pg_reload_conf()", self.local)
        until(lambda: self.sql(loaded, self.local) != before, "the settings are read anew")

    def url(self, ca: Path, host: str = "localhost") -> str:
        return f"postgresql://postgres@{host}:{self.tcp_port}/{self.name}?sslmode=verify-full&sslrootcert={ca}"


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "ours", "Ours")


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "others", "Another's")


@pytest.fixture(scope="module")
def database(ours: Authority) -> Iterator[TLSCluster]:
    cluster = TLSCluster(ours.certify("localhost"))
    goals("migrate", cluster.url(ours.certificate)).expect(0)
    yield cluster
    cluster.end()


@pytest.fixture
def server(database: TLSCluster, ours: Authority, tmp_path: Path) -> Iterator[SharedServer]:
    server = SharedServer(tmp_path, *UNLIMITED, url=database.url(ours.certificate))
    server.token = server.account()["token"]
    with server.start():
        yield server


def test_every_connection_of_a_server_is_encrypted(server: SharedServer, database: TLSCluster) -> None:
    me = server.client()
    goal = me.add_goal()
    me.post(f"/v1/goals/{goal}/bump").expect(200)
    me.get("/v1/history").expect(200)
    kinds = database.sql(
        "SELECT ssl, count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
        " WHERE application_name = 'goals' GROUP BY ssl",
        database.local,
    )
    assert kinds.startswith("t|") and kinds.count("\n") == 1, kinds


def refused(url: str) -> str:
    """What is said at a start, which is the same for a command."""
    said = goals("serve", "--listen", "127.0.0.1:0", database=url, timeout=30).expect(1).err
    assert said == goals("account", "list", database=url).expect(1).err
    assert said.startswith("goals: The database can't be used: ") and said.count("\n") == 1
    return said


def test_a_certificate_of_another_authority_is_refused(database: TLSCluster, others: Authority) -> None:
    said = refused(database.url(others.certificate))
    assert f'"localhost" (127.0.0.1), port {database.tcp_port}' in said and "certificate verify failed" in said


def test_a_certificate_for_another_host_is_refused(database: TLSCluster, ours: Authority) -> None:
    said = refused(database.url(ours.certificate, "127.0.0.1"))
    assert 'server certificate for "localhost"' in said and 'does not match host name "127.0.0.1"' in said


def test_an_authority_that_is_not_there_is_named(database: TLSCluster, tmp_path: Path) -> None:
    assert f'root certificate file "{tmp_path}/absent.crt" does not exist' in refused(database.url(tmp_path / "absent.crt"))


def test_a_database_without_tls_is_refused(database: TLSCluster, ours: Authority) -> None:
    database.speak_tls("off")
    try:
        assert "server does not support SSL, but SSL was required" in refused(database.url(ours.certificate))
    finally:
        database.speak_tls("on")


def test_a_database_that_can_no_longer_prove_who_it_is_gets_nothing(server: SharedServer, database: TLSCluster, others: Authority) -> None:
    me = server.client()
    goal = me.add_goal()
    good = database.pem.read_bytes()
    database.present(others.certify("localhost"))
    database.reload()
    try:
        database.sql("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'goals'", database.local)
        me.post(f"/v1/goals/{goal}/bump").expect(503, "store-unavailable")
        until(lambda: me.get("/readyz").status == 503, "it is not ready")
        assert any("certificate verify failed" in line for line in server.err), server.shown()
    finally:
        database.present(good)
        database.reload()
    me.post(f"/v1/goals/{goal}/bump").expect(200)
    until(lambda: me.get("/readyz").status == 200, "it is ready")
    assert me.goal(goal)["progress"] == 1
