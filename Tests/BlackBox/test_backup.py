"""`goals backup`, beside a running server and without one, and when it is cut off."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import sqlite3
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goals_client import PATIENCE, Client, edit, until
from goals_server import UNLIMITED, Server, goals
from test_faults import fill as fill_disk
from test_faults import small_disk  # noqa: F401
from test_serve import NOBODY, reachable
from tier import THOROUGH
from tracing import interrupted, need_root


@pytest.fixture(params=["beside a running server", "without a server"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A server, up or down, whose account `me` has a goal with ten bumps."""
    server = Server(tmp_path, *UNLIMITED).start()
    try:
        me = server.client()
        goal = me.add_goal()
        me.apply(*[edit("bump", goal=goal) for _ in range(10)])
        if request.param == "without a server":
            server.stop()
        yield server
    finally:
        server.kill()


def names(folder: Path) -> set[str]:
    return {name for name in os.listdir(folder) if not name.startswith("goals.sqlite")}


class TestABackup:
    def test_is_one_file_with_everything_in_it(self, home: Server, tmp_path: Path) -> None:
        done = home.run("backup", "copy.sqlite", cwd=tmp_path).expect(0)
        copy = tmp_path / "copy.sqlite"
        assert str(copy) in done.out and str(copy.stat().st_size) in done.out, done.shown()
        assert len(done.out.splitlines()) == 1 and done.err == "", done.shown()
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert names(tmp_path) == {"copy.sqlite"}
        connection = sqlite3.connect(f"file:{copy}?mode=ro", uri=True)
        assert connection.execute("PRAGMA journal_mode").fetchall() == [("delete",)]
        assert connection.execute("SELECT count(*) FROM edit").fetchall() == [(12,)]
        connection.close()
        assert names(tmp_path) == {"copy.sqlite"}, "reading it needs no other file"
        goals("verify", database=shutil.copy(copy, tmp_path / "again.sqlite")).expect(0)

    def test_tells_programs_where_it_is(self, home: Server, tmp_path: Path) -> None:
        told = home.run("backup", str(tmp_path / "copy.sqlite"), "--json").expect(0).json()
        size = (tmp_path / "copy.sqlite").stat().st_size
        assert told == {"path": str(tmp_path / "copy.sqlite"), "bytes": size, "accounts": 1}

    def test_where_no_database_is_makes_none(self, tmp_path: Path) -> None:
        goals("backup", "copy.sqlite", cwd=tmp_path).expect(1)
        assert os.listdir(tmp_path) == []

    def test_that_does_not_fit_on_its_disk_leaves_nothing_and_harms_nobody(self, home: Server, small_disk: Path) -> None:  # noqa: F811
        fill_disk(small_disk / "ballast")
        refused = home.run("backup", str(small_disk / "copy.sqlite")).expect(1)
        assert "full" in refused.err, refused.shown()
        assert os.listdir(small_disk) == ["ballast"]
        if home.alive():
            me = home.client()
            me.post("/v1/goals", {"title": "x"}).expect(201)
            me.get("/readyz").expect(200)


class TestAPlaceThatTheServerDoesNotSee:
    @pytest.fixture(params=["beside a running server", "without a server"])
    def other(self, request: pytest.FixtureRequest) -> Iterator[tuple[Server, Path]]:
        """A server of another user, which has a folder of its own at a path where root has one."""
        need_root("to run the server as another user")
        with reachable() as (folder, program):
            (folder / "home").mkdir()
            (folder / "private").mkdir(mode=0o700)
            os.chown(folder / "home", NOBODY, NOBODY)
            hide = f'mount -t tmpfs tmpfs "{folder}/private" && chmod 777 "{folder}/private" && exec setpriv "$@"'
            wrapper = ["unshare", "--mount", "sh", "-c", hide, "sh", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
            server = Server(folder / "home", *UNLIMITED, program=program, wrapper=wrapper)
            try:
                me = server.start().client()
                me.add_goal()
                if request.param == "without a server":
                    server.stop()
                yield server, folder / "private"
            finally:
                server.kill()

    def test_has_the_backup_of_root_in_its_folder_and_is_moved_from_there(self, other: tuple[Server, Path]) -> None:
        server, private = other
        run: dict[str, Any] = {"program": server.program, "cwd": private}
        done = goals("backup", "moving.sqlite", database=server.database, **run).expect(0)
        copy = private / "moving.sqlite"
        assert str(copy) in done.out and os.listdir(private) == ["moving.sqlite"], done.shown()
        assert (copy.stat().st_uid, stat.S_IMODE(copy.stat().st_mode)) == (0, 0o600)
        assert all(name.startswith("goals.sqlite") for name in os.listdir(server.folder)), os.listdir(server.folder)
        # On the new machine, whose folder is the service's.
        new = server.folder.parent / "new"
        new.mkdir(mode=0o700)
        os.chown(new, NOBODY, NOBODY)
        goals("restore", "moving.sqlite", database=new / "goals.sqlite", **run).expect(0)
        assert {(new / name).stat().st_uid for name in os.listdir(new)} == {NOBODY}
        goals("verify", database=new / "goals.sqlite", **run).expect(0)

    def test_that_root_names_in_the_service_s_folder_has_a_backup_of_the_service(self, other: tuple[Server, Path]) -> None:
        server, private = other
        copy = server.folder / "backup"
        goals("backup", str(copy), database=server.database, program=server.program, cwd=private).expect(0)
        assert copy.stat().st_uid == NOBODY
        # A link there leads root nowhere.
        (server.folder / "link").symlink_to(private)
        os.chown(server.folder / "link", NOBODY, NOBODY, follow_symlinks=False)
        linked = server.folder / "link" / "x"
        refused = goals("backup", str(linked), database=server.database, program=server.program).expect(1)
        assert "is a link" in refused.err and os.listdir(private) == [], refused.shown()

    def test_is_refused_where_the_caller_may_not_write(self, other: tuple[Server, Path]) -> None:
        server, private = other
        command = ["backup", str(private / "x")]
        refused = goals(*command, database=server.database, program=server.program, user=NOBODY, cwd=server.folder).expect(1)
        assert str(private) in refused.err and "a+x" not in refused.err, refused.shown()
        assert os.listdir(private) == []


class Notes:
    """Bumps with long notes, on many goals in turn: what fills a database quickly."""

    def __init__(self, client: Client):
        self.goals = [client.add_goal(frequency=1_000_000) for _ in range(100)]

    def some(self, count: int) -> list[dict[str, Any]]:
        return [edit("bump", goal=self.goals[number % 100], note="x" * 490) for number in range(count)]


@THOROUGH
class TestABackupUnderLoad:
    def test_has_all_that_was_acknowledged_before_it_and_holds_nobody_up(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            me = server.client()
            notes = Notes(me)
            for _ in range(8):  # some 6 MB, so that a copy takes several steps
                me.apply(*notes.some(1000))
            acknowledged: list[str] = []
            stop = threading.Event()

            def write() -> None:
                client = server.client()
                while not stop.is_set():
                    bumps = notes.some(5)
                    client.apply(*bumps)
                    acknowledged.extend(bump["id"] for bump in bumps)

            writers = [threading.Thread(target=write) for _ in range(4)]
            for writer in writers:
                writer.start()
            try:
                for number in range(2):
                    enough = len(acknowledged) + 100
                    until(lambda: len(acknowledged) > enough, "edits are acknowledged", 20)
                    before = set(acknowledged)
                    server.run("backup", str(tmp_path / f"{number}.sqlite")).expect(0)
                    during = set(acknowledged) - before
                    assert during, "nobody could write while the backup was made"
                    connection = sqlite3.connect(f"file:{tmp_path / f'{number}.sqlite'}?mode=ro", uri=True)
                    kept = {bytes(id).hex() for (id,) in connection.execute("SELECT id FROM edit")}
                    connection.close()
                    assert {id.replace("-", "") for id in before} <= kept
            finally:
                stop.set()
                for writer in writers:
                    writer.join(30 * PATIENCE)
            server.run("verify").expect(0)
            server.stop()

    def test_leaves_the_log_no_longer_than_it_was(self, tmp_path: Path) -> None:
        """Were it pinned for the whole time, the log could not be written back, and would grow with every commit."""
        with Server(tmp_path, *UNLIMITED) as server:
            me = server.client()
            notes = Notes(me)
            log = server.database.with_name("goals.sqlite-wal")
            for _ in range(8):
                me.apply(*notes.some(1000))
            before = log.stat().st_size
            written = 0
            backup = threading.Thread(target=server.run, args=("backup", str(tmp_path / "copy.sqlite")))
            backup.start()
            while backup.is_alive() or written < 20:
                me.apply(*notes.some(500))
                written += 1
            assert log.stat().st_size <= before + 8_000_000
            assert (tmp_path / "copy.sqlite").exists()


@THOROUGH
class TestABackupThatIsCutOff:
    def test_at_any_step_is_there_whole_or_not_at_all(self, tmp_path: Path) -> None:
        (tmp_path / "home").mkdir()
        with Server(tmp_path / "home", *UNLIMITED) as server:
            me = server.client()
            goal = me.add_goal()
            me.apply(*[edit("bump", goal=goal, note="x" * 400) for _ in range(100)])
            server.stop()
        copy = tmp_path / "copy.sqlite"
        whole = 0
        for step in interrupted(["backup", str(copy), "--database", str(server.database)]):
            left = {name for name in os.listdir(tmp_path) if name.startswith("copy")}
            assert all(name == "copy.sqlite" or name.startswith("copy.sqlite.partial-") for name in left), (step, left)
            if copy.exists():
                whole += 1
                goals("restore", str(copy), database=tmp_path / "restored.sqlite").expect(0)
            server.run("verify").expect(0)
            for name in [*left, *(name for name in os.listdir(tmp_path) if name.startswith("restored"))]:
                (tmp_path / name).unlink()
        assert whole >= 1, "the last steps come after the backup has its name"

    def test_by_the_end_of_its_server_leaves_that_a_good_end(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            me = server.client()
            notes = Notes(me)
            for _ in range(8):
                me.apply(*notes.some(1000))
            answers: list[Any] = []
            ask = threading.Thread(target=lambda: answers.append(server.run("backup", str(tmp_path / "copy.sqlite"))))
            ask.start()
            until(lambda: list(tmp_path.glob("copy*")), "the backup has begun", 10, 0.001)
            server.stop(signal.SIGTERM)
            ask.join(30 * PATIENCE)
            assert answers[0].code in (0, 1), answers[0].shown()
            # The server may end between the backup and its answer.
            is_whole = answers[0].code == 0 or "is whole" in answers[0].err
            assert is_whole == (tmp_path / "copy.sqlite").exists(), answers[0].shown()
            if is_whole:
                goals("verify", database=tmp_path / "copy.sqlite").expect(0)
            server.run("verify").expect(0)


class TestABackupWhoseServerDies:
    @pytest.mark.parametrize("reads", [True, False], ids=["while it makes it", "at once"])
    def test_says_that_none_was_made(self, tmp_path: Path, reads: bool) -> None:
        with socket.socket(socket.AF_UNIX) as dying:
            dying.bind(str(tmp_path / "sock"))
            dying.listen()

            def die() -> None:
                connection, _ = dying.accept()
                if reads:
                    connection.recv(65536)
                connection.close()

            thread = threading.Thread(target=die, daemon=True)
            thread.start()
            copy = tmp_path / "copy"
            failed = goals("backup", str(copy), "--admin-socket", str(tmp_path / "sock"), database=tmp_path / "x").expect(1)
            thread.join(5)
        assert failed.err == "goals: The server went away before it answered: no backup was made.\n", failed.shown()
