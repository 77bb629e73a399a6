"""Zone files that can't be read, or are not there: no day is ever counted by another zone."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goals_client import Client, edit, until
from goals_server import UNLIMITED, Server
from tracing import need_root, need_strace

ZONE = "/usr/share/zoneinfo/Asia/Tokyo"
# The 20th in UTC and in Berlin, the 21st in Tokyo.
AT = "2026-11-20T18:00:00Z"


def failing(error: str, when: str, call: str = "openat") -> list[str]:
    """A command under which that zone's file can't be opened, or read, as often as said, counted in each thread.

    The tracer is not the server's parent (-D): what ends the process ends the server. It can be ended by itself (-I 2).
    """
    inject = f"inject={call}:error={error}:when={when}"
    return [need_strace(), "-D", "-I", "2", "-f", "-qq", "-o", "/dev/null", "-P", ZONE, "-e", f"trace={call}", "-e", inject]


def end_faults(server: Server) -> None:
    """Ends the tracer, and with it the faults; the server goes on."""

    def tracers() -> set[int]:
        """Of each thread, 0 for none."""
        found = set()
        for thread in Path(f"/proc/{server.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # one that has just ended
                found.add(int((thread / "status").read_text().partition("TracerPid:")[2].split()[0]))
        return found

    tracer = max(tracers())
    assert tracer > 0
    os.kill(tracer, signal.SIGTERM)
    until(lambda: tracers() == {0}, "nobody traces the server any more")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    need_root("to make a file unreadable")
    server = Server(tmp_path, "--time-zone", "Asia/Tokyo", *UNLIMITED).start()
    yield server
    server.kill()


def test_a_zone_is_served_as_it_is_on_the_machine(server: Server) -> None:
    for name in ("Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "US/Pacific"):
        answer = server.client().get(f"/v1/zones/{name}").expect(200)
        assert answer.media_type == "application/octet-stream"
        assert answer.body == (Path("/usr/share/zoneinfo") / name).read_bytes()


def restart(server: Server, wrapper: list[str]) -> None:
    """Starts it again, now that no account is to be made: its zones are looked up for the accounts alone."""
    server.stop()
    server.wrapper, server.flags = wrapper, list(UNLIMITED)
    server.start()


def counted(me: Client) -> list[str]:
    return [e["day"] for e in me.log() if e["type"] == "bump"]


def account(me: Client) -> dict[str, Any]:
    return me.get("/v1/account").expect(200).json()


OPENED = [("openat", "EMFILE"), ("openat", "EIO"), ("openat", "EACCES"), ("openat", "ENOENT")]


@pytest.mark.parametrize(("call", "error"), [*OPENED, ("read", "EIO")])
def test_a_zone_that_can_not_be_read_once_is_read_again(server: Server, call: str, error: str) -> None:
    goal = server.client().add_goal()
    restart(server, failing(error, "1", call))
    me = server.client()

    def is_counted() -> bool:
        answer = me.post(f"/v1/goals/{goal}/bump", {"at": AT})
        return answer.expect((200, 503)).status == 200

    until(is_counted, "the zone is read")
    assert counted(me) == ["2026-11-21"]
    log = "".join(server.err)
    assert log.count("a time zone can't be read") == (error != "ENOENT"), log
    assert log.count("this machine lacks") == 1 and "accounts=1 zone=Asia/Tokyo" in log, log
    me.patch("/v1/account", {"timeZone": "UTC"}).expect(200)
    me.patch("/v1/account", {"timeZone": "Asia/Tokyo"}).expect(200)
    server.run("verify").expect(0)



def test_a_zone_whose_file_can_be_read_again_counts_again(server: Server) -> None:
    goal = server.client().add_goal()
    restart(server, failing("EIO", "1+", "read"))
    me, bump = server.client(), edit("bump", goal=goal, at=AT)
    before = account(me)
    for _ in range(3):
        me.edits(bump).expect(503, "store-unavailable")
        me.get("/v1/goals").expect(503, "store-unavailable")
    assert account(me) == before and counted(me) == []
    end_faults(server)
    assert [outcome["status"] for outcome in me.outcomes(bump)] == ["applied"]
    assert counted(me) == ["2026-11-21"]
    assert me.goal(goal)["id"] == goal
    server.run("verify").expect(0)
