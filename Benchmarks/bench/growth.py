"""What a bump costs as an account, its history, its log and the file grow; and what else grows."""

from __future__ import annotations

import shutil
import socket
import statistics
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import load
import places
from fixtures import Fixture, goals
from load import Load, Round
from running import Failure, Json, get, request
from scenarios import spread, turns
from servers import Goals, count_edits

MILLION = 1_000_000
MANY = 100_000
VISITORS = 8


@dataclass(frozen=True)
class Curve:
    """One thing that grows: its sizes, from the cheapest a user can have."""

    title: str
    points: dict[int, Fixture]
    load: Load = field(default_factory=Load)
    # Whether every account is bumped, at random, or the first only.
    everywhere: bool = False


LOGS = {count: Fixture(bumps=count) for count in (0, MILLION // 10, MILLION)}
FILES = {count: Fixture(accounts=count, goals=3) for count in (1, 1000, MANY)}

CURVES = {
    "goals": Curve("goals in the account", {count: Fixture(goals=count) for count in (10, 100, 1000)}),
    "days": Curve("days of history of each of 20 goals", {count: Fixture(days=count) for count in (0, 365, 3650)}),
    "log": Curve("edits in the log, UUIDv4", LOGS),
    "log-v7": Curve("edits in the log, UUIDv7", LOGS, Load(uuid=7)),
    "accounts": Curve("accounts in the file, one of them bumped", FILES),
    "accounts-all": Curve("accounts in the file, all of them bumped", FILES, everywhere=True),
}


def measure(curve: Curve, rounds: int, seconds: int) -> Json:
    """CPU of a bump at each size, one size after the other, round by round."""
    servers: dict[int, Goals] = {}
    try:
        for size, fixture in curve.points.items():
            fixture.prepared()
            servers[size] = Goals(places.WORK / "run" / f"goals-{size}", fixture)
        accounts = {
            size: (fixture if curve.everywhere else Fixture(goals=fixture.goals)).load_file()
            for size, fixture in curve.points.items()
        }
        warm_ups: dict[int, Round] = {}
        for size, server in servers.items():
            server.start()
            warm_ups[size] = load.run(server, curve.load, 1, accounts[size])
        results: dict[int, list[Round]] = {size: [] for size in servers}
        for number in range(rounds):
            turn = number % len(servers)
            order = list(servers.items())
            for size, server in order[turn:] + order[:turn]:
                results[size].append(load.run(server, curve.load, seconds, accounts[size]))
        memory = {size: server.running.memory() for size, server in servers.items()}
        bytes_per_edit: dict[int, float] = {}
        for size, server in servers.items():
            server.stop()
            recorded = server.recorded()
            load.check_recorded(f"goals with {size:,} {curve.title}", curve.load, [warm_ups[size], *results[size]], recorded)
            bytes_per_edit[size] = server.grown() / recorded
    finally:
        for server in servers.values():
            server.kill()
            shutil.rmtree(server.folder, ignore_errors=True)
    costs = {size: [round.cpu / round.requests for round in rounds] for size, rounds in results.items()}
    base = statistics.median(costs[next(iter(servers))])
    return {
        "title": curve.title,
        "runs": turns(rounds, seconds),
        "points": [
            {
                "size": size,
                "cpuPerEdit": spread(costs[size]),
                "rate": spread([round.requests / round.seconds for round in results[size]]),
                "ratio": statistics.median(costs[size]) / base,
                "rss": memory[size],
                "bytesPerEdit": bytes_per_edit[size],
            }
            for size in servers
        ],
    }


def start_up(rounds: int) -> Json:
    """From the start of the process to the whole list of an account, in seconds: of a server that was stopped,
    and of one that was killed while 64 connections sent bumps, so that its log and ids wait to be read."""
    accounts = Fixture().load_file()
    starts = max(5, 2 * rounds)
    points = []
    for size, fixture in LOGS.items():
        stopped, killed = [], []
        for number in range(starts):
            server = Goals(places.WORK / "run" / "start", fixture)
            try:
                server.start()
                # Each in another phase of what is written back and merged from time to time.
                answered = load.run_until_killed(server, Load(), 2 + 2 * number / starts, accounts)
                server.spawn()
                killed.append(server.wait())
                server.stop()
                if server.recorded() < answered:
                    raise Failure(f"of {answered:,} bumps {server.recorded():,} outlived the kill")
                server.spawn()
                stopped.append(server.wait())
            finally:
                server.kill()
                shutil.rmtree(server.folder, ignore_errors=True)
        points.append({"size": size, "stopped": spread(stopped), "killed": spread(killed)})
    return {"runs": f"{starts} starts each, after 2 to 4 s of bumps over 64 connections, which the log has besides", "points": points}


def idle(rounds: int) -> Json:
    """The memory of a server that has answered one request."""
    sizes = []
    for _ in range(rounds):
        server = Goals(places.WORK / "run" / "idle", Fixture())
        try:
            server.start()
            time.sleep(1)
            sizes.append(float(server.running.memory()))
        finally:
            server.kill()
    return {"runs": f"{rounds} start{'s' if rounds > 1 else ''}", **spread(sizes)}


def tour(laps: int = 4) -> Json:
    """The memory as accounts ask for their lists one after the other, and as they all do so again and again."""
    fixture = Fixture(accounts=MANY, goals=3)
    server = Goals(places.WORK / "run" / "tour", fixture)
    try:
        server.start()
        time.sleep(0.5)
        points = [{"lists": 0, "rss": server.running.memory()}]
        visited = 0
        for stop in [MANY // 100, MANY // 10, MANY // 4, MANY // 2, *(lap * MANY for lap in range(1, laps + 1))]:
            tokens = [fixture.token_of(number % MANY) for number in range(visited, stop)]
            with ThreadPoolExecutor(VISITORS) as pool:
                list(pool.map(lambda part: ask_for_lists(server, part), (tokens[n::VISITORS] for n in range(VISITORS))))
            visited = stop
            points.append({"lists": visited, "rss": server.running.memory()})
        peak = server.running.memory("VmHWM")
    finally:
        server.kill()
        shutil.rmtree(server.folder, ignore_errors=True)
    return {"runs": "once", "accounts": MANY, "points": points, "peak": peak}


def ask_for_lists(server: Goals, tokens: list[str], together: int = 64) -> None:
    """For each token's list once, some requests at a time over one connection."""
    with socket.create_connection(("127.0.0.1", server.port), 30) as connection:
        for start in range(0, len(tokens), together):
            group = tokens[start : start + together]
            connection.sendall(b"".join(request("/v1/goals", token) for token in group))
            waiting, answers, place = len(group), b"", 0
            while waiting:
                if not (piece := connection.recv(1 << 18)):
                    raise Failure(f"{server.name} closed the connection")
                answers += piece
                while (end := answers.find(b"\r\n\r\n", place)) > 0:
                    head = answers[place:end].lower()
                    if not head.startswith(b"http/1.1 200 "):
                        raise Failure(f"{server.name} answered a list with {head[:60]!r}")
                    body = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
                    if end + 4 + body > len(answers):
                        break
                    place = end + 4 + body
                    waiting -= 1


def archive(rounds: int) -> Json:
    """Import and verification of logs, in edits a second."""
    runs = min(3, rounds)
    points = []
    folder = places.WORK / "run" / "archive"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for size in (MILLION // 100, MILLION // 10, MILLION):
        fixture = Fixture(bumps=size)
        log, database = folder / "log.ndjson", folder / "goals.sqlite"
        fixture.write_log(log)
        imported, verified = [], []
        for _ in range(runs):
            imported.append(fixture.edits / fixture.import_log(log, database))
            began = time.perf_counter()
            goals(["verify"], database)
            verified.append(fixture.edits / (time.perf_counter() - began))
            if (imported_edits := count_edits(database)) != fixture.edits:
                raise Failure(f"of {fixture.edits:,} edits {imported_edits:,} were imported")
        points.append({
            "size": fixture.edits, "import": spread(imported), "verify": spread(verified),
            "bytesPerEdit": database.stat().st_size / fixture.edits,
        })  # fmt: skip
    shutil.rmtree(folder)
    return {"runs": f"{runs} time{'s' if runs > 1 else ''} each", "points": points}


def binary() -> Json:
    """The bytes of the release binary, as it was built and without its symbols."""
    stripped = places.WORK / "goals-stripped"
    subprocess.run(["strip", "-o", str(stripped), str(places.GOALS)], check=True)
    sizes = {"built": places.GOALS.stat().st_size, "stripped": stripped.stat().st_size}
    stripped.unlink()
    return sizes


def engine() -> Json:
    """The bytes of the page's module of WebAssembly, as it was built and as a browser that takes Brotli gets it."""
    server = Goals(places.WORK / "run" / "engine", Fixture())
    try:
        server.start()
        return {name: engine_bytes(server, fields) for name, fields in (("built", ""), ("sent", "Accept-Encoding: br\r\n"))}
    finally:
        server.kill()


def engine_bytes(server: Goals, fields: str) -> int:
    status, head, _ = get(server.port, "/client/goals.wasm", server.fixture.token)
    if status != 307:
        raise Failure("the binary has no engine for the page")
    status, _, body = get(server.port, head["location"], server.fixture.token, more=fields)
    if status != 200:
        raise Failure(f"the page's engine is answered with {status}")
    return len(body)
