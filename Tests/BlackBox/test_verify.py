"""`goals verify` of files that no server has open, and what no command takes for a database."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest

from goals_client import PATIENCE
from goals_server import ROOT, UNLIMITED, Finished, Server, binary, environment, goals
from test_serve import NOBODY, reachable
from tracing import need_root

ENDING = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT]
FIXTURES = sorted((ROOT / "Tests" / "Fixtures" / "databases").glob("*/goals.sqlite"))


def shown(*folders: Path) -> dict[str, str]:
    """Every file of the folders, with its content, however long it is."""
    files = [file for folder in folders for file in folder.iterdir()]
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file.is_file()}


class Bare:
    """A folder with nothing but a file in it, and one for temporary files."""

    def __init__(self, folder: Path):
        self.folder, self.scratch = folder / "home", folder / "scratch"
        self.folder.mkdir()
        self.scratch.mkdir()
        self.file = self.folder / "x.sqlite"

    def verify(self, *arguments: str, **options: Any) -> Finished:
        """Verifies the file, and asserts that nothing was changed by that or left behind."""
        before = shown(self.folder)
        done = goals("verify", *arguments, database=self.file, env={"TMPDIR": str(self.scratch)}, **options)
        assert shown(self.folder) == before, done.shown()
        assert os.listdir(self.scratch) == [], done.shown()
        return done


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return Bare(tmp_path)


class TestVerifyingABackup:
    @pytest.mark.parametrize("source", FIXTURES, ids=lambda path: path.parent.name)
    def test_of_any_version_leaves_it_as_it_is(self, bare: Bare, source: Path) -> None:
        shutil.copy(source, bare.file)
        done = bare.verify("--json").expect(0).json()
        accounts = json.loads((source.parent / "told.json").read_text())["accounts"]
        assert done == {"ok": True, "accounts": len(accounts), "faults": []}

    def test_works_for_who_may_only_read_it(self) -> None:
        need_root("to become somebody who may not write")
        with reachable() as (folder, program):
            bare = Bare(folder)
            shutil.copy(FIXTURES[-1], bare.file)
            bare.file.chmod(0o444)
            bare.folder.chmod(0o555)
            bare.scratch.chmod(0o777)
            bare.verify(user=NOBODY, program=program).expect(0)

    def test_finds_what_is_wrong_with_it(self, bare: Bare) -> None:
        shutil.copy(FIXTURES[-1], bare.file)
        with contextlib.closing(sqlite3.connect(bare.file)) as connection, connection:
            assert connection.execute("UPDATE day SET count = count + 1").rowcount > 0
        done = bare.verify("--json").expect(1)
        assert done.json()["ok"] is False and len(done.err.splitlines()) == 1, done.shown()


class TestVerifyingThatIsEnded:
    """By a signal, while the copy is made or checked."""

    @pytest.fixture
    def large(self, bare: Bare) -> Bare:
        """A database that takes a while to be copied."""
        shutil.copy(FIXTURES[-1], bare.file)
        connection = sqlite3.connect(bare.file, isolation_level=None)
        connection.execute("CREATE TABLE padding (a)")
        for _ in range(16):
            connection.execute("INSERT INTO padding VALUES (zeroblob(8388608))")
        connection.close()
        return bare

    @pytest.mark.parametrize("number", ENDING, ids=lambda s: s.name)
    def test_leaves_no_copy_behind(self, large: Bare, number: signal.Signals) -> None:
        verifying = self.begin(large)
        verifying.send_signal(number)
        assert verifying.wait(30 * PATIENCE) == -number
        assert os.listdir(large.scratch) == []

    def test_goes_on_where_the_signal_is_to_be_ignored(self, large: Bare) -> None:
        verifying = self.begin(large, ignoring=signal.SIGHUP)
        verifying.send_signal(signal.SIGHUP)
        assert verifying.wait(60 * PATIENCE) >= 0
        assert os.listdir(large.scratch) == []

    @staticmethod
    def begin(bare: Bare, ignoring: int | None = None) -> subprocess.Popen[bytes]:
        """Begins with every signal as it is by default but one, and waits until there is something of the copy."""

        def arrange() -> None:
            # SIGQUIT leaves no core.
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            for number in ENDING:
                signal.signal(number, signal.SIG_IGN if number == ignoring else signal.SIG_DFL)

        verifying = subprocess.Popen(
            [binary(), "verify", "--database", str(bare.file)],
            env=environment({"TMPDIR": str(bare.scratch)}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=arrange,  # noqa: PLW1509 - no other thread holds what it needs
        )
        while verifying.poll() is None and not os.listdir(bare.scratch):
            pass
        return verifying


TABLES = ["account", "edit", "edit_id", "recent_id", "snapshot", "token"]


def damage(file: Path, table: str) -> None:
    """Overwrites the first page of a table."""
    with contextlib.closing(sqlite3.connect(file)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as content:
        content.seek((page - 1) * size)
        content.write(bytes(size))


class TestADamagedTable:
    @pytest.mark.parametrize("table", TABLES)
    def test_is_named(self, bare: Bare, table: str) -> None:
        shutil.copy(FIXTURES[-1], bare.file)
        damage(bare.file, table)
        done = bare.verify().expect(1)
        assert done.out == "" and table in done.err and "malformed" in done.err, done.shown()

    def test_is_refused_with_what_to_do(self, bare: Bare) -> None:
        shutil.copy(FIXTURES[-1], bare.file)
        goals("account", "list", database=bare.file).expect(0)
        damage(bare.file, "account")
        refused = goals("serve", "--listen", "127.0.0.1:0", database=bare.file).expect(1)
        assert f"{bare.file} is damaged" in refused.err, refused.shown()
        assert "goals verify" in refused.err and "goals restore" in refused.err, refused.shown()
        refused = goals("account", "list", database=bare.file).expect(1)
        assert "goals verify" in refused.err, refused.shown()


def command(words: str, file: Path) -> list[str]:
    return [str(file) if word == "FILE" else word for word in words.split()]


class TestWhatIsNoDatabase:
    @pytest.mark.parametrize("content", [b"", b"Dear Ann,\n" * 1000], ids=["an empty file", "a letter"])
    @pytest.mark.parametrize(
        "words",
        [
            "verify", "account list", "account add Ann", "account remove me", "account set me --name Ann", "goal list me", "token list me",
            "token add me --name x", "token revoke 01939b5a-7c5e-7000-8000-000000000001", "backup FILE.copy", "export me", "import me /dev/null",
        ],
    )  # fmt: skip
    def test_is_refused_with_one_line_and_left_alone(self, bare: Bare, words: str, content: bytes) -> None:
        bare.file.write_bytes(content)
        before = shown(bare.folder)
        refused = goals(*command(words, bare.file), database=bare.file).expect(1)
        assert refused.out == "" and len(refused.err.splitlines()) == 1, refused.shown()
        assert str(bare.file) in refused.err, refused.shown()
        assert shown(bare.folder) == before, refused.shown()

    def test_becomes_one_for_a_server_if_it_is_empty(self, tmp_path: Path) -> None:
        (tmp_path / "goals.sqlite").write_bytes(b"")
        with Server(tmp_path, *UNLIMITED) as server:
            server.run("account", "list").expect(0)
