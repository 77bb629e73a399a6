"""What a bump costs as an account, its history, its log and the file grow; and what else grows."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import time

import load
import places
from fixtures import Fixture, goals
from load import Load
from running import Failure, Json
from scenarios import spread
from servers import Goals

BUMPS = Load()
MILLION = 1_000_000
MANY = 100_000

# By what grows: where it starts, and how far it goes.
CURVES: dict[str, tuple[str, list[tuple[int, Fixture]], Load]] = {
    "goals": ("goals in the account", [(count, Fixture(goals=count)) for count in (10, 100, 1000)], BUMPS),
    "days": ("days of history of each of 20 goals", [(count, Fixture(days=count)) for count in (0, 365, 3650)], BUMPS),
    "log": (
        "edits in the log, UUIDv4",
        [(count, Fixture(bumps=count)) for count in (0, MILLION // 10, MILLION)],
        BUMPS,
    ),
    "log-v7": (
        "edits in the log, UUIDv7",
        [(count, Fixture(bumps=count)) for count in (0, MILLION // 10, MILLION)],
        Load(uuid=7),
    ),
    "accounts": (
        "accounts in the file",
        [(count, Fixture(accounts=count, goals=3)) for count in (1, 1000, MANY)],
        BUMPS,
    ),
}


def measure_curve(name: str, rounds: int, seconds: float) -> Json:
    """CPU of a bump at each size, one size after the other, round by round."""
    title, points, bumps = CURVES[name]
    servers = []
    try:
        for size, fixture in points:
            fixture.prepared()
            servers.append((size, Goals(places.WORK / "run" / f"goals-{size}", fixture)))
        # The load is on one account, however many there are.
        single = {size: Fixture(goals=fixture.goals).load_file() for size, fixture in points}
        for size, server in servers:
            server.start()
            load.run(server, bumps, 1, single[size])
        costs: dict[int, list[float]] = {size: [] for size, _ in points}
        rates: dict[int, list[float]] = {size: [] for size, _ in points}
        for number in range(rounds):
            turn = number % len(servers)
            for size, server in servers[turn:] + servers[:turn]:
                result = load.run(server, bumps, seconds, single[size])
                costs[size].append(result.cpu / result.requests)
                rates[size].append(result.requests / result.seconds)
    finally:
        for _, server in servers:
            server.kill()
            shutil.rmtree(server.folder, ignore_errors=True)
    base = statistics.median(costs[points[0][0]])
    return {
        "title": title,
        "points": [
            {
                "size": size,
                "cpuPerEdit": spread(costs[size]),
                "rate": spread(rates[size]),
                "ratio": statistics.median(costs[size]) / base,
            }
            for size, _ in points
        ],
    }


def start_up(rounds: int, fixture: Fixture) -> Json:
    """From the start of the process to the whole list of an account, in seconds."""
    server = Goals(places.WORK / "run" / "start", fixture)
    times = []
    try:
        for _ in range(max(5, 2 * rounds)):
            server.spawn()
            times.append(server.wait())
            server.stop()
    finally:
        server.kill()
        shutil.rmtree(server.folder, ignore_errors=True)
    return spread(times[1:])


def idle(rounds: int) -> Json:
    """The memory of a server that has answered one request."""
    sizes = []
    for _ in range(max(1, min(3, rounds))):
        server = Goals(places.WORK / "run" / "idle", Fixture())
        try:
            server.start()
            time.sleep(1)
            sizes.append(float(server.running.memory()))
        finally:
            server.kill()
    return spread(sizes)


def tour(connections: int = 64) -> Json:
    """What the memory comes to when every one of many accounts has asked for its list."""
    fixture = Fixture(accounts=MANY, goals=3)
    server = Goals(places.WORK / "run" / "tour", fixture)
    try:
        server.start()
        time.sleep(0.5)
        before = server.running.memory()
        asked = 0
        # wrk stops by the clock, so each burst begins where the one before it was stopped.
        lines = fixture.load_file().read_text().splitlines(keepends=True)
        part = places.WORK / "accounts-part.txt"
        while asked < MANY:
            part.write_text("".join(lines[asked : asked + 60_000]))
            result = load.run(server, Load(connections, bumps=0, script="tour.lua"), 3, part)
            if result.requests <= connections:
                raise Failure(f"only {result.requests} lists in {result.seconds} seconds")
            asked = min(MANY, asked + min(60_000, result.requests) - connections)
        after = server.running.memory()
        peak = server.running.memory("VmHWM")
    finally:
        server.kill()
        shutil.rmtree(server.folder, ignore_errors=True)
    return {"accounts": asked, "before": before, "after": after, "peak": peak}


def archive() -> Json:
    """Import and verification of a log of a million edits, in edits a second."""
    fixture = Fixture(bumps=MILLION)
    # What is made here the curves start from.
    imported = fixture.make()
    began = time.perf_counter()
    goals(["verify"], fixture.path)
    verified = time.perf_counter() - began
    size = fixture.path.stat().st_size
    return {
        "edits": fixture.edits,
        "import": fixture.edits / imported,
        "verify": fixture.edits / verified,
        "bytesPerEdit": size / fixture.edits,
    }


def binary() -> Json:
    """The bytes of the release binary, as it was built and without its symbols."""
    stripped = places.WORK / "goals-stripped"
    subprocess.run(["strip", "-o", str(stripped), str(places.GOALS)], check=True)
    sizes = {"built": places.GOALS.stat().st_size, "stripped": stripped.stat().st_size}
    os.unlink(stripped)
    return sizes
