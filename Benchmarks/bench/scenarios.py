"""What is measured side by side, and how: round by round, one server after the other."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

import load
import places
from fixtures import Fixture
from load import Load, Round
from running import Failure, Json, SyncCount
from servers import KINDS, Server

ALL = ("goals", "hummingbird", "fastapi")
TWO = ("goals", "hummingbird")


@dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    load: Load
    accounts: int = 1
    servers: tuple[str, ...] = TWO


def bumps(connections: int) -> Scenario:
    plural = "s" if connections > 1 else ""
    title = f"a durable bump a POST, UUIDv4, {connections} connection{plural}"
    return Scenario(f"bumps-{connections}", title, Load(connections), servers=ALL)


SCENARIOS = [
    bumps(1),
    bumps(16),
    bumps(64),
    bumps(256),
    Scenario("bumps-v7", "a durable bump a POST, UUIDv7, 64 connections", Load(uuid=7)),
    Scenario("ten-v7", "ten bumps a POST, UUIDv7, 64 connections", Load(edits=10, uuid=7)),
    Scenario("accounts", "a durable bump a POST, UUIDv4, over 1,000 accounts, 64 connections", Load(), accounts=1000),
    Scenario("lists", "GET /v1/goals of 20 goals, 64 connections", Load(bumps=0), servers=(*ALL, "nginx")),
    Scenario(
        "mixed", "90 % lists and 10 % bumps over 100 accounts, 64 connections", Load(bumps=10), accounts=100, servers=ALL
    ),
]


def measure(scenario: Scenario, rounds: int, seconds: float) -> Json:
    fixture = Fixture(accounts=scenario.accounts)
    measured: dict[str, dict[str, Any]] = {name: {} for name in scenario.servers}
    if scenario.load.writes:
        for name in scenario.servers:
            measured[name] |= count_syncs(scenario, fixture, name, min(2, seconds))
    servers = [KINDS[name](places.WORK / "run" / name, fixture) for name in scenario.servers]
    try:
        before = {server.name: server.size() for server in servers}
        for server in servers:
            server.start()
            load.run(server, scenario.load, 1)
        results: dict[str, list[Round]] = {name: [] for name in scenario.servers}
        for number in range(rounds):
            # Each comes first once in a while.
            turn = number % len(servers)
            for server in servers[turn:] + servers[:turn]:
                results[server.name].append(load.run(server, scenario.load, seconds))
        for server in servers:
            measured[server.name]["rss"] = server.running.memory()
        for server in servers:
            server.stop()
            check(server, scenario, results[server.name])
            if recorded := server.edits() - (fixture.edits * fixture.accounts if server.name == "goals" else 0):
                measured[server.name]["bytesPerEdit"] = (server.size() - before[server.name]) / recorded
            measured[server.name] |= summary(results[server.name], scenario.load)
    finally:
        for server in servers:
            server.kill()
    return {"title": scenario.title, "servers": measured}


def count_syncs(scenario: Scenario, fixture: Fixture, name: str, seconds: float) -> Json:
    """A short pass of its own with a counter before libc, so that no timed round carries it."""
    count = SyncCount(places.WORK / "syncs", places.COUNTER)
    server = KINDS[name](places.WORK / "run" / name, fixture)
    try:
        server.start(count.environment)
        before = count.value()
        result = load.run(server, scenario.load, seconds)
        syncs = count.value() - before
    finally:
        server.kill()
        count.close()
    edits = result.requests * scenario.load.bumps / 100 * scenario.load.edits
    if name != "goals" and scenario.load.bumps == 100 and syncs < result.requests:
        raise Failure(f"{name}: {syncs} syncs for {result.requests} requests: it is not durable")
    return {"editsPerSync": edits / syncs if syncs else None}


def check(server: Server, scenario: Scenario, rounds: list[Round]) -> None:
    """What was answered has to be in the database, once."""
    if not scenario.load.writes:
        return
    seeded = server.fixture.edits * server.fixture.accounts if server.name == "goals" else 0
    recorded = server.edits() - seeded
    answered = sum(round.requests for round in rounds) * scenario.load.edits
    # The warm-up is not among the rounds, and at the end of each some answers were not read any more.
    # Which requests were bumps is chance where not all are.
    if recorded < answered * scenario.load.bumps / 100 * (1 if scenario.load.bumps == 100 else 0.9):
        raise Failure(f"{server.name} has recorded {recorded} edits, and answered {answered} requests")


def summary(rounds: list[Round], load: Load) -> Json:
    """Medians, and what lay furthest apart."""
    rates = [round.requests / round.seconds for round in rounds]
    per_cpu = [round.requests / round.cpu for round in rounds if round.cpu > 0]
    values: Json = {"rate": spread(rates), "perCpuSecond": spread(per_cpu)}
    for name in ("p50", "p95", "p99"):
        values[name] = spread([getattr(round, name) for round in rounds])
    values["cpuShare"] = statistics.median(round.cpu / round.seconds for round in rounds)
    if load.bumps == 100:
        values["cpuPerEdit"] = spread([round.cpu / (round.requests * load.edits) for round in rounds])
    values["rounds"] = [round.json() for round in rounds]
    return values


def spread(values: list[float]) -> Json:
    if not values:
        return {"median": None, "low": None, "high": None}
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}
