"""What is owed and what is aimed for, and whether the figures say that it is so."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from running import Json

# Of a part of the results, which is an object or a list.
Reading = Callable[[Any], float]


@dataclass(frozen=True)
class Target:
    title: str
    # The part of the results that it is read from.
    part: str
    read: Reading
    unit: str
    # None of what is only aimed for.
    owed: float | None
    aim: float | None = None
    # Whether less is better.
    falls: bool = False

    def judge(self, results: Json) -> Json | None:
        """The value with what it was to be; None where its part was left out."""
        part: Any = results
        for folder in self.part.split("/"):
            if folder not in part:
                return None
            part = part[folder]
        value = self.read(part)
        return {
            "title": self.title, "value": value, "unit": self.unit, "owed": self.owed, "aim": self.aim,
            "falls": self.falls, "met": self.holds(value, self.owed), "aimMet": self.holds(value, self.aim),
        }  # fmt: skip

    def holds(self, value: float, bound: float | None) -> bool | None:
        if bound is None:
            return None
        return value <= bound if self.falls else value >= bound


def ratio(value: str, peer: str = "hummingbird") -> Reading:
    """The median of the ratios of the rounds. A slow minute of the machine slows both servers of a round."""

    def read(part: Json) -> float:
        ours, theirs = (part["servers"][name][value]["rounds"] for name in ("goals", peer))
        return statistics.median(our / their for our, their in zip(ours, theirs, strict=True))

    return read


def bumps(scenario: str, owed: float, aim: float, title: str) -> Target:
    return Target(title, f"scenarios/{scenario}", ratio("rate"), "× Hummingbird", owed, aim)


def grown(name: str, title: str) -> Target:
    return Target(title, f"growth/{name}", lambda part: part["points"][-1]["ratio"], "× CPU", 1.3, falls=True)


def first_answer(way: str, value: str, point: int, title: str, owed: float) -> Target:
    return Target(title, "start", lambda part: part["points"][point][way][value] * 1e3, "ms", owed, falls=True)


def rate_of(what: str, title: str, owed: float) -> Target:
    return Target(title, "archive", lambda part: part["points"][-1][what]["median"], "edits", owed)


def left_behind(part: Json) -> float:
    """In MB: the most that a tour added, however often it went around."""
    return (part["peak"] - part["points"][0]["rss"]) / 1e6


def slowest(name: str) -> Reading:
    """In ms: the list of the worst account, of those that have this name the one that takes longest."""
    return lambda part: max(row["median"] for row in part if row["name"].startswith(f"worst list: {name}")) / 1e6


def on_page(value: str, title: str, owed: float, unit: str = "ms", scale: float = 1e3) -> Target:
    return Target(title, "page", lambda part: part[value]["median"] * scale, unit, owed, falls=True)


TARGETS = [
    bumps("bumps-1", 1.2, 1.4, "durable bumps a second, 1 connection"),
    bumps("bumps-16", 4, 6, "durable bumps a second, 16 connections"),
    bumps("bumps-64", 6, 10, "durable bumps a second, 64 connections"),
    bumps("bumps-256", 8, 13, "durable bumps a second, 256 connections"),
    bumps("accounts", 4, 6, "durable bumps a second over 1,000 accounts"),
    Target(
        "p95 of a bump, 64 connections", "scenarios/bumps-64", ratio("p95"), "× Hummingbird", 1 / 2, 1 / 4, True
    ),
    Target(
        "CPU of a bump, 64 connections", "scenarios/bumps-64", ratio("cpuPerEdit"), "× Hummingbird", 1 / 8, 1 / 15,
        True,
    ),
    Target(
        "edits a sync, 64 connections", "scenarios/bumps-64",
        lambda part: part["servers"]["goals"]["editsPerSync"], "edits", 8,
    ),
    bumps("ten-v7", 4, 8, "ten bumps a POST, UUIDv7, a second"),
    Target("lists of 20 goals a CPU-second", "scenarios/lists", ratio("perCpuSecond"), "× Hummingbird", 15, 25),
    Target(
        "lists of 20 goals a CPU-second", "scenarios/lists", ratio("perCpuSecond", "nginx"), "× nginx `return`", 0.5,
        0.9,
    ),
    Target(
        "90 % lists, 10 % bumps, a CPU-second", "scenarios/mixed", ratio("perCpuSecond"), "× Hummingbird", 8, 12
    ),
    Target(
        "memory of an open stream", "streams", lambda part: part["servers"]["goals"]["bytesPerStream"]["median"],
        "bytes", 2000, falls=True,
    ),
    Target(
        "an event reaches the last of the streams in", "streams", ratio("last"), "× Hummingbird", 0.6, 0.4, True
    ),
    Target("idle memory", "idle", lambda part: part["median"] / 1e6, "MB", 20, falls=True),
    first_answer("stopped", "median", 0, "first answer after the start", 50),
    Target("release binary", "binary", lambda part: part["built"] / 1e6, "MB", 40, falls=True),
    grown("goals", "a bump with 1,000 goals over 10"),
    grown("days", "a bump with 3,650 days of history over none"),
    grown("log", "a bump with a million edits in the log over none"),
    grown("accounts", "a bump with 100,000 accounts in the file over 1"),
    first_answer("stopped", "median", -1, "first answer with a million edits", 100),
    first_answer("killed", "high", -1, "first answer with a million edits, the longest after a kill under load", 100),
    # The cache of states has 64 MiB, that of lists 32.
    Target("memory that 100,000 accounts in turn add", "tour", left_behind, "MB", (64 + 32) * 1.048576, falls=True),
    Target("the list that takes longest, made for the first time", "worst", slowest("cold"), "ms", 20, falls=True),
    Target("the list that takes longest, after an edit", "worst", slowest("after"), "ms", 20, falls=True),
    rate_of("verify", "verified edits a second", 100_000),
    rate_of("import", "imported edits a second", 50_000),
    Target(
        "bytes of the database a bump, UUIDv4", "scenarios/bumps-64",
        lambda part: part["servers"]["goals"]["bytesPerEdit"], "bytes", 450, falls=True,
    ),
    on_page("paint", "the page's first paint, on a slow phone", 1200),
    on_page("bump", "the page's first bump possible, on a slow phone", 3000),
    on_page("sent", "bytes of the page's first visit", 220, "kB", 1e-3),
    on_page("offlineBump", "the page's first bump possible without the server", 700),
    on_page("tap", "a tap shows, with 200 goals and ten years", 50),
]  # fmt: skip


def database_cpu(connections: int, most: float) -> Target:
    title = f"the database's CPU of a bump, one server, {connections} connections"

    def read(part: Json) -> float:
        return part["servers"]["postgresql"]["databaseCpuPerEdit"]["median"] * 1e6

    return Target(title, f"scenarios/postgresql-{connections}", read, "µs", None, most, falls=True)


def told(way: str, title: str, most: float) -> Target:
    return Target(title, "elsewhere", lambda part: part[way]["p95"] * 1e3, "ms", None, most, falls=True)


# Of servers on PostgreSQL nothing is owed yet.
AIMS = [
    database_cpu(64, 60),
    database_cpu(256, 35),
    told("hinted", "p95 of an event on another server", 50),
    told("unhinted", "p95 of an event on another server, without hints", 900),
]


def judged(results: Json, targets: list[Target] = TARGETS) -> list[Json]:
    return [row for target in targets if (row := target.judge(results)) is not None]
