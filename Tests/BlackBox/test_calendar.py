"""An account's calendar: its time zone, the start of its day and of its week, and what day it is."""

from __future__ import annotations

import datetime
import os
import random
import time
import zoneinfo
from pathlib import Path
from typing import Any

import pytest

from goals_client import Client, edit, instant, new_id, quote
from goals_server import UNLIMITED, Server, goals

CALENDAR = ("timeZone", "weekStart", "dayStart")
MINUTE = 60


def calendar(me: Client) -> tuple[str, ...]:
    account = me.get("/v1/account").expect(200).json()
    return tuple(account[name] for name in CALENDAR)


def started(day: datetime.date, zone: zoneinfo.ZoneInfo, start: datetime.time, known: dict[Any, float]) -> float:
    """The first instant of a local date at which the clock shows the day start or later, minute by
    minute; infinite for a date that the zone never had."""
    if day not in known:
        midnight = datetime.datetime.combine(day, datetime.time(), datetime.UTC).timestamp()
        known[day] = float("inf")
        for minute in range(-15 * 60, 39 * 60):
            local = datetime.datetime.fromtimestamp(midnight + minute * MINUTE, zone)
            if local.date() == day and local.time() >= start:
                known[day] = midnight + minute * MINUTE
                break
    return known[day]


def day_at(seconds: float, zone: zoneinfo.ZoneInfo, start: datetime.time, known: dict[Any, float]) -> str:
    """The day that has started last."""
    local = datetime.datetime.fromtimestamp(seconds, zone).date()
    days = [local + datetime.timedelta(days=offset) for offset in range(1, -5, -1)]
    return next(day.isoformat() for day in days if started(day, zone, start, known) <= seconds)


def days_of(me: Client, *instants: str) -> list[str]:
    """The days on which bumps at these instants are counted."""
    goal = me.add_goal()
    bumps = [edit("bump", goal=goal, at=at) for at in instants]
    me.apply(*bumps)
    return [recorded["day"] for recorded in me.log()[-len(bumps) :]]


class TestPatchingTheAccount:
    def test_changes_only_what_is_named_and_answers_the_account(self, me: Client) -> None:
        before = me.get("/v1/account").expect(200).json()
        assert tuple(before[name] for name in CALENDAR) == ("UTC", "monday", "00:00")
        response = me.patch("/v1/account", {"timeZone": "Europe/Berlin", "dayStart": "03:00"}).expect(200)
        after = response.json()
        changed = {"timeZone": "Europe/Berlin", "timeZoneChosen": True, "dayStart": "03:00", "version": 1, "cursor": after["cursor"]}
        assert after == {**before, **changed} and after["cursor"] != before["cursor"], response.shown()
        me.patch("/v1/account", {"weekStart": "sunday"}).expect(200)
        assert calendar(me) == ("Europe/Berlin", "sunday", "03:00")
        assert after == {**me.get("/v1/account").json(), "weekStart": "monday", "version": 1, "cursor": after["cursor"]}

    def test_is_a_configure_of_what_was_named(self, me: Client) -> None:
        key = new_id()
        patch = {"weekStart": "sunday"}
        me.patch("/v1/account", patch, headers={"Idempotency-Key": key}).expect(200)
        recorded = me.get(f"/v1/edits/{key}").expect(200).json()
        assert (recorded["type"], recorded["weekStart"], recorded["version"]) == ("configure", "sunday", 1), recorded
        assert set(recorded) - set(CALENDAR) == {"id", "type", "at", "version", "recordedAt", "device"}, recorded
        assert me.outcomes({"id": key, "type": "configure", **patch})[0]["status"] == "duplicate"

    def test_with_null_takes_the_default(self, me: Client) -> None:
        me.patch("/v1/account", {"timeZone": "Asia/Tokyo", "weekStart": "friday", "dayStart": "12:00"}).expect(200)
        me.patch("/v1/account", {"timeZone": None, "dayStart": None}).expect(200)
        assert calendar(me) == ("UTC", "friday", "00:00")
        me.patch("/v1/account", {"weekStart": None}).expect(200)
        assert calendar(me) == ("UTC", "monday", "00:00")

    @pytest.mark.parametrize("patch", [{}, {"timeZone": "UTC"}, {"timeZone": None, "weekStart": "monday", "dayStart": "00:00"}])
    def test_that_changes_nothing_records_nothing(self, me: Client, patch: Any) -> None:
        me.patch("/v1/account", patch).expect(200)
        assert me.version() == 0

    def test_passes_over_what_is_only_read_where_it_is_so(self, me: Client) -> None:
        account = me.get("/v1/account").json()
        me.patch("/v1/account", account).expect(200)
        assert me.get("/v1/account").json() == account, "who sends back what was read names no zone"
        key, patch = new_id(), {**account, "weekStart": "sunday", "id": account["id"].upper()}
        for _ in range(2):  # a retry repeats the version from before
            body = me.patch("/v1/account", patch, headers={"Idempotency-Key": key}).expect(200).json()
            assert (body["weekStart"], body["version"]) == ("sunday", 1)

    def test_refuses_to_change_what_is_only_read(self, me: Client) -> None:
        account = me.get("/v1/account").json()
        others = {"id": new_id(), "name": "other", "timeZoneChosen": not account["timeZoneChosen"], "version": 7, "cursor": "7.0123456789abcdef", "createdAt": "2020-01-01T00:00:00Z"}
        for name, value in others.items():
            response = me.patch("/v1/account", {"weekStart": "sunday", name: value}).expect(422, "invalid")
            assert response.pointers == {f"/{name}"}, response.shown()
        response = me.patch("/v1/account", {**account, **others}).expect(422, "invalid")
        assert response.pointers == {f"/{name}" for name in others}, response.shown()
        assert me.get("/v1/account").json() == account

    def test_takes_a_merge_patch_or_json(self, me: Client) -> None:
        me.patch("/v1/account", {"weekStart": "sunday"}, content_type="application/merge-patch+json").expect(200)
        me.patch("/v1/account", {"weekStart": "sunday"}, content_type="text/plain").expect(415, "unsupported-media-type")

    @pytest.mark.parametrize("day", ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
    def test_takes_every_day_of_the_week(self, me: Client, day: str) -> None:
        assert me.patch("/v1/account", {"weekStart": day}).expect(200).json()["weekStart"] == day

    @pytest.mark.parametrize("start", ["00:00", "00:01", "03:00", "09:59", "11:59", "12:00"])
    def test_takes_a_day_start_up_to_noon(self, me: Client, start: str) -> None:
        assert me.patch("/v1/account", {"dayStart": start}).expect(200).json()["dayStart"] == start

    @pytest.mark.parametrize(
        "zone",
        ["UTC", "US/Pacific", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+12", "Pacific/Kiritimati", "GMT"],
    )
    def test_takes_every_zone_of_the_database_by_its_name(self, me: Client, zone: str) -> None:
        assert me.patch("/v1/account", {"timeZone": zone}).expect(200).json()["timeZone"] == zone

    @pytest.mark.parametrize(
        "zone",
        ["", " UTC", "Mars/Olympus", "europe/berlin", "PST", "GMT+5", "UTC+1", "+01:00", "Europe", "Europe/", "Europe//Berlin",
         "Europe/../UTC", "../zoneinfo/UTC", "/usr/share/zoneinfo/UTC", "/etc/localtime", "localtime", "posixrules", "posix/UTC",
         "right/UTC", "zone.tab", "tzdata.zi", "leapseconds", "../../../etc/passwd", "UTC\0", "UTC\n", "x" * 5000, "Zürich", "."],
    )  # fmt: skip
    def test_refuses_any_other_zone(self, me: Client, zone: str) -> None:
        me.patch("/v1/account", {"timeZone": zone, "weekStart": "sunday"}).expect(422, "unknown-time-zone")
        outcome = me.outcomes(edit("configure", timeZone=zone))[0]
        assert (outcome["status"], outcome["code"]) == ("rejected", "unknown-time-zone"), outcome
        assert me.version() == 0

    @pytest.mark.parametrize(
        "patch, pointers",
        [
            ({"timeZone": 5}, {"/timeZone"}),
            ({"weekStart": "Monday"}, {"/weekStart"}),
            ({"weekStart": 1}, {"/weekStart"}),
            ({"dayStart": "12:01"}, {"/dayStart"}),
            ({"dayStart": "3:00"}, {"/dayStart"}),
            ({"dayStart": "03:00:00"}, {"/dayStart"}),
            ({"dayStart": "00:60"}, {"/dayStart"}),
            ({"dayStart": "-1:00"}, {"/dayStart"}),
            ({"dayStart": "\uff10\uff13:00"}, {"/dayStart"}),
            ({"dayStart": 180}, {"/dayStart"}),
            ({"timeZone": [], "weekStart": "", "dayStart": "", "zone": "UTC"}, {"/timeZone", "/weekStart", "/dayStart", "/zone"}),
            ([], {""}),
            (5, {""}),
        ],
    )
    def test_refuses_all_faults_at_once(self, me: Client, patch: Any, pointers: set[str]) -> None:
        response = me.patch("/v1/account", patch).expect(422, "invalid")
        assert response.pointers == pointers, response.shown()
        assert me.version() == 0


class TestConfiguring:
    def test_without_a_field_is_unchanged(self, me: Client) -> None:
        assert me.outcomes(edit("configure"))[0]["status"] == "unchanged"

    @pytest.mark.parametrize("field", CALENDAR)
    def test_takes_no_null(self, me: Client, field: str) -> None:
        outcome = me.outcomes(edit("configure", **{field: None}))[0]
        assert outcome["code"] == "invalid" and outcome["errors"][0]["pointer"] == f"/edits/0/{field}", outcome

    def test_holds_for_the_edits_behind_it_and_moves_no_count(self, me: Client) -> None:
        goal = me.add_goal()
        at = "2026-11-19T23:30:00Z"
        me.apply(
            edit("bump", goal=goal, at=at),
            edit("configure", timeZone="Europe/Berlin"),
            edit("bump", goal=goal, at=at),
            edit("configure", timeZone="America/Los_Angeles", dayStart="03:00"),
            edit("bump", goal=goal, at="2026-11-19T10:59:59.999Z"),
            edit("bump", goal=goal, at="2026-11-19T11:00:00Z"),
        )
        days = [recorded["day"] for recorded in me.log() if recorded["type"] == "bump"]
        assert days == ["2026-11-19", "2026-11-20", "2026-11-18", "2026-11-19"]

    def test_that_was_sent_again_counts_where_it_counted_then(self, me: Client) -> None:
        goal = me.add_goal()
        bump = edit("bump", goal=goal, at="2026-11-19T23:30:00Z")
        me.apply(bump, edit("configure", timeZone="Europe/Berlin"))
        assert me.outcomes(bump)[0]["status"] == "duplicate"
        assert me.get(f"/v1/edits/{bump['id']}").json()["day"] == "2026-11-19"

    @pytest.mark.parametrize("start", range(7))
    def test_cuts_weeks_at_its_own_first_day(self, me: Client, today: None, start: int) -> None:
        names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        goal = me.add_goal(interval="weekly")
        me.apply(edit("bump", goal=goal, by=2))
        me.outcomes(edit("configure", weekStart=names[start]))
        day = datetime.datetime.now(datetime.UTC).date()
        first = day - datetime.timedelta(days=(day.weekday() - start) % 7)
        shown = me.goal(goal)
        assert shown["period"] == {"start": first.isoformat(), "end": (first + datetime.timedelta(days=7)).isoformat()}
        assert shown["progress"] == 2

    @pytest.mark.parametrize("zone, start", [("Pacific/Kiritimati", "00:00"), ("Etc/GMT+12", "00:00"), ("UTC", "12:00"),
                                            ("America/Los_Angeles", "03:00"), ("Asia/Kolkata", "00:30")])  # fmt: skip
    def test_makes_today_another_day(self, me: Client, zone: str, start: str) -> None:
        goal = me.add_goal()
        me.outcomes(edit("configure", timeZone=zone, dayStart=start))
        clock = datetime.time.fromisoformat(start)
        for _ in range(3):
            before = day_at(time.time(), zoneinfo.ZoneInfo(zone), clock, {})
            shown = me.goal(goal)
            if before == day_at(time.time(), zoneinfo.ZoneInfo(zone), clock, {}):
                break
        assert shown["period"]["start"] == before, shown

    def test_changes_the_etag_of_the_list(self, me: Client) -> None:
        etag = me.get("/v1/goals").etag
        me.patch("/v1/account", {"weekStart": "sunday"}).expect(200)
        assert me.get("/v1/goals").etag != etag


class TestADay:
    @pytest.mark.parametrize(
        "zone, start, instants",
        [
            # The clock is put forward in Los Angeles on 8 March 2026 and back on 1 November.
            ("America/Los_Angeles", "00:00", {"2026-03-08T07:59:59.999Z": "2026-03-07", "2026-03-08T08:00:00Z": "2026-03-08",
             "2026-03-09T06:59:59.999Z": "2026-03-08", "2026-03-09T07:00:00Z": "2026-03-09"}),
            ("America/Los_Angeles", "02:30", {"2026-03-08T09:59:59.999Z": "2026-03-07", "2026-03-08T10:00:00Z": "2026-03-08"}),
            ("America/Los_Angeles", "03:00", {"2026-03-08T09:59:59.999Z": "2026-03-07", "2026-03-08T10:00:00Z": "2026-03-08",
             "2026-11-01T10:59:59.999Z": "2026-10-31", "2026-11-01T11:00:00Z": "2026-11-01"}),
            # The clock shows 01:30 twice; the day starts at the first, and 01:00 after it is the same day.
            ("America/Los_Angeles", "01:30", {"2026-11-01T08:29:59.999Z": "2026-10-31", "2026-11-01T08:30:00Z": "2026-11-01",
             "2026-11-01T09:00:00Z": "2026-11-01", "2026-11-01T09:29:59Z": "2026-11-01"}),
            ("Europe/Berlin", "00:00", {"2026-03-28T22:59:59.999Z": "2026-03-28", "2026-03-28T23:00:00Z": "2026-03-29",
             "2026-03-29T22:00:00Z": "2026-03-30", "2026-10-24T21:59:59.999Z": "2026-10-24", "2026-10-25T22:59:59.999Z": "2026-10-25"}),
            ("Europe/Berlin", "03:00", {"2026-03-29T00:59:59.999Z": "2026-03-28", "2026-03-29T01:00:00Z": "2026-03-29",
             "2026-10-25T01:59:59.999Z": "2026-10-24", "2026-10-25T02:00:00Z": "2026-10-25", "2026-11-20T01:59:59.999Z": "2026-11-19"}),
            # Midnight is left out, comes twice, and 30 December never was.
            ("America/Sao_Paulo", "00:00", {"2018-11-04T02:59:59.999Z": "2018-11-03", "2018-11-04T03:00:00Z": "2018-11-04"}),
            ("America/Havana", "00:00", {"2025-11-02T03:59:59.999Z": "2025-11-01", "2025-11-02T04:00:00Z": "2025-11-02",
             "2025-11-02T05:00:00Z": "2025-11-02"}),
            ("Pacific/Apia", "00:00", {"2011-12-30T09:59:59.999Z": "2011-12-29", "2011-12-30T10:00:00Z": "2011-12-31"}),
            ("Pacific/Apia", "03:00", {"2011-12-30T12:59:59.999Z": "2011-12-29", "2011-12-30T13:00:00Z": "2011-12-31"}),
            # The clock goes back to the evening before; the day that has started goes on.
            ("America/St_Johns", "00:00", {"2010-11-07T02:29:59.999Z": "2010-11-06", "2010-11-07T02:30:00Z": "2010-11-07",
             "2010-11-07T02:31:00Z": "2010-11-07", "2010-11-07T03:30:00Z": "2010-11-07"}),
            ("UTC", "12:00", {"2026-11-19T11:59:59.999Z": "2026-11-18", "2026-11-19T12:00:00Z": "2026-11-19"}),
        ],
    )  # fmt: skip
    def test_starts_when_the_clock_first_shows_its_start(
        self, me: Client, zone: str, start: str, instants: dict[str, str]
    ) -> None:
        me.outcomes(edit("configure", timeZone=zone, dayStart=start))
        days = dict(zip(instants, days_of(me, *instants)))
        assert days == instants
        clock = datetime.time.fromisoformat(start)
        for at, day in instants.items():  # the oracle of the test below says so too
            seconds = datetime.datetime.fromisoformat(at).timestamp()
            assert day_at(seconds, zoneinfo.ZoneInfo(zone), clock, {}) == day, at

    def test_is_the_one_that_pythons_zones_say(self, me: Client) -> None:
        """Random zones, day starts and instants, most of them near a change of the clock."""
        seed = int(os.environ.get("GOALS_SEED") or random.SystemRandom().randrange(2**32))
        print(f"GOALS_SEED={seed}")
        numbers = random.Random(seed)
        names = sorted(name for name in zoneinfo.available_timezones() if name not in ("localtime", "build/etc/localtime"))
        goal, batch, expected = me.add_goal(), [], []
        for name in numbers.sample(names, 40):
            zone, start = zoneinfo.ZoneInfo(name), datetime.time(numbers.randint(0, 11), numbers.choice([0, 0, 30, 59]))
            batch.append(edit("configure", timeZone=name, dayStart=start.isoformat("minutes"), weekStart=numbers.choice(["monday", "sunday"])))
            known: dict[Any, float] = {}
            for seconds in self.instants(numbers, zone):
                batch.append(edit("bump", goal=goal, at=instant(seconds)))
                expected.append((name, start.isoformat(), instant(seconds), day_at(seconds, zone, start, known)))
        outcomes = me.outcomes(*batch)
        assert {outcome["status"] for outcome in outcomes} <= {"applied", "unchanged"}, outcomes
        days = [recorded["day"] for recorded in me.log() if recorded["type"] == "bump"]
        wrong = [(*want, day) for want, day in zip(expected, days) if want[3] != day]
        assert len(days) == len(expected) and wrong == [], wrong[:5]

    @staticmethod
    def instants(numbers: random.Random, zone: zoneinfo.ZoneInfo) -> list[float]:
        """Some instants of one year, around the changes of the clock where there are any."""
        year = datetime.datetime(numbers.randint(2000, 2025), 1, 1, tzinfo=datetime.UTC).timestamp()
        hours = [year + hour * 3600 for hour in range(0, 366 * 24, 6)]
        offsets = [datetime.datetime.fromtimestamp(at, zone).utcoffset() for at in hours]
        changes = [at for at, one, next in zip(hours, offsets, offsets[1:]) if one != next] or [numbers.choice(hours)]
        near = [numbers.choice(changes) + numbers.randint(-30 * 60, 36 * 60) * MINUTE + numbers.choice([-0.001, 0]) for _ in range(8)]
        return [at for at in near if at > 946_684_800]


class TestTheCalendarOfANewAccount:
    def test_can_be_given_on_the_command_line(self, server: Server) -> None:
        for zone in ("Europe/Berlin", "US/Pacific", "UTC"):
            added = server.run("account", "add", f"of {zone}", "--time-zone", zone, "--json").expect(0).json()
            client = server.client(added["token"])
            assert calendar(client) == (zone, "monday", "00:00") and client.version() == 0
            assert client.log() == []

    def test_is_part_of_its_history(self, server: Server, me: Client) -> None:
        added = server.run("account", "add", "Berliner", "--time-zone", "Europe/Berlin", "--json").expect(0).json()
        cursor = me.get("/v1/account").json()["cursor"]
        other = server.client(added["token"])
        other.get(f"/v1/edits?after={quote(cursor)}").expect(410, "cursor-diverged")

    def test_counts_days_from_the_beginning(self, server: Server) -> None:
        added = server.run("account", "add", "Edokko", "--time-zone", "Asia/Tokyo", "--json").expect(0).json()
        assert days_of(server.client(added["token"]), "2026-11-18T15:00:00Z") == ["2026-11-19"]

    def test_takes_no_zone_that_is_not_there(self, server: Server) -> None:
        before = len(server.run("account", "list", "--json").listing())
        for zone in ("Mars/Olympus", "", "../UTC", "europe/berlin"):
            finished = server.run("account", "add", "Ann", "--time-zone", zone)
            assert finished.code in (1, 64) and finished.err.strip() and finished.out == "", finished.shown()
        assert len(server.run("account", "list", "--json").listing()) == before

    @pytest.mark.parametrize("how", ["flag", "environment"])
    def test_of_the_first_start_can_be_given_to_serve(self, tmp_path: Path, how: str) -> None:
        zone = "America/Los_Angeles"
        flags, env = (["--time-zone", zone], None) if how == "flag" else ([], {"GOALS_TIME_ZONE": zone})
        with Server(tmp_path, *UNLIMITED, *flags, env=env) as server:
            assert calendar(server.client()) == (zone, "monday", "00:00")
            server.stop()
            token = server.token
        with Server(tmp_path, *UNLIMITED, "--time-zone", "Asia/Tokyo") as again:
            assert calendar(again.client(token)) == (zone, "monday", "00:00"), "it is for the first start"
            again.stop()
            goals("verify", database=again.database).expect(0)

    @pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../UTC"])
    def test_of_the_first_start_must_be_there(self, tmp_path: Path, zone: str) -> None:
        finished = goals(
            "serve", "--listen", "127.0.0.1:0", "--time-zone", zone, database=tmp_path / "goals.sqlite", timeout=10
        )
        assert finished.code in (1, 64) and finished.err.strip(), finished.shown()
        assert "Listening" not in finished.out, finished.shown()
