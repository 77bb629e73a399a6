"""What a server does while its database is there, and says nothing."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from goals_server import goals
from shared_server import Cluster, SharedServer


@pytest.fixture
def silenced() -> Iterator[Cluster]:
    """A cluster of its own, for others stop with it."""
    cluster = Cluster()
    yield cluster
    cluster.end()


def stop(cluster: Cluster) -> list[int]:
    """Halts every process of a database, as a machine does that hangs."""
    head = int(Path(cluster.folder, "data/postmaster.pid").read_text().split()[0])
    os.kill(head, signal.SIGSTOP)
    children = Path(f"/proc/{head}/task/{head}/children").read_text().split()
    processes = [head, *map(int, children)]
    for process in processes[1:]:
        os.kill(process, signal.SIGSTOP)
    return processes


def test_a_silent_database_holds_up_nobody_who_does_not_need_it(tmp_path: Path, silenced: Cluster) -> None:
    url = silenced.fresh_database()
    goals("migrate", url).expect(0)
    token = goals("account", "add", "me", "--database", url, "--json").expect(0).json()["token"]
    with SharedServer(tmp_path, url=url) as server:
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
                # None of these has waited until the database was given up.
                stranger.setblocking(False)
                with pytest.raises(BlockingIOError):
                    stranger.recv(1)
        finally:
            for process in halted:
                with contextlib.suppress(ProcessLookupError):  # one that had ended just then
                    os.kill(process, signal.SIGCONT)
        known.add_goal(title="Yoga")
