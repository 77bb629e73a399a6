"""What a server does while its database is there, and says nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from goals_client import until
from goals_server import goals, suspend
from shared_server import Cluster, SharedServer
from test_operation import metrics
from tier import THOROUGH

pytestmark = THOROUGH


@pytest.fixture
def silenced() -> Iterator[Cluster]:
    """A cluster of its own, for others stop with it."""
    cluster = Cluster()
    yield cluster
    cluster.end()


def stop(cluster: Cluster) -> list[int]:
    """Halts every process of a database, as a machine does that hangs."""
    head = int(Path(cluster.folder, "data/postmaster.pid").read_text().split()[0])
    suspend(head)
    children = Path(f"/proc/{head}/task/{head}/children").read_text().split()
    processes = [head, *map(int, children)]
    for process in processes[1:]:
        with contextlib.suppress(ProcessLookupError):  # one that had ended just then
            suspend(process)
    return processes


def test_a_silent_database_holds_up_nobody_who_does_not_need_it(tmp_path: Path, silenced: Cluster) -> None:
    url = silenced.fresh_database()
    goals("migrate", url).expect(0)
    token = goals("account", "add", "me", "--database", url, "--json").expect(0).json()["token"]
    with SharedServer(tmp_path, "--metrics-listen", "127.0.0.1:0", url=url) as server:
        server.token = token
        known = server.client()
        assert known.get("/v1/goals").status == 200
        unseen = goals("token", "add", "me", "--name", "new", "--database", url, "--json").expect(0).json()["token"]
        halted = stop(silenced)
        try:
            # A token that the server has never seen has to be looked up.
            with socket.create_connection(server.address) as stranger:
                stranger.sendall(
                    b"GET /v1/goals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\n\r\n"
                    % unseen.encode()
                )
                anyone = server.client(None)
                assert anyone.get("/healthz").status == 200
                assert anyone.get("/openapi.yaml").status == 200
                ready = anyone.get("/readyz")
                assert (ready.status, ready.json()["code"]) == (503, "store-unavailable")
                found = metrics(server)
                assert found["goals_ready"] == 0 and "goals_accounts" not in found
                # None of these has waited until the database was given up.
                stranger.setblocking(False)
                with pytest.raises(BlockingIOError):
                    stranger.recv(1)
        finally:
            for process in halted:
                with contextlib.suppress(ProcessLookupError):  # one that had ended just then
                    os.kill(process, signal.SIGCONT)
        known.add_goal(title="Yoga")
        assert metrics(server)["goals_accounts"] == 1


def test_a_database_that_is_away_is_told_of_once(tmp_path: Path, silenced: Cluster) -> None:
    url = silenced.fresh_database()
    goals("migrate", url).expect(0)
    token = goals("account", "add", "me", "--database", url, "--json").expect(0).json()["token"]
    with SharedServer(tmp_path, url=url) as server:
        me = server.client(token)
        me.get("/v1/goals").expect(200)
        silenced.kill()
        until(lambda: me.get("/v1/goals").status == 503, "the database is missed")
        for _ in range(10):
            answer = me.get("/v1/goals").expect(503, "store-unavailable")
            assert answer.json()["detail"] == "The database can't be used at the moment. Nothing was recorded: ask again."
        told = [line.split(" ", 1)[1] for line in list(server.err) if " error " in line or "answered" in line]
        assert told and len(told) == len(set(told)), told
        assert all("the store failed" in line for line in told), told
        assert sum("Connection refused" in line or "No such file" in line for line in told) == 1, told
