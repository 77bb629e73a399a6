"""What is owed and what is aimed for, and whether the figures say that it is so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from running import Json

Reading = Callable[[Json], float | None]


@dataclass(frozen=True)
class Target:
    title: str
    read: Reading
    unit: str
    owed: float
    aim: float | None = None
    # Whether less is better.
    falls: bool = False

    def judge(self, results: Json) -> Json | None:
        """The value with what it was to be; None where it was not measured."""
        try:
            value = self.read(results)
        except (KeyError, IndexError, TypeError, ZeroDivisionError):
            return None
        if value is None:
            return None
        return {
            "title": self.title, "value": value, "unit": self.unit, "owed": self.owed, "aim": self.aim,
            "falls": self.falls, "met": self.holds(value, self.owed),
            "aimMet": None if self.aim is None else self.holds(value, self.aim),
        }  # fmt: skip

    def holds(self, value: float, bound: float) -> bool:
        return value <= bound if self.falls else value >= bound


def median(results: Json, scenario: str, server: str, value: str) -> float:
    return results["scenarios"][scenario]["servers"][server][value]["median"]


def ratio(scenario: str, value: str = "rate", peer: str = "hummingbird") -> Reading:
    return lambda results: median(results, scenario, "goals", value) / median(results, scenario, peer, value)


def curve(name: str) -> Reading:
    return lambda results: results["growth"][name]["points"][-1]["ratio"]


def beside(scenario: str, owed: float, aim: float, title: str) -> Target:
    return Target(title, ratio(scenario), "× Hummingbird", owed, aim)


def grown(name: str, title: str) -> Target:
    return Target(title, curve(name), "× CPU", 1.3, falls=True)


TARGETS = [
    beside("bumps-1", 1.2, 1.4, "durable bumps a second, 1 connection"),
    beside("bumps-16", 4, 6, "durable bumps a second, 16 connections"),
    beside("bumps-64", 6, 10, "durable bumps a second, 64 connections"),
    beside("bumps-256", 8, 13, "durable bumps a second, 256 connections"),
    beside("accounts", 4, 6, "durable bumps a second over 1,000 accounts"),
    Target("p95 of a bump, 64 connections", ratio("bumps-64", "p95"), "× Hummingbird", 1 / 2, 1 / 4, True),
    Target("CPU of a bump, 64 connections", ratio("bumps-64", "cpuPerEdit"), "× Hummingbird", 1 / 8, 1 / 15, True),
    Target(
        "edits a sync, 64 connections",
        lambda results: results["scenarios"]["bumps-64"]["servers"]["goals"]["editsPerSync"],
        "edits",
        8,
    ),
    beside("ten-v7", 4, 8, "ten bumps a POST, UUIDv7, a second"),
    Target("lists of 20 goals a CPU-second", ratio("lists", "perCpuSecond"), "× Hummingbird", 15, 25),
    Target(
        "lists of 20 goals a CPU-second", ratio("lists", "perCpuSecond", "nginx"), "× nginx `return`", 0.5, 0.9
    ),
    Target("90 % lists, 10 % bumps, a CPU-second", ratio("mixed", "perCpuSecond"), "× Hummingbird", 8, 12),
    Target(
        "memory of an open stream",
        lambda results: results["streams"]["servers"]["goals"]["bytesPerStream"]["median"],
        "bytes",
        2000,
        falls=True,
    ),
    Target(
        "an event reaches the last of the streams in",
        lambda results: (
            results["streams"]["servers"]["goals"]["last"]["median"]
            / results["streams"]["servers"]["hummingbird"]["last"]["median"]
        ),
        "× Hummingbird",
        0.6,
        0.4,
        True,
    ),
    Target("idle memory", lambda results: results["idle"]["median"] / 1e6, "MB", 20, falls=True),
    Target("first answer after the start", lambda results: results["start"]["median"] * 1e3, "ms", 50, falls=True),
    Target("release binary", lambda results: results["binary"]["built"] / 1e6, "MB", 40, falls=True),
    grown("goals", "a bump with 1,000 goals over 10"),
    grown("days", "a bump with 3,650 days of history over none"),
    grown("log", "a bump with a million edits in the log over none"),
    grown("accounts", "a bump with 100,000 accounts in the file over 1"),
    Target(
        "first answer with a million edits",
        lambda results: results["start-million"]["median"] * 1e3,
        "ms",
        100,
        falls=True,
    ),
    Target(
        # The cache of states has 64 MiB, that of lists 32.
        "memory that 100,000 accounts in turn leave behind",
        lambda results: (results["tour"]["peak"] - results["tour"]["before"]) / 1e6,
        "MB",
        (64 + 32) * 1.048576,
        falls=True,
    ),
    Target("verified edits a second", lambda results: results["archive"]["verify"], "edits", 100_000),
    Target("imported edits a second", lambda results: results["archive"]["import"], "edits", 50_000),
    Target(
        "bytes of the database a bump, UUIDv4",
        lambda results: results["scenarios"]["bumps-64"]["servers"]["goals"]["bytesPerEdit"],
        "bytes",
        450,
        falls=True,
    ),
]


def judged(results: Json) -> list[Json]:
    return [row for target in TARGETS if (row := target.judge(results)) is not None]
