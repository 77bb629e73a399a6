"""A person who changes their mind: `undo` takes an edit back, and an undo of it puts it there again."""

from __future__ import annotations

import os
import random
import time
from typing import Any

import pytest

from goals_client import LOWER_UUID, Client, edit, instant, new_id

DAY = 86_400


def undo(me: Client, id: str, body: Any = None, **headers: str) -> dict[str, Any]:
    response = me.post(f"/v1/edits/{id}/undo", body, headers={k.replace("_", "-"): v for k, v in headers.items()})
    return response.expect(200).json()


def cannot(me: Client, id: str) -> str:
    """Asserts that this edit can't be undone, in both ways of asking; answers the reason."""
    version = me.version()
    problem = me.post(f"/v1/edits/{id}/undo").expect(409, "not-undoable").json()
    outcome = me.outcomes(edit("undo", edit=id))[0]
    assert (outcome["status"], outcome["code"]) == ("rejected", "not-undoable"), outcome
    assert me.version() == version
    return problem["detail"]


def present(me: Client) -> Any:
    """What an undo restores: present values, order, counts and the calendar, but no judgement of the past."""
    account = me.get("/v1/account").expect(200).json()
    goals = [{name: value for name, value in goal.items() if name != "streak"} for goal in me.goals()]
    return goals, [account[name] for name in ("timeZone", "weekStart", "dayStart")]


@pytest.fixture
def abc(me: Client) -> tuple[str, str, str]:
    """Three active goals in this order, with a count each."""
    ids = [me.add_goal(title=title) for title in "cba"]
    me.apply(*[edit("bump", goal=id, by=3) for id in ids])
    return ids[2], ids[1], ids[0]


@pytest.mark.usefixtures("today")
class TestAnUndo:
    def test_answers_its_outcome_and_is_recorded(self, me: Client) -> None:
        bump = edit("bump", goal=me.add_goal())
        me.apply(bump)
        outcome = undo(me, bump["id"].upper())
        assert set(outcome) == {"id", "status", "version"} and LOWER_UUID.match(outcome["id"]), outcome
        assert (outcome["status"], outcome["version"]) == ("applied", 4)
        recorded = me.get(f"/v1/edits/{outcome['id']}").expect(200).json()
        assert set(recorded) == {"id", "type", "edit", "at", "version", "recordedAt", "device"}, recorded
        assert (recorded["type"], recorded["edit"]) == ("undo", bump["id"])

    @pytest.mark.parametrize(
        "content",
        [
            lambda a, b, c: edit("add", goal={"title": "new"}),
            lambda a, b, c: edit("delete", goal=a),
            lambda a, b, c: edit("delete", goal=b),
            lambda a, b, c: edit("delete", goal=c),
            lambda a, b, c: edit("update", goal={"id": b, "title": "B", "frequency": 7, "interval": "weekly", "unit": "km"}),
            lambda a, b, c: edit("alter", goal=b, changes={"title": "B", "colour": "#123456"}),
            lambda a, b, c: edit("alter", goal=b, changes={"unit": "km"}, at=instant(time.time() - 10 * DAY)),
            lambda a, b, c: edit("setActivity", activity={a: False, b: True, c: False}),
            lambda a, b, c: edit("move", goal=a, before=None),
            lambda a, b, c: edit("move", goal=c, before=a),
            lambda a, b, c: edit("move", goal=b, before=a),
            lambda a, b, c: edit("bump", goal=b, by=4, note="x"),
            lambda a, b, c: edit("bump", goal=b, by=-3),
            lambda a, b, c: edit("skip", goal=b),
            lambda a, b, c: edit("configure", timeZone="Asia/Tokyo", weekStart="sunday", dayStart="12:00"),
        ],
        ids=["add", "delete first", "delete middle", "delete last", "update", "alter", "alter past", "setActivity", "move to end",
             "move to front", "move by one", "bump", "bump down", "skip", "configure"],
    )  # fmt: skip
    def test_restores_what_was_and_an_undo_of_it_what_became(self, me: Client, abc: tuple[str, str, str], content: Any) -> None:
        done = content(*abc)
        before = present(me)
        me.apply(done)
        after = present(me)
        if done["type"] != "skip":
            assert after != before, "the test's edit changes something"
        id, redo = done["id"], True
        for _ in range(4):
            outcome = undo(me, id)
            assert outcome["status"] == "applied"
            assert present(me) == (before if redo else after)
            assert "undone already" in cannot(me, id)
            id, redo = outcome["id"], not redo

    def test_in_a_chain_takes_nothing_off_twice(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal, by=5)
        me.apply(bump)
        first = undo(me, bump["id"])["id"]
        again = undo(me, first)["id"]
        assert me.goal(goal)["progress"] == 5
        cannot(me, first)
        second = undo(me, bump["id"])["id"]  # it stands again, by its own id as well
        assert me.goal(goal)["progress"] == 0
        for id in (bump["id"], first, again):
            cannot(me, id)
        undo(me, second)
        assert me.goal(goal)["progress"] == 5

    def test_happens_once_however_often_it_is_sent(self, me: Client) -> None:
        bump = edit("bump", goal=me.add_goal(), by=5)
        me.apply(bump)
        key = new_id()
        assert undo(me, bump["id"], Idempotency_Key=key) == {"id": key, "status": "applied", "version": 4}
        for _ in range(2):
            assert undo(me, bump["id"], Idempotency_Key=key) == {"id": key, "status": "duplicate", "version": 4}
        same = {"id": key, "type": "undo", "edit": bump["id"]}
        assert me.outcomes(same)[0] == {"id": key, "status": "duplicate", "version": 4}
        me.post(f"/v1/edits/{key}/undo", headers={"Idempotency-Key": key}).expect(409, "id-conflict")

    def test_of_what_was_never_recorded_is_unknown_edit(self, me: Client) -> None:
        rejected, unchanged = edit("bump", goal=new_id()), edit("setActivity", activity={})
        me.outcomes(rejected, unchanged)
        for id in (new_id(), rejected["id"], unchanged["id"], "x", "0", "%20"):
            me.post(f"/v1/edits/{id}/undo").expect(404, "unknown-edit")
        own = new_id()
        outcomes = me.outcomes({"id": own, "type": "undo", "edit": own}, edit("undo", edit=new_id()))
        assert [o["code"] for o in outcomes] == ["unknown-edit"] * 2
        assert me.version() == 0

    def test_of_another_accounts_edit_is_unknown_edit(self, me: Client, other: Client) -> None:
        bump = edit("bump", goal=me.add_goal())
        me.apply(bump)
        other.post(f"/v1/edits/{bump['id']}/undo").expect(404, "unknown-edit")
        assert me.version() == 3 and other.version() == 0

    def test_refuses_what_breaks_a_rule(self, me: Client) -> None:
        bump = edit("bump", goal=me.add_goal())
        me.apply(bump)
        target = f"/v1/edits/{bump['id']}/undo"
        assert me.post(target, {"edit": bump["id"], "at": 5, "x": 1}).expect(422, "invalid").pointers == {"/edit", "/at", "/x"}
        me.post(target, []).expect(422, "invalid")
        me.post(target, {"at": instant(time.time() + 400)}).expect(422, "in-future")
        me.post(target, {"at": "1999-12-31T23:59:59Z"}).expect(422, "too-old")
        assert me.version() == 3

    def test_works_in_a_batch_on_what_the_batch_did(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal, by=3)
        first = edit("undo", edit=bump["id"])
        second = edit("undo", edit=first["id"])
        outcomes = me.outcomes(bump, first, edit("undo", edit=bump["id"]), second, edit("undo", edit=first["id"]))
        statuses = ["applied", "applied", "rejected", "applied", "rejected"]
        assert [outcome["status"] for outcome in outcomes] == statuses, outcomes
        assert me.goal(goal)["progress"] == 3
        later = edit("bump", goal=goal)
        assert me.outcomes(edit("undo", edit=later["id"]), later)[0]["code"] == "unknown-edit"

    def test_of_an_atomic_batch_that_failed_is_unknown_edit(self, me: Client) -> None:
        bump = edit("bump", goal=me.add_goal())
        me.edits(bump, edit("delete", goal=new_id()), atomic=True).expect(409, "batch-rejected")
        me.post(f"/v1/edits/{bump['id']}/undo").expect(404, "unknown-edit")


@pytest.mark.usefixtures("today")
class TestWhatLaterEditsHaveOvertaken:
    def test_is_a_field_that_was_changed_again(self, me: Client, abc: tuple[str, str, str]) -> None:
        first = edit("alter", goal=abc[0], changes={"title": "1", "unit": "km"})
        second = edit("alter", goal=abc[0], changes={"title": "2"})
        me.apply(first, second)
        assert "undone already" not in cannot(me, first["id"])
        undo(me, second["id"])
        undo(me, first["id"])
        assert me.goal(abc[0])["title"] == "a" and me.goal(abc[0])["unit"] is None

    def test_is_not_another_field(self, me: Client, abc: tuple[str, str, str]) -> None:
        first = edit("alter", goal=abc[0], changes={"title": "1"})
        me.apply(first, edit("alter", goal=abc[0], changes={"frequency": 9}), edit("bump", goal=abc[0]))
        undo(me, first["id"])
        goal = me.goal(abc[0])
        assert (goal["title"], goal["frequency"], goal["progress"]) == ("a", 9, 4)

    def test_is_not_a_field_that_holds_what_it_set_once_more(self, me: Client, abc: tuple[str, str, str]) -> None:
        first = edit("alter", goal=abc[0], changes={"title": "1"})
        me.apply(first, edit("alter", goal=abc[0], changes={"title": "2"}), edit("alter", goal=abc[0], changes={"title": "1"}))
        undo(me, first["id"])
        assert me.goal(abc[0])["title"] == "a"

    def test_is_a_calendar_that_was_changed_again(self, me: Client) -> None:
        first = edit("configure", timeZone="Asia/Tokyo", weekStart="sunday")
        me.apply(first, edit("configure", weekStart="friday"))
        cannot(me, first["id"])
        me.apply(edit("configure", weekStart="sunday", dayStart="01:00"))
        undo(me, first["id"])
        assert present(me)[1] == ["UTC", "monday", "01:00"]

    def test_is_an_activity_that_was_changed_again(self, me: Client, abc: tuple[str, str, str]) -> None:
        a, b, c = abc
        off = edit("setActivity", activity={a: False, b: False, c: True})
        me.apply(off, edit("setActivity", activity={c: False}))
        undo(me, off["id"])  # it never turned c
        assert [goal["active"] for goal in me.goals()] == [True, True, False]
        off = edit("setActivity", activity={a: False, b: False})
        me.apply(off, edit("setActivity", activity={a: True}))
        cannot(me, off["id"])

    def test_is_a_count_that_was_taken_off_since(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal, by=5)
        me.apply(bump, edit("bump", goal=goal, by=-2))
        cannot(me, bump["id"])
        me.apply(edit("bump", goal=goal, by=2))
        undo(me, bump["id"])
        assert me.goal(goal)["progress"] == 0

    def test_is_not_a_count_of_a_goal_that_was_turned_off(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal, by=5)
        me.apply(bump, edit("setActivity", activity={goal: False}))
        undo(me, bump["id"])
        me.apply(edit("setActivity", activity={goal: True}))
        assert me.goal(goal)["progress"] == 0

    @pytest.mark.parametrize("content", ["bump", "skip", "alter", "update", "setActivity", "move", "add"])
    def test_is_everything_of_a_deleted_goal(self, me: Client, abc: tuple[str, str, str], content: str) -> None:
        goal = abc[0]
        done = {
            "bump": edit("bump", goal=goal),
            "skip": edit("skip", goal=goal),
            "alter": edit("alter", goal=goal, changes={"title": "x"}),
            "update": edit("update", goal={"id": goal, "title": "x"}),
            "setActivity": edit("setActivity", activity={goal: False}),
            "move": edit("move", goal=goal, before=None),
            "add": edit("add", goal={"id": new_id(), "title": "new"}),
        }[content]
        gone = done["goal"]["id"] if content == "add" else goal
        me.apply(done, edit("delete", goal=gone))
        cannot(me, done["id"])


@pytest.mark.usefixtures("today")
class TestThePlaceOfAGoal:
    def order(self, me: Client) -> str:
        return "".join(goal["title"] for goal in me.goals())

    def test_is_before_its_old_successor_after_an_undone_delete(self, me: Client, abc: tuple[str, str, str]) -> None:
        a, b, c = abc
        delete = edit("delete", goal=b)
        me.apply(delete, edit("move", goal=c, before=a))
        undo(me, delete["id"])
        assert self.order(me) == "bca"
        assert me.goal(b)["progress"] == 3 and me.goal(b)["active"]

    def test_is_the_end_where_the_old_successor_is_gone(self, me: Client, abc: tuple[str, str, str]) -> None:
        a, b, c = abc
        delete = edit("delete", goal=a)
        me.apply(delete, edit("delete", goal=b))
        undo(me, delete["id"])
        assert self.order(me) == "ca"

    def test_is_before_its_old_successor_after_an_undone_move(self, me: Client, abc: tuple[str, str, str]) -> None:
        a, b, c = abc
        move = edit("move", goal=a, before=None)
        me.apply(move, edit("move", goal=b, before=None))
        assert self.order(me) == "cab"
        undo(me, move["id"])
        assert self.order(me) == "cab", "it is where it should be already"

    def test_of_an_undone_add_is_nowhere_with_all_that_came_later(self, me: Client) -> None:
        add = edit("add", goal={"id": new_id(), "title": "x"})
        me.apply(add, edit("setActivity", activity={add["goal"]["id"]: True}), edit("bump", goal=add["goal"]["id"], by=2))
        outcome = undo(me, add["id"])
        me.get(f"/v1/goals/{add['goal']['id']}").expect(404, "unknown-goal")
        same = edit("add", goal=add["goal"])
        assert me.outcomes(same)[0]["code"] == "goal-exists", "its id was in use"
        undo(me, outcome["id"])
        assert me.goal(add["goal"]["id"])["progress"] == 2


def test_a_full_account_takes_no_goal_back(me: Client) -> None:
    goals = [edit("add", goal={"id": new_id(), "title": "x"}) for _ in range(1000)]
    me.apply(*goals)
    delete = edit("delete", goal=goals[0]["goal"]["id"])
    me.apply(delete, edit("add", goal={"title": "the thousandth"}))
    me.post(f"/v1/edits/{delete['id']}/undo").expect(409, "limit-reached")
    me.apply(edit("delete", goal=goals[1]["goal"]["id"]))
    undo(me, delete["id"])


def random_edit(numbers: random.Random, goals: list[dict[str, Any]], now: float) -> dict[str, Any]:
    ids = [goal["id"] for goal in goals]
    kinds = ["add"] if not ids else ["add", "delete", "update", "alter", "setActivity", "move", "bump", "skip", "configure"]
    kind = numbers.choices(kinds, [2] if not ids else [2, 1, 2, 3, 3, 3, 4, 2, 2])[0]
    at = {"at": instant(now - numbers.randint(0, 40 * DAY))} if numbers.random() < 0.5 else {}
    values = {
        "title": numbers.choice("abc"),
        "frequency": numbers.randint(1, 3),
        "interval": numbers.choice(["daily", "weekly", "monthly"]),
        "unit": numbers.choice([None, "km"]),
    }
    goal = numbers.choice(ids) if ids else None
    match kind:
        case "add":
            return edit("add", goal={"id": new_id(), **values}, **at)
        case "update":
            return edit("update", goal={"id": goal, **values}, **at)
        case "alter":
            changes = {name: value for name, value in values.items() if numbers.random() < 0.5}
            return edit("alter", goal=goal, changes=changes, **at)
        case "setActivity":
            return edit("setActivity", activity={id: numbers.random() < 0.7 for id in ids if numbers.random() < 0.6}, **at)
        case "move":
            return edit("move", goal=goal, before=numbers.choice([None, *ids]), **at)
        case "bump":
            return edit("bump", goal=goal, by=numbers.choice([1, 2, 5, -1]), **at)
        case "configure":
            zone = numbers.choice(["UTC", "Asia/Tokyo", "America/Los_Angeles"])
            return edit("configure", timeZone=zone, weekStart=numbers.choice(["monday", "sunday"]), **at)
        case _:
            return edit(kind, goal=goal, **at)


@pytest.mark.usefixtures("today")
def test_undoing_everything_from_the_latest_back_walks_through_every_state(me: Client) -> None:
    """And undoing those undos from the latest back walks forward again."""
    seed = int(os.environ.get("GOALS_SEED") or random.SystemRandom().randrange(2**32))
    print(f"GOALS_SEED={seed}")
    numbers, now = random.Random(seed), time.time()
    states, done = [present(me)], []
    while len(done) < 150:
        next_edit = random_edit(numbers, states[-1][0], now)
        if me.outcomes(next_edit)[0]["status"] == "applied":
            done.append(next_edit["id"])
            states.append(present(me))
    undone = []
    for number in reversed(range(len(done))):
        undone.append(undo(me, done[number])["id"])
        assert present(me) == states[number], f"undo of {me.log()[number]}"
    assert me.goals() == []
    for number in range(len(done)):
        undo(me, undone.pop())
        assert present(me) == states[number + 1], f"redo of {me.log()[number]}"
