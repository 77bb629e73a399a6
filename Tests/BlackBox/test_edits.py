"""A client that sends edits, in batches: `POST /v1/edits`."""

from __future__ import annotations

import time
from typing import Any

import pytest

from goals_client import DAY, INSTANT, Client, edit, instant, new_id, pointers_of

NOW_FIELDS = ("version", "recordedAt", "device")


def only(outcomes: list[dict[str, Any]]) -> dict[str, Any]:
    assert len(outcomes) == 1, outcomes
    return outcomes[0]


def rejected(outcome: dict[str, Any], code: str) -> dict[str, Any]:
    assert outcome["status"] == "rejected" and outcome["code"] == code, outcome
    assert isinstance(outcome["detail"], str) and outcome["detail"].strip(), outcome
    assert "version" not in outcome, outcome
    return outcome


class TestABatch:
    def test_answers_an_outcome_for_each_edit_in_order(self, me: Client) -> None:
        goal = new_id()
        edits = [
            edit("add", goal={"id": goal, "title": "Yoga"}),
            edit("bump", goal=goal),
            edit("setActivity", activity={goal: True}),
            edit("bump", goal=goal, by=2),
            edit("alter", goal=goal, changes={}),
            edit("nonsense"),
            edit("delete", goal=new_id()),
            edit("bump", goal=goal),
        ]
        response = me.edits(*edits, edits[0]).expect(200)
        body = response.json()
        assert set(body) == {"version", "outcomes"} and body["version"] == 4, response.shown()
        outcomes = body["outcomes"]
        assert [o["id"] for o in outcomes] == [e["id"] for e in edits] + [edits[0]["id"]], response.shown()
        assert [(o["status"], o.get("version"), o.get("code")) for o in outcomes] == [
            ("applied", 1, None),
            ("rejected", None, "inactive-goal"),
            ("applied", 2, None),
            ("applied", 3, None),
            ("unchanged", None, None),
            ("rejected", None, "invalid"),
            ("rejected", None, "unknown-goal"),
            ("applied", 4, None),
            ("duplicate", 1, None),
        ], response.shown()
        assert me.version() == 4 and len(me.log()) == 4

    def test_sees_what_earlier_edits_of_the_same_batch_did(self, me: Client) -> None:
        a, b = new_id(), new_id()
        me.apply(
            edit("add", goal={"id": a, "title": "a"}),
            edit("add", goal={"id": b, "title": "b"}),
            edit("move", goal=b, before=None),
            edit("setActivity", activity={a: True}),
            edit("bump", goal=a),
            edit("bump", goal=a, by=-1),
            edit("delete", goal=b),
        )
        assert [goal["id"] for goal in me.goals()] == [a]

    def test_of_one_and_of_a_thousand_edits_is_taken(self, me: Client) -> None:
        goal = me.add_goal()
        me.apply(edit("bump", goal=goal))
        versions = me.apply(*[edit("bump", goal=goal) for _ in range(1000)])
        assert versions == list(range(4, 1004))

    @pytest.mark.parametrize("count", [0, 1001])
    def test_of_none_or_more_than_a_thousand_is_refused(self, me: Client, count: int) -> None:
        response = me.edits(*[edit("delete", goal=new_id()) for _ in range(count)]).expect(422, "invalid")
        assert response.pointers == {"/edits"}, response.shown()

    @pytest.mark.parametrize("edits", [None, {}, "x", 3, True])
    def test_whose_edits_are_no_array_is_refused(self, me: Client, edits: Any) -> None:
        response = me.post("/v1/edits", {"edits": edits}).expect(422, "invalid")
        assert response.pointers == {"/edits"}, response.shown()

    def test_tells_all_faults_of_its_own_at_once(self, me: Client) -> None:
        response = me.post("/v1/edits", {"atomic": "yes", "ifVersion": "1", "foo": 1}).expect(422, "invalid")
        assert response.pointers == {"/edits", "/atomic", "/ifVersion", "/foo"}, response.shown()

    def test_refuses_an_unknown_query_parameter(self, me: Client) -> None:
        response = me.post("/v1/edits?dryrun=true", {"edits": [edit("delete", goal=new_id())]}).expect(422, "invalid")
        assert any("dryrun" in pointer for pointer in response.pointers), response.shown()


class TestAnInvalidEdit:
    @pytest.mark.parametrize(
        "change, pointers",
        [
            (5, {""}),
            (None, {""}),
            ([], {""}),
            ({"type": "delete", "goal": new_id()}, {"/id"}),
            ({"id": "x", "type": "delete", "goal": new_id()}, {"/id"}),
            ({"id": 7, "type": "delete", "goal": new_id()}, {"/id"}),
            ({"id": new_id()}, {"/type"}),
            (edit("nonsense"), {"/type"}),
            (edit("Bump", goal=new_id()), {"/type"}),
            ({"id": new_id(), "type": 3}, {"/type"}),
            (edit("delete"), {"/goal"}),
            (edit("delete", goal="x"), {"/goal"}),
            (edit("delete", goal={"id": new_id()}), {"/goal"}),
            (edit("delete", goal=new_id(), foo=1), {"/foo"}),
            (edit("delete", goal=new_id(), by=1), {"/by"}),
            (edit("delete", goal=new_id(), at="x"), {"/at"}),
            (edit("bump", goal=new_id(), by=0), {"/by"}),
            (edit("bump", goal=new_id(), by=1_000_001), {"/by"}),
            (edit("bump", goal=new_id(), note="x" * 501), {"/note"}),
            (edit("add"), {"/goal"}),
            (edit("add", goal=new_id()), {"/goal"}),
            (edit("add", goal={"title": "", "frequency": 0, "x": 1}), {"/goal/title", "/goal/frequency", "/goal/x"}),
            (edit("update", goal={"title": "x"}), {"/goal/id"}),
            (edit("update", goal={"id": "x", "title": "x"}), {"/goal/id"}),
            (edit("update", goal={"id": new_id()}), {"/goal/title"}),
            (edit("alter", goal=new_id()), {"/changes"}),
            (edit("alter", goal=new_id(), changes=[]), {"/changes"}),
            (edit("alter", goal=new_id(), changes={"title": "", "foo": 1}), {"/changes/title", "/changes/foo"}),
            (edit("setActivity"), {"/activity"}),
            (edit("setActivity", activity=True), {"/activity"}),
            (edit("setActivity", activity=[1, True]), {"/activity/0"}),
            (edit("move", goal=new_id(), before="x"), {"/before"}),
            (edit("move", goal=None, before=None), {"/goal"}),
            (
                {"id": "x", "type": "bump", "at": "y", "goal": "z", "by": 0.5, "note": [], "foo": 1},
                {"/id", "/at", "/goal", "/by", "/note", "/foo"},
            ),
        ],
        ids=lambda value: None if isinstance(value, set) else str(value)[:60].replace("::", ":"),
    )
    def test_is_rejected_with_all_its_faults_and_blocks_no_other(self, me: Client, change: Any, pointers: set[str]) -> None:
        good = [edit("add", goal={"title": "before"}), edit("add", goal={"title": "after"})]
        response = me.edits(good[0], change, good[1]).expect(200)
        outcomes = response.json()["outcomes"]
        assert [o["status"] for o in outcomes] == ["applied", "rejected", "applied"], response.shown()
        outcome = rejected(outcomes[1], "invalid")
        found = pointers_of(outcome["errors"], response.shown())
        assert found == {f"/edits/1{pointer}" for pointer in pointers}, response.shown()
        sent = change.get("id") if isinstance(change, dict) else None
        allowed = [sent] if isinstance(sent, str) else [None, sent]
        assert "id" in outcome and outcome["id"] in allowed, response.shown()

    def test_does_not_take_its_id(self, me: Client) -> None:
        goal, id = me.add_goal(), new_id()
        rejected(only(me.outcomes(edit("bump", id=id, goal=goal, by=0))), "invalid")
        assert only(me.outcomes(edit("bump", id=id, goal=goal)))["status"] == "applied"


class TestAnEditSentAgain:
    def test_is_a_duplicate_however_often(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal, by=3, note="x", at=instant(time.time() - 1000))
        version = only(me.apply(bump))
        for _ in range(3):
            assert me.outcomes(bump, bump) == [{"id": bump["id"], "status": "duplicate", "version": version}] * 2
        assert me.goal(goal)["progress"] in (3, 0) and me.version() == version

    def test_in_the_same_batch_is_a_duplicate(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal)
        outcomes = me.outcomes(bump, bump, {**bump, "by": 2})
        assert [o["status"] for o in outcomes] == ["applied", "duplicate", "rejected"]
        assert outcomes[1]["version"] == outcomes[0]["version"] == 3
        rejected(outcomes[2], "id-conflict")

    def test_is_compared_after_parsing(self, me: Client) -> None:
        goal, now = new_id(), time.time()
        add = edit("add", goal={"id": goal, "title": "Yoga", "colour": "#aabbcc"})
        me.apply(add, edit("setActivity", activity={goal: True}))
        bump = edit("bump", goal=goal, at=instant(now))
        me.apply(bump)
        offset = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(int(now) + 7200)) + instant(now)[19:23] + "+02:00"
        same = [
            {**add, "goal": {"id": goal.upper(), "title": "  Yoga ", "colour": "#AABBCC", "interval": "daily", "unit": ""}},
            {**bump, "id": bump["id"].upper(), "goal": goal.upper()},
            {**bump, "by": 1},
            {**bump, "at": offset},
            {key: value for key, value in bump.items() if key != "at"},
        ]
        assert [o["status"] for o in me.outcomes(*same)] == ["duplicate"] * len(same)

    def test_with_what_the_server_filled_in_is_a_duplicate(self, me: Client) -> None:
        add = edit("add", goal={"title": "Yoga"})
        me.apply(add)
        recorded = me.get(f"/v1/edits/{add['id']}").expect(200).json()
        for again in (add, recorded, {**add, "at": recorded["at"]}, {**add, "goal": recorded["goal"]}):
            assert only(me.outcomes(again)) == {"id": add["id"], "status": "duplicate", "version": 1}
        assert len(me.goals()) == 1

    @pytest.mark.parametrize(
        "change",
        [
            {"by": 2},
            {"at": "2026-01-01T00:00:00Z"},
            {"note": "new"},
            {"day": "2026-01-01"},
            {"goal": new_id()},
            {"type": "delete"},
            {"at": "9999-01-01T00:00:00Z"},
        ],
        ids=str,
    )
    def test_with_other_content_is_a_conflict(self, me: Client, change: dict[str, Any]) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal)
        me.apply(bump)
        again = {**bump, **change}
        rejected(only(me.outcomes(again)), "id-conflict")
        assert me.version() == 3

    def test_is_a_duplicate_even_after_its_goal_is_gone(self, me: Client) -> None:
        goal = me.add_goal()
        bump, delete = edit("bump", goal=goal), edit("delete", goal=goal)
        me.apply(bump, delete)
        assert [o["status"] for o in me.outcomes(bump, delete)] == ["duplicate", "duplicate"]

    def test_after_it_was_rejected_is_decided_anew(self, me: Client) -> None:
        goal = me.add_goal(active=False)
        bump = edit("bump", goal=goal)
        rejected(only(me.outcomes(bump)), "inactive-goal")
        me.apply(edit("setActivity", activity={goal: True}))
        me.apply(bump)

    def test_after_it_changed_nothing_is_decided_anew(self, me: Client) -> None:
        goal = me.add_goal(title="a")
        alter = edit("alter", goal=goal, changes={"title": "a"})
        assert only(me.outcomes(alter)) == {"id": alter["id"], "status": "unchanged"}
        me.apply(edit("alter", goal=goal, changes={"title": "b"}))
        me.apply(alter)
        assert me.goal(goal)["title"] == "a"

    def test_of_the_whole_log_is_all_duplicates(self, me: Client) -> None:
        one_of_each(me)
        log = me.log()
        outcomes = me.outcomes(*log)
        assert outcomes == [{"id": e["id"], "status": "duplicate", "version": e["version"]} for e in log]

    def test_into_another_account_makes_the_same_list(self, me: Client, other: Client, today: None) -> None:
        one_of_each(me)
        other.apply(*me.log())
        assert other.goals() == me.goals()


class TestADayThatIsNamed:
    AT = "2026-03-10T12:00:00Z"

    @pytest.mark.parametrize("kind", ["bump", "skip"])
    @pytest.mark.parametrize("day", ["2026-03-09", "2026-03-10", "2026-03-11"])
    def test_is_the_day_that_the_edit_counts_on(self, me: Client, kind: str, day: str) -> None:
        asked = edit(kind, goal=me.add_goal(), at=self.AT, day=day)
        me.apply(asked)
        recorded = me.log()[-1]
        assert recorded["day"] == day, recorded
        assert [o["status"] for o in me.outcomes(asked, recorded)] == ["duplicate"] * 2
        rejected(only(me.outcomes({**asked, "day": "2026-03-12"})), "id-conflict")

    @pytest.mark.parametrize("kind", ["bump", "skip"])
    @pytest.mark.parametrize("day", ["2026-03-08", "2026-03-12", "2026-02-29", "", None, 20260310])
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

    def test_is_one_that_the_zone_has(self, me: Client) -> None:
        goal = me.add_goal()
        me.apply(edit("configure", timeZone="Pacific/Apia"))
        bump = edit("bump", goal=goal, at="2011-12-30T09:00:00Z", day="2011-12-30")
        rejected(only(me.outcomes(bump)), "invalid")
        me.apply({**bump, "day": "2011-12-29"})

    def test_can_be_tomorrow_and_be_taken_back(self, me: Client) -> None:
        goal = me.add_goal(interval="monthly")
        body = {"at": "2026-03-31T22:00:00Z", "day": "2026-04-01", "by": 3}
        key = new_id()
        me.post(f"/v1/goals/{goal}/bump", body, headers={"Idempotency-Key": key}).expect(200)
        history = f"/v1/goals/{goal}/history?from=2026-03-01&to=2026-05-01"
        assert me.get(history).json()["days"] == [{"date": "2026-04-01", "count": 3}]
        me.post(f"/v1/edits/{key}/undo").expect(200)
        assert me.get(history).json()["days"] == []


def one_of_each(me: Client) -> None:
    a, b, c = new_id(), new_id(), new_id()
    now = time.time()
    me.apply(
        edit("add", goal={"id": a, "title": "a", "unit": "km"}, at=instant(now - 90000)),
        edit("add", goal={"id": b, "title": "b", "interval": "monthly"}),
        edit("add", goal={"id": c, "title": "c"}),
        edit("setActivity", activity={b: True, a: True}),
        edit("bump", goal=a, by=5, note="five"),
        edit("bump", goal=b, at=instant(now - 90000)),
        edit("update", goal={"id": a, "title": "A", "frequency": 3}),
        edit("alter", goal=b, changes={"colour": "#123456", "unit": "l"}),
        edit("move", goal=c, before=None),
        edit("delete", goal=c),
    )
    me.apply(edit("setActivity", activity=[False, True]), ifVersion=10)


class TestARecordedEdit:
    def test_spells_out_every_default(self, server: Any, me: Client) -> None:
        goal = new_id()
        before = time.time()
        add = edit("add", goal={"id": goal, "title": " Yoga "})
        on = edit("setActivity", activity={goal: True})
        bump = edit("bump", goal=goal)
        update = edit("update", goal={"id": goal, "title": "Tea"})
        alter = edit("alter", goal=goal, changes={"colour": "#AABBCC", "unit": ""})
        me.apply(add, on, bump, update, alter, edit("add", goal={"title": "x"}))
        move = edit("move", goal=goal.upper(), before=None)
        delete = edit("delete", goal=goal, at="2026-01-02T03:04:05.678901+01:00")
        outcomes = me.outcomes(move, delete)
        log = me.log()
        for number, recorded in enumerate(log, 1):
            assert recorded["version"] == number, recorded
            assert INSTANT.match(recorded["recordedAt"]) and INSTANT.match(recorded["at"]), recorded
            assert instant(before - 5) <= recorded["recordedAt"] <= instant(time.time() + 5), recorded
            assert isinstance(recorded["device"], str) and recorded["device"], recorded
            if recorded["type"] != "delete":
                assert instant(before - 5) <= recorded["at"] <= instant(time.time() + 5), recorded
        content = [{key: value for key, value in recorded.items() if key not in (*NOW_FIELDS, "at")} for recorded in log]
        whole = {"colour": "green", "interval": "daily", "frequency": 1, "unit": None}
        assert content[0] == {**add, "goal": {"id": goal, "title": "Yoga", **whole}}
        assert content[1] == {**on, "activity": {goal: True}}
        assert DAY.match(content[2].pop("day"))
        assert content[2].pop("note", None) is None
        assert content[2] == {**bump, "by": 1}
        assert content[3] == {**update, "goal": {"id": goal, "title": "Tea", **whole}}
        assert content[4]["changes"] in ({"colour": "#aabbcc", "unit": None}, {"colour": "#aabbcc"}), content[4]
        assert [o["status"] for o in outcomes] == ["unchanged", "applied"], outcomes
        assert content[6] == {"id": delete["id"], "type": "delete", "goal": goal}
        assert log[6]["at"] == "2026-01-02T02:04:05.678Z"

    def test_is_never_recorded_before_the_one_before_it(self, me: Client) -> None:
        goal = me.add_goal()
        for _ in range(20):
            me.apply(edit("bump", goal=goal), edit("bump", goal=goal))
        instants = [recorded["recordedAt"] for recorded in me.log()]
        assert instants == sorted(instants)

    def test_names_the_device_by_its_token(self, server: Any) -> None:
        account = server.account()
        added = server.run("token", "add", account["id"], "--name", "Ann's phone", "--json").expect(0).json()
        phone = server.client(added["token"])
        phone.add_goal()
        assert [recorded["device"] for recorded in phone.log()] == ["Ann's phone"] * 2

    def test_can_be_read_alone(self, me: Client) -> None:
        one_of_each(me)
        for recorded in me.log():
            response = me.get(f"/v1/edits/{recorded['id'].upper()}").expect(200)
            assert response.json() == recorded, response.shown()

    @pytest.mark.parametrize("id", [new_id(), "nonsense"])
    def test_that_was_never_recorded_is_unknown_edit(self, me: Client, id: str) -> None:
        me.get(f"/v1/edits/{id}").expect(404, "unknown-edit")

    def test_of_a_rejected_or_unchanged_edit_is_not_there(self, me: Client) -> None:
        goal = me.add_goal()
        for change in (edit("alter", goal=goal, changes={}), edit("bump", goal=goal, by=-1)):
            me.outcomes(change)
            me.get(f"/v1/edits/{change['id']}").expect(404, "unknown-edit")
