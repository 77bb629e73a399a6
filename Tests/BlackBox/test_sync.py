"""A client that sends and fetches in one round trip: `POST /v1/sync`, also across restored databases.

What holds of edits, pages and cursors wherever they are sent or read is said by `SyncTests`, `PastListTests` and `LogTests` in Swift.
Whole devices, on bad networks, are in test_sync_devices.py.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goals_client import Client, Response, edit, quote
from goals_server import UNLIMITED, Server
from tier import EVERY_STORE

STORES = EVERY_STORE

FIELDS = {"outcomes", "edits", "version", "cursor", "more"}


def send(me: Client, *edits: Any, **fields: Any) -> Response:
    return me.post("/v1/sync", {"edits": list(edits), **fields})


def sync(me: Client, *edits: Any, **fields: Any) -> dict[str, Any]:
    response = send(me, *edits, **fields).expect(200)
    body = response.json()
    assert set(body) == FIELDS, response.shown()
    assert len(body["outcomes"]) == len(edits), response.shown()
    return body


def head(me: Client) -> str:
    return me.get("/v1/goals").expect(200).json()["cursor"]


def statuses(body: dict[str, Any]) -> list[str]:
    return [outcome["status"] for outcome in body["outcomes"]]


def bumps(goal: str, count: int) -> list[dict[str, Any]]:
    return [edit("bump", goal=goal) for _ in range(count)]


class TestASync:
    def test_from_several_connections_at_once_records_every_edit_once(self, server: Server, me: Client) -> None:
        goal, cursor, answers = me.add_goal(interval="monthly"), head(me), []
        edits = bumps(goal, 40)

        def run() -> None:
            client = server.client(me.token)
            answers.append(sync(client, *edits, after=cursor))
            client.close()

        threads = [threading.Thread(target=run) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses(body) for body in answers) == [["applied"] * 40] + [["duplicate"] * 40] * 7
        assert len({str([o["version"] for o in body["outcomes"]]) for body in answers}) == 1
        assert all(body["edits"] == answers[0]["edits"] for body in answers) and me.goal(goal)["progress"] == 40


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, *UNLIMITED).start() as server:
        yield server


class TestARestore:
    def test_is_noticed_by_every_cursor_from_after_the_copy(self, lone: Server) -> None:
        me = lone.client()
        goal = me.add_goal()
        kept = [me.get(f"/v1/goals?version={version}").json()["cursor"] for version in range(3)]
        copy = lone.copied()
        me = lone.client()
        me.apply(*bumps(goal, 5))
        lost = [me.get(f"/v1/goals?version={version}").json()["cursor"] for version in range(3, 8)]
        etag = me.get("/v1/goals").etag
        lone.put_back(copy)
        me = lone.client()

        def refused(cursor: str) -> None:
            me.get(f"/v1/edits?after={quote(cursor)}").expect(410, "cursor-diverged")
            send(me, edit("bump", goal=goal), after=cursor).expect(410, "cursor-diverged")

        assert me.version() == 2
        for cursor in lost:
            refused(cursor)
        me.apply(*[edit("bump", goal=goal, by=2) for _ in range(8)])
        for cursor in lost:
            refused(cursor)
        assert me.version() == 10
        for version, cursor in enumerate(kept):
            assert len(me.get(f"/v1/edits?after={quote(cursor)}").expect(200).json()["edits"]) == 10 - version
        me.post(f"/v1/goals/{goal}/bump", headers={"If-Match": etag}).expect(412, "version-mismatch")
        me.get("/v1/goals", headers={"If-None-Match": etag}).expect(200)

    def test_that_lost_nothing_is_not_noticed(self, lone: Server) -> None:
        me = lone.client()
        goal = me.add_goal()
        cursor = head(me)
        lone.put_back(lone.copied())
        me = lone.client()
        assert [e["type"] for e in sync(me, edit("bump", goal=goal), after=cursor)["edits"]] == ["bump"]

    def test_is_undone_by_sending_again_what_was_acknowledged(self, lone: Server) -> None:
        me = lone.client()
        goal = me.add_goal()
        early = bumps(goal, 3)
        me.apply(*early)
        copy = lone.copied()
        me = lone.client()
        late = [edit("bump", goal=goal, at="2026-01-02T10:00:00Z"), edit("alter", goal=goal, changes={"title": "Tea"}), *bumps(goal, 2)]
        me.apply(*late)
        cursor, days = head(me), [recorded.get("day") for recorded in me.log()[5:]]
        lone.put_back(copy)
        me = lone.client()
        me.apply(edit("add", goal={"title": "other"}))
        send(me, *early, *late, after=cursor).expect(410, "cursor-diverged")
        body = sync(me, *early, *late, after=head(me))
        assert statuses(body) == ["duplicate"] * 3 + ["applied"] * 4, body
        assert [recorded.get("day") for recorded in body["edits"]] == days
        assert me.goal(goal)["title"] == "Tea"
