"""A disk that fails, a disk that is full, and no descriptors left."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goals_client import PATIENCE, Client, Closed, ProtocolError, Response, build, check, edit, new_id, until
from goals_server import UNLIMITED, Server, binary, environment, suspend
from tracing import Injection, need_root, need_strace


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    need_root("to make a disk fail")
    need_strace()
    server = Server(tmp_path, *UNLIMITED).start()
    yield server
    server.kill()


def recovers(client: Client, goal: str) -> None:
    until(lambda: client.post(f"/v1/goals/{goal}/bump").status == 200, "the server takes writes again", 15, 0.1)


def bumps(goal: str, count: int) -> list[dict[str, Any]]:
    return [edit("bump", goal=goal) for _ in range(count)]


def in_log(client: Client) -> list[str]:
    log = client.log()
    assert [e["version"] for e in log] == list(range(1, len(log) + 1)), "versions have a gap"
    ids = [e["id"] for e in log]
    assert len(set(ids)) == len(ids), "an edit is there twice"
    return ids


FAULTS = [
    ("fdatasync:error=EIO", "fsync:error=EIO"),
    ("pwrite64:error=EIO",),
    ("pwrite64:error=ENOSPC",),
]


class TestADiskThatFails:
    @pytest.mark.parametrize("fault", FAULTS, ids=" ".join)
    def test_refuses_writes_answers_reads_and_comes_back(self, fresh: Server, fault: tuple[str, ...]) -> None:
        me = fresh.client()
        goal = me.add_goal(frequency=5)
        me.apply(*bumps(goal, 3))
        before = me.get("/v1/goals").expect(200)
        refused = bumps(goal, 4)
        with Injection(fresh.pid, *fault, path=f"{fresh.database}-wal"):
            me.edits(*refused).expect(503, "store-unavailable")
            me.post(f"/v1/goals/{goal}/bump").expect(503, "store-unavailable")
            me.post("/v1/goals", {"title": "x"}).expect(503, "store-unavailable")
            me.get("/readyz").expect(503, "store-unavailable")
            after = me.get("/v1/goals").expect(200)
            assert (after.body, after.etag) == (before.body, before.etag), f"{before.shown()}{after.shown()}"
            assert me.get("/v1/edits").expect(200).json()["version"] == 5
            me.get("/healthz").expect(200)
            until(lambda: me.get("/readyz").status == 503, "it says that it is not ready", 10, 0.05)
        if "EIO" in fault[0]:
            failed = until(lambda: [line for line in list(fresh.err) if "a commit failed" in line], "it is told")
            assert all("errno 5" in line for line in failed), list(fresh.err)
        recovers(me, goal)
        me.get("/readyz").expect(200)
        ids = in_log(me)
        assert not set(ids) & {e["id"] for e in refused}, "refused, and recorded all the same"
        me.apply(*refused)
        fresh.kill()
        fresh.start()
        kept = in_log(fresh.client())
        assert kept[: len(ids)] == ids and kept[len(ids) :] == [e["id"] for e in refused]
        fresh.run("verify").expect(0)

    @pytest.mark.parametrize("fault", FAULTS, ids=" ".join)
    def test_and_then_is_killed_has_recorded_nothing_it_refused(self, fresh: Server, fault: tuple[str, ...]) -> None:
        me = fresh.client()
        goal = me.add_goal()
        refused = bumps(goal, 4)
        with Injection(fresh.pid, *fault, path=f"{fresh.database}-wal"):
            me.edits(*refused).expect(503, "store-unavailable")
            fresh.kill()
        fresh.start()
        me = fresh.client()
        assert len(in_log(me)) == 2, "refused, and recorded all the same"
        assert me.goal(goal)["progress"] == 0
        me.apply(*refused)
        fresh.run("verify").expect(0)

    def test_once_under_many_writers_loses_nothing_it_acknowledged(self, fresh: Server) -> None:
        goal = fresh.client().add_goal()
        acknowledged: set[str] = set()
        refused: list[dict[str, Any]] = []
        faults: list[str] = []
        stop = threading.Event()

        def write() -> None:
            client = fresh.client()
            while not stop.is_set():
                bump = edit("bump", goal=goal)
                response = client.edits(bump)
                if response.status == 503:
                    refused.append(bump)
                    stop.wait(0.02)
                elif response.status == 200 and response.json()["outcomes"][0]["status"] == "applied":
                    acknowledged.add(bump["id"])
                else:
                    faults.append(response.shown())
                    return

        writers = [threading.Thread(target=write) for _ in range(16)]
        for writer in writers:
            writer.start()
        try:
            for _ in range(3):
                enough, seen = len(acknowledged) + 50, len(refused)
                until(lambda: len(acknowledged) >= enough or faults, "edits are acknowledged", 20)
                with Injection(fresh.pid, "fdatasync:error=EIO", path=f"{fresh.database}-wal"):
                    until(lambda: len(refused) > seen or faults, "edits are refused", 20)
            enough = len(acknowledged) + 50
            until(lambda: len(acknowledged) >= enough or faults, "edits are acknowledged again", 20)
        finally:
            stop.set()
            for writer in writers:
                writer.join(30 * PATIENCE)
        assert not any(writer.is_alive() for writer in writers)
        assert not faults, faults[0]
        me = fresh.client()
        recorded = set(in_log(me)[2:])
        assert recorded == acknowledged, (
            f"{len(acknowledged - recorded)} acknowledged and lost, {len(recorded - acknowledged)} refused and recorded"
        )
        for bump in refused:
            assert me.outcomes(bump)[0]["status"] == "applied"
        fresh.kill()
        fresh.start()
        assert set(in_log(fresh.client())[2:]) == acknowledged | {bump["id"] for bump in refused}
        fresh.run("verify").expect(0)


class TestADiskThatDoesNotRead:
    def test_is_no_damage_and_is_named(self, fresh: Server) -> None:
        me = fresh.client()
        goal = me.add_goal()
        me.apply(*bumps(goal, 3))
        page = me.get("/v1/edits").expect(200)
        fresh.stop()
        fresh.start()  # nothing is in memory, and what was in the log is in the file
        me = fresh.client()
        with Injection(fresh.pid, "pread64:error=EIO", path=fresh.database):
            me.get("/v1/edits").expect(503, "store-unavailable")
        errors = until(lambda: [line for line in list(fresh.err) if "errno 5" in line], "it is told")
        assert not any("contradicts" in line for line in errors), list(fresh.err)
        assert me.get("/v1/edits").expect(200).json()["edits"] == page.json()["edits"]
        recovers(me, goal)
        fresh.stop()
        fresh.run("verify").expect(0)

    def test_at_a_start_is_told_of(self, fresh: Server) -> None:
        fresh.client().add_goal()
        fresh.stop()
        trace = ["strace", "-f", "-o", "/dev/null", "-P", str(fresh.database), "-e", "inject=pread64:error=EIO:when=4+"]
        started = subprocess.run(
            [*trace, binary(), "serve", "--database", str(fresh.database), "--listen", "127.0.0.1:0"],
            env=environment(), capture_output=True, text=True, timeout=600,
        )  # fmt: skip
        assert started.returncode == 1 and "errno 5" in started.stderr, started
        assert "damaged" not in started.stderr, started
        fresh.start()


class TestADamagedFile:
    @pytest.mark.parametrize("offset", [0, 24, 100], ids=["no header", "a garbled header", "a garbled schema"])
    def test_is_refused_at_the_start_with_what_to_do(self, tmp_path: Path, offset: int) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            server.client().add_goal()
            server.stop()
        with server.database.open("r+b") as file:
            file.seek(offset)
            file.write(b"\xff" * 30)
        refused = server.run("serve", "--listen", "127.0.0.1:0").expect(1)
        assert len(refused.err.splitlines()) == 1, refused.shown()
        assert f"goals restore BACKUP --force --database {server.database}" in refused.err, refused.shown()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MiB."""
    need_root("to mount a small file system")
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=0755", "tmpfs", str(folder)], check=True)
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


class TestAFullDisk:
    def test_refuses_writes_answers_reads_and_goes_on_when_there_is_space(self, small_disk: Path) -> None:
        ballast = small_disk / "ballast"
        with Server(small_disk, *UNLIMITED) as server:
            me = server.client()
            goal = me.add_goal()
            acknowledged: list[str] = []
            fill(ballast)
            refused = self.until_refused(me, goal, acknowledged)
            me.get("/readyz").expect(503, "store-unavailable")
            for _ in range(3):
                me.edits(*refused).expect(503, "store-unavailable")
            assert len(me.goals()) == 1 and me.goal(goal)["id"] == goal
            assert in_log(me)[2:] == acknowledged
            me.get("/healthz").expect(200)
            ballast.unlink()
            recovered = until(lambda: (r := me.edits(*refused)).status == 200 and r, "it takes writes again", 15, 0.1)
            assert {o["status"] for o in recovered.json()["outcomes"]} == {"applied"}, recovered.shown()
            me.get("/readyz").expect(200)
            assert in_log(me)[2:] == acknowledged + [e["id"] for e in refused]
            server.kill()
            server.start()
            assert in_log(server.client())[2:] == acknowledged + [e["id"] for e in refused]
            server.run("verify").expect(0)
            server.stop()

    def test_is_known_to_have_space_again_when_nobody_writes(self, small_disk: Path) -> None:
        with Server(small_disk, *UNLIMITED) as server:
            me = server.client()
            goal = me.add_goal()
            fill(small_disk / "ballast")
            self.until_refused(me, goal, [])
            me.get("/readyz").expect(503, "store-unavailable")
            (small_disk / "ballast").unlink()
            until(lambda: me.get("/readyz").status == 200, "it says that it is ready", 10, 0.1)

    def test_is_told_when_it_begins_and_when_it_ends_however_many_it_refuses(self, small_disk: Path) -> None:
        with Server(small_disk, *UNLIMITED, "--log-format", "json") as server:
            me = server.client()
            goal = me.add_goal()
            fill(small_disk / "ballast")
            refused = self.until_refused(me, goal, [])
            fill(small_disk / "ballast-2")
            for _ in range(20):
                me.edits(*refused).expect(503, "store-unavailable")
            for number in range(2000):  # what the refused edits took is room for some
                if me.post("/v1/tokens", {"name": f"{number}" * 40, "scope": "read"}).status == 503:
                    break
            for ballast in small_disk.glob("ballast*"):
                ballast.unlink()
            until(lambda: me.edits(*refused).status == 200, "it takes writes again", 15, 0.1)

            def told() -> list[dict[str, Any]]:
                return [json.loads(line) for line in list(server.err)]

            until(lambda: any("room again" in line["message"] for line in told()), "the log says that it is over")
            begins, ends = [line for line in told() if "disk" in line["message"]]
            assert (begins["level"], ends["level"]) == ("error", "notice")
            assert "full" in begins["error"] and begins["refused"] == 1 and ends["refused"] >= 21, (begins, ends)
            assert not [line for line in told() if line["message"] == "answered" or line["level"] == "warning"], told()

    @staticmethod
    def until_refused(me: Client, goal: str, acknowledged: list[str]) -> list[dict[str, Any]]:
        for _ in range(2000):
            batch = [edit("bump", goal=goal, note="x" * 400) for _ in range(50)]
            response = me.edits(*batch)
            if response.status != 200:
                response.expect(503, "store-unavailable")
                return batch
            acknowledged += [e["id"] for e in batch]
        raise AssertionError("the disk never got full")


def fill(file: Path) -> None:
    """Takes all the space there is."""
    with file.open("wb", buffering=0) as out:
        for size in (65536, 4096, 512):
            try:
                while True:
                    out.write(b"\0" * size)
            except OSError:
                pass


class TestNoDescriptorsLeft:
    def test_is_survived(self, fresh: Server) -> None:
        open_now = len(os.listdir(f"/proc/{fresh.pid}/fd"))
        me = fresh.client()
        goal = me.add_goal()
        resource.prlimit(fresh.pid, resource.RLIMIT_NOFILE, (open_now + 12, open_now + 12))
        connections = []
        for _ in range(60):
            try:
                connections.append(fresh.connect())
            except OSError:
                break
        me.post(f"/v1/goals/{goal}/bump").expect(200)
        for connection in connections:
            connection.close()

        def again() -> Response | None:
            try:
                with fresh.connect() as connection:
                    connection.send(build("GET", "/healthz"))
                    response = check(connection.read_response())
                    return response if response.status == 200 else None
            except (Closed, OSError, ProtocolError):
                return None

        until(again, "it accepts connections again", 10, 0.1)
        me.edits(edit("bump", goal=goal, note=new_id())).expect(200)

    @pytest.mark.parametrize("method", ["GET", "HEAD"])
    def test_a_refusal_is_whole(self, fresh: Server, method: str) -> None:
        open_now = len(os.listdir(f"/proc/{fresh.pid}/fd"))
        resource.prlimit(fresh.pid, resource.RLIMIT_NOFILE, (open_now + 2, open_now + 2))
        suspend(fresh.pid)
        try:
            clients = [fresh.connect() for _ in range(8)]
            for client in clients:
                client.send(build(method, "/healthz"))
        finally:
            os.kill(fresh.pid, signal.SIGCONT)
        statuses = []
        for client in clients:
            try:
                statuses.append(check(client.read_response(method)).status)
                if statuses[-1] == 503:
                    client.expect_end()
            except (Closed, OSError):
                pass  # The system closed it with what the server said.
            client.close()
        assert 503 in statuses
