"""What is measured side by side, and how: round by round, one server after the other."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace
from typing import Any

import load
import places
from fixtures import Fixture
from load import Load, Round
from postgresql import SHARED
from running import Failure, Json
from servers import KINDS as ALONE
from servers import Server

ALL = ("goals", "hummingbird", "fastapi")
TWO = ("goals", "hummingbird")
KINDS = {**ALONE, **SHARED}


@dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    load: Load
    accounts: int = 1
    servers: tuple[str, ...] = TWO

    @property
    def shares(self) -> bool:
        """Whether there are servers on PostgreSQL."""
        return any(name in SHARED for name in self.servers)


def bumps(connections: int) -> Scenario:
    plural = "s" if connections > 1 else ""
    title = f"a durable bump a POST, UUIDv4, {connections} connection{plural}"
    return Scenario(f"bumps-{connections}", title, Load(connections), servers=ALL)


def shared(connections: int) -> Scenario:
    title = f"a durable bump a POST, UUIDv4, over 1,000 accounts, in a file and on PostgreSQL, {connections} connections"
    return Scenario(f"postgresql-{connections}", title, Load(connections), accounts=1000, servers=("goals", *SHARED))


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
    shared(16),
    shared(64),
    shared(256),
]


def measure(scenario: Scenario, rounds: int, seconds: int) -> Json:
    fixture = Fixture(accounts=scenario.accounts)
    measured = {name: look(scenario, fixture, name, min(2, seconds)) for name in scenario.servers}
    servers = [KINDS[name](places.WORK / "run" / name, fixture) for name in scenario.servers]
    try:
        warm_ups: dict[str, Round] = {}
        for server in servers:
            server.start()
            warm_ups[server.name] = load.run(server, scenario.load, 1)
        results: dict[str, list[Round]] = {name: [] for name in scenario.servers}
        memory: dict[str, list[float]] = {name: [] for name in scenario.servers}
        for number in range(rounds):
            # Each comes first once in a while.
            turn = number % len(servers)
            for server in servers[turn:] + servers[:turn]:
                results[server.name].append(load.run(server, scenario.load, seconds))
                memory[server.name].append(float(server.running.memory()))
        for server in servers:
            server.check_list()
            server.stop()
            if scenario.load.writes:
                recorded = server.recorded()
                load.check_recorded(
                    server.name, scenario.load, [warm_ups[server.name], *results[server.name]], recorded
                )
                measured[server.name]["bytesPerEdit"] = server.grown() / recorded
            measured[server.name] |= summary(results[server.name], scenario.load)
            measured[server.name]["rss"] = spread(memory[server.name])
    finally:
        for server in servers:
            server.kill()
    return {"title": scenario.title, "runs": turns(rounds, seconds), "servers": measured}


def look(scenario: Scenario, fixture: Fixture, name: str, seconds: int) -> dict[str, Any]:
    """A short pass of its own, so that no timed round carries it: looks into every answer, and counts the
    syncs by a library before libc."""
    if not scenario.load.writes:
        server = KINDS[name](places.WORK / "run" / name, fixture)
        try:
            load.run(server.start(), replace(scenario.load, looks=True), seconds)
        finally:
            server.kill()
        return {}
    server = KINDS[name](places.WORK / "run" / name, fixture)
    count = server.count_syncs()
    try:
        server.start(count.environment)
        before = count.value()
        result = load.run(server, replace(scenario.load, looks=True), seconds)
        server.stop()
        # PostgreSQL's processes tell theirs at their end at the latest.
        syncs = count.value() - before
        recorded = server.recorded()
        load.check_recorded(name, scenario.load, [result], recorded)
    finally:
        server.kill()
        count.close()
    check_synced(server, scenario.load, recorded, syncs)
    return {"editsPerSync": recorded / syncs}


def check_synced(server: Server, load: Load, recorded: int, syncs: int) -> None:
    """A request is answered after a sync of its own, or, where the server gathers, after one with at most one
    request of each connection."""
    requests = recorded / load.edits
    if syncs == 0 or syncs < requests / (load.connections if server.gathers else 1):
        raise Failure(
            f"{server.name} is not durable: {syncs:,} syncs for {requests:,.0f} requests with bumps over"
            f" {load.connections} connections"
        )


def turns(rounds: int, seconds: int) -> str:
    return f"{rounds} round{'s' if rounds > 1 else ''} of {seconds} s"


def summary(rounds: list[Round], load: Load) -> Json:
    """Medians, and what lay furthest apart."""
    rates = [round.requests / round.seconds for round in rounds]
    per_cpu = [round.requests / round.cpu for round in rounds]
    values: Json = {"rate": spread(rates), "perCpuSecond": spread(per_cpu)}
    for name in ("p50", "p95", "p99"):
        values[name] = spread([getattr(round, name) for round in rounds])
    values["cpuShare"] = statistics.median(round.cpu / round.seconds for round in rounds)
    if load.bumps == 100:
        values["cpuPerEdit"] = spread([round.cpu / (round.requests * load.edits) for round in rounds])
        values["editsPerCpuSecond"] = spread([round.requests * load.edits / round.cpu for round in rounds])
        for name in rounds[0].more:
            values[f"{name}PerEdit"] = spread([round.more[name] / (round.requests * load.edits) for round in rounds])
    values["rounds"] = [round.json() for round in rounds]
    return values


def spread(values: list[float]) -> Json:
    return {"median": statistics.median(values), "low": min(values), "high": max(values), "rounds": values}
