"""What happened lately and long ago: the log backwards and by goal, the histories of all goals, and time zones."""

from __future__ import annotations

import gzip
import time
import zoneinfo
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from pathlib import Path
from random import Random

import brotli
from goals_client import Client, edit, instant, new_id
from goals_server import EVERY_STORE

STORES = EVERY_STORE

ZONES = Path("/usr/share/zoneinfo")
NOW = datetime(2026, 1, 15, 12, tzinfo=UTC)


def pages(me: Client, query: str, limit: int) -> list[int]:
    """The versions on all pages, each of which leads to the next."""
    versions: list[int] = []
    target = f"/v1/edits?limit={limit}&{query}"
    while True:
        page = me.get(target).expect(200).json()
        versions += [e["version"] for e in page["edits"]]
        if not page["more"]:
            return versions
        target = f"/v1/edits?limit={limit}&{query}&after={page['cursor']}"


class TestTheLog:
    def test_of_a_goal_is_what_changes_it(self, me: Client) -> None:
        run, swim = me.add_goal(title="Run"), me.add_goal(title="Swim")
        bump = edit("bump", goal=run)
        me.apply(bump, edit("bump", goal=swim), edit("undo", edit=bump["id"]), edit("configure", weekStart="sunday"))
        me.apply(edit("setActivity", activity={run: True, swim: False}), edit("delete", goal=run))
        log = {e["version"]: e for e in me.log()}
        own = [v for v, e in log.items() if e.get("goal") == run or e["type"] == "add" and e["goal"]["id"] == run]
        own += [v for v, e in log.items() if e["type"] == "undo"]
        # Of the activities only those that turned it.
        own += [v for v, e in log.items() if e["type"] == "setActivity" and e["activity"].get(run) and v < 5]
        for limit in (1, 3, 1000):
            assert pages(me, f"goal={run}", limit) == sorted(own)
            assert pages(me, f"goal={run}&order=newest", limit) == sorted(own, reverse=True)
            assert pages(me, "order=newest", limit) == sorted(log, reverse=True)
        assert pages(me, f"goal={new_id()}", 10) == []

    def test_backwards_leads_to_what_can_be_undone(self, me: Client) -> None:
        goal = me.add_goal()
        me.post(f"/v1/goals/{goal}/bump", {"by": 3}).expect(200)
        last = me.get("/v1/edits?order=newest&limit=1").expect(200).json()
        me.post(f"/v1/edits/{last['edits'][0]['id']}/undo").expect(200)
        assert me.goal(goal)["progress"] == 0
        assert me.get(f"/v1/edits?order=newest&limit=1&after={last['cursor']}").json()["edits"][0]["type"] == "setActivity"

    def test_refuses_what_it_can_not_do(self, me: Client) -> None:
        goal = me.add_goal()
        for query, pointer in (("order=newest&wait=1", "/wait"), (f"goal={goal}&wait=1", "/wait"), ("goal=x", "/goal"), ("order=up", "/order")):
            assert me.get(f"/v1/edits?{query}").expect(422, "invalid").pointers == {pointer}


class TestAHistory:
    def test_names_the_edits_that_make_up_each_day(self, me: Client) -> None:
        goal = me.add_goal()
        bumps = [edit("bump", goal=goal, by=by, note=f"by {by}", at=instant(time.time() - 86400 * by)) for by in (1, 2, 3)]
        undo = edit("undo", edit=bumps[1]["id"])
        me.apply(*bumps, edit("bump", goal=goal, by=4, at=bumps[0]["at"]), undo)
        days = me.get(f"/v1/goals/{goal}/history?edits=true").expect(200).json()["days"]
        assert [sum(e["by"] for e in day["edits"]) for day in days] == [day["count"] for day in days] == [3, 5]
        assert [(e["by"], e["note"]) for day in days for e in day["edits"]] == [(3, "by 3"), (1, "by 1"), (4, None)]
        me.post(f"/v1/edits/{undo['id']}/undo").expect(200)
        again = me.get(f"/v1/goals/{goal}/history?edits=true").expect(200).json()["days"]
        assert [e["id"] for e in again[1]["edits"]] == [bumps[1]["id"]]

    def test_of_all_goals_is_that_of_each(self, me: Client) -> None:
        """50 goals, each counted at random on most days of a year: in one request of less than 100 kB."""
        random, today = Random(2026), date.today()
        for goal in [me.add_goal(title=f"Goal {n}") for n in range(50)]:
            days = [today - timedelta(d) for d in range(1, 360) if random.random() < 0.8]
            me.apply(*(edit("bump", goal=goal, by=random.randint(1, 9), at=f"{day}T12:00:00Z") for day in days))
        plain = me.get("/v1/history").expect(200)
        assert plain.header("Content-Encoding") is None
        tags = {plain.etag}
        for accept, coding, decompress in (("gzip", "gzip", gzip.decompress), ("gzip, br", "br", brotli.decompress)):
            packed = me.get("/v1/history", headers={"Accept-Encoding": accept}).expect(200)
            assert packed.header("Content-Encoding") == coding
            assert "Accept-Encoding" in packed.all("Vary")
            assert decompress(packed.body) == plain.body
            assert len(packed.body) < (100_000 if coding == "br" else 200_000) < len(plain.body)
            tags.add(packed.etag)
            me.get("/v1/history", headers={"Accept-Encoding": accept, "If-None-Match": packed.etag}).expect(304)
        assert len(tags) == 3
        body = plain.json()
        assert body["next"] is None and [h["id"] for h in body["goals"]] == [goal["id"] for goal in me.goals()]
        for history in body["goals"][:5]:
            assert me.get(f"/v1/goals/{history.pop('id')}/history").expect(200).json() == history

    def test_of_all_goals_comes_in_pages(self, me: Client) -> None:
        me.apply(*(edit("add", goal={"id": new_id(), "title": "G"}) for _ in range(130)))
        found, cursor = [], ""
        while cursor is not None:
            page = me.get(f"/v1/history?{cursor and f'cursor={cursor}'}").expect(200).json()
            found.append([h["id"] for h in page["goals"]])
            cursor = page["next"]
        assert [len(ids) for ids in found] == [64, 64, 2]
        assert sum(found, []) == [goal["id"] for goal in me.goals()]
        me.get("/v1/history?from=2025-01-01&to=2026-03-01").expect(422, "invalid")


class TestATimeZone:
    def test_is_the_file_of_the_machine(self, me: Client) -> None:
        for name in ("Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "US/Pacific"):
            data = (ZONES / name).read_bytes()
            for path in (name, name.replace("/", "%2F"), name.replace("/", "%2f")):
                response = me.get(f"/v1/zones/{path}").expect(200)
                assert response.media_type == "application/octet-stream"
                assert response.body == data
            read = zoneinfo.ZoneInfo.from_file(BytesIO(response.body))
            assert NOW.astimezone(read).utcoffset() == NOW.astimezone(zoneinfo.ZoneInfo(name)).utcoffset()
            me.get(f"/v1/zones/{name}", headers={"If-None-Match": response.etag}).expect(304)

    def test_is_nothing_else_that_is_there(self, me: Client) -> None:
        for path in ("Mars/Olympus", "Europe", "..%2F..%2Fpasswd", "%2Fetc%2Fpasswd", "zone.tab", "localtime", "right/UTC"):
            me.get(f"/v1/zones/{path}").expect(404, "not-found")
        # Dots are resolved before the path is looked at, so this is another one; and a slash is encoded only there.
        me.get("/v1/zones/../goals").expect(200)
        me.get("/v1/goals/a%2Fb").expect(400, "malformed-request")
        me.get("/v1%2Fzones/UTC").expect(400, "malformed-request")


class TestTheAccount:
    def test_is_read_as_it_was_at_a_version(self, me: Client) -> None:
        began = me.get("/v1/account").expect(200).json()
        me.apply(edit("configure", timeZone="Asia/Tokyo", dayStart="03:00"), edit("configure", weekStart="sunday"))
        now = me.get("/v1/account").expect(200).json()
        calendars = [{"timeZone": began["timeZone"], "dayStart": "00:00", "weekStart": "monday"}]
        calendars += [{**calendars[0], "timeZone": "Asia/Tokyo", "dayStart": "03:00"}]
        calendars += [{**calendars[1], "weekStart": "sunday"}]
        for version, calendar in enumerate(calendars):
            then = me.get(f"/v1/account?version={version}").expect(200).json()
            cursor = me.get(f"/v1/goals?version={version}").expect(200).json()["cursor"]
            assert then == {**now, **calendar, "version": version, "cursor": cursor}
        assert me.get("/v1/account?version=3").expect(422, "invalid").pointers == {"/version"}
        assert me.get("/v1/account?version=x").expect(422, "invalid").pointers == {"/version"}
