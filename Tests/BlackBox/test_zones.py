"""Zone files that can't be read, or are not there: no day is ever counted by another zone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from goals_client import Client, edit
from goals_server import UNLIMITED, Server
from tracing import need_root, need_strace

ZONE = "/usr/share/zoneinfo/Asia/Tokyo"
# The 20th in UTC, the 21st in Tokyo.
AT = "2026-11-20T18:00:00Z"


def failing(error: str, opens: str) -> list[str]:
    """A command under which that zone's file can't be opened, as often as said."""
    inject = f"inject=openat:error={error}:when={opens}"
    return [need_strace(), "-f", "-qq", "-o", "/dev/null", "-P", ZONE, "-e", "trace=open,openat", "-e", inject]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    need_root("to make a file unreadable")
    server = Server(tmp_path, "--time-zone", "Asia/Tokyo", *UNLIMITED).start()
    yield server
    server.kill()


def counted(me: Client, goal: str) -> list[str]:
    return [e["day"] for e in me.log() if e["type"] == "bump" and e["goal"] == goal]


@pytest.mark.parametrize("error", ["EMFILE", "EIO", "EACCES", "ENOENT"])
def test_a_zone_that_can_not_be_read_counts_nothing_until_it_can(server: Server, error: str) -> None:
    goal = server.client().add_goal()
    other = server.account("other")
    server.stop()
    # By the start, by what is asked for below, and never again.
    server.wrapper = failing(error, "1..5")
    server.start()
    me, stranger = server.client(), server.client(other["token"])
    me.post(f"/v1/goals/{goal}/bump", {"at": AT}).expect(503, "store-unavailable")
    me.edits(edit("bump", goal=goal, at=AT)).expect(503, "store-unavailable")
    me.get("/v1/goals").expect(503, "store-unavailable")
    moved = stranger.patch("/v1/account", {"timeZone": "Asia/Tokyo"})
    moved.expect(422, "unknown-time-zone") if error == "ENOENT" else moved.expect(503, "store-unavailable")
    stranger.post("/v1/goals", {"title": "x"}).expect(201)
    assert me.version() == 2, "something was recorded"
    me.post(f"/v1/goals/{goal}/bump", {"at": AT}).expect(200)
    me.apply(edit("bump", goal=goal, at=AT))
    assert counted(me, goal) == ["2026-11-21", "2026-11-21"]
    stranger.patch("/v1/account", {"timeZone": "Asia/Tokyo"}).expect(200)
    log = "".join(server.err)
    assert log.count("a time zone can't be read") == (0 if error == "ENOENT" else 1), log
    assert log.count("this machine lacks") == 1 and "zone=Asia/Tokyo" in log, log
    server.run("verify").expect(0)


def test_an_account_leaves_a_zone_that_the_machine_lacks(server: Server) -> None:
    goal = server.client().add_goal()
    server.stop()
    server.wrapper = failing("ENOENT", "1+")
    server.start()
    me = server.client()
    me.get("/v1/goals").expect(503, "store-unavailable")
    assert me.get("/v1/account").expect(200).json()["timeZone"] == "Asia/Tokyo"
    export = me.get("/v1/export").expect(200).body
    me.patch("/v1/account", {"timeZone": "Europe/Berlin"}).expect(200)
    me.post(f"/v1/goals/{goal}/bump", {"at": AT}).expect(200)
    assert counted(me, goal) == ["2026-11-20"]
    new = server.new_client()
    refused = new.post("/v1/import", export, content_type="application/x-ndjson").expect(422, "invalid")
    assert "Line 1: this server has no time zone Asia/Tokyo" in refused.json()["detail"]
