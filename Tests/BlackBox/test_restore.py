"""`goals restore`: what it refuses, what it keeps, when it is cut off, and what clients make of it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goals_client import edit
from goals_server import UNLIMITED, Server, goals
from test_sync_devices import Watched
from tier import THOROUGH
from tracing import faulty, interrupted, need_root


class Home:
    """A database with a backup of an earlier moment, and how to tell the one from the other."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.server = Server(folder, *UNLIMITED).start()
        self.token = self.server.token or ""
        me = self.server.client()
        self.goal = me.add_goal(frequency=100)
        me.apply(*[edit("bump", goal=self.goal) for _ in range(3)])
        self.backup = folder / "backup.sqlite"
        self.server.run("backup", str(self.backup)).expect(0)
        self.bytes = self.backup.read_bytes()
        me.apply(*[edit("bump", goal=self.goal) for _ in range(4)])
        self.server.stop()

    @property
    def database(self) -> Path:
        return self.server.database

    def restore(self, *arguments: str, code: int = 0) -> Any:
        return self.server.run("restore", str(self.backup), *arguments).expect(code)

    def beside(self) -> set[str]:
        """The names that begin with the database's, but for its lock and its socket."""
        names = {name for name in os.listdir(self.folder) if name.startswith("goals.sqlite")}
        return names - {"goals.sqlite.lock", "goals.sqlite.sock"}


def let_others_pass(folder: Path) -> None:
    """Lets other users reach a folder of a test."""
    for parent in folder.parents:
        if parent.name.startswith(("pytest-", "popen-")):
            parent.chmod(0o755)


def edits(database: Path) -> int:
    """How many edits a database holds that nobody has open."""
    connection = sqlite3.connect(database)
    ((count,),) = connection.execute("SELECT count(*) FROM edit").fetchall()
    connection.close()
    return count


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path)
    yield home
    home.server.kill()


class TestARestore:
    def test_puts_the_backup_in_place_and_what_was_there_aside(self, home: Home) -> None:
        done = home.restore("--force")
        (aside,) = home.beside() - {"goals.sqlite"}
        assert aside.startswith("goals.sqlite.replaced-20") and str(home.folder / aside) in done.out, done.shown()
        assert len(done.out.splitlines()) <= 2 and done.err == "", done.shown()
        assert edits(home.database) == 5 and edits(home.folder / aside) == 9
        assert home.backup.read_bytes() == home.bytes
        home.server.run("verify").expect(0)
        # And back: the way to undo a restore.
        home.server.run("restore", str(home.folder / aside), "--force").expect(0)
        assert edits(home.database) == 9

    def test_into_an_empty_folder_asks_no_questions(self, home: Home, tmp_path: Path) -> None:
        new = tmp_path / "new"
        new.mkdir()
        told = goals("restore", str(home.backup), "--json", database=new / "goals.sqlite").expect(0).json()
        assert told == {"database": str(new / "goals.sqlite"), "accounts": 1}
        assert stat.S_IMODE((new / "goals.sqlite").stat().st_mode) == 0o600
        assert sorted(os.listdir(new)) == ["goals.sqlite", "goals.sqlite.lock"]

    def test_replaces_nothing_without_force(self, home: Home) -> None:
        refused = home.restore(code=1)
        assert "--force" in refused.err and len(refused.err.splitlines()) == 1, refused.shown()
        assert home.beside() == {"goals.sqlite"} and edits(home.database) == 9

    def test_waits_for_the_server_to_stop(self, home: Home) -> None:
        home.server.start()
        refused = home.restore("--force", code=1)
        assert "server" in refused.err, refused.shown()
        assert home.server.client(home.token).version() == 9
        other = home.server.run("restore", str(home.database), "--force", cwd=home.folder)
        assert other.code == 1, other.shown()
        running = goals("restore", str(home.database), database=home.folder / "other.sqlite").expect(1)
        assert "in use" in running.err, running.shown()
        assert not (home.folder / "other.sqlite").exists()

    @pytest.mark.parametrize("name", ["letter", "empty", "foreign", "newer", "cut", "tampered", "missing", "folder", "itself"])
    def test_of_what_is_no_sound_backup_changes_nothing(self, home: Home, name: str) -> None:
        bad = home.folder / f"{name}.sqlite"
        if name == "letter":
            bad.write_text("Dear Ann\n" * 100)
        elif name == "empty":
            bad.touch()
        elif name == "folder":
            bad.mkdir()
        elif name == "itself":
            bad.symlink_to(home.database)
        elif name != "missing":
            shutil.copy(home.backup, bad)
        if name in ("foreign", "newer", "tampered"):
            connection = sqlite3.connect(bad)
            connection.execute(
                {
                    "foreign": "PRAGMA application_id = 7",
                    "newer": "INSERT INTO migration SELECT 999, 'later', checksum, 0 FROM migration LIMIT 1",
                    "tampered": "UPDATE day SET count = count + 1",
                }[name]
            )
            connection.commit()
            connection.close()
        if name == "cut":
            os.truncate(bad, bad.stat().st_size - 8192)
        refused = home.server.run("restore", str(bad), "--force").expect(1)
        assert len(refused.err.splitlines()) == 1 and name in refused.err, refused.shown()
        assert home.beside() == {"goals.sqlite"} and edits(home.database) == 9

    def test_replaces_a_database_that_is_damaged(self, home: Home) -> None:
        home.database.write_bytes(b"\xff" * 20_000)
        done = home.restore("--force")
        assert "revoked" in done.err, done.shown()
        (aside,) = home.beside() - {"goals.sqlite"}
        assert (home.folder / aside).read_bytes() == b"\xff" * 20_000 and edits(home.database) == 5

    def test_takes_the_log_of_what_it_replaces_along(self, home: Home) -> None:
        home.server.start()
        me = home.server.client(home.token)
        me.apply(*[edit("bump", goal=home.goal) for _ in range(5)])
        home.server.kill()
        assert "goals.sqlite-wal" in home.beside()
        home.restore("--force")
        aside = {name for name in home.beside() if ".replaced-" in name}
        assert home.beside() - aside == {"goals.sqlite"} and len(aside) == 2, aside
        assert edits(home.database) == 5
        # A database with its log can be restored from, too.
        home.server.run("restore", str(home.folder / min(aside)), "--force").expect(0)
        assert edits(home.database) == 14
        home.server.run("verify").expect(0)

    def test_where_no_database_is_belongs_to_the_folder_s_owner(self, home: Home) -> None:
        need_root("to give files away")
        new = home.folder / "new"
        new.mkdir()
        os.chown(new, 4321, 4322)
        for path in [home.backup, home.folder]:
            os.chown(path, 4321, 4322)
        let_others_pass(home.folder)
        goals("restore", str(home.backup), database=new / "goals.sqlite").expect(0)
        assert {(new / name).stat().st_uid for name in os.listdir(new)} == {4321}

    def test_keeps_owner_and_mode(self, home: Home) -> None:
        need_root("to give files away")
        home.database.chmod(0o640)
        os.chown(home.folder, 4321, 4322)
        for path in [home.database, home.backup, home.folder / "goals.sqlite.lock"]:
            os.chown(path, 4321, 4322)
        let_others_pass(home.folder)
        home.restore("--force")
        status = home.database.stat()
        assert (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid) == (0o640, 4321, 4322)


class TestADiskThatFailsOnce:
    """Whichever of the reads or syncs it is."""

    def restore(self, home: Home, inject: str, path: Path) -> Iterator[tuple[int, str]]:
        """Restores again and again, while the first such call on a path fails, the second, and so on until none does."""
        aside = home.folder / "aside"
        shutil.copy(home.database, aside)
        number, code = 0, 1
        while code != 0:
            number += 1
            for name in home.beside():
                (home.folder / name).unlink()
            shutil.copy(aside, home.database)
            command = ["restore", str(home.backup), "--force", "--database", str(home.database)]
            done = faulty(command, f"{inject}:error=EIO:when={number}", path=path)
            code = done.returncode
            assert code in (0, 1) and "Fatal" not in done.stderr, (number, done.stderr)
            yield code, done.stderr
        assert number > 2, "some of them failed"

    def test_to_read_the_database_does_not_bring_back_what_was_revoked(self, home: Home) -> None:
        need_root("to make a disk fail")
        (token,) = home.server.run("token", "list", "me", "--json").expect(0).listing()
        home.server.run("token", "revoke", token["id"]).expect(0)
        refusals = 0
        for code, error in self.restore(home, "pread64", home.database):
            listed = home.server.run("token", "list", "me", "--json").expect(0).listing()
            assert listed == [], (code, error)
            if code != 0:
                refusals += "can't be read" in error
                assert home.beside() == {"goals.sqlite"} and edits(home.database) == 9, error
        assert refusals > 0

    def test_to_sync_says_how_far_it_came(self, home: Home) -> None:
        need_root("to make a disk fail")
        said = set()
        for code, error in self.restore(home, "fsync", home.folder):
            names = home.beside()
            begun = any(".restoring-" in name for name in names)
            done = not begun and any(".replaced-" in name for name in names)
            assert ("could not be finished" in error) == begun, (error, names)
            assert ("is restored already" in error) == (done and code != 0), (error, names)
            if not begun:
                assert edits(home.database) == (5 if done else 9), (error, names)
            said.add((begun, done))
        assert said >= {(True, False), (False, True)}, said


class TestALink:
    """What the service's user may put in the place of its database, while root restores."""

    @pytest.fixture
    def roots(self, home: Home) -> Path:
        """A database of root's, and the service's a link to it."""
        need_root("to be tricked")
        roots = home.folder / "roots.sqlite"
        home.database.rename(roots)
        home.database.symlink_to(roots)
        return roots

    def test_of_another_user_does_not_lead_root_to_replace_its_file(self, home: Home, roots: Path) -> None:
        os.chown(home.database, 4321, 4322, follow_symlinks=False)
        before = roots.read_bytes()
        for command in (["restore", str(home.backup), "--force"], ["account", "list"], ["verify"]):
            refused = home.server.run(*command).expect(1)
            assert str(home.database) in refused.err and "4321" in refused.err, refused.shown()
        assert roots.read_bytes() == before and edits(roots) == 9
        assert not [name for name in os.listdir(home.folder) if ".replaced-" in name]

    def test_to_a_link_of_another_user_neither(self, home: Home, roots: Path) -> None:
        home.database.rename(home.folder / "goals.link")
        os.chown(home.folder / "goals.link", 4321, 4322, follow_symlinks=False)
        home.database.symlink_to("goals.link")
        refused = home.restore("--force", code=1)
        assert "goals.link" in refused.err and edits(roots) == 9, refused.shown()

    def test_of_root_s_own_is_followed(self, home: Home, roots: Path) -> None:
        home.restore("--force")
        assert home.database.is_symlink() and edits(roots) == 5


class TestTokens:
    def test_that_were_revoked_since_the_backup_stay_revoked(self, home: Home) -> None:
        server = home.server.start()
        before = server.run("token", "list", "me", "--json").expect(0).listing()
        later = server.run("token", "add", "me", "--name", "later", "--json").expect(0).json()["token"]
        server.run("token", "revoke", before[0]["id"]).expect(0)
        server.stop()
        told = home.restore("--force", "--json").json()
        assert (told["revokedTokens"], told["goneTokens"]) == (1, 1), told
        server.start()
        server.client(home.token).get("/v1/goals").expect(401)
        server.client(later).get("/v1/goals").expect(401)
        assert server.run("token", "list", "me", "--json").expect(0).listing() == []
        new = server.run("token", "add", "me", "--name", "new", "--json").expect(0).json()["token"]
        server.client(new).get("/v1/goals").expect(200)


class TestAccounts:
    def test_that_were_removed_since_the_backup_stay_removed(self, home: Home) -> None:
        server = home.server.start()
        server.run("account", "add", "ana").expect(0)
        backup = home.folder / "with-ana.sqlite"
        server.run("backup", str(backup)).expect(0)
        remove(server, "ana")
        server.stop()
        told = server.run("restore", str(backup), "--force", "--json").expect(0).json()
        assert told["accounts"] == 1 and [account["name"] for account in told["removedAccounts"]] == ["ana"], told
        listed = server.run("account", "list", "--json").expect(0).listing()
        assert [account["name"] for account in listed] == ["me"]
        server.run("verify").expect(0)
        # Nor does undoing the restore bring her back, nor the backup a second time.
        for source in (told["replaced"], str(backup)):
            done = server.run("restore", source, "--force").expect(0)
            assert len(server.run("account", "list", "--json").expect(0).listing()) == 1, done.shown()
        # Who does want her back takes her from the backup by an export.
        aside = home.folder / "aside.sqlite"
        goals("restore", str(backup), database=aside).expect(0)
        assert len(goals("account", "list", "--json", database=aside).expect(0).listing()) == 2

    def test_of_which_nobody_knows_that_they_were_removed_are_named(self, home: Home) -> None:
        server = home.server.start()
        server.run("account", "add", "ana").expect(0)
        backup = home.folder / "with-ana.sqlite"
        server.run("backup", str(backup)).expect(0)
        remove(server, "ana")
        server.stop()
        with contextlib.closing(sqlite3.connect(home.database)) as database, database:
            database.execute("DELETE FROM removed_account")  # as an older version would have left it
        told = server.run("restore", str(backup), "--force", "--json").expect(0)
        assert [account["name"] for account in told.json()["returningAccounts"]] == ["ana"], told.shown()
        assert "back again" in told.err and "account ana" in told.err, told.shown()

    def test_and_tokens_made_since_are_named_before_anything_is_done(self, home: Home) -> None:
        server = home.server.start()
        server.run("account", "add", "ana", "--json").expect(0)
        server.run("token", "add", "me", "--name", "fridge door").expect(0)
        lost = {row["id"]: row["name"] for row in server.run("token", "list", "me", "--json").expect(0).listing()}
        server.stop()
        before = {name: (home.folder / name).read_bytes() for name in home.beside()}
        refused = home.restore(code=1)
        lines = refused.err.splitlines()
        assert lines[0].startswith("goals: made since the backup") and "--force" in lines[-1], refused.shown()
        named = [line.split(",")[0].strip() for line in lines[1:-1]]
        assert named[0] == "account ana" and "token fridge door of me" in named, refused.shown()
        assert len(named) == 3 and any(line.endswith(" of ana") for line in named), refused.shown()
        assert {name: (home.folder / name).read_bytes() for name in home.beside()} == before
        done = home.restore("--force")
        assert [line.split(",")[0].strip() for line in done.err.splitlines()[1:]] == named, done.shown()
        # The same for programs, from what was replaced.
        (aside,) = home.beside() - {"goals.sqlite"}
        server.run("restore", str(home.folder / aside), "--force").expect(0)
        told = home.restore("--force", "--json").json()
        assert [account["name"] for account in told["lostAccounts"]] == ["ana"] and told["removedAccounts"] == []
        assert {(token["account"], token["name"]) for token in told["lostTokens"]} >= {("me", "fridge door")}
        assert {token["id"] for token in told["lostTokens"] if token["account"] == "me"} < set(lost)

    def test_of_a_database_that_can_not_be_read_are_said_to_be_unknown(self, home: Home) -> None:
        home.database.write_bytes(b"\xff" * 20_000)
        refused = home.restore(code=1)
        assert "can't be read" in refused.err and "--force" in refused.err, refused.shown()
        assert home.database.read_bytes() == b"\xff" * 20_000


def remove(server: Server, account: str) -> None:
    """Removes an account, for certain."""
    server.run("account", "remove", "--yes", account).expect(0)


@THOROUGH
class TestARestoreThatIsCutOff:
    @pytest.mark.parametrize("log", [False, True], ids=["of a closed database", "of one that was killed"])
    def test_at_any_step_leaves_the_one_or_the_other(self, home: Home, tmp_path: Path, log: bool) -> None:
        if log:
            home.server.start()
            home.server.client(home.token).apply(*[edit("bump", goal=home.goal) for _ in range(5)])
            home.server.kill()
        old = edits_in_all_of(home)
        original = tmp_path / "original"
        original.mkdir()
        for name in home.beside():
            shutil.copy(home.folder / name, original / name)

        def again() -> None:
            for name in home.beside():
                (home.folder / name).unlink()
            for name in os.listdir(original):
                shutil.copy(original / name, home.folder / name)

        restore = ["restore", str(home.backup), "--force", "--database", str(home.database)]
        found: list[int] = []
        for step in interrupted(restore, again):
            assert home.backup.read_bytes() == home.bytes, step
            # Whatever comes next, it finds a whole database, and never makes one.
            unfinished = [name for name in home.beside() if ".restoring-" in name]
            home.server.run("verify").expect(1 if unfinished else 0)
            home.server.run("account", "list").expect(0)
            home.server.run("verify").expect(0)
            found.append(edits(home.database))
            assert found[-1] in (5, old), (step, found, home.beside())
            aside = [name for name in home.beside() if ".replaced-" in name]
            if found[-1] == 5:
                assert edits(home.folder / min(aside)) == old, (step, "what was replaced is whole")
            else:
                assert aside == [], (step, aside)
            assert not [name for name in home.beside() if ".restoring-" in name], step
            # And a restore that is begun again goes through, and clears away what was left.
            home.server.run(*restore[:3]).expect(0)
            assert not [name for name in home.beside() if ".unverified-" in name], step
        assert set(found) == {5, old}, found


def edits_in_all_of(home: Home) -> int:
    """How many edits the database holds with its log."""
    folder = home.folder / "looked-at"
    folder.mkdir()
    for name in home.beside():
        shutil.copy(home.folder / name, folder / name)
    count = edits(folder / "goals.sqlite")
    shutil.rmtree(folder)
    return count


class TestClientsAfterARestore:

    def test_bring_back_what_the_restore_lost(self, home: Home, tmp_path: Path) -> None:
        server = home.server.start()
        phones = [Watched(server.url, home.token, tmp_path / f"{number}.json") for number in range(2)]
        made: list[str] = []
        for phone in phones:
            phone.sync()
            made += [phone.tap("bump", goal=home.goal)["id"] for _ in range(3)]
            phone.sync()
        assert server.client(home.token).version() == 15
        phones[1].tap("bump", goal=home.goal)  # offline while it happens
        server.stop(signal.SIGTERM)
        home.restore("--force")
        server.start()
        me = server.client(home.token)
        assert me.version() == 5
        for phone in [*phones, phones[0]]:
            phone.url = server.url
            phone.sync()
        log: list[str] = [entry["id"] for entry in me.log()]
        assert len(log) == len(set(log)) == 5 + 7 and set(made) <= set(log)
        assert phones[0].goals == phones[1].goals == me.goals() and me.goals()[0]["progress"] == 10
        server.run("verify").expect(0)
