"""Ten thousand open streams of one account: what each costs, and when the last has an event."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time

import places
from fixtures import Fixture
from running import Failure, Json
from scenarios import spread
from servers import KINDS, Server

STREAMS = 10_000
EVENTS = 10
FLAGS = {
    "goals": ("--max-connections", str(STREAMS + 100), "--max-account-streams", str(STREAMS)),
    "hummingbird": (),
}


def measure(rounds: int) -> Json:
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files < STREAMS + 200:
        raise Failure(f"only {files:,} files may be open: {STREAMS:,} streams need 200 more than that (ulimit -n)")
    measured: dict[str, list[Json]] = {name: [] for name in FLAGS}
    for number in range(rounds):
        # Each comes first once in a while.
        order = list(FLAGS.items())[:: 1 if number % 2 == 0 else -1]
        for name, flags in order:
            server = KINDS[name](places.WORK / "run" / name, Fixture(), *flags)
            try:
                measured[name].append(follow(server.start(), STREAMS))
            finally:
                server.kill()
    return {
        "title": f"an event to {STREAMS:,} streams of one account",
        "runs": f"{rounds} time{'s' if rounds > 1 else ''} {EVENTS} events, of which the first, that finds"
        " everything cold, is not counted",
        "streams": STREAMS,
        "servers": {name: summary(results) for name, results in measured.items()},
    }


def follow(server: Server, streams: int, events: int = EVENTS, listener: int | None = None) -> Json:
    """Opens streams, on the port of another server where one is named, and times events in them."""
    time.sleep(0.5)
    before = server.running.memory()
    command = [
        sys.executable, str(places.BENCHMARKS / "bench/fanout.py"), "--port", str(listener or server.port),
        "--token", server.fixture.token, "--goal", server.fixture.goal_ids[0],
        "--streams", str(streams), "--events", str(events), "--writer", str(server.port),
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdin is not None and client.stdout is not None
        try:
            if client.stdout.readline() != "open\n":
                raise Failure(f"{server.name}: the streams did not open\n{server.running.said()[-1000:]}")
            time.sleep(0.5)
            opened = server.running.memory()
            cpu = server.running.cpu_seconds()
            client.stdin.write("go\n")
            client.stdin.flush()
            line = client.stdout.readline()
            if not line:
                raise Failure(f"{server.name}: a stream failed\n{server.running.said()[-1000:]}")
            cpu = server.running.cpu_seconds() - cpu
            after = server.running.memory()
        finally:
            client.kill()
    times = json.loads(line)
    return {
        "bytesPerStream": (opened - before) / streams,
        "bytesPerStreamAfterEvents": (after - before) / streams,
        "cpuPerEvent": cpu / len(times),
        "first": [event["first"] for event in times[1:]],
        "last": [event["last"] for event in times[1:]],
    }


def summary(results: list[Json]) -> Json:
    return {
        "bytesPerStream": spread([result["bytesPerStream"] for result in results]),
        "bytesPerStreamAfterEvents": spread([result["bytesPerStreamAfterEvents"] for result in results]),
        "cpuPerEvent": spread([result["cpuPerEvent"] for result in results]),
        "first": spread([time for result in results for time in result["first"]]),
        "last": spread([time for result in results for time in result["last"]]),
    }
