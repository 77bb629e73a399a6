"""A client that sends and fetches in one round trip: `POST /v1/sync`; and the list as it once was.

What holds of edits, pages and cursors wherever they are sent or read is in test_edits.py and test_log.py, and in the suites of the service.
Whole devices, on bad networks, are in test_sync_devices.py.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from goals_client import Client, Response, edit, new_id, pointers_of, quote
from goals_server import UNLIMITED, Server

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
    @pytest.mark.parametrize("body", [{}, {"after": None}, {"edits": []}, {"after": None, "edits": [], "limit": 500}], ids=str)
    def test_with_nothing_to_send_only_fetches(self, me: Client, body: Any) -> None:
        me.apply(*bumps(me.add_goal(), 3))
        response = me.post("/v1/sync", body).expect(200)
        page = me.get("/v1/edits").expect(200).json()
        assert response.json() == {"outcomes": [], **page}, response.shown()

    def test_of_an_empty_account_is_an_empty_page(self, me: Client) -> None:
        body = sync(me)
        assert (body["outcomes"], body["edits"], body["version"], body["more"]) == ([], [], 0, False)
        assert body["cursor"] == head(me)

    def test_sends_and_gets_its_own_edits_back(self, me: Client) -> None:
        cursor, goal = head(me), new_id()
        edits = [edit("add", goal={"id": goal, "title": "Yoga"}), edit("setActivity", activity={goal: True}), *bumps(goal, 2)]
        body = sync(me, *edits, after=cursor)
        assert body["outcomes"] == [{"id": e["id"], "status": "applied", "version": v} for v, e in enumerate(edits, 1)]
        assert body["edits"] == me.log() and [e["id"] for e in body["edits"]] == [e["id"] for e in edits]
        assert (body["version"], body["cursor"], body["more"]) == (4, head(me), False)

    def test_fetches_what_others_did_before_its_own(self, me: Client) -> None:
        goal, cursor = me.add_goal(), head(me)
        theirs, mine = bumps(goal, 2), bumps(goal, 2)
        me.apply(*theirs)
        body = sync(me, *mine, after=cursor)
        assert [e["id"] for e in body["edits"]] == [e["id"] for e in theirs + mine]
        assert [o["version"] for o in body["outcomes"]] == [5, 6] and body["version"] == 6

    def test_answers_an_outcome_of_every_kind_in_order(self, me: Client) -> None:
        goal, cursor = me.add_goal(title="x"), head(me)
        old, new = edit("bump", goal=goal), edit("bump", goal=goal)
        me.apply(old)
        wrong = {**edit("bump", goal=goal), "by": 0, "foo": 1}
        body = sync(me, old, edit("alter", goal=goal, changes={"title": "x"}), wrong, edit("delete", goal=new_id()), 7, new, after=cursor)
        assert statuses(body) == ["duplicate", "unchanged", "rejected", "rejected", "rejected", "applied"]
        assert pointers_of(body["outcomes"][2]["errors"], str(body)) == {"/edits/2/by", "/edits/2/foo"}
        assert [o.get("code") for o in body["outcomes"][2:5]] == ["invalid", "unknown-goal", "invalid"]
        assert [e["id"] for e in body["edits"]] == [old["id"], new["id"]]

    def test_decides_as_a_batch_does(self, me: Client, other: Client) -> None:
        """The same edits by the other way: the same outcomes, and the same list."""
        goal = new_id()
        edits = [
            edit("add", goal={"id": goal, "title": "Yoga", "interval": "monthly", "frequency": 3}),
            edit("bump", goal=goal),
            edit("setActivity", activity={goal: True}),
            *bumps(goal, 3),
            edit("bump", goal=goal, by=-4),
            edit("skip", goal=goal),
            edit("configure", timeZone="Mars/Olympus"),
            edit("setActivity", activity=[True]),
            edit("bump", goal=goal, at="2999-01-01T00:00:00Z"),
        ]
        edits += [edit("undo", edit=edits[3]["id"]), edits[4], {**edits[4], "by": 2}]
        assert sync(me, *edits)["outcomes"] == other.outcomes(*edits)
        assert me.goals() == other.goals()

    def test_takes_a_thousand_edits_and_fetches_as_many(self, me: Client) -> None:
        goal, cursor = me.add_goal(interval="monthly"), head(me)
        edits = bumps(goal, 1000)
        body = sync(me, *edits, after=cursor, limit=1000)
        assert statuses(body) == ["applied"] * 1000 and [e["id"] for e in body["edits"]] == [e["id"] for e in edits]
        assert body["more"] is False and me.goal(goal)["progress"] == 1000

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


class TestTheListOfASync:
    def test_comes_where_it_has_changed(self, me: Client, today: None) -> None:
        goal = me.add_goal()
        answer = me.post("/v1/sync", {"list": None}).expect(200).json()
        listed = me.get("/v1/goals").expect(200)
        assert answer["list"] == {"etag": listed.etag, "goals": listed.json()["goals"]}
        assert (answer["version"], answer["cursor"]) == (listed.json()["version"], listed.json()["cursor"])
        idle = {"after": answer["cursor"], "list": answer["list"]["etag"]}
        assert me.post("/v1/sync", idle).expect(200).json()["list"] is None
        answer = me.post("/v1/sync", {**idle, "edits": [edit("bump", goal=goal)]}).expect(200).json()
        assert answer["list"]["goals"][0]["today"] == 1 and answer["version"] == 3 and len(answer["edits"]) == 1
        assert me.get("/v1/goals", headers={"If-None-Match": answer["list"]["etag"]}).status == 304

    def test_is_said_nothing_of_where_it_is_not_asked_for_or_pages_follow(self, me: Client) -> None:
        me.add_goal()
        assert "list" not in me.post("/v1/sync", {}).expect(200).json()
        page = me.post("/v1/sync", {"limit": 1, "list": None}).expect(200).json()
        assert page["more"] is True and "list" not in page
        page = me.post("/v1/sync", {"after": page["cursor"], "limit": 1, "list": None}).expect(200).json()
        assert page["more"] is False and len(page["list"]["goals"]) == 1

    @pytest.mark.parametrize("list", [1, True, [], {}])
    def test_is_asked_for_by_a_text_or_null(self, me: Client, list: Any) -> None:
        edits = [edit("add", goal={"title": "x"})]
        response = me.post("/v1/sync", {"list": list, "edits": edits}).expect(422, "invalid")
        assert response.pointers == {"/list"} and me.version() == 0, response.shown()

    def test_is_of_the_version_that_the_answer_says(self, server: Any, me: Client) -> None:
        goal, stop = me.add_goal(interval="monthly", frequency=1_000_000), threading.Event()

        def count() -> None:
            other = server.client(me.token)
            while not stop.is_set():
                other.apply(edit("bump", goal=goal))

        thread = threading.Thread(target=count)
        thread.start()
        try:
            state: dict[str, Any] = {"after": None, "list": None}
            seen: dict[str, Any] = {}
            for _ in range(200):
                answer = me.post("/v1/sync", state).expect(200).json()
                seen = answer.get("list") or seen
                # The goal was added and turned on; every edit since then is a bump.
                assert answer["more"] or seen["goals"][0]["progress"] == answer["version"] - 2, answer
                state = {"after": answer["cursor"], "list": seen["etag"]}
        finally:
            stop.set()
            thread.join()


class TestThePageOfASync:
    @pytest.mark.parametrize("limit", [1, 2, 7, 31, 32, 33, 1000])
    def test_is_followed_by_the_next_one_while_there_is_more(self, me: Client, limit: int) -> None:
        edits, read = bumps(me.add_goal(), 30), []
        body = sync(me, *edits, limit=limit)
        while True:
            read += body["edits"]
            assert len(body["edits"]) <= limit and body["version"] == 32
            assert body["more"] == (len(read) < 32), (limit, len(read), body["more"])
            if not body["more"]:
                break
            assert body["cursor"] != head(me), "the cursor of a page is not the head beyond it"
            body = sync(me, after=body["cursor"], limit=limit)
        assert read == me.log() and body["cursor"] == head(me)

    def test_is_of_500_unless_asked(self, me: Client) -> None:
        edits = bumps(me.add_goal(), 499)
        body = sync(me, *edits)
        assert len(body["edits"]) == 500 and body["more"] is True and statuses(body) == ["applied"] * 499
        rest = sync(me, after=body["cursor"])
        assert [e["id"] for e in rest["edits"]] == [edits[-1]["id"]] and rest["more"] is False

    def test_may_come_without_the_edits_just_sent(self, me: Client) -> None:
        me.apply(*bumps(goal := me.add_goal(), 5))
        mine = edit("bump", goal=goal)
        body = sync(me, mine, limit=3)
        assert body["outcomes"] == [{"id": mine["id"], "status": "applied", "version": 8}]
        assert [e["version"] for e in body["edits"]] == [1, 2, 3] and (body["version"], body["more"]) == (8, True)
        assert sync(me, after=body["cursor"])["edits"][-1]["id"] == mine["id"]

    def test_shares_its_cursors_with_every_other_reading(self, me: Client) -> None:
        me.apply(*bumps(me.add_goal(), 6))
        synced = sync(me, limit=4)
        listed = me.get("/v1/edits?limit=4").json()
        assert synced["cursor"] == listed["cursor"]
        assert sync(me, after=listed["cursor"])["edits"] == me.get(f"/v1/edits?after={quote(synced['cursor'])}").json()["edits"]
        for target in ("/v1/goals", "/v1/account"):
            assert sync(me, after=me.get(target).json()["cursor"])["edits"] == []
        assert sync(me)["cursor"] == head(me)

    def test_that_is_empty_ends_where_it_began(self, me: Client) -> None:
        me.add_goal()
        cursor = head(me)
        for _ in range(3):
            body = sync(me, after=cursor)
            assert (body["edits"], body["cursor"], body["more"]) == ([], cursor, False)

    def test_reaches_what_was_recorded_while_the_request_was_on_its_way(self, me: Client) -> None:
        """A sync whose edits record nothing fetches all the same."""
        cursor, goal = head(me), me.add_goal()
        body = sync(me, edit("delete", goal=new_id()), after=cursor)
        assert statuses(body) == ["rejected"] and len(body["edits"]) == 2 and me.goals()[0]["id"] == goal


class TestARetryAfterALostAnswer:
    def test_gets_duplicates_with_the_versions_of_then_and_the_same_page(self, me: Client) -> None:
        goal, cursor = me.add_goal(), head(me)
        edits = bumps(goal, 5)
        first = sync(me, *edits, after=cursor)
        for _ in range(3):
            again = sync(me, *edits, after=cursor)
            assert again == {**first, "outcomes": [{**o, "status": "duplicate"} for o in first["outcomes"]]}

    def test_succeeds_whatever_if_version_says(self, me: Client) -> None:
        goal, cursor = me.add_goal(active=False), head(me)
        edits = [edit("setActivity", activity=[True]), edit("bump", goal=goal), edit("bump", goal=goal, by=-9)]
        first = sync(me, *edits, after=cursor, ifVersion=1)
        assert statuses(first) == ["applied", "applied", "rejected"]
        me.apply(edit("bump", goal=goal))
        for version in (0, 1, 2, 4, 1_000_000):
            again = sync(me, *edits, after=cursor, ifVersion=version)
            assert statuses(again) == ["duplicate", "duplicate", "rejected"] and len(again["edits"]) == 3

    def test_succeeds_although_the_batch_is_atomic(self, me: Client) -> None:
        goal, cursor = me.add_goal(), head(me)
        edits = bumps(goal, 3)
        sync(me, *edits, after=cursor, atomic=True, ifVersion=2)
        me.apply(edit("delete", goal=goal))
        assert statuses(sync(me, *edits, after=cursor, atomic=True, ifVersion=2)) == ["duplicate"] * 3

    def test_with_more_edits_than_the_first_time_records_the_new_ones(self, me: Client) -> None:
        goal, cursor = me.add_goal(), head(me)
        edits = bumps(goal, 6)
        sync(me, *edits[:4], after=cursor)
        again = sync(me, *edits, after=cursor)
        assert statuses(again) == ["duplicate"] * 4 + ["applied"] * 2
        assert [e["id"] for e in again["edits"]] == [e["id"] for e in edits]

    def test_by_another_way_than_the_first_succeeds_too(self, me: Client) -> None:
        goal, cursor, key = me.add_goal(), head(me), new_id()
        etag = me.get("/v1/goals").etag
        me.post(f"/v1/goals/{goal}/bump", {"by": 2}, headers={"Idempotency-Key": key, "If-Match": etag}).expect(200)
        bump = edit("bump", id=key, goal=goal, by=2)
        assert statuses(sync(me, bump, after=cursor, ifVersion=0)) == ["duplicate"]
        assert me.outcomes(bump, ifVersion=0)[0]["version"] == 3
        me.post(f"/v1/goals/{goal}/bump", {"by": 2}, headers={"Idempotency-Key": key, "If-Match": etag}).expect(200)
        assert me.goal(goal)["progress"] == 2


class TestASyncThatIsRefused:
    def refused(self, me: Client, status: int, code: str, *edits: Any, **fields: Any) -> Response:
        """And nothing is recorded."""
        version = me.version()
        response = send(me, *edits, **fields).expect(status, code)
        assert me.version() == version, response.shown()
        return response

    @pytest.mark.parametrize("more", [{}, {"atomic": True}, {"ifVersion": 2}, {"limit": 1}], ids=str)
    def test_for_a_cursor_of_another_history_records_nothing(self, me: Client, other: Client, more: dict[str, Any]) -> None:
        goal = me.add_goal()
        other.add_goal(), other.add_goal()
        for cursor in (head(other), sync(other, limit=1)["cursor"]):
            self.refused(me, 410, "cursor-diverged", edit("bump", goal=goal), after=cursor, **more)
            self.refused(me, 410, "cursor-diverged", after=cursor, **more)

    def test_for_a_cursor_of_another_history_does_not_answer_for_old_edits_either(self, me: Client, other: Client) -> None:
        goal = me.add_goal()
        old = edit("bump", goal=goal)
        me.apply(old)
        other.add_goal()
        self.refused(me, 410, "cursor-diverged", old, after=head(other))

    @pytest.mark.parametrize("cursor", ["", "nonsense", "2", "ü", "2.0000000000000000x", 2, True, [], {}], ids=str)
    def test_for_what_is_no_cursor_records_nothing(self, me: Client, cursor: Any) -> None:
        goal = me.add_goal()
        response = self.refused(me, 422, "invalid", edit("bump", goal=goal), after=cursor)
        assert response.pointers == {"/after"}, response.shown()

    @pytest.mark.parametrize("limit", [0, 1001, -1, "5", 1.5, True, None, 10**30])
    def test_for_another_limit_records_nothing(self, me: Client, limit: Any) -> None:
        response = self.refused(me, 422, "invalid", edit("add", goal={"title": "x"}), limit=limit)
        assert response.pointers == {"/limit"}, response.shown()

    def test_is_told_all_faults_at_once(self, me: Client) -> None:
        body = {"after": 1, "edits": {}, "atomic": "yes", "ifVersion": "1", "limit": 0, "dryRun": True}
        response = me.post("/v1/sync", body).expect(422, "invalid")
        assert response.pointers == {f"/{name}" for name in body}, response.shown()

    def test_for_more_than_a_thousand_edits_records_nothing(self, me: Client) -> None:
        response = self.refused(me, 422, "invalid", *[edit("add", goal={"title": "x"}) for _ in range(1001)])
        assert response.pointers == {"/edits"}, response.shown()

    @pytest.mark.parametrize("body", [b"[]", b"7", b"null", b'"x"'])
    def test_for_a_body_that_is_no_object(self, me: Client, body: bytes) -> None:
        assert me.post("/v1/sync", body).expect(422, "invalid").pointers == {""}

    def test_for_no_json_at_all(self, me: Client) -> None:
        for body in (None, b"", b"{", b'{"edits": [],}'):
            me.post("/v1/sync", body).expect(400, "malformed-json")
        me.post("/v1/sync", {}, content_type="text/plain").expect(415, "unsupported-media-type")

    def test_for_an_unknown_parameter(self, me: Client) -> None:
        response = me.post("/v1/sync?dryRun=true", {"edits": [edit("add", goal={"title": "x"})]}).expect(422, "invalid")
        assert response.pointers == {"/dryRun"} and me.version() == 0, response.shown()

    def test_because_an_atomic_batch_has_a_rejection(self, me: Client) -> None:
        goal, cursor = me.add_goal(), head(me)
        old, new = edit("bump", goal=goal), edit("bump", goal=goal)
        me.apply(old)
        response = self.refused(me, 409, "batch-rejected", old, new, edit("delete", goal=new_id()), after=cursor, atomic=True)
        assert [o["status"] for o in response.json()["outcomes"]] == ["duplicate", "skipped", "rejected"], response.shown()
        assert statuses(sync(me, old, new, after=cursor, atomic=True)) == ["duplicate", "applied"]

    def test_because_the_version_is_another(self, me: Client) -> None:
        goal, cursor = me.add_goal(), head(me)
        old, new = edit("bump", goal=goal), edit("bump", goal=goal)
        me.apply(old)
        response = self.refused(me, 409, "version-mismatch", old, new, after=cursor, ifVersion=2)
        body = response.json()
        assert body["version"] == 3, response.shown()
        assert body["outcomes"] == [{"id": old["id"], "status": "duplicate", "version": 3}], response.shown()

    def test_without_the_right_to_write(self, server: Server) -> None:
        account = server.account()
        options = ("--name", "reader", "--scope", "read", "--json")
        reader = server.client(server.run("token", "add", account["id"], *options).expect(0).json()["token"])
        reader.post("/v1/sync", {}).expect(403, "forbidden")
        reader.get("/v1/edits").expect(200)
        server.client(None).post("/v1/sync", {}).expect(401, "unauthenticated")

    @pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE"])
    def test_for_another_method_is_told_which(self, me: Client, method: str) -> None:
        response = me.request(method, "/v1/sync", {} if method in ("PUT", "PATCH") else None).expect(405)
        allowed = {name.strip() for name in (response.header("Allow") or "").split(",")}
        assert allowed - {"OPTIONS"} == {"POST"}, response.shown()


class TestTheListAtAVersion:
    @staticmethod
    def at(me: Client, version: int, query: str = "") -> dict[str, Any]:
        response = me.get(f"/v1/goals?version={version}{query}").expect(200)
        body = response.json()
        assert set(body) == {"version", "cursor", "goals"} and body["version"] == version, response.shown()
        return body

    def test_is_what_was_read_when_that_version_was_recorded(self, me: Client, today: None) -> None:
        a, b, c = new_id(), new_id(), new_id()
        edits = [
            edit("add", goal={"id": a, "title": "a", "interval": "monthly", "frequency": 3}),
            edit("add", goal={"id": b, "title": "b"}),
            edit("setActivity", activity={a: True, b: True}),
            *bumps(a, 4),
            edit("bump", goal=b),
            edit("configure", timeZone="Pacific/Kiritimati", weekStart="sunday"),
            edit("alter", goal=a, changes={"interval": "weekly", "colour": "red"}),
            edit("move", goal=a, before=b),
            edit("add", goal={"id": c, "title": "c"}),
            edit("skip", goal=b),
            edit("delete", goal=b),
            edit("setActivity", activity={a: False}),
            edit("update", goal={"id": c, "title": "C", "unit": "km"}),
        ]
        edits.append(edit("undo", edit=edits[-3]["id"]))
        seen = [me.get("/v1/goals").expect(200).json()]
        for change in edits:
            me.apply(change)
            seen.append(me.get("/v1/goals").expect(200).json())
        order = list(range(len(seen)))
        random.Random(7).shuffle(order)
        for version in [*order, *range(len(seen)), *reversed(range(len(seen)))]:
            assert self.at(me, version) == seen[version]
            for active in (True, False):
                goals = [goal for goal in seen[version]["goals"] if goal["active"] is active]
                assert self.at(me, version, f"&active={str(active).lower()}")["goals"] == goals

    def test_zero_is_the_empty_list(self, me: Client) -> None:
        cursor = head(me)
        me.add_goal()
        assert self.at(me, 0) == {"version": 0, "cursor": cursor, "goals": []}

    def test_has_a_cursor_from_which_the_log_goes_on(self, me: Client) -> None:
        me.apply(*bumps(me.add_goal(), 10))
        log = me.log()
        for version in (0, 1, 5, 11, 12):
            cursor = self.at(me, version)["cursor"]
            assert me.get(f"/v1/edits?after={quote(cursor)}").expect(200).json()["edits"] == log[version:]
            assert sync(me, after=cursor)["edits"] == log[version:]

    @pytest.mark.parametrize("version", [3, 4, 1000, 2**62, 2**63 - 1])
    def test_that_the_log_does_not_reach_is_refused(self, me: Client, version: int) -> None:
        me.add_goal()
        response = me.get(f"/v1/goals?version={version}").expect(422, "invalid")
        assert response.pointers == {"/version"}, response.shown()

    @pytest.mark.parametrize("version", ["", "x", "-1", "+1", "1.0", "1e0", "0x1", "%201", "9" * 30, "1&version=1"])
    def test_that_is_none_is_refused(self, me: Client, version: str) -> None:
        me.add_goal()
        response = me.get(f"/v1/goals?version={version}").expect(422, "invalid")
        assert response.pointers == {"/version"}, response.shown()

    def test_has_an_etag_of_its_own(self, me: Client) -> None:
        goal = me.add_goal()
        me.apply(*bumps(goal, 3))
        first = me.get("/v1/goals?version=3")
        me.apply(*bumps(goal, 2))
        assert me.get("/v1/goals?version=3").etag == first.etag
        assert first.etag not in {me.get(target).etag for target in ("/v1/goals", "/v1/goals?version=4")}
        me.get("/v1/goals?version=3", headers={"If-None-Match": first.etag}).expect(304)
        me.get("/v1/goals?version=4", headers={"If-None-Match": first.etag}).expect(200)

    def test_answers_head_like_get(self, me: Client) -> None:
        me.add_goal()
        for target, status in {"/v1/goals?version=1": 200, "/v1/goals?version=9": 422, "/v1/edits?limit=1": 200}.items():
            got, asked = me.get(target).expect(status), me.head(target).expect(status)
            assert asked.header("ETag") == got.header("ETag") and asked.media_type == got.media_type, asked.shown()

    def test_is_of_ones_own_account(self, me: Client, other: Client) -> None:
        me.add_goal()
        other.get("/v1/goals?version=1").expect(422, "invalid")
        assert self.at(other, 0)["goals"] == []


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
