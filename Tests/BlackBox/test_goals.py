"""A client of `/v1/goals`: one goal, the list, and what can be done to them."""

from __future__ import annotations

import datetime
import json
import time
from typing import Any

import pytest

from goals_client import (
    INSTANT,
    LOWER_UUID,
    UUID_V7,
    Client,
    day_of,
    edit,
    instant,
    new_id,
)

GOAL_FIELDS = {
    "id", "title", "colour", "interval", "frequency", "unit",
    "active", "progress", "completion", "period", "streak", "today", "state",
}  # fmt: skip


def without_progress(goal: dict[str, Any]) -> dict[str, Any]:
    return {key: goal[key] for key in ("id", "title", "colour", "interval", "frequency", "unit")}


def running_period(interval: str, seconds: float) -> dict[str, str]:
    day = datetime.datetime.fromtimestamp(seconds, datetime.UTC).date()
    if interval == "daily":
        start, end = day, day + datetime.timedelta(days=1)
    elif interval == "weekly":
        start = day - datetime.timedelta(days=day.weekday())
        end = start + datetime.timedelta(days=7)
    else:
        start = day.replace(day=1)
        end = (start + datetime.timedelta(days=32)).replace(day=1)
    return {"start": start.isoformat(), "end": end.isoformat()}


class TestAddingAGoal:
    def test_answers_201_with_location_and_the_whole_goal(self, me: Client) -> None:
        goal = {"id": new_id(), "title": "Run", "colour": "red", "interval": "weekly", "frequency": 3, "unit": "km"}
        response = me.post("/v1/goals", goal).expect(201)
        assert response.header("Location") == f"/v1/goals/{goal['id']}", response.shown()
        body = response.json()
        assert set(body) == GOAL_FIELDS, response.shown()
        assert without_progress(body) == goal, response.shown()

    def test_fills_in_every_default(self, me: Client) -> None:
        response = me.post("/v1/goals", {"title": "Yoga"}).expect(201)
        body = response.json()
        assert UUID_V7.match(body["id"]), response.shown()
        expected = {
            "id": body["id"], "title": "Yoga", "colour": "green", "interval": "daily", "frequency": 1, "unit": None,
            "active": False, "progress": None, "completion": None, "period": None,
            "streak": {"current": 0, "longest": 0}, "today": None, "state": None,
        }  # fmt: skip
        assert body == expected, response.shown()

    def test_puts_it_first_in_the_list(self, me: Client) -> None:
        first = me.post("/v1/goals", {"title": "First"}).expect(201).json()["id"]
        second = me.post("/v1/goals", {"title": "Second"}).expect(201).json()["id"]
        assert [goal["id"] for goal in me.goals()] == [second, first]

    def test_prints_an_upper_case_id_in_lower_case(self, me: Client) -> None:
        goal = new_id()
        response = me.post("/v1/goals", {"id": goal.upper(), "title": "Yoga"}).expect(201)
        assert response.json()["id"] == goal, response.shown()
        assert me.goal(goal.upper())["id"] == goal

    def test_that_equals_an_existing_one_changes_nothing(self, me: Client) -> None:
        goal = {"id": new_id(), "title": "Yoga"}
        me.post("/v1/goals", goal).expect(201)
        version = me.version()
        again = me.post("/v1/goals", {**goal, "colour": "green"}).expect(201)
        assert again.json()["id"] == goal["id"], again.shown()
        assert me.version() == version

    def test_with_an_id_in_use_and_other_content_is_goal_exists(self, me: Client) -> None:
        goal = me.add_goal(title="Yoga")
        me.post("/v1/goals", {"id": goal, "title": "Run"}).expect(409, "goal-exists")

    def test_with_the_id_of_a_deleted_goal_is_goal_exists(self, me: Client) -> None:
        goal = me.add_goal(title="Yoga")
        me.delete(f"/v1/goals/{goal}").expect(204)
        me.post("/v1/goals", {"id": goal, "title": "Yoga"}).expect(409, "goal-exists")
        me.put(f"/v1/goals/{goal}", {"title": "Yoga"}).expect(409, "goal-exists")

    def test_passes_over_the_read_only_fields_of_what_was_read(self, me: Client, other: Client) -> None:
        read = me.goal(me.add_goal(title="Yoga", colour="#AB12ef", frequency=5, unit="km"))
        response = other.post("/v1/goals", read).expect(201)
        assert without_progress(response.json()) == without_progress(read), response.shown()
        assert response.json()["active"] is True, response.shown()

    def test_with_active_turns_it_on_in_a_second_edit(self, me: Client) -> None:
        key = new_id()
        for _ in range(2):
            response = me.post("/v1/goals", {"title": "Yoga", "active": True}, headers={"Idempotency-Key": key}).expect(201)
            assert response.json()["active"] is True, response.shown()
        assert [e["type"] for e in me.log()] == ["add", "setActivity"] and me.log()[0]["id"] == key
        assert me.post("/v1/goals", {"title": "Tea", "active": False}).expect(201).json()["active"] is False

    @pytest.mark.parametrize("active", [None, 1, "true", []])
    def test_refuses_another_activity(self, me: Client, active: Any) -> None:
        for method, target in (("POST", "/v1/goals"), ("PUT", f"/v1/goals/{new_id()}")):
            response = me.request(method, target, {"title": "Yoga", "active": active}).expect(422, "invalid")
            assert response.pointers == {"/active"}, response.shown()


class TestATitle:
    @pytest.mark.parametrize(
        "sent, kept",
        [
            ("  Yoga  ", "Yoga"),
            (" \u00a0\u2003Yoga and tea\u3000 ", "Yoga and tea"),
            ("\t\r\nYoga\n", "Yoga"),
            ("x", "x"),
            ("x" * 200, "x" * 200),
            ("  " + "x" * 200 + "  ", "x" * 200),
            ("😀" * 200, "😀" * 200),
            ("e\u0301" * 100, "e\u0301" * 100),
            ("\"\\/<>&\u2028'", "\"\\/<>&\u2028'"),
            ("日本語 العربية", "日本語 العربية"),
        ],
    )
    def test_is_kept_trimmed_and_otherwise_as_it_is(self, me: Client, sent: str, kept: str) -> None:
        response = me.post("/v1/goals", {"title": sent}).expect(201)
        assert response.json()["title"] == kept, response.shown()
        assert me.goals()[0]["title"] == kept

    @pytest.mark.parametrize(
        "title",
        ["", "   ", "\u3000", "x" * 201, "😀" * 201, "e\u0301" * 100 + "x", "a\u0000b", "a\nb", "a\tb", "a\u007fb",
         "a\u0085b", "a\u009fb", 7, None, ["Yoga"], {"a": 1}, True],
    )  # fmt: skip
    def test_that_breaks_a_rule_is_refused(self, me: Client, title: Any) -> None:
        response = me.post("/v1/goals", {"title": title}).expect(422, "invalid")
        assert response.pointers == {"/title"}, response.shown()

    def test_is_compared_by_code_points_not_by_looks(self, me: Client) -> None:
        composed, decomposed = "Caf\u00e9", "Cafe\u0301"
        goal = me.add_goal(title=composed)
        version = me.version()
        response = me.patch(f"/v1/goals/{goal}", {"title": decomposed}).expect(200)
        assert response.json()["title"] == decomposed, response.shown()
        assert me.version() == version + 1


class TestTheOtherFields:
    @pytest.mark.parametrize(
        "sent, kept",
        [(name, name) for name in ("blue", "cyan", "green", "yellow", "orange", "red", "purple")]
        + [("#00ff7f", "#00ff7f"), ("#ABCDEF", "#abcdef")],
    )
    def test_a_colour_is_a_name_or_hexadecimal(self, me: Client, sent: str, kept: str) -> None:
        response = me.post("/v1/goals", {"title": "x", "colour": sent}).expect(201)
        assert response.json()["colour"] == kept, response.shown()

    @pytest.mark.parametrize("colour", ["pink", "Green", "", "#abc", "#abcdeg", "abcdef", "#abcdef0", "#+abcde", 3, None])
    def test_another_colour_is_refused(self, me: Client, colour: Any) -> None:
        response = me.post("/v1/goals", {"title": "x", "colour": colour}).expect(422, "invalid")
        assert response.pointers == {"/colour"}, response.shown()

    @pytest.mark.parametrize("interval", ["daily", "weekly", "monthly"])
    def test_an_interval_is_one_of_three(self, me: Client, interval: str) -> None:
        response = me.post("/v1/goals", {"title": "x", "interval": interval}).expect(201)
        assert response.json()["interval"] == interval, response.shown()

    @pytest.mark.parametrize("interval", ["yearly", "Daily", "", 1, None])
    def test_another_interval_is_refused(self, me: Client, interval: Any) -> None:
        response = me.post("/v1/goals", {"title": "x", "interval": interval}).expect(422, "invalid")
        assert response.pointers == {"/interval"}, response.shown()

    @pytest.mark.parametrize("frequency", [1, 2, 1_000_000])
    def test_a_frequency_is_a_positive_integer_up_to_a_million(self, me: Client, frequency: int) -> None:
        response = me.post("/v1/goals", {"title": "x", "frequency": frequency}).expect(201)
        assert response.json()["frequency"] == frequency, response.shown()

    @pytest.mark.parametrize(
        "frequency",
        [b"0", b"-1", b"1000001", b"1.5", b'"1"', b"null", b"true", b"9223372036854775807", b"9223372036854775808",
         b"-9223372036854775809", b"100000000000000000000000000000000", b"1e300", b"[1]"],
    )  # fmt: skip
    def test_another_frequency_is_refused(self, me: Client, frequency: bytes) -> None:
        response = me.post("/v1/goals", b'{"title":"x","frequency":' + frequency + b"}").expect(422, "invalid")
        assert response.pointers == {"/frequency"}, response.shown()

    @pytest.mark.parametrize("sent, kept", [("km", "km"), ("", None), (None, None), ("x" * 20, "x" * 20), ("💧" * 20, "💧" * 20)])
    def test_a_unit_is_short_and_empty_is_null(self, me: Client, sent: Any, kept: Any) -> None:
        response = me.post("/v1/goals", {"title": "x", "unit": sent}).expect(201)
        assert response.json()["unit"] == kept, response.shown()

    @pytest.mark.parametrize("unit", ["x" * 21, "💧" * 21, "a\u0000", "a\nb", "\u007f", 4, True, []])
    def test_another_unit_is_refused(self, me: Client, unit: Any) -> None:
        response = me.post("/v1/goals", {"title": "x", "unit": unit}).expect(422, "invalid")
        assert response.pointers == {"/unit"}, response.shown()

    @pytest.mark.parametrize("id", ["", "nonsense", "0199a4c0-0000-7000-8000-00000000000", "0199a4c000007000800000000000000a",
                                    "{0199a4c0-0000-7000-8000-00000000000a}", "0199a4c0-0000-7000-8000-00000000000g", 7])  # fmt: skip
    def test_an_id_that_is_no_uuid_is_refused(self, me: Client, id: Any) -> None:
        response = me.post("/v1/goals", {"id": id, "title": "x"}).expect(422, "invalid")
        assert response.pointers == {"/id"}, response.shown()

    def test_all_faults_are_told_at_once(self, me: Client) -> None:
        goal = {"id": "no", "title": " ", "colour": "pink", "interval": "hourly", "frequency": 0, "unit": "x" * 21, "foo": 1}
        response = me.post("/v1/goals", goal).expect(422, "invalid")
        assert response.pointers == {"/id", "/title", "/colour", "/interval", "/frequency", "/unit", "/foo"}, response.shown()

    def test_an_unknown_field_is_refused_with_an_escaped_pointer(self, me: Client) -> None:
        response = me.post("/v1/goals", {"title": "x", "a/b~c": 1, "": 2}).expect(422, "invalid")
        assert response.pointers == {"/a~1b~0c", "/"}, response.shown()

    def test_a_missing_title_is_refused(self, me: Client) -> None:
        response = me.post("/v1/goals", {}).expect(422, "invalid")
        assert response.pointers == {"/title"}, response.shown()

    @pytest.mark.parametrize("body", [[], 1, "x", None, True])
    def test_a_body_that_is_no_object_is_refused_at_the_root(self, me: Client, body: Any) -> None:
        response = me.post("/v1/goals", json.dumps(body).encode()).expect(422, "invalid")
        assert response.pointers == {""}, response.shown()


class TestReadingAGoal:
    def test_shows_progress_and_the_running_period_while_active(self, me: Client, today: None) -> None:
        for interval in ("daily", "weekly", "monthly"):
            goal = me.add_goal(interval=interval, frequency=4)
            me.post(f"/v1/goals/{goal}/bump", {"by": 6}).expect(200)
            read = me.goal(goal)
            assert read["active"] is True and read["progress"] == 6 and read["completion"] == 1.5, read
            assert read["period"] == running_period(interval, time.time()), read
            assert set(read["streak"]) == {"current", "longest"}, read
            assert 0 <= read["streak"]["current"] <= read["streak"]["longest"], read

    def test_shows_no_progress_while_inactive(self, me: Client) -> None:
        read = me.goal(me.add_goal(active=False))
        assert (read["active"], read["progress"], read["completion"], read["period"]) == (False, None, None, None), read

    def test_shows_todays_count_and_how_the_running_period_stands(self, me: Client, today: None) -> None:
        now = time.time()
        goal = me.add_goal(interval="monthly", frequency=5)
        read = me.goal(goal)
        assert (read["today"], read["state"]) == (0, "open"), read
        me.apply(edit("bump", goal=goal, by=2), edit("bump", goal=goal, by=9, at=instant(now - 40 * 86400)))
        read = me.goal(goal)
        assert (read["progress"], read["today"], read["state"]) == (2, 2, "open"), read
        assert me.post(f"/v1/goals/{goal}/skip").expect(200).json()["state"] == "excused"
        assert me.goals()[0]["state"] == "excused"
        read = me.post(f"/v1/goals/{goal}/bump", {"by": 3}).expect(200).json()
        assert (read["today"], read["state"]) == (5, "met"), read
        read = me.patch(f"/v1/goals/{goal}", {"active": False}).expect(200).json()
        assert (read["today"], read["state"]) == (None, None), read

    def test_counts_what_lies_in_the_running_period_only(self, me: Client, today: None) -> None:
        now = time.time()
        for interval in ("daily", "weekly", "monthly"):
            goal = me.add_goal(interval=interval)
            expected = 0
            period = running_period(interval, now)
            for days in (0, 1, 3, 6, 7, 20, 30, 31, 40):
                me.apply(edit("bump", goal=goal, by=days + 1, at=instant(now - days * 86400)))
                if day_of(now - days * 86400) >= period["start"]:
                    expected += days + 1
            assert me.goal(goal)["progress"] == expected, (interval, period)

    def test_asks_the_new_question_when_the_interval_changes(self, me: Client, today: None) -> None:
        goal = me.add_goal(interval="daily", frequency=10)
        now = time.time()
        me.apply(edit("bump", goal=goal, by=2, at=instant(now)), edit("bump", goal=goal, by=3, at=instant(now - 86400)))
        assert me.goal(goal)["progress"] == 2
        read = me.patch(f"/v1/goals/{goal}", {"interval": "monthly"}).expect(200).json()
        assert read["progress"] == (5 if day_of(now - 86400)[:7] == day_of(now)[:7] else 2), read
        assert me.patch(f"/v1/goals/{goal}", {"interval": "daily"}).expect(200).json()["progress"] == 2

    @pytest.mark.parametrize("id", ["nonsense", "0199a4c0-0000-7000-8000-00000000000a", "0", "-", "%20", "0199a4c0"])
    def test_that_does_not_exist_is_unknown_goal(self, me: Client, id: str) -> None:
        me.get(f"/v1/goals/{id}").expect(404, "unknown-goal")

    def test_with_head_says_the_same_without_a_body(self, me: Client) -> None:
        goal = me.add_goal()
        for target in ("/v1/goals", f"/v1/goals/{goal}", "/v1/account", "/v1/edits", "/healthz", "/readyz", "/openapi.yaml"):
            get, head = me.get(target).expect(200), me.head(target).expect(200)
            for name in ("Content-Type", "ETag", "Content-Length", "Cache-Control"):
                assert head.header(name) == get.header(name), f"{name}{get.shown()}{head.shown()}"

    def test_with_head_of_an_unknown_goal_is_404(self, me: Client) -> None:
        me.head(f"/v1/goals/{new_id()}").expect(404)


class TestTheList:
    def test_of_a_fresh_account_is_empty_at_version_0(self, me: Client) -> None:
        response = me.get("/v1/goals").expect(200)
        body = response.json()
        assert set(body) == {"version", "cursor", "goals"}, response.shown()
        assert (body["version"], body["goals"]) == (0, []) and isinstance(body["cursor"], str), response.shown()

    def test_holds_whole_goals_in_order(self, me: Client) -> None:
        ids = [me.add_goal(title=title, active=active) for title, active in (("a", True), ("b", False), ("c", True))]
        goals = me.goals()
        assert [goal["id"] for goal in goals] == ids[::-1]
        assert all(set(goal) == GOAL_FIELDS for goal in goals), goals
        assert goals == [me.goal(id) for id in reversed(ids)]

    def test_can_be_filtered_by_activity(self, me: Client) -> None:
        on, off = me.add_goal(), me.add_goal(active=False)
        whole = me.get("/v1/goals").expect(200).json()
        active = me.get("/v1/goals?active=true").expect(200).json()
        inactive = me.get("/v1/goals?active=false").expect(200).json()
        assert [goal["id"] for goal in active["goals"]] == [on]
        assert [goal["id"] for goal in inactive["goals"]] == [off]
        assert active["version"] == inactive["version"] == whole["version"]

    @pytest.mark.parametrize("query", ["active=maybe", "active=", "active=1", "active=TRUE", "aktive=true", "active=true&foo="])
    def test_refuses_what_it_does_not_know_in_the_query(self, me: Client, query: str) -> None:
        response = me.get(f"/v1/goals?{query}").expect(422, "invalid")
        name = "active" if query.startswith("active") and "&" not in query else query.split("&")[-1].split("=")[0]
        assert any(name in pointer for pointer in response.pointers), response.shown()


class TestAnETag:
    def test_stays_while_nothing_changes(self, me: Client, today: None) -> None:
        goal = me.add_goal()
        assert me.get("/v1/goals").etag == me.get("/v1/goals").etag
        assert me.get(f"/v1/goals/{goal}").etag == me.get(f"/v1/goals/{goal}").etag

    def test_changes_with_every_kind_of_edit(self, me: Client) -> None:
        other = me.add_goal()
        seen = {me.get("/v1/goals").etag}
        goal = new_id()
        for change in (
            edit("add", goal={"id": goal, "title": "x"}),
            edit("setActivity", activity={goal: True}),
            edit("bump", goal=goal),
            edit("alter", goal=goal, changes={"title": "y"}),
            edit("update", goal={"id": goal, "title": "z"}),
            edit("move", goal=goal, before=None),
            edit("delete", goal=goal),
        ):
            me.apply(change)
            etag = me.get("/v1/goals").etag
            assert etag not in seen, f"{change} left the ETag as it was"
            seen.add(etag)
        assert me.get(f"/v1/goals/{other}").etag

    def test_that_still_holds_answers_304_without_a_body(self, me: Client, today: None) -> None:
        goal = me.add_goal()
        for target in ("/v1/goals", "/v1/goals?active=true", f"/v1/goals/{goal}"):
            etag = me.get(target).expect(200).etag
            for condition in (etag, f'"other", {etag}', f"W/{etag}", "*"):
                answer = me.get(target, headers={"If-None-Match": condition}).expect(304)
                assert answer.etag == etag, answer.shown()
            me.head(target, headers={"If-None-Match": etag}).expect(304)

    def test_that_no_longer_holds_answers_the_list(self, me: Client) -> None:
        goal = me.add_goal()
        etag = me.get("/v1/goals").etag
        me.post(f"/v1/goals/{goal}/bump").expect(200)
        me.get("/v1/goals", headers={"If-None-Match": etag}).expect(200)

    def test_of_another_account_does_not_hold(self, me: Client, other: Client) -> None:
        goal = new_id()
        for client in (me, other):
            client.add_goal(id=goal)
        assert me.get("/v1/goals").etag != other.get("/v1/goals").etag
        other.put(f"/v1/goals/{goal}", {"title": "z"}, headers={"If-Match": me.get("/v1/goals").etag}).expect(
            412, "version-mismatch"
        )


class TestPuttingAGoal:
    def test_that_is_new_adds_it_inactive_and_first(self, me: Client) -> None:
        me.add_goal()
        goal = new_id()
        response = me.put(f"/v1/goals/{goal}", {"title": "Run", "unit": "km"}).expect(201)
        assert response.json()["id"] == goal and response.json()["active"] is False, response.shown()
        assert me.goals()[0]["id"] == goal

    def test_that_exists_replaces_everything_but_id_place_activity_and_progress(self, me: Client, today: None) -> None:
        goal = me.add_goal(title="Run", colour="red", interval="daily", frequency=5, unit="km")
        me.add_goal(title="Later")
        me.post(f"/v1/goals/{goal}/bump", {"by": 3}).expect(200)
        response = me.put(f"/v1/goals/{goal}", {"title": "Walk", "frequency": 2}).expect(200)
        body = response.json()
        assert without_progress(body) == {
            "id": goal, "title": "Walk", "colour": "green", "interval": "daily", "frequency": 2, "unit": None,
        }, response.shown()  # fmt: skip
        assert body["active"] is True and body["progress"] == 3 and body["completion"] == 1.5, response.shown()
        assert [g["id"] for g in me.goals()][1] == goal

    def test_as_it_was_read_changes_nothing(self, me: Client) -> None:
        goal = me.add_goal(title="Run", colour="#ff0000", unit="km")
        me.post(f"/v1/goals/{goal}/bump").expect(200)
        version, read = me.version(), me.goal(goal)
        assert me.put(f"/v1/goals/{goal}", read).expect(200).json() == read
        assert me.version() == version

    def test_turns_it_on_and_off_where_the_body_says_so(self, me: Client) -> None:
        goal = new_id()
        for status, said, active in ((201, {}, False), (200, {"active": True}, True), (200, {}, True), (200, {"active": False}, False)):
            response = me.put(f"/v1/goals/{goal}", {"title": "Yoga", **said}).expect(status)
            assert response.json()["active"] is active, response.shown()
        assert [e["type"] for e in me.log()] == ["add", "setActivity", "setActivity"]

    def test_takes_the_paths_id_in_the_body_in_any_case(self, me: Client) -> None:
        goal = new_id()
        me.put(f"/v1/goals/{goal}", {"id": goal.upper(), "title": "Run"}).expect(201)
        me.put(f"/v1/goals/{goal.upper()}", {"id": goal, "title": "Run"}).expect(200)

    def test_refuses_another_id_in_the_body(self, me: Client) -> None:
        response = me.put(f"/v1/goals/{new_id()}", {"id": new_id(), "title": "Run"}).expect(422, "invalid")
        assert response.pointers == {"/id"}, response.shown()
        assert me.version() == 0

    def test_refuses_all_faults_at_once(self, me: Client) -> None:
        goal = me.add_goal()
        response = me.put(f"/v1/goals/{goal}", {"colour": "pink", "bar": 1}).expect(422, "invalid")
        assert response.pointers == {"/title", "/colour", "/bar"}, response.shown()


class TestPatchingAGoal:
    def test_changes_only_what_is_named(self, me: Client) -> None:
        goal = me.add_goal(title="Run", colour="red", interval="weekly", frequency=5, unit="km")
        before = me.goal(goal)
        response = me.patch(f"/v1/goals/{goal}", {"frequency": 7}).expect(200)
        assert response.json() == {**before, "frequency": 7}, response.shown()
        assert me.log()[-1]["type"] == "alter"

    def test_with_null_takes_the_default(self, me: Client) -> None:
        goal = me.add_goal(title="Run", colour="red", interval="weekly", frequency=5, unit="km")
        changes = {"colour": None, "interval": None, "frequency": None, "unit": None, "active": None}
        body = me.patch(f"/v1/goals/{goal}", changes).expect(200).json()
        assert without_progress(body) == {
            "id": goal, "title": "Run", "colour": "green", "interval": "daily", "frequency": 1, "unit": None,
        }  # fmt: skip
        assert body["active"] is False

    def test_with_a_null_title_is_refused(self, me: Client) -> None:
        response = me.patch(f"/v1/goals/{me.add_goal()}", {"title": None}).expect(422, "invalid")
        assert response.pointers == {"/title"}, response.shown()

    def test_turns_it_on_and_off(self, me: Client) -> None:
        goal = me.add_goal(active=False)
        version = me.version()
        assert me.patch(f"/v1/goals/{goal}", {"active": True}).expect(200).json()["active"] is True
        assert me.patch(f"/v1/goals/{goal}", {"active": False}).expect(200).json()["active"] is False
        assert [e["type"] for e in me.log()[version:]] == ["setActivity", "setActivity"]

    def test_can_do_both_in_two_edits(self, me: Client) -> None:
        goal = me.add_goal(active=False)
        version = me.version()
        body = me.patch(f"/v1/goals/{goal}", {"title": "Tea", "active": True}).expect(200).json()
        assert (body["title"], body["active"]) == ("Tea", True)
        assert [e["type"] for e in me.log()[version:]] == ["alter", "setActivity"]

    @pytest.mark.parametrize(
        "patch", [{}, {"active": True}, {"title": "Yoga"}, {"title": " Yoga ", "active": True, "unit": None}]
    )
    def test_that_changes_nothing_records_nothing(self, me: Client, patch: dict[str, Any]) -> None:
        goal = me.add_goal(title="Yoga")
        version, read = me.version(), me.goal(goal)
        assert me.patch(f"/v1/goals/{goal}", patch).expect(200).json() == read
        assert me.version() == version

    def test_takes_a_merge_patch_or_json(self, me: Client) -> None:
        goal = me.add_goal()
        for kind in ("application/merge-patch+json", "application/json", "application/json; charset=utf-8"):
            me.patch(f"/v1/goals/{goal}", {"title": kind}, content_type=kind).expect(200)
            assert me.goal(goal)["title"] == kind

    def test_refuses_all_faults_at_once_and_does_nothing(self, me: Client) -> None:
        goal = me.add_goal()
        version = me.version()
        patch = {"title": "", "active": "yes", "colour": 3, "nope": {}}
        response = me.patch(f"/v1/goals/{goal}", patch).expect(422, "invalid")
        assert response.pointers == {"/title", "/active", "/colour", "/nope"}, response.shown()
        assert me.version() == version

    def test_that_does_not_exist_is_unknown_goal(self, me: Client) -> None:
        me.patch(f"/v1/goals/{new_id()}", {"title": "x"}).expect(404, "unknown-goal")
        me.patch("/v1/goals/nonsense", {"title": "x"}).expect(404, "unknown-goal")


class TestDeletingAGoal:
    def test_answers_204_without_a_body_and_it_is_gone(self, me: Client) -> None:
        goal = me.add_goal()
        me.delete(f"/v1/goals/{goal}").expect(204)
        me.get(f"/v1/goals/{goal}").expect(404, "unknown-goal")
        assert me.goals() == []

    def test_twice_is_unknown_goal(self, me: Client) -> None:
        goal = me.add_goal()
        me.delete(f"/v1/goals/{goal}").expect(204)
        me.delete(f"/v1/goals/{goal}").expect(404, "unknown-goal")


class TestBumpingAGoal:
    def test_needs_no_body_and_answers_the_goal(self, me: Client, today: None) -> None:
        goal = me.add_goal(frequency=4)
        for count, options in enumerate(
            ({}, {"body": b"", "content_type": None}, {"body": {}}, {"body": {"by": 1}}, {"body": b""}), 1
        ):
            response = me.post(f"/v1/goals/{goal}/bump", **options).expect(200)
            assert set(response.json()) == GOAL_FIELDS, response.shown()
            assert (response.json()["progress"], response.json()["completion"]) == (count, count / 4), response.shown()

    def test_counts_down_but_not_below_zero(self, me: Client, today: None) -> None:
        goal = me.add_goal()
        me.post(f"/v1/goals/{goal}/bump", {"by": -1}).expect(409, "below-zero")
        me.post(f"/v1/goals/{goal}/bump", {"by": 2}).expect(200)
        me.post(f"/v1/goals/{goal}/bump", {"by": -3}).expect(409, "below-zero")
        assert me.post(f"/v1/goals/{goal}/bump", {"by": -2}).expect(200).json()["progress"] == 0

    def test_counts_below_zero_day_by_day(self, me: Client, today: None) -> None:
        goal = me.add_goal(interval="monthly")
        now = time.time()
        me.post(f"/v1/goals/{goal}/bump", {"by": 5, "at": instant(now)}).expect(200)
        me.post(f"/v1/goals/{goal}/bump", {"by": -1, "at": instant(now - 86400)}).expect(409, "below-zero")

    @pytest.mark.parametrize("by", [1, -1, 1_000_000, -1_000_000])
    def test_takes_up_to_a_million(self, me: Client, today: None, by: int) -> None:
        goal = me.add_goal()
        me.apply(edit("bump", goal=goal, by=1_000_000))
        response = me.post(f"/v1/goals/{goal}/bump", {"by": by}).expect(200)
        assert response.json()["progress"] == 1_000_000 + by, response.shown()

    @pytest.mark.parametrize(
        "by", ["0", "1000001", "-1000001", "1.5", '"1"', "null", "true", "1e99", "9223372036854775808", "-9223372036854775808"]
    )
    def test_refuses_another_count(self, me: Client, by: str) -> None:
        goal = me.add_goal()
        response = me.post(f"/v1/goals/{goal}/bump", b'{"by":' + by.encode() + b"}").expect(422, "invalid")
        assert response.pointers == {"/by"}, response.shown()

    def test_adds_up_far_beyond_a_single_bump(self, me: Client, today: None) -> None:
        goal = me.add_goal(frequency=1_000_000)
        me.apply(*[edit("bump", goal=goal, by=1_000_000) for _ in range(1000)])
        read = me.goal(goal)
        assert (read["progress"], read["completion"]) == (1_000_000_000, 1000), read

    @pytest.mark.parametrize("note", ["", "with Ann", "x" * 500, "😀" * 500])
    def test_keeps_its_note(self, me: Client, note: str) -> None:
        goal = me.add_goal()
        me.post(f"/v1/goals/{goal}/bump", {"note": note}).expect(200)
        recorded = me.log()[-1]
        assert (recorded.get("note") or "") == note, recorded

    @pytest.mark.parametrize("note", ["x" * 501, "😀" * 501, 5, []])
    def test_refuses_another_note(self, me: Client, note: Any) -> None:
        goal = me.add_goal()
        response = me.post(f"/v1/goals/{goal}/bump", {"note": note}).expect(422, "invalid")
        assert response.pointers == {"/note"}, response.shown()

    @pytest.mark.parametrize(
        "at, day",
        [
            ("2026-02-27T23:59:59.999Z", "2026-02-27"),
            ("2026-02-28T00:00:00Z", "2026-02-28"),
            ("2026-02-28T01:30:00+02:00", "2026-02-27"),
            ("2026-02-27T22:30:00-05:00", "2026-02-28"),
            ("2024-02-29T12:00:00Z", "2024-02-29"),
            ("2000-01-01T00:00:00Z", "2000-01-01"),
            ("2026-01-01T00:00:00.123456789Z", "2026-01-01"),
        ],
    )
    def test_counts_on_the_utc_day_of_at(self, me: Client, at: str, day: str) -> None:
        goal = me.add_goal()
        me.post(f"/v1/goals/{goal}/bump", {"at": at}).expect(200)
        assert me.log()[-1]["day"] == day, me.log()[-1]

    @pytest.mark.parametrize(
        "at",
        ["", "now", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T24:00:00Z",
         "2026-01-01T00:60:00Z", "2026-01-01 ", "2026-1-1T00:00:00Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+2:00",
         "+2026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z", "2026-01-01T00:00:00+24:00", 1767225600, None, {}],
    )  # fmt: skip
    def test_refuses_an_at_that_is_no_instant(self, me: Client, at: Any) -> None:
        goal = me.add_goal()
        response = me.post(f"/v1/goals/{goal}/bump", {"at": at}).expect(422, "invalid")
        assert response.pointers == {"/at"}, response.shown()

    def test_refuses_an_at_before_2000_or_more_than_5_minutes_ahead(self, me: Client) -> None:
        goal = me.add_goal()
        bump = f"/v1/goals/{goal}/bump"
        me.post(bump, {"at": "1999-12-31T23:59:59.999Z"}).expect(422, "too-old")
        me.post(bump, {"at": "0001-01-01T00:00:00Z"}).expect(422, "too-old")
        me.post(bump, {"at": "9999-12-31T23:59:59Z"}).expect(422, "in-future")
        me.post(bump, {"at": instant(time.time() + 320)}).expect(422, "in-future")
        me.post(bump, {"at": instant(time.time() + 280)}).expect(200)

    def test_that_is_inactive_is_refused(self, me: Client) -> None:
        goal = me.add_goal(active=False)
        me.post(f"/v1/goals/{goal}/bump").expect(409, "inactive-goal")

    def test_that_was_active_then_or_is_now_counts(self, me: Client) -> None:
        now = time.time()
        goal, days = new_id(), 86400
        me.apply(
            edit("add", goal={"id": goal, "title": "x"}, at=instant(now - 10 * days)),
            edit("setActivity", activity={goal: True}, at=instant(now - 8 * days)),
            edit("setActivity", activity={goal: False}, at=instant(now - 4 * days)),
        )
        expected = [(11, 409), (9, 409), (8, 200), (5, 200), (4, 409), (1, 409), (0, 409)]
        for ago, status in expected:
            me.post(f"/v1/goals/{goal}/bump", {"at": instant(now - ago * days)}).expect(status)
        me.post(f"/v1/goals/{goal}/bump", {"at": instant(now - 4 * days - 0.001)}).expect(200)
        me.patch(f"/v1/goals/{goal}", {"active": True}).expect(200)
        for ago, _ in expected:
            me.post(f"/v1/goals/{goal}/bump", {"at": instant(now - ago * days)}).expect(200)

    def test_turned_off_and_on_again_in_one_period_loses_nothing(self, me: Client, today: None) -> None:
        goal = me.add_goal()
        me.post(f"/v1/goals/{goal}/bump", {"by": 3}).expect(200)
        assert me.patch(f"/v1/goals/{goal}", {"active": False}).expect(200).json()["progress"] is None
        assert me.patch(f"/v1/goals/{goal}", {"active": True}).expect(200).json()["progress"] == 3

    def test_that_does_not_exist_is_unknown_goal(self, me: Client) -> None:
        me.post(f"/v1/goals/{new_id()}/bump").expect(404, "unknown-goal")
        me.post("/v1/goals/nonsense/bump").expect(404, "unknown-goal")

    def test_refuses_all_faults_at_once(self, me: Client) -> None:
        goal = me.add_goal()
        response = me.post(f"/v1/goals/{goal}/bump", {"by": 0, "at": "x", "note": 1, "goal": goal}).expect(422, "invalid")
        assert {"/by", "/at", "/note"} <= response.pointers, response.shown()


class TestAnIdempotencyKey:
    def test_is_the_edits_id(self, me: Client) -> None:
        goal, key = me.add_goal(), new_id()
        me.post(f"/v1/goals/{goal}/bump", headers={"Idempotency-Key": key.upper()}).expect(200)
        assert me.get(f"/v1/edits/{key}").expect(200).json()["id"] == key

    def test_left_out_is_made_by_the_server(self, me: Client) -> None:
        me.post("/v1/goals", {"title": "x"}).expect(201)
        assert UUID_V7.match(me.log()[-1]["id"])


class TestTheAccount:
    def test_tells_its_name_calendar_and_place_in_the_log(self, server: Any) -> None:
        account = server.account("Ann")
        me = server.client(account["token"])
        body = me.get("/v1/account").expect(200).json()
        assert set(body) == {
            "id", "name", "timeZone", "timeZoneChosen", "weekStart", "dayStart", "version", "cursor", "createdAt",
        }, body  # fmt: skip
        assert (body["id"], body["name"]) == (account["id"], "Ann"), body
        assert (body["timeZone"], body["weekStart"], body["dayStart"]) == ("UTC", "monday", "00:00"), body
        assert body["timeZoneChosen"] is False, body
        assert body["version"] == 0 and LOWER_UUID.match(body["id"]), body
        assert (
            INSTANT.match(body["createdAt"])
            and abs(datetime.datetime.fromisoformat(body["createdAt"]).timestamp() - time.time()) < 60
        ), body
        me.add_goal()
        assert me.get("/v1/account").json()["version"] == 2

    def test_of_the_first_start_is_me(self, server: Any) -> None:
        assert server.client().get("/v1/account").expect(200).json()["name"] == "me"
