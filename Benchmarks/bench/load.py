"""wrk, and what it tells."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import places
from running import Failure, Json
from servers import Server


@dataclass(frozen=True)
class Load:
    """What is sent."""

    connections: int = 64
    # How many of a hundred requests send bumps; the others ask for the list.
    bumps: int = 100
    # How many bumps such a request sends.
    edits: int = 1
    # The version of their ids.
    uuid: int = 4
    # Whether the script looks into every answer, which takes it long.
    looks: bool = False

    @property
    def writes(self) -> bool:
        return self.bumps > 0


@dataclass(frozen=True)
class Round:
    """What came of one round; times in seconds."""

    requests: int
    # How many requests with bumps were written to a connection; not all of them were answered before the end.
    sent: int
    seconds: float
    p50: float
    p95: float
    p99: float
    # What the server computed meanwhile.
    cpu: float
    # What else it has used, by name.
    more: dict[str, float] = field(default_factory=dict)

    def json(self) -> Json:
        return {
            "requests": self.requests, "sent": self.sent, "seconds": self.seconds, "p50": self.p50, "p95": self.p95,
            "p99": self.p99, "cpu": self.cpu, **self.more,
        }  # fmt: skip


def run(server: Server, load: Load, seconds: float, accounts: Path | None = None) -> Round:
    """One round of the load."""
    before = server.used()
    told = server.drive(load.connections, seconds) or drive(server, load, seconds, accounts)
    settle(server)
    used = {name: value - before[name] for name, value in server.used().items()}
    server.running.check()
    if told["refused"] or told["broken"] or told["wrong"] or not told["requests"]:
        raise Failure(f"{server.name} did not answer every request well: {told}\n{server.running.said()[-2000:]}")
    if load.bumps == 0 and told["bytes"] < told["requests"] * server.list_bytes:
        raise Failure(f"{server.name} answered with less than lists of {server.list_bytes:,} bytes: {told}")
    return Round(
        told["requests"], told["sent"], told["microseconds"] / 1e6,
        told["p50"] / 1e6, told["p95"] / 1e6, told["p99"] / 1e6, used.pop("cpu"), used,
    )  # fmt: skip


def drive(server: Server, load: Load, seconds: float, accounts: Path | None) -> Json:
    """wrk in one thread: the other core is the server's. Where there are several servers, in one for each."""
    with start(server, load, seconds, accounts) as wrk:
        output, errors = wrk.communicate()
    told = read(output)
    if wrk.returncode != 0 or not told:
        raise Failure(f"wrk failed: {output} {errors}")
    return told


def run_until_killed(server: Server, load: Load, seconds: float, accounts: Path) -> int:
    """Kills the server while wrk sends; how many requests were answered before."""
    with start(server, load, seconds + 5, accounts) as wrk:
        time.sleep(seconds)
        server.kill()
        wrk.send_signal(signal.SIGINT)
        output, errors = wrk.communicate()
    told = read(output)
    if not told or not told["requests"] or told["refused"]:
        raise Failure(f"wrk failed, or the server before it was killed: {output} {errors}")
    return told["requests"]


def start(server: Server, load: Load, seconds: float, accounts: Path | None) -> subprocess.Popen[str]:
    command = [
        "wrk", "--threads", str(len(server.ports)), "--connections", str(load.connections), "--duration", f"{max(1, round(seconds))}s",
        "--timeout", "20s", "--latency", "--script", str(places.LOADS / "load.lua"),
        f"http://127.0.0.1:{server.port}",
    ]  # fmt: skip
    environment = {
        **os.environ,
        "LUA_PATH": f"{places.LOADS}/?.lua",
        "LOAD_PORTS": " ".join(map(str, server.ports)),
        "LOAD_SHARES": str(len(server.ports) if server.by_account else 1),
        "LOAD_ACCOUNTS": str(accounts or server.fixture.load_file()),
        "LOAD_BUMPS": str(load.bumps),
        "LOAD_EDITS": str(load.edits),
        "LOAD_UUID": str(load.uuid),
        "LOAD_LOOKS": str(server.fixture.goals if load.looks else 0),
    }
    return subprocess.Popen(
        command, env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def read(output: str) -> Json | None:
    lines = [line for line in output.splitlines() if line.startswith("RESULT ")]
    return json.loads(lines[0].removeprefix("RESULT ")) if lines else None


def check_recorded(name: str, load: Load, rounds: list[Round], recorded: int) -> None:
    """What was sent has to be in the database, once: all that was answered, and of the rest no more than was
    on its way when a round ended. A request that was refused counts as no bump, whatever its status was."""
    most = sum(round.sent for round in rounds) * load.edits
    # wrk asks the script for one request more before it begins, to look at it.
    least = most - len(rounds) * (load.connections + 1) * load.edits
    if load.bumps == 100:
        least = max(least, sum(round.requests for round in rounds) * load.edits)
    if not least <= recorded <= most:
        raise Failure(f"{name} has recorded {recorded:,} bumps, and had to record {least:,} to {most:,}")


def settle(server: Server) -> None:
    """Waits until a server has done with what wrk left when it hung up, so that no other pays for it."""
    deadline = time.monotonic() + 20
    used = server.running.cpu_seconds()
    while time.monotonic() < deadline:
        time.sleep(0.1)
        now = server.running.cpu_seconds()
        if now == used:
            return
        used = now
    raise Failure(f"{server.name} still computes 20 s after its load has ended")
