"""A server that starts, stops, and starts again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tier
from goals_client import Client, Closed, build, edit, instant, new_id, until
from goals_server import LISTENING, UNLIMITED, Server, binary, environment, goals
from tracing import need_root, need_strace

NOBODY = 65534


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path, *UNLIMITED)
    yield server
    server.kill()


class TestTheFirstStart:
    def test_makes_the_account_me_and_prints_a_sign_in_link_once(self, fresh: Server) -> None:
        fresh.start()
        assert sum("#" in line for line in fresh.out + fresh.err) == 1, fresh.shown()
        assert f"Sign in at {fresh.url}/#code={fresh.code}\n" in fresh.out and len(fresh.code) == 32, fresh.shown()
        assert f"A token for curl: goals token add me --name curl --database {fresh.database}\n" in fresh.out, fresh.shown()
        assert fresh.client().get("/v1/account").expect(200).json()["name"] == "me"
        fresh.stop()
        fresh.start()
        assert "#" not in "".join(fresh.out + fresh.err), fresh.shown()
        assert [row["name"] for row in fresh.run("account", "list", "--json").expect(0).listing()] == ["me"]

    def test_prints_a_line_a_listener_on_standard_output(self, fresh: Server) -> None:
        fresh.flags += ["--listen", "127.0.0.1:0"]
        fresh.start(listeners=2)
        assert len(set(fresh.addresses)) == 2, fresh.shown()
        for address in fresh.addresses:
            Client(address, fresh.token).get("/v1/goals").expect(200)

    def test_takes_a_time_zone_which_no_later_start_changes(self, tmp_path: Path) -> None:
        zone = "America/Los_Angeles"
        with Server(tmp_path, *UNLIMITED, env={"GOALS_TIME_ZONE": zone}) as server:
            assert server.client().get("/v1/account").expect(200).json()["timeZone"] == zone
            server.stop()
            token = server.token
        with Server(tmp_path, *UNLIMITED, "--time-zone", "Asia/Tokyo") as again:
            assert again.client(token).get("/v1/account").expect(200).json()["timeZone"] == zone

    def test_takes_its_flags_from_the_environment(self, tmp_path: Path) -> None:
        server = Server(
            tmp_path,
            env={"GOALS_LISTEN": "127.0.0.1:0", "GOALS_DATABASE": str(tmp_path / "elsewhere.sqlite"), "GOALS_RATE_LIMIT": "0"},
            bare=True,
        )
        with server.start():
            until(server._sign_in, "a sign-in link", 5)
            server.client().get("/v1/goals").expect(200)
            assert (tmp_path / "elsewhere.sqlite").exists() and not (tmp_path / "goals.sqlite").exists()

    def test_makes_goals_sqlite_in_the_working_folder(self, tmp_path: Path) -> None:
        with Server(tmp_path, "--listen", "127.0.0.1:0", bare=True).start():
            assert (tmp_path / "goals.sqlite").exists(), os.listdir(tmp_path)


class TestAStartThatCannotWork:
    def test_beside_another_server_is_refused(self, fresh: Server) -> None:
        fresh.start()
        me = fresh.client()
        me.add_goal()
        second = goals("serve", "--listen", "127.0.0.1:0", database=fresh.database).expect(1)
        assert "Listening" not in second.out, second.shown()
        assert len(second.err.strip().splitlines()) == 1, second.shown()
        me.add_goal()
        assert me.version() == 4

    def test_on_a_port_in_use_is_refused(self, fresh: Server) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            finished = goals("serve", "--listen", f"127.0.0.1:{port}", database=fresh.database).expect(1)
            assert str(port) in finished.err, finished.shown()

    def test_in_a_folder_it_may_not_write_says_who_and_what_mends_it(self) -> None:
        with reachable() as (folder, program):
            os.chown(folder, 0, 0)
            folder.chmod(0o755)
            finished = goals(
                "serve",
                "--listen",
                "127.0.0.1:0",
                database=folder / "goals.sqlite",
                user=NOBODY,
                program=program,
                cwd=folder,
                timeout=600,
            ).expect(1)
            assert str(NOBODY) in finished.err and "chown" in finished.err, finished.shown()
            assert str(folder) in finished.err, finished.shown()
            assert os.listdir(folder) == ["goals"], os.listdir(folder)

    def test_in_a_container_says_what_mends_it_on_the_host(self) -> None:
        need_root("a folder of another user")
        with reachable() as (folder, program):
            os.chown(folder, 0, 0)
            folder.chmod(0o755)
            # Podman's mark; that of Docker would be at the top of this machine.
            script = 'mount -t tmpfs none /run && : > /run/.containerenv && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"'
            serve = [program, "serve", "--listen", "127.0.0.1:0", "--database", str(folder / "goals.sqlite")]
            refused = subprocess.run(
                ["unshare", "--mount", "sh", "-euc", script, "sh", *serve],
                cwd=folder, env=environment(), capture_output=True, text=True, timeout=600,
            )  # fmt: skip
            assert refused.returncode == 1 and "sudo chown -R 65534:65534 FOLDER" in refused.stderr, refused.stderr

    @pytest.mark.parametrize("zone", ["", "Mars/Olympus"])
    def test_in_a_time_zone_that_is_none_is_refused_and_leaves_nothing(self, tmp_path: Path, zone: str) -> None:
        serve = ("serve", "--listen", "127.0.0.1:0", "--time-zone", zone)
        finished = goals(*serve, database=tmp_path / "goals.sqlite").expect(64)
        assert "--time-zone" in finished.err, finished.shown()
        assert os.listdir(tmp_path) == []


@contextlib.contextmanager
def reachable() -> Iterator[tuple[Path, str]]:
    """A folder and a copy of the binary that another user can reach."""
    folder = Path(tempfile.mkdtemp(prefix="goals-"))
    try:
        folder.chmod(0o755)
        program = folder / "goals"
        shutil.copy(binary(), program)
        program.chmod(0o755)
        yield folder, str(program)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class TestAServerOfAnotherUser:
    def test_keeps_its_files_when_root_helps(self) -> None:
        need_root("to run the server as another user")
        with reachable() as (folder, program):
            os.chown(folder, NOBODY, NOBODY)
            server = Server(folder, *UNLIMITED, user=NOBODY, program=program)

            def owners() -> dict[str, int]:
                return {name: (folder / name).stat().st_uid for name in os.listdir(folder) if name != "goals"}

            def as_root(*arguments: str) -> None:
                goals(*arguments, database=server.database, program=program).expect(0)
                assert set(owners().values()) == {NOBODY}, owners()

            try:
                server.start().client().add_goal()
                as_root("account", "add", "Ann")
                as_root("verify")
                server.stop()
                as_root("account", "add", "Ben")
                as_root("verify")
                server.start()
                assert server.client().version() == 2
                server.client().add_goal()
            finally:
                server.kill()


    def test_tells_the_system_s_log_nothing_of_what_it_may_not(self) -> None:
        need_root("to run as another user")
        with reachable() as (folder, program):
            os.chown(folder, NOBODY, NOBODY)
            trace = folder / "trace"
            strace = [need_strace(), "-D", "-f", "-qq", "-e", "trace=connect,setpriority", "-o", str(trace)]
            server = Server(folder, *UNLIMITED, user=NOBODY, program=program, wrapper=strace)
            try:
                server.start().client().add_goal()
                server.stop()
            finally:
                server.kill()
            assert "setpriority" in trace.read_text(), "threads of libdispatch are seen"
            assert "/dev/log" not in trace.read_text()


class TestARestart:
    def test_keeps_everything(self, fresh: Server) -> None:
        fresh.start()
        clients = [fresh.token, fresh.account()["token"]]
        goal, bump = new_id(), new_id()
        before = []
        for token in clients:
            client = fresh.client(token)
            client.add_goal(id=goal, unit="km", frequency=3)
            client.apply(edit("bump", id=bump, goal=goal, by=2, note="x"), edit("delete", goal=client.add_goal()))
            client.add_goal(active=False)
            before.append([client.get(target).body for target in ("/v1/goals", "/v1/edits", "/v1/account")])
            etag = client.get("/v1/goals").etag
        stops: list[Callable[[], None]] = [fresh.stop, lambda: fresh.stop(signal.SIGINT), fresh.kill]
        for stop in stops:
            stop()
            fresh.start()
            for token, bodies in zip(clients, before, strict=True):
                client = fresh.client(token)
                assert [client.get(target).body for target in ("/v1/goals", "/v1/edits", "/v1/account")] == bodies
                assert client.outcomes(edit("bump", id=bump, goal=goal, by=2, note="x"))[0]["status"] == "duplicate"
                assert client.outcomes(edit("bump", id=bump, goal=goal, by=3))[0]["code"] == "id-conflict"
            assert client.get("/v1/goals").etag == etag
            fresh.run("verify").expect(0)


class TestASignalToEnd:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_ends_an_idle_server_with_0_and_waits_for_nobody(self, tmp_path: Path, number: signal.Signals) -> None:
        with Server(tmp_path, *UNLIMITED, "--stop-timeout", "3600") as server, server.connect() as idle:
            idle.send(build("GET", "/healthz"))
            idle.read_response().expect(200)
            server.stop(number)

    def test_counts_from_the_line_on_that_says_it_listens(self, tmp_path: Path) -> None:
        for turn in range(30 if tier.IS_ALL else 6):
            folder = tmp_path / str(turn)
            folder.mkdir()
            with Server(folder, *UNLIMITED).spawn() as server:
                until(lambda: LISTENING.match("".join(server.out[:1])), "the server listens", 30, 0)
                time.sleep(turn % 6 * 0.0005)
                server.stop()

    def test_leaves_a_checkpointed_database(self, fresh: Server) -> None:
        fresh.start().client().add_goal()
        fresh.stop()
        wal = fresh.folder / "goals.sqlite-wal"
        assert not wal.exists() or wal.stat().st_size == 0, f"{wal} has {wal.stat().st_size} bytes"

    def test_does_not_wait_for_ever_for_a_request_that_never_ends(self, fresh: Server) -> None:
        fresh.flags += ["--stop-timeout", "0.5"]
        fresh.start()
        data = build("POST", "/v1/goals", token=fresh.token, body={"title": "x"})
        with fresh.connect() as connection:
            connection.send(data[:-5])
            fresh.client().get("/v1/goals").expect(200)
            fresh.stop()

    def test_loses_no_acknowledged_edit(self, fresh: Server) -> None:
        fresh.start()
        goal = fresh.client().add_goal()
        acknowledged: list[str] = []

        def write() -> None:
            client = fresh.client()
            while True:
                bump = edit("bump", goal=goal)
                try:
                    response = client.edits(bump)
                except (Closed, OSError):
                    return
                if response.status != 200:
                    return
                acknowledged.append(bump["id"])

        writers = [threading.Thread(target=write) for _ in range(8)]
        for writer in writers:
            writer.start()
        until(lambda: len(acknowledged) > 200, "some edits are acknowledged", 20)
        fresh.stop()
        for writer in writers:
            writer.join()
        fresh.start()
        recorded = [e["id"] for e in fresh.client().log()[2:]]
        assert len(set(recorded)) == len(recorded)
        assert set(acknowledged) <= set(recorded), "acknowledged, but not recorded"


def test_an_instant_in_a_test_is_what_the_server_prints() -> None:
    assert instant(0) == "1970-01-01T00:00:00.000Z" and instant(1767225599.9996) == "2025-12-31T23:59:59.999Z"
