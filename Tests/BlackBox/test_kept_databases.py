"""The databases of Tests/Fixtures/databases, each written by a version of this program: they open, are whole,
mean what they meant, and go on."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from frozen_clock import FrozenClock
from goals_client import Client, edit
from goals_server import ROOT, UNLIMITED, Server, goals

FOLDER = ROOT / "Tests" / "Fixtures" / "databases"
KEPT = sorted(path.parent for path in FOLDER.glob("*/goals.sqlite"))
WITH_SESSIONS = [path for path in KEPT if "sessions" in json.loads((path / "told.json").read_text())]
SAME = ("id", "name", "timeZone", "weekStart", "dayStart", "version", "cursor", "createdAt")


class Kept:
    """A server on a copy of a kept database, and what was told of it when it was made."""

    def __init__(self, source: Path, folder: Path, env: dict[str, str] | None = None):
        self.told = json.loads((source / "told.json").read_text())
        self.accounts: dict[str, Any] = self.told["accounts"]
        shutil.copy(source / "goals.sqlite", folder / "goals.sqlite")
        self.server = Server(folder, *UNLIMITED, env=env)

    def client(self, account: str) -> Client:
        return self.server.client(self.accounts[account]["token"])


@pytest.fixture(params=KEPT, ids=lambda path: path.name)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(request.param, tmp_path)
    kept.server.run("verify").expect(0)
    kept.server.start()
    yield kept
    kept.server.kill()


def test_they_are_never_changed() -> None:
    sums = [line.split("  ") for line in (FOLDER / "SHA256SUMS").read_text().splitlines()]
    assert [(hashlib.sha256((FOLDER / name).read_bytes()).hexdigest(), name) for _, name in sums] == [tuple(line) for line in sums]
    assert {f"{path.name}/{name}" for path in KEPT for name in ("goals.sqlite", "told.json")} == {name for _, name in sums}
    assert KEPT


class TestADatabaseOfAnyVersion:
    def test_has_the_same_accounts_and_cursors(self, kept: Kept) -> None:
        for name, told in kept.accounts.items():
            account = kept.client(name).get("/v1/account").expect(200).json()
            assert {field: account[field] for field in SAME} == {field: told["account"][field] for field in SAME}

    def test_has_the_same_log_to_the_byte(self, kept: Kept) -> None:
        for name, told in kept.accounts.items():
            page = kept.client(name).get("/v1/edits?limit=1000").expect(200)
            assert page.json()["edits"] == told["log"]
            for recorded in told["log"]:
                text = json.dumps(recorded, ensure_ascii=False, separators=(",", ":")).encode()
                assert text in page.body, recorded

    def test_takes_every_cursor_that_was_ever_given(self, kept: Kept) -> None:
        for name, told in kept.accounts.items():
            for version, cursor in told["cursors"].items():
                page = kept.client(name).get(f"/v1/edits?limit=5&after={cursor}").expect(200).json()
                assert page["edits"] == told["log"][int(version) : int(version) + 5]

    def test_has_the_same_list_at_every_version(self, kept: Kept) -> None:
        for name, told in kept.accounts.items():
            client = kept.client(name)
            known: list[dict[str, Any]] = []
            for version in range(len(told["log"]) + 1):
                known = told["lists"].get(str(version), known)
                listed = client.get(f"/v1/goals?version={version}").expect(200).json()["goals"]
                assert [{field: goal[field] for field in row} for goal, row in zip(listed, known, strict=True)] == known
            now = client.get("/v1/goals").expect(200).json()
            assert [goal["id"] for goal in now["goals"]] == [row["id"] for row in known]
            assert now["cursor"] == told["account"]["cursor"]

    def test_judges_the_past_as_it_did(self, kept: Kept) -> None:
        for name, told in kept.accounts.items():
            for goal, known in told["histories"].items():
                history = kept.client(name).get(f"/v1/goals/{goal}/history?from=2026-09-01&to=2026-11-01").expect(200).json()
                assert {field: history[field] for field in known} == known, goal

    def test_lets_in_whom_it_let_in(self, kept: Kept) -> None:
        tokens, goal = kept.told["tokens"], kept.told["goalOfBump"]
        for name in ("revoked", "expired"):
            kept.server.client(tokens[name]).get("/v1/goals").expect(401)
        kept.server.client(tokens["read"]).get("/v1/goals").expect(200)
        kept.server.client(tokens["read"]).post(f"/v1/goals/{goal}/bump").expect(403)
        kept.server.client(tokens["bump"]).post(f"/v1/goals/{goal}/bump").expect(200)
        kept.server.client(tokens["bump"]).get("/v1/goals").expect(403)

    @pytest.mark.parametrize("source", WITH_SESSIONS, ids=lambda path: path.name)
    def test_lets_browsers_in_whose_session_is_not_over(self, source: Path, tmp_path: Path) -> None:
        clock = FrozenClock(tmp_path)
        kept = Kept(source, tmp_path, clock.env)
        clock.set(kept.told["sessionsOpenedAt"])
        with kept.server.start() as server:
            sessions = {"nobody's": "goals_session=" + "0" * 64, **kept.told["sessions"]}
            for name, cookie in sessions.items():
                answer = server.client(None).get("/v1/goals", headers={"Cookie": cookie})
                assert answer.status == (200 if name == "open" else 401), name

    def test_goes_on(self, kept: Kept, tmp_path: Path) -> None:
        """What was recorded is a duplicate for ever; the newest can be undone; new edits follow."""
        for name, told in kept.accounts.items():
            me, log = kept.client(name), told["log"]
            if log:
                sent = [dict(entry) for entry in log]
                assert [(o["status"], o["version"]) for o in me.outcomes(*sent)] == [
                    ("duplicate", entry["version"]) for entry in log
                ]
                me.apply(edit("undo", edit=log[-1]["id"]))
            goal = me.add_goal(title="New")
            me.apply(edit("bump", goal=goal, note="new"))
            page = me.get(f"/v1/edits?limit=1000&after={told['account']['cursor']}").expect(200).json()
            assert page["version"] == len(log) + len(page["edits"]) and page["edits"][-1]["note"] == "new"
        kept.server.run("verify").expect(0)
        kept.server.run("backup", str(tmp_path / "copy")).expect(0)
        kept.server.stop()
        kept.server.run("verify").expect(0)

    @pytest.mark.parametrize("source", KEPT, ids=lambda path: path.name)
    def test_can_be_restored(self, source: Path, tmp_path: Path) -> None:
        goals("restore", str(source / "goals.sqlite"), database=tmp_path / "goals.sqlite").expect(0)
        goals("verify", database=tmp_path / "goals.sqlite").expect(0)
