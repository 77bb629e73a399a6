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

from goals_client import Client, edit, instant
from goals_server import EVERY_STORE, UNLIMITED, Server, goals

STORES = EVERY_STORE

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


class TestADay:
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
