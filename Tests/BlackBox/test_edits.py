"""A day that a client names for a bump or a skip, and the instants of the log. Which days can be named is said by the vectors
(`Tests/Vectors/bump.json`, `skip.json`)."""

from __future__ import annotations

from typing import Any

import pytest

from goals_client import Client, edit, pointers_of
from tier import EVERY_STORE

STORES = EVERY_STORE


def only(outcomes: list[dict[str, Any]]) -> dict[str, Any]:
    assert len(outcomes) == 1, outcomes
    return outcomes[0]


def rejected(outcome: dict[str, Any], code: str) -> dict[str, Any]:
    assert outcome["status"] == "rejected" and outcome["code"] == code, outcome
    assert isinstance(outcome["detail"], str) and outcome["detail"].strip(), outcome
    assert "version" not in outcome, outcome
    return outcome


class TestADayThatIsNamed:
    AT = "2026-03-10T12:00:00Z"

    @pytest.mark.parametrize("kind", ["bump", "skip"])
    def test_is_the_day_that_the_edit_counts_on(self, me: Client, kind: str) -> None:
        day = "2026-03-11"
        asked = edit(kind, goal=me.add_goal(), at=self.AT, day=day)
        me.apply(asked)
        recorded = me.log()[-1]
        assert recorded["day"] == day, recorded
        assert [o["status"] for o in me.outcomes(asked, recorded)] == ["duplicate"] * 2
        rejected(only(me.outcomes({**asked, "day": "2026-03-12"})), "id-conflict")

    @pytest.mark.parametrize("kind", ["bump", "skip"])
    @pytest.mark.parametrize("day", ["2026-03-12", None])
    def test_that_is_too_far_or_none_is_invalid(self, me: Client, kind: str, day: Any) -> None:
        goal = me.add_goal()
        version = me.version()
        fine, wrong = edit("alter", goal=goal, changes={}), edit(kind, goal=goal, at=self.AT, day=day)
        for target in ("/v1/edits", "/v1/edits?dryRun=true", "/v1/sync"):
            response = me.post(target, {"edits": [fine, wrong]}).expect(200)
            outcome = rejected(response.json()["outcomes"][1], "invalid")
            assert pointers_of(outcome["errors"], response.shown()) == {"/edits/1/day"}
        response = me.post(f"/v1/goals/{goal}/{kind}", {"at": self.AT, "day": day}).expect(422, "invalid")
        assert response.pointers == {"/day"}, response.shown()
        assert me.version() == version


class TestARecordedEdit:
    def test_is_never_recorded_before_the_one_before_it(self, me: Client) -> None:
        goal = me.add_goal()
        for _ in range(20):
            me.apply(edit("bump", goal=goal), edit("bump", goal=goal))
        instants = [recorded["recordedAt"] for recorded in me.log()]
        assert instants == sorted(instants)
