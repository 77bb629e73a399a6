"""The examples in openapi.yaml are real answers: together they are a story, and here it is lived through.

Ann keeps two goals in November 2026. `STORY` names, in order, the moment of each request, its operation, and
the examples of its request and of its answer. The server runs on a clock that stands still at that moment
(`frozen_clock.c`), so that the answers are the examples to the letter, cursors and ETags too; only an id that
the server made may be another. `test_every_example_is_in_the_story` fails for an example that is not told here.

`python test_examples.py` prints what the server answers where that is not the example.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from frozen_clock import FrozenClock
from goals_client import UUID_V7, Response, build, quote
from goals_server import ROOT, UNLIMITED, Server

METHODS = ("get", "put", "post", "delete", "patch")
KEY = re.compile(r"[0-9a-f]{64}")
TOKEN = re.compile(r"goals_[0-9a-f]{64}")
UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
FILE_HASH = re.compile(r"\b[0-9a-f]{32}\b")
HASHES = re.compile(r"'sha256-[^']+'(?: 'sha256-[^']+')*")
MERGE_PATCH = "application/merge-patch+json"
LINES = "application/x-ndjson"

YOGA = "01a19605-e090-7160-9bc0-11e26b0d549b"
WATER = "01a1aa80-08c0-7221-9288-24ed6b4cb242"
# An id that is of no goal of Ann's.
NONE = "01a1c415-b780-713d-b0ee-92b18ede0d7a"
BEFORE_BED = "01a1fb5d-f040-7c7a-8f9f-930d14f4733f"
TWO_GLASSES = "01a1fcac-1b20-7e00-95fb-72e6babced20"
EIGHT_GLASSES = "01a1fa56-4440-7740-9724-3f984cbd87ad"
SLIP = "01a1fd63-3620-7505-95c4-59a5b1fee08f"
LATER = "01a1fd8c-6900-7795-ac9c-10a3aa05e11a"

POST = b"POST /v1/goals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n"

# Answers that no request brings about, and where else they are looked at.
NOT_TOLD = {
    ("Internal", "internal"): "a fault of the server: FailureTests.swift",
    ("Forbidden", "cookie"): "a page of another origin: SessionTests.swift",
    ("SignUpClosed", "closed"): "the server's own choice: SignUpTests.swift",
    ("TooManyRequests", "often"): "more than this server refuses: test_session.py",
    ("TokenLimit", "tokens"): "a thousand tokens: TokenOperationTests.swift",
    ("AccountFull", "full"): "a history of 256 MiB: test_limits.py",
    ("Unavailable", "store"): "a full disk: test_faults.py",
    ("Unavailable", "read"): "a database that does not answer: FailureTests.swift",
    ("Unavailable", "zone"): "a time zone that the machine lacks: test_zones.py",
    ("Unavailable", "draining"): "the server is about to end: HealthTests.swift",
}
# And one that many answers share: a goal that was turned on and off 4095 times: MemoryLimitTests.swift.
NEVER_SEEN = {"#/components/examples/MemoryLimit"}


@dataclass
class Step:
    """One request and its answer. `at` is the moment, in UTC; without one, the moment stays."""

    at: str | None
    operation: str
    status: int
    # The names of the examples; an answer that openapi.yaml shows only in part is none.
    request: str | None = None
    answer: str | None = None
    # What the example of the request does not say.
    id: str | None = None
    query: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    # A request that is no example: its body, or all its bytes; {token} stands for the device's. A function
    # makes the body of the export that is an example.
    body: Any = None
    raw: bytes | None = None
    media: str = "application/json"
    device: str = "Ann's phone"


def key(id: str, **more: str) -> dict[str, str]:
    return {"Idempotency-Key": id, **more}


def told(at: str, goal: str, by: int, id: str | None = None) -> Step:
    """Progress that no example shows; the ids of its edits are in the log only."""
    digits = re.sub(r"\D", "", at)
    headers = key(id or f"01a1{digits[4:8]}-{digits[8:12]}-7000-8000-{digits[-12:]}")
    return Step(at, "bumpGoal", 200, id=goal, body={"by": by}, headers=headers)


WATER_OF_EACH_DAY = [told(f"2026-11-{day:02d}T18:30:00.000Z", WATER, 8) for day in range(5, 18)]

STORY = [
    # Ann's phone has a token, and her calendar.
    Step("2026-11-01T07:25:00.000Z", "listGoals", 401, answer="token", device="nobody"),
    Step(
        "2026-11-01T07:30:00.042Z",
        "configureAccount",
        200,
        "berlin",
        "berlin",
        media=MERGE_PATCH,
        headers=key("01a19603-e4c0-75d9-a54c-e8e20ed90475"),
    ),
    Step(None, "configureAccount", 200, "berlin"),
    Step("2026-11-01T07:31:00.000Z", "configureAccount", 422, answer="zone", body={"timeZone": "Europe/Atlantis"}),
    # Her first goal.
    Step("2026-11-01T07:32:10.731Z", "addGoal", 201, "yoga", "yoga", headers=key("01a19605-e284-76ca-83c8-90c1d3ac94af")),
    Step("2026-11-01T07:32:20.000Z", "addGoal", 409, answer="exists", body={"id": YOGA, "title": "Jogging"}),
    Step(None, "addGoal", 422, answer="body", body={"title": "Yoga", "frequency": 0, "color": "purple"}),
    Step(None, "addGoal", 400, answer="json", body=b'{"title": "Yoga""frequency": 5}'),
    Step(None, "addGoal", 415, answer="type", body={"title": "Yoga"}, media="text/plain"),
    Step(None, "addGoal", 415, answer="encoding", body={"title": "Yoga"}, headers={"Content-Encoding": "gzip"}),
    Step(None, "addGoal", 403, answer="scope", body={"title": "Yoga"}, device="a reader"),
    Step(None, "exportLog", 200, answer="ann"),
    Step(None, "importLog", 422, answer="changed", body=lambda text: text.replace("Yoga", "Joga"), device="Carol", media=LINES),
    Step(None, "importLog", 422, answer="cut", body=lambda text: text[: text.index('{"whole')], device="Carol", media=LINES),
    Step(None, "importLog", 201, "ann", "new", device="Carol", media=LINES),
    Step(None, "bumpGoal", 409, answer="inactive", id=YOGA),
    Step(
        "2026-11-01T07:33:00.120Z",
        "patchGoal",
        200,
        "turnOn",
        "turnOn",
        id=YOGA,
        media=MERGE_PATCH,
        headers=key("01a19606-a3e0-7a17-a827-f29d953f48f1"),
    ),
    Step(None, "patchGoal", 200, "turnOn", id=YOGA),
    Step("2026-11-03T18:45:00.208Z", "bumpGoal", 200, "one", "one", id=YOGA, headers=key("01a1a2ba-97e0-7658-832c-3898f9ebdacc")),
    # Her second goal, from her laptop.
    Step(
        "2026-11-05T06:58:01.090Z",
        "putGoal",
        201,
        "new",
        "new",
        id=WATER,
        device="Ann's laptop",
        headers=key("01a1aa80-0ca8-74ef-a3db-ae97d0eda82f"),
    ),
    Step(
        "2026-11-05T06:58:30.077Z",
        "moveGoal",
        200,
        "before",
        "before",
        id=YOGA,
        device="Ann's laptop",
        headers=key("01a1aa80-7df0-7923-a8e3-5f55301850c5"),
    ),
    Step(
        "2026-11-05T06:59:00.066Z",
        "setActivity",
        200,
        "keyed",
        "keyed",
        device="Ann's laptop",
        headers=key("01a1aa80-f320-7101-a41e-9e770f4205b4"),
    ),
    Step(None, "setActivity", 428, "listed", "array"),
    Step(None, "setActivity", 409, answer="mismatch", body={"activity": [True, True, False]}, headers={"If-Match": "{ETag}"}),
    Step(None, "setActivity", 404, answer="body", body={"activity": {NONE: True}}),
    # Tokens for her tablet, and for a button beside the mat.
    Step("2026-11-05T07:00:00.512Z", "addToken", 201, "tablet", "tablet"),
    Step("2026-11-05T07:00:01.096Z", "addToken", 201, "button", "button"),
    Step(None, "readToken", 200, answer="phone"),
    Step(None, "listTokens", 200, answer="all"),
    Step(None, "revokeToken", 404, answer="token", id=NONE),
    # The page in her browser.
    Step(None, "beginSession", 204),
    Step(None, "endSession", 204),
    Step(None, "beginSession", 401, "code", "code", device="nobody"),
    Step(None, "endSession", 401, answer="token", device="nobody"),
    # Somebody else signs up.
    Step(None, "addAccount", 201, "eve", "eve", device="nobody"),
    # Two weeks of water, one more time of yoga, and a day in bed.
    *WATER_OF_EACH_DAY,
    told("2026-11-17T20:00:00.000Z", YOGA, 1),
    Step(
        "2026-11-18T19:10:02.411Z", "skipGoal", 200, "ill", "ill", id=WATER, headers=key("01a1f010-df40-7881-9b5d-506bc6f87718")
    ),
    told("2026-11-19T18:30:00.000Z", WATER, 8),
    Step(
        "2026-11-20T19:02:00.500Z",
        "bumpGoal",
        200,
        id=WATER,
        body={"by": 8, "at": "2026-11-20T20:02:00+01:00"},
        headers=key(EIGHT_GLASSES),
    ),
    # The phone was offline, and sends what it has.
    Step(
        "2026-11-21T06:20:05.317Z",
        "submitEdits",
        200,
        answer="invalid",
        query="dryRun=true",
        body={
            "edits": [
                {"id": BEFORE_BED, "type": "bump", "goal": YOGA, "at": "2026-11-21T00:50:00+01:00", "note": "before bed"},
                {"type": "bump", "goal": YOGA, "by": 0},
            ]
        },
    ),
    Step(None, "submitEdits", 200, "offline", "offline"),
    Step(None, "readEdit", 200, answer="bump", id=BEFORE_BED),
    Step(None, "readEdit", 404, answer="read", id=NONE),
    Step(None, "bumpGoal", 409, answer="id", id=YOGA, headers=key(BEFORE_BED)),
    Step(None, "bumpGoal", 409, answer="belowZero", id=WATER, body={"by": -3}),
    Step(None, "bumpGoal", 422, answer="future", id=WATER, body={"at": "2026-11-21T09:00:00+01:00"}),
    Step(None, "bumpGoal", 422, answer="old", id=WATER, body={"at": "1999-12-31T23:59:59Z"}),
    Step(None, "bumpGoal", 422, answer="day", id=WATER, body={"day": "2026-11-23"}),
    # A slip of the thumb, taken back.
    Step("2026-11-21T09:15:00.240Z", "sync", 200, "both", "both", device="Ann's laptop"),
    Step(None, "sync", 200, "fetch", "fetch", device="Ann's laptop"),
    Step(None, "sync", 410, answer="cursor", body={"after": "24.0123456789abcdef"}),
    Step(
        "2026-11-21T09:15:20.385Z",
        "undoEdit",
        200,
        "earlier",
        "undone",
        id=SLIP,
        headers=key("01a1fd63-8440-7cc0-9d32-d708119a72d1"),
    ),
    Step("2026-11-21T09:16:00.000Z", "undoEdit", 409, answer="undone", id=SLIP),
    Step(None, "undoEdit", 404, answer="undo", id=NONE),
    Step("2026-11-21T10:00:01.000Z", "listGoals", 200, answer="all"),
    Step(None, "listGoals", 200, answer="inactive", query="active=false"),
    Step(None, "listGoals", 200, answer="past", query="version=7"),
    Step(None, "listGoals", 304, headers={"If-None-Match": "{ETag}"}),
    Step(None, "listGoals", 422, answer="query", query="aktive=true"),
    Step(None, "readGoal", 200, answer="yoga", id=YOGA),
    Step(None, "readGoal", 404, answer="path", id=NONE),
    Step(None, "readHistory", 200, answer="yoga", id=YOGA, query="from=2026-10-01&to=2026-12-01"),
    Step(None, "readHistory", 200, answer="water", id=WATER, query="from=2026-11-17&to=2026-11-22"),
    Step(None, "readHistory", 200, answer="edits", id=YOGA, query="from=2026-11-20&to=2026-11-22&edits=true"),
    Step(None, "readHistories", 200, answer="both", query="from=2026-11-20&to=2026-11-22"),
    Step(None, "readHistories", 304, headers={"If-None-Match": "{ETag}"}),
    Step(None, "drawHistory", 200, answer="yoga", id=YOGA, query="from=2026-10-01&to=2026-12-01"),
    Step(None, "drawHistory", 304, id=YOGA, headers={"If-None-Match": "{ETag}"}),
    Step(None, "readHistory", 304, id=YOGA, headers={"If-None-Match": "{ETag}"}),
    Step(None, "exportCounts", 200, answer="ann"),
    Step(None, "readAccount", 200, answer="ann"),
    Step(None, "readZone", 200, answer="berlin", id="Europe/Berlin"),
    Step(None, "readZone", 304, id="Europe/Berlin", headers={"If-None-Match": "*"}),
    Step(None, "readZone", 404, answer="none", id="Mars/Olympus"),
    Step(None, "listEdits", 200, answer="start", query="limit=7"),
    Step(None, "listEdits", 200, answer="page", query="after=24.5f9b76389c4d691c&limit=2"),
    Step(None, "listEdits", 200, answer="newest", query=f"goal={YOGA}&order=newest&limit=1"),
    Step(None, "listEdits", 410, answer="cursor", query="after=28.0123456789abcdef"),
    Step(None, "followChanges", 200, answer="resumed", query="after=24.5f9b76389c4d691c"),
    Step(None, "submitEdits", 409, "atomic", "rejected"),
    Step(
        None,
        "submitEdits",
        409,
        answer="mismatch",
        body={
            "ifVersion": 25,
            "edits": [
                {"id": TWO_GLASSES, "type": "bump", "goal": WATER, "at": "2026-11-21T06:55:00+01:00", "by": 2},
                {"id": LATER, "type": "bump", "goal": YOGA},
            ],
        },
    ),
    Step(None, "moveGoal", 412, "end", "mismatch", id=YOGA, headers={"If-Match": '"27.0123456789abcdef~tovs80"'}),
    # What openapi.yaml shows of requests, and not what it leads to.
    Step("2026-11-21T10:05:00.000Z", "putGoal", 200, "replaced", "replaced", id=WATER),
    Step(None, "moveGoal", 200, "end", id=YOGA),
    Step(None, "setActivity", 200, "listed", headers={"If-Match": "{ETag}"}),
    Step(None, "bumpGoal", 200, "earlier", id=WATER),
    Step("2026-11-21T16:21:00.000Z", "bumpGoal", 200, "abroad", id=WATER),
    Step(None, "undoEdit", 200, "now", id="01a1aa80-7df0-7923-a8e3-5f55301850c5"),
    Step(None, "configureAccount", 200, "default", media=MERGE_PATCH),
    Step(None, "patchGoal", 200, "both", id=YOGA, media=MERGE_PATCH),
    Step(None, "addGoal", 201, "least"),
    Step(None, "addGoal", 201, "active"),
    Step(None, "deleteGoal", 204, id=WATER),
    # Another account: a goal that is deleted before its add is sent again, and as many goals as may be.
    Step(None, "addGoal", 201, body={"id": NONE, "title": "Run"}, headers=key(SLIP), device="Bob"),
    Step(None, "deleteGoal", 204, id=NONE, device="Bob"),
    Step(None, "addGoal", 404, answer="gone", body={"id": NONE, "title": "Run"}, headers=key(SLIP), device="Bob"),
    Step(
        None,
        "submitEdits",
        200,
        device="Bob",
        body={
            "edits": [
                {
                    "id": f"00000000-0000-4000-8000-{n:012d}",
                    "type": "add",
                    "goal": {"title": "G", "id": f"00000000-0000-4000-8000-{n:012d}"},
                }
                for n in range(1000)
            ]
        },
    ),
    Step(None, "importLog", 409, "ann", "notEmpty", device="Bob", media=LINES),
    Step(None, "addGoal", 409, answer="limit", body={"title": "One more"}, device="Bob"),
    # What is no right request.
    Step(None, "listGoals", 400, answer="request", raw=b'GET /v1/goals/" HTTP/1.1\r\nHost: a\r\n\r\n'),
    Step(
        None,
        "listGoals",
        405,
        answer="method",
        raw=b"DELETE /v1/goals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\r\n",
    ),
    Step(None, "listGoals", 414, answer="target", raw=b"GET /" + b"a" * 8192 + b" HTTP/1.1\r\nHost: a\r\n\r\n"),
    Step(None, "listGoals", 431, answer="headers", raw=b"GET /v1/goals HTTP/1.1\r\nHost: a\r\n" + b"A: b\r\n" * 101 + b"\r\n"),
    Step(
        None,
        "addGoal",
        413,
        answer="body",
        raw=POST + b"Content-Type: application/json\r\nContent-Length: 4194305\r\n\r\n",
    ),
    Step(
        None,
        "addGoal",
        417,
        answer="expectation",
        raw=POST + b"Expect: much\r\nContent-Length: 2\r\n\r\n{}",
    ),
    Step(
        None,
        "addGoal",
        408,
        answer="slow",
        raw=POST + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{",
    ),
    Step(None, "readPage", 200, answer="beginning"),
    Step(None, "readClient", 200, answer="worker", id="worker.js"),
    Step(None, "readClient", 307, id="goals.js"),
    Step(None, "readClient", 404, answer="none", id="none.js"),
    Step(None, "readDocs", 200, answer="beginning"),
    Step(None, "readOpenAPI", 200, answer="this"),
    Step(None, "health", 200, answer="alive"),
    Step(None, "readiness", 200, answer="ready"),
]


class Document:
    """openapi.yaml, and which of its examples were told."""

    def __init__(self) -> None:
        self.whole = yaml.safe_load((ROOT / "openapi.yaml").read_text())
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, item in self.whole["paths"].items()
            for method, operation in item.items()
            if method in METHODS
        }
        self.seen: set[str] = set()

    def at(self, pointer: str) -> tuple[str, Any]:
        """What stands there, and where it really stands: `$ref`s are followed."""
        value: Any = self.whole
        place = "#"
        for name in pointer.removeprefix("#").split("/")[1:]:
            value = value[name.replace("~1", "/").replace("~0", "~")]
            place += f"/{name}"
            if isinstance(value, dict) and "$ref" in value and len(value) == 1:
                place, value = self.at(value["$ref"])
        return place, value

    def operation_pointer(self, operation: str) -> str:
        method, path, _ = self.operations[operation]
        return f"#/paths/{path.replace('~', '~0').replace('/', '~1')}/{method.lower()}"

    def request(self, operation: str, media: str, name: str) -> Any:
        examples = self.request_examples(operation, media)
        if name not in self.at(examples.removesuffix("/examples"))[1].get("examples", {}):
            return f"there is no example {name}"
        return self.example(f"{examples}/{name}")["value"]

    def request_examples(self, operation: str, media: str) -> str:
        return f"{self.operation_pointer(operation)}/requestBody/content/{media.replace('/', '~1')}/examples"

    def answer(self, operation: str, status: int) -> tuple[str, Any]:
        responses = f"{self.operation_pointer(operation)}/responses"
        name = str(status) if str(status) in self.at(responses)[1] else "default"
        return self.at(f"{responses}/{name}")

    def example(self, pointer: str) -> Any:
        place, value = self.at(pointer)
        self.seen.add(place)
        return value

    def examples(self) -> Iterator[str]:
        """Where an example of a request or of an answer stands, each once."""
        places = set()
        for operation, (_, _, content) in self.operations.items():
            for media in content.get("requestBody", {}).get("content", {}):
                pointer = self.request_examples(operation, media)
                places |= {self.at(f"{pointer}/{name}")[0] for name in self.at(pointer)[1]}
            for status in content["responses"]:
                place, described = self.at(f"{self.operation_pointer(operation)}/responses/{status}")
                for media, item in described.get("content", {}).items():
                    pointer = f"{place}/content/{media.replace('/', '~1')}/examples"
                    places |= {self.at(f"{pointer}/{name}")[0] for name in item.get("examples", {})}
        yield from sorted(places)


class Told:
    """The story as it was lived through on a real server."""

    def __init__(self, server: Server, clock: FrozenClock) -> None:
        self.server, self.clock, self.document = server, clock, Document()
        self.differences: list[str] = []
        self.headers: dict[str, set[str]] = {}
        self.sent: set[str] = set()
        self.set("2026-11-01T07:20:00.000Z")
        ann = server.account("Ann")
        self.tokens = {"nobody": None, **{name: server.account(name)["token"] for name in ("Bob", "Carol")}}
        devices = [("Ann's phone", "write"), ("Ann's laptop", "write"), ("a reader", "read")]
        for second, (device, scope) in enumerate(devices, start=1):
            self.set(f"2026-11-01T07:20:0{second}.000Z")
            made = server.run("token", "add", ann["id"], "--name", device, "--scope", scope, "--json").expect(0).json()
            self.tokens[device] = made["token"]
        for step in STORY:
            self.tell(step)

    def set(self, at: str) -> None:
        self.clock.set(at)

    def tell(self, step: Step) -> None:
        if step.at:
            self.set(step.at)
        response = self.ask(step)
        where = f"{step.at or ''} {step.operation} {step.request or ''} {step.answer or ''}"
        if response.status != step.status:
            self.differences.append(f"{where}: {response.status} instead of {step.status}{response.shown()}")
            return
        for name, value in response.fields:
            self.headers.setdefault(name.lower(), set()).add(value)
        if step.answer:
            self.compare(step, response, where)

    def ask(self, step: Step) -> Response:
        token = self.tokens[step.device]
        if step.raw is not None:
            with self.server.connect() as connection:
                connection.send(step.raw.replace(b"{token}", (token or "").encode()))
                return connection.read_response()
        method, path, _ = self.document.operations[step.operation]
        body = step.body
        if step.request:
            body = self.document.request(step.operation, step.media, step.request)
        if callable(body):
            body = body(self.document.request(step.operation, step.media, "ann"))
        if step.media == LINES and isinstance(body, str):
            body = body.encode()
        if step.operation == "followChanges" and step.status == 200:
            return self.follow(build(method, f"{path}?{step.query}", token=token, headers=step.headers))
        client = self.server.client(token)
        tag = client.get("/v1/goals").header("ETag") if "{ETag}" in step.headers.values() else None
        headers = {name: tag if value == "{ETag}" and tag else value for name, value in step.headers.items()}
        target = re.sub(r"\{\w+\}", lambda _: quote(step.id or ""), path) + (f"?{step.query}" if step.query else "")
        # The moment that an answer shows is not that of an earlier one.
        self.sent |= set(UUID.findall(json.dumps([target, headers, None if isinstance(body, bytes) else body])))
        data = build(method, target, token=token, body=body, content_type=step.media, headers=headers)
        response = client.exchange(method, data)
        client.close()
        return response

    def follow(self, data: bytes) -> Response:
        """The beginning of what has no end: its first three events."""
        with self.server.connect() as connection:
            connection.send(data)
            status, reason, fields, head = connection.read_head()
            body = b""
            while body.count(b"\n\n") < 3:
                size = int(connection._until(b"\r\n"), 16)
                body += connection._exactly(size + 2)[:size]
            return Response(status, reason, fields, body, head)

    def compare(self, step: Step, response: Response, where: str) -> None:
        place, described = self.document.answer(step.operation, step.status)
        examples = f"{place}/content/{response.media_type.replace('/', '~1')}/examples"
        if response.media_type not in described["content"] or step.answer not in self.document.at(examples)[1]:
            self.differences.append(f"{where}: there is no example {step.answer}{response.shown()}")
            return
        example = self.document.example(f"{examples}/{step.answer}")
        if "externalValue" in example:
            client = self.server.client(self.tokens[step.device])
            if client.get(example["externalValue"]).body != response.body:
                self.differences.append(f"{where}: not what is at {example['externalValue']}")
        elif response.media_type.endswith(("/json", "+json")):
            for difference in self.unlike(example["value"], response.json(), ""):
                self.differences.append(f"{where}: {difference}")
        elif not response.body.decode().replace("\r\n", "\n").startswith(example["value"].strip()):
            self.differences.append(f"{where}: does not begin so{response.shown()}")

    def unlike(self, shown: Any, real: Any, pointer: str) -> Iterator[str]:
        """Where an example is not what was answered."""
        if isinstance(shown, dict) and isinstance(real, dict) and list(shown) == list(real):
            for name in shown:
                yield from self.unlike(shown[name], real[name], f"{pointer}/{name}")
        elif isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
            for index, (one, other) in enumerate(zip(shown, real, strict=True)):
                yield from self.unlike(one, other, f"{pointer}/{index}")
        elif isinstance(shown, bool) or isinstance(real, bool) or type(shown) is not type(real) or shown != real:
            made = isinstance(shown, str) and isinstance(real, str) and UUID_V7.match(shown) and UUID_V7.match(real)
            secret = pointer == "/token" and TOKEN.fullmatch(shown) and TOKEN.fullmatch(real)
            if shown is not real and not secret and not (made and shown not in self.sent and real not in self.sent):
                yield f"{pointer} is {json.dumps(real, ensure_ascii=False)}, not {json.dumps(shown, ensure_ascii=False)}"


def live(folder: Path) -> Iterator[Told]:
    clock = FrozenClock(folder)
    clock.set("2026-11-01T07:20:00Z")
    server = Server(folder, *UNLIMITED, "--body-timeout", "1", "--sign-up", "open", env=clock.env)
    with server.start():
        yield Told(server, clock)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    yield from live(tmp_path_factory.mktemp("e"))


def test_what_is_shown_is_what_is_answered(story: Told) -> None:
    assert not story.differences, "\n\n".join(story.differences)


def test_every_example_is_in_the_story(story: Told) -> None:
    places = set(story.document.examples())
    problems = "#/components/responses/{}/content/application~1problem+json/examples/{}"
    elsewhere = {problems.format(response, name) for response, name in NOT_TOLD} | NEVER_SEEN
    assert elsewhere <= places
    assert sorted(places - story.document.seen - elsewhere) == []


def test_every_operation_has_examples() -> None:
    document = Document()
    bare = []
    for operation, (_, _, content) in document.operations.items():
        for media, item in content.get("requestBody", {}).get("content", {}).items():
            if not item.get("examples"):
                bare.append(f"{operation}: the request, {media}")
        for status in content["responses"]:
            for media, item in document.answer(operation, status)[1].get("content", {}).items():
                if not item.get("examples"):
                    bare.append(f"{operation}: {status}, {media}")
    assert bare == []


def test_the_headers_that_are_shown_were_there(story: Told) -> None:
    document = story.document
    checked = 0
    for operation, (_, _, content) in document.operations.items():
        for status in content["responses"]:
            place, answer = document.answer(operation, status)
            # Retry-After goes with what is not told, and a coding with who asks for one (ServedFileTests).
            names = set(answer.get("headers", {})) - {"Content-Encoding"} if status not in ("429", "503") else set()
            for name in names:
                shown = document.at(f"{place}/headers/{name}")[1]["example"]
                there = {HASHES.sub("'sha256-…'", value) for value in story.headers[name.lower()]}
                if not set(UUID.findall(str(shown))) <= story.sent:
                    # An id that the server made is another one each time.
                    shown, there = UUID.sub("", shown), {UUID.sub("", value) for value in there}
                # And so is a key, and the hash of a file.
                for other in (KEY, FILE_HASH):
                    shown, there = other.sub("", str(shown)), {other.sub("", value) for value in there}
                assert shown in there, f"{operation} {status}: {name}: {shown}"
                checked += 1
    assert checked > 0


def test_the_parameters_that_are_shown_are_of_the_story(story: Told) -> None:
    parameters = story.document.whole["components"]["parameters"]
    client = story.server.client(story.tokens["Ann's phone"])
    assert parameters["GoalId"]["example"] == YOGA
    client.get(f"/v1/edits/{parameters['EditId']['example']}").expect(200)
    client.get(f"/v1/edits/{parameters['IdempotencyKey']['example']}").expect(200)
    for name in ("IfMatch", "IfNoneMatch"):
        assert parameters[name]["example"] in story.headers["etag"]


def test_the_edits_that_schemas_show_are_real(story: Told) -> None:
    client = story.server.client(story.tokens["Ann's phone"])
    shown = {
        name: example
        for name, schema in story.document.whole["components"]["schemas"].items()
        for example in schema.get("examples", [])
    }
    recorded = {name: example for name, example in shown.items() if name.startswith("Recorded")}
    asked = {name: example for name, example in shown.items() if name.endswith("Edit")}
    assert recorded and asked and len(recorded) + len(asked) == len(shown)
    for name, example in recorded.items():
        assert client.get(f"/v1/edits/{example['id']}").expect(200).json() == example, name
    version = client.version()
    for name, example in asked.items():
        answer = client.post("/v1/edits?dryRun=true", {"edits": [example], "ifVersion": version})
        outcomes = answer.json()["outcomes"]
        assert [outcome.get("code") for outcome in outcomes] != ["invalid"], f"{name}{answer.shown()}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for told_story in live(Path(folder)):
            print("\n\n".join(told_story.differences) or "Every answer is as it is shown.")
