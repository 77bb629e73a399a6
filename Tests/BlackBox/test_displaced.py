"""The files of a database that somebody moves or removes while a server has it open."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from goals_client import edit, until
from goals_server import UNLIMITED, Server, goals
from test_restore import edits


class TestADatabaseThatIsElsewhere:
    @pytest.mark.parametrize("what", ["moved", "replaced", "without its log", "with another lock"])
    def test_takes_no_edits_and_says_why(self, tmp_path: Path, what: str) -> None:
        with Server(tmp_path, *UNLIMITED).start() as server:
            me = server.client()
            goal = me.add_goal()
            me.apply(edit("bump", goal=goal))
            me.get("/readyz").expect(200)
            database, log, lock = (Path(f"{server.database}{end}") for end in ("", "-wal", ".lock"))
            away = tmp_path / "away"
            if what in ("moved", "replaced"):
                database.rename(away)
            if what == "replaced":
                shutil.copy(away, database)
            if what == "without its log":
                log.unlink()
            if what == "with another lock":
                lock.unlink()
                lock.touch()
            me.get("/readyz").expect(503, "store-unavailable")
            me.edits(edit("bump", goal=goal)).expect(503, "store-unavailable")
            assert len(me.log()) == 3, "it is read on"
            named = {"without its log": log, "with another lock": lock}.get(what, database)
            until(lambda: any("nothing of it is recorded" in line or "the store failed" in line for line in list(server.err)), "told")
            assert any(str(named) in line for line in list(server.err)), list(server.err)
            server.kill()
            if what == "moved":
                away.rename(database)
            assert edits(database) == 3, "what was acknowledged is there"

    def test_keeps_what_the_log_held_that_was_removed_while_nobody_wrote(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED).start() as server:
            me = server.client()
            goal = me.add_goal()
            me.apply(*[edit("bump", goal=goal) for _ in range(20)])
            log = f"{server.database}-wal"
            Path(log).unlink()
            until(lambda: any(log in line for line in list(server.err)), "the log tells of it")
            server.kill()
            assert server.start().client().version() == 22
            server.run("verify").expect(0)

    def test_whose_lock_was_removed_is_restored_by_nobody(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED).start() as server:
            me = server.client()
            goal = me.add_goal()
            server.run("backup", str(tmp_path / "backup")).expect(0)
            Path(f"{server.database}.lock").unlink()
            restored = server.run("restore", str(tmp_path / "backup"), "--force")
            answer = me.edits(edit("bump", goal=goal))
            # Whoever comes first: never both.
            assert (restored.code == 0) != (answer.status == 200), (restored.shown(), answer.shown())

    def test_whose_lock_was_removed_has_one_server(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED).start() as server:
            me = server.client()
            goal = me.add_goal()
            Path(f"{server.database}.lock").unlink()
            me.apply(edit("bump", goal=goal))
            second = goals(
                "serve", "--listen", "127.0.0.1:0", "--admin-socket", str(tmp_path / "other"), database=server.database
            ).expect(1)
            assert "in use" in second.err, second.shown()
            assert sorted(os.listdir(tmp_path))[:2] == ["goals.sqlite", "goals.sqlite-shm"]
