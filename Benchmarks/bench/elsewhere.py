"""What another server on the same PostgreSQL knows of a bump, and when."""

from __future__ import annotations

import json
import math
import socket
import statistics
import time
import uuid

import places
import streams
from fixtures import Fixture
from postgresql import Three
from running import Failure, Json, read_answer, request

LISTS = 100
EVENTS = 20


def measure(rounds: int) -> Json:
    events, lists = EVENTS * rounds, LISTS * rounds
    server = Three(places.WORK / "run" / "elsewhere", Fixture())
    here, there, *_ = server.ports
    try:
        server.start()
        measured = {
            "hinted": told(server, there, events),
            "listHere": listed(server, here, lists),
            "listElsewhere": listed(server, there, lists),
        }
        # No server can tell the others then: they find out by themselves.
        server.cluster.ask("REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC")
        if server.cluster.ask("SELECT has_function_privilege('goals', 'pg_notify(text, text)', 'execute')") != "f":
            raise Failure("the servers may still give hints")
        measured["unhinted"] = told(server, there, events)
        server.stop()
        if server.recorded() != 2 * (events + 1 + lists):
            raise Failure(f"{server.recorded():,} bumps were recorded, and {2 * (events + 1 + lists):,} were sent")
    finally:
        server.kill()
    return {"runs": f"{events} events and {lists} lists each", **measured}


def told(server: Three, port: int, events: int) -> Json:
    """From sending a bump to one server to its event in a stream of another. The first finds everything cold."""
    return summary(streams.follow(server, 1, events + 1, listener=port)["last"])


def listed(server: Three, port: int, count: int) -> Json:
    """How long a list takes, right after a bump that the first server has answered. It has to have that bump."""
    fixture = server.fixture
    times = []
    with (
        socket.create_connection(("127.0.0.1", server.port)) as writer,
        socket.create_connection(("127.0.0.1", port)) as reader,
    ):
        written, read = writer.makefile("rb"), reader.makefile("rb")
        for number in range(count):
            edit = {"id": str(uuid.uuid4()), "type": "bump", "goal": fixture.goal_ids[number % fixture.goals]}
            body = json.dumps({"edits": [edit]}).encode()
            fields = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            writer.sendall(request("/v1/edits", fixture.token, fields, method="POST") + body)
            version = json.loads(read_answer(written)[2])["version"]
            began = time.perf_counter()
            reader.sendall(request("/v1/goals", fixture.token))
            answer = read_answer(read)[2]
            times.append(time.perf_counter() - began)
            if json.loads(answer)["version"] != version:
                raise Failure(f"a list is not of version {version}, which was answered before: {answer[:100]!r}")
    return summary(times)


def summary(times: list[float]) -> Json:
    times = sorted(times)
    return {"median": statistics.median(times), "p95": times[math.ceil(len(times) * 0.95) - 1], "high": times[-1]}
