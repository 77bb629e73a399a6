"""A person who was ill: `skip` excuses a period. And what excuses, counts and pauses make of a streak."""

from __future__ import annotations

import time
from typing import Any

import pytest

from goals_client import Client, day_of, edit, instant, new_id

DAY = 86_400


def since(me: Client, days: int, **goal: Any) -> str:
    """A goal that was added and turned on so many days ago."""
    id, at = new_id(), instant(time.time() - days * DAY)
    me.apply(edit("add", goal={"id": id, "title": "Yoga", **goal}, at=at), edit("setActivity", activity={id: True}, at=at))
    return id


def bumps(goal: str, *days_ago: int) -> list[dict[str, Any]]:
    return [edit("bump", goal=goal, at=instant(time.time() - ago * DAY)) for ago in days_ago]


@pytest.mark.usefixtures("today")
class TestSkipping:
    def test_needs_no_body_and_answers_the_goal(self, me: Client) -> None:
        goal = me.add_goal()
        before = me.goal(goal)
        response = me.post(f"/v1/goals/{goal}/skip").expect(200)
        assert response.json() == before and me.version() == 3, response.shown()

    def test_is_recorded_with_its_day_and_every_default(self, me: Client) -> None:
        goal, key, now = me.add_goal(), new_id(), time.time()
        me.post(f"/v1/goals/{goal}/skip", {}, headers={"Idempotency-Key": key}).expect(200)
        recorded = me.get(f"/v1/edits/{key}").expect(200).json()
        assert set(recorded) == {"id", "type", "goal", "at", "version", "recordedAt", "device", "day"}, recorded
        assert (recorded["type"], recorded["goal"], recorded["version"]) == ("skip", goal, 3)
        assert recorded["day"] == day_of(now)

    @pytest.mark.parametrize("interval", ["daily", "weekly", "monthly"])
    def test_a_period_that_is_excused_already_changes_nothing(self, me: Client, interval: str) -> None:
        goal = me.add_goal(interval=interval)
        me.apply(edit("skip", goal=goal))
        version = me.version()
        me.post(f"/v1/goals/{goal}/skip").expect(200)
        assert me.outcomes(edit("skip", goal=goal))[0]["status"] == "unchanged"
        start = me.goal(goal)["period"]["start"]
        outcome = me.outcomes(edit("skip", goal=goal, at=f"{start}T00:00:00Z"))[0]
        assert outcome["status"] == "unchanged", outcome
        assert me.version() == version

    def test_of_another_period_is_applied(self, me: Client) -> None:
        goal = since(me, 100, interval="weekly")
        now = time.time()
        me.apply(edit("skip", goal=goal), edit("skip", goal=goal, at=instant(now - 7 * DAY)))

    def test_of_a_goal_that_was_active_then_is_applied(self, me: Client) -> None:
        goal = since(me, 10)
        me.apply(edit("setActivity", activity={goal: False}))
        me.post(f"/v1/goals/{goal}/skip", {"at": instant(time.time() - 5 * DAY)}).expect(200)
        me.post(f"/v1/goals/{goal}/skip", {"at": instant(time.time() - 20 * DAY)}).expect(409, "inactive-goal")
        me.post(f"/v1/goals/{goal}/skip").expect(409, "inactive-goal")

    def test_refuses_what_breaks_a_rule(self, me: Client) -> None:
        goal = me.add_goal()
        response = me.post(f"/v1/goals/{goal}/skip", {"by": 1, "note": "ill", "at": "then", "goal": goal}).expect(422, "invalid")
        assert response.pointers == {"/by", "/note", "/at", "/goal"}, response.shown()
        for body in ([], 5, None, "x"):
            data = b"null" if body is None else body
            assert me.post(f"/v1/goals/{goal}/skip", data).expect(422, "invalid").pointers == {""}
        me.post(f"/v1/goals/{goal}/skip", {"at": "1999-12-31T23:59:59.999Z"}).expect(422, "too-old")
        me.post(f"/v1/goals/{goal}/skip", {"at": instant(time.time() + 400)}).expect(422, "in-future")
        for id in (new_id(), "x"):
            me.post(f"/v1/goals/{id}/skip").expect(404, "unknown-goal")
        assert me.version() == 2

    def test_sent_again_is_a_duplicate(self, me: Client) -> None:
        goal = me.add_goal()
        skip = edit("skip", goal=goal)
        (version,) = me.apply(skip)
        assert me.outcomes(skip)[0] == {"id": skip["id"], "status": "duplicate", "version": version}
        other = {**skip, "at": instant(time.time() - DAY)}
        assert me.outcomes(other)[0]["code"] == "id-conflict"


@pytest.mark.usefixtures("today")
class TestAStreak:
    def streak(self, me: Client, goal: str) -> tuple[int, int]:
        streak = me.goal(goal)["streak"]
        assert set(streak) == {"current", "longest"}
        return streak["current"], streak["longest"]

    def test_counts_met_days_and_waits_for_today(self, me: Client) -> None:
        goal = since(me, 10)
        assert self.streak(me, goal) == (0, 0)
        me.apply(*bumps(goal, 3, 2, 1))
        assert self.streak(me, goal) == (3, 3)
        me.apply(*bumps(goal, 0))
        assert self.streak(me, goal) == (4, 4)

    def test_ends_with_a_missed_day_and_keeps_its_best(self, me: Client) -> None:
        goal = since(me, 10)
        me.apply(*bumps(goal, 8, 7, 6, 5, 2, 1))
        assert self.streak(me, goal) == (2, 4)

    def test_goes_on_over_an_excused_day(self, me: Client) -> None:
        goal = since(me, 10)
        me.apply(*bumps(goal, 5, 4, 2, 1))
        assert self.streak(me, goal) == (2, 2)
        me.apply(edit("skip", goal=goal, at=instant(time.time() - 3 * DAY)))
        assert self.streak(me, goal) == (4, 4)

    def test_goes_on_over_a_pause(self, me: Client) -> None:
        goal, now = since(me, 10), time.time()
        me.apply(
            *bumps(goal, 7, 6),
            edit("setActivity", activity={goal: False}, at=instant(now - 5 * DAY)),
            edit("setActivity", activity={goal: True}, at=instant(now - 3 * DAY)),
            *bumps(goal, 2, 1),
        )
        assert self.streak(me, goal) == (4, 4)

    def test_counts_a_met_day_that_was_excused_as_met(self, me: Client) -> None:
        goal = since(me, 10)
        me.apply(*bumps(goal, 2, 1), edit("skip", goal=goal, at=instant(time.time() - 2 * DAY)))
        assert self.streak(me, goal) == (2, 2)

    def test_needs_the_whole_frequency(self, me: Client) -> None:
        goal = since(me, 10, frequency=2)
        me.apply(*bumps(goal, 2, 1, 1))
        assert self.streak(me, goal) == (1, 1)

    def test_judges_a_period_by_the_frequency_of_its_end(self, me: Client) -> None:
        goal = since(me, 10)
        me.apply(*bumps(goal, 3, 2, 1), edit("alter", goal=goal, changes={"frequency": 5}))
        assert self.streak(me, goal) == (3, 3), "what was met stays met"

    def test_of_weeks_goes_on_over_an_excused_week(self, me: Client) -> None:
        goal = since(me, 40, interval="weekly")
        me.apply(*bumps(goal, 21, 7))
        assert self.streak(me, goal) == (1, 1)
        me.apply(edit("skip", goal=goal, at=instant(time.time() - 14 * DAY)))
        assert self.streak(me, goal) == (2, 2)

    def test_loses_what_an_undo_takes_back(self, me: Client) -> None:
        goal = since(me, 10)
        skip = edit("skip", goal=goal, at=instant(time.time() - 2 * DAY))
        me.apply(*bumps(goal, 3, 1), skip)
        assert self.streak(me, goal) == (2, 2)
        me.post(f"/v1/edits/{skip['id']}/undo").expect(200)
        assert self.streak(me, goal) == (1, 1)
