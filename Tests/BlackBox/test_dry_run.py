"""A client that asks what would happen: `POST /v1/edits?dryRun=true`."""

from __future__ import annotations

from typing import Any

import pytest

from goals_client import Client, edit, new_id


def dry(me: Client, *edits: dict[str, Any], **options: Any) -> Any:
    return me.post("/v1/edits?dryRun=true", {"edits": list(edits), **options})


class TestADryRun:
    def test_says_what_the_same_batch_then_does(self, me: Client) -> None:
        goal, added = me.add_goal(), new_id()
        bump = edit("bump", goal=goal)
        me.apply(bump)
        batch = [
            edit("add", goal={"id": added, "title": "new"}),
            edit("setActivity", activity={added: True}),
            edit("bump", goal=added, by=2),
            edit("bump", goal=added, by=-3),
            bump,
            edit("undo", edit=bump["id"]),
            edit("configure", weekStart="sunday"),
            edit("configure"),
            edit("skip", goal=added),
            edit("move", goal=added, before=None),
            edit("delete", goal=new_id()),
            edit("nonsense"),
        ]
        etag, listed = me.get("/v1/goals").etag, me.goals()
        first = dry(me, *batch).expect(200)
        assert me.get("/v1/goals").etag == etag and me.goals() == listed and me.version() == 3
        assert dry(me, *batch).expect(200).body == first.body
        real = me.edits(*batch).expect(200)
        assert real.json() == first.json(), f"{first.shown()}{real.shown()}"
        assert me.version() == first.json()["version"] == 10

    def test_takes_no_id(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal)
        dry(me, bump).expect(200)
        me.get(f"/v1/edits/{bump['id']}").expect(404, "unknown-edit")
        me.post(f"/v1/edits/{bump['id']}/undo").expect(404, "unknown-edit")
        assert me.apply({**bump, "by": 2}) == [3]

    def test_judges_an_atomic_batch_and_if_version(self, me: Client) -> None:
        goal = me.add_goal()
        response = dry(me, edit("bump", goal=goal), edit("bump", goal=new_id()), atomic=True).expect(409, "batch-rejected")
        assert [outcome["status"] for outcome in response.json()["outcomes"]] == ["skipped", "rejected"]
        response = dry(me, edit("bump", goal=goal), ifVersion=1).expect(409, "version-mismatch")
        assert response.json()["version"] == 2
        dry(me, edit("bump", goal=goal), ifVersion=2).expect(200)
        dry(me, edit("setActivity", activity=[False]), ifVersion=2).expect(200)
        assert me.version() == 2 and me.goal(goal)["active"]

    def test_that_is_false_is_none(self, me: Client) -> None:
        me.post("/v1/edits?dryRun=false", {"edits": [edit("bump", goal=me.add_goal())]}).expect(200)
        assert me.version() == 3

    @pytest.mark.parametrize("query", ["dryRun=", "dryRun", "dryRun=1", "dryRun=TRUE", "dryRun=yes", "dryRun=true&dryRun=true"])
    def test_of_another_value_is_refused_and_does_nothing(self, me: Client, query: str) -> None:
        goal = me.add_goal()
        response = me.post(f"/v1/edits?{query}", {"edits": [edit("bump", goal=goal)]}).expect(422, "invalid")
        assert any("dryRun" in pointer for pointer in response.pointers), response.shown()
        assert me.version() == 2

    @pytest.mark.parametrize("method, target", [("GET", "/v1/edits"), ("POST", "/v1/goals"), ("PATCH", "/v1/account")])
    def test_is_for_batches_only(self, me: Client, method: str, target: str) -> None:
        me.request(method, f"{target}?dryRun=true", {"title": "x"} if method == "POST" else {}).expect(422, "invalid")
        assert me.version() == 0
