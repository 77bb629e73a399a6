"""Whether one order of edits explains all that the clients of an account were told.

Visitors of an account send batches, send some of them again, and read lists and the log. Others
follow streams. Each answer is kept with the moments at which it was asked for and read. Then the
judge looks that

- the log has every applied edit once, at the version and with the content that was acknowledged,
  and nothing else;
- there is one order, that of the log, in which a simple model (model.py) gives every answer:
  each outcome, each list;
- what was asked for after an answer had come never shows an earlier version than that answer;
- a version has one cursor, which has the first digits of the chain, in lists, pages and streams;
- a stream tells what the log holds, in order, without a gap and nothing twice.
"""

from __future__ import annotations

import copy
import random
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from goals_client import PATIENCE, Client, Closed, Connection, ProtocolError, Response, edit, instant, new_id, quote, strict_json
from model import Account, as_instant, utc_day

# No answer. A server that is on its way up has no address yet: IndexError.
GONE = (Closed, OSError, ProtocolError, IndexError)
SAME = ("id", "title", "colour", "interval", "frequency", "unit", "active", "progress", "completion", "period")


class Violation(AssertionError):
    """A promise was broken."""


@dataclass
class Operation:
    """What a client asked and was told. `end` is None where no answer came."""

    begin: float
    kind: str
    edits: list[dict[str, Any]] = field(default_factory=list)
    clock: tuple[int, int] = (0, 0)
    end: float | None = None
    version: int = 0
    outcomes: list[dict[str, Any]] = field(default_factory=list)
    body: dict[str, Any] = field(default_factory=dict)
    after: int = 0

    @property
    def first(self) -> int:
        """The version that the state had for this operation."""
        applied = [outcome["version"] for outcome in self.outcomes if outcome["status"] == "applied"]
        return applied[0] - 1 if applied else self.version


class Model(Account):
    """An account that is copied without its log, which trying an edit does not touch."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return Model(copy.deepcopy(self.goals, memo), set(self.ever), self.log, self.versions)


class Session:
    """An account, and all that was seen of it."""

    def __init__(self, token: str, streams: int):
        self.token = token
        self.goals = [new_id() for _ in range(6)]
        self.passing: list[str] = []  # goals that are made to be deleted
        self.history: list[Operation] = []
        self.streams: list[list[tuple[str, dict[str, Any]]]] = [[] for _ in range(streams)]
        self.log: list[dict[str, Any]] = []
        self.faults: list[str] = []

    def begin(self, client: Client) -> None:
        """Adds the goals that the visitors write to."""
        at = instant(time.time() - 200_000)
        edits = [edit("add", at=at, goal={"id": goal, "title": "t", "interval": "monthly"}) for goal in self.goals]
        edits.append(edit("setActivity", at=at, activity=dict.fromkeys(self.goals, True)))
        Visitor(self, random.Random(0)).write(client, edits)

    def acknowledged(self) -> set[tuple[str, int]]:
        told = [outcome for operation in self.history for outcome in operation.outcomes]
        return {(outcome["id"], outcome["version"]) for outcome in told if outcome["status"] in ("applied", "duplicate")}

    def lost(self) -> list[tuple[str, int]]:
        """What was acknowledged, and is not in the log at that version."""
        return sorted(self.acknowledged() - {(entry["id"], entry["version"]) for entry in self.log})

    def finish(self, client: Client, over: threading.Event) -> None:
        """Reads the log, and waits for the streams to tell its end."""
        self.log = client.log()
        deadline = time.monotonic() + 15 * PATIENCE
        while any(not seen or seen[-1][1]["version"] < len(self.log) for seen in self.streams):
            if over.wait(0.05) or time.monotonic() > deadline:
                return

    def follow(self, number: int, connect: Callable[[], Connection], over: threading.Event) -> None:
        """Reads a stream from the beginning, leaves it at times, and resumes it by its last id."""
        last, seen = "", self.streams[number]
        while not over.is_set():
            try:
                with connect() as stream:
                    resume = f"Last-Event-ID: {last}\r\n" if last else ""
                    stream.send(f"GET /v1/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {self.token}\r\n{resume}\r\n".encode())
                    if stream.read_head()[0] != 200:
                        continue
                    text = b""
                    while not over.is_set() and random.random() > 0.01:
                        size = int(stream._until(b"\r\n"), 16)
                        text += stream._exactly(size)
                        stream._exactly(2)
                        *events, text = text.split(b"\n\n")
                        for event in events:
                            fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
                            if fields.get(b"event") == b"reset":
                                self.faults.append(f"a stream was reset: its cursor {last} was taken back")
                            if b"id" in fields:
                                last = fields[b"id"].decode()
                            if fields.get(b"event") == b"edit":
                                seen.append((last, strict_json(fields[b"data"])))
            except (*GONE, ValueError):
                time.sleep(0.02)


class Visitor:
    """A client of an account: asks for one thing after the other, and keeps what it was told."""

    def __init__(self, session: Session, dice: random.Random):
        self.session, self.dice = session, dice
        self.sent: list[list[dict[str, Any]]] = []
        self.after, self.at = "", 0

    def ask(self, client: Client) -> None:
        """Asks for any one thing. Where no answer came it raises what is in GONE."""
        if self.dice.random() < 0.55:
            self.write(client, self.edits())
        else:
            self.read(client)

    def read(self, client: Client) -> None:
        operation = self.asked(self.dice.choice(["list", "page"]))
        if operation.kind == "list":
            operation.body = self.answer(client.get("/v1/goals"))
        else:
            operation.after = self.at
            operation.body = self.answer(client.get(f"/v1/edits?limit=50{self.after}"))
            self.at, self.after = self.at + len(operation.body["edits"]), f"&after={quote(operation.body['cursor'])}"
        operation.version, operation.end = operation.body["version"], time.monotonic()

    def write(self, client: Client, edits: list[dict[str, Any]]) -> None:
        operation = self.asked("write", edits)
        before = int(time.time() * 1000)
        told = self.answer(client.edits(*edits))
        operation.clock = (before, int(time.time() * 1000) + 1)
        operation.outcomes, operation.version = told["outcomes"], told["version"]
        operation.end = time.monotonic()

    def asked(self, kind: str, edits: list[dict[str, Any]] | None = None) -> Operation:
        operation = Operation(time.monotonic(), kind, edits or [])
        self.session.history.append(operation)
        return operation

    @staticmethod
    def answer(response: Response) -> dict[str, Any]:
        if response.status == 503:  # it is about to end; whether an edit was recorded is open
            raise OSError("draining")
        return response.expect(200).json()

    def edits(self) -> list[dict[str, Any]]:
        """A batch, which may be one that was sent before."""
        if self.sent and self.dice.random() < 0.15:
            return self.dice.choice(self.sent[-5:])
        self.sent.append([self.edit() for _ in range(self.dice.choice([1, 1, 1, 2, 5]))])
        return self.sent[-1]

    def edit(self) -> dict[str, Any]:
        """Most are bumps; `at` lies in the last days, and always before the goals' next change
        is told."""
        session, dice = self.session, self.dice
        goal, choice = dice.choice(session.goals), dice.random()
        at = instant(time.time() - dice.choice([2, 2, 2, 3600, 90_000]))
        id = str(uuid.UUID(int=dice.getrandbits(128), version=4))
        if choice < 0.75:
            return edit("bump", id=id, at=at, goal=goal, by=dice.choice([1, 2, 3, -1]))
        if choice < 0.82:
            return edit("alter", id=id, at=at, goal=goal, changes={"title": f"t {dice.randint(0, 9)}"})
        if choice < 0.88:
            return edit("move", id=id, at=at, goal=goal, before=dice.choice([None, *session.goals]))
        if choice < 0.94:
            return edit("setActivity", id=id, at=at, activity={goal: dice.random() < 0.8})
        if choice < 0.95:
            return edit("add", id=id, at=at, goal={"id": goal, "title": "again"})
        if choice < 0.975:
            session.passing.append(new_id())
            return edit("add", id=id, at=at, goal={"id": session.passing[-1], "title": "passing"})
        return edit("delete", id=id, at=at, goal=session.passing.pop(0) if session.passing else new_id())


class Judge:
    """Looks for one order that explains everything that was seen of an account."""

    def __init__(self, session: Session):
        self.session = session
        self.cursors: dict[int, str] = {}
        self.today = utc_day(int(time.time() * 1000))

    def all(self) -> None:
        self.log_is_what_was_sent()
        if self.session.faults:
            raise Violation(self.session.faults[0])
        self.never_back()
        self.one_cursor_a_version()
        self.streams()
        self.one_order()

    def log_is_what_was_sent(self) -> None:
        log = self.session.log
        if [entry["version"] for entry in log] != list(range(1, len(log) + 1)):
            raise Violation("the log has a gap")
        if len({entry["id"] for entry in log}) != len(log):
            raise Violation("an edit is in the log twice")
        sent = {edit["id"]: edit for operation in self.session.history for edit in operation.edits}
        for entry in log:
            if entry["id"] not in sent or any(entry[name] != value for name, value in sent[entry["id"]].items() if name not in ("at", "goal")):
                raise Violation(f"nobody sent {entry}")
        if lost := self.session.lost():
            raise Violation(f"the log does not have {lost[0]}")

    def never_back(self) -> None:
        answered = sorted((o for o in self.session.history if o.end is not None), key=lambda o: o.end or 0)
        at, latest = 0, Operation(0, "start", end=0)
        wrong = []
        for operation in sorted(answered, key=lambda o: o.begin):
            while at < len(answered) and (answered[at].end or 0) < operation.begin:
                latest = max(latest, answered[at], key=lambda o: o.version)
                at += 1
            if operation.first < latest.version:
                later = (operation.begin - (latest.end or 0)) * 1000
                wrong.append(f"a {operation.kind} of version {operation.first}, {later:.1f} ms after a {latest.kind} of {latest.version}")
        if wrong:
            raise Violation(f"reads went back {len(wrong)} times: {'; '.join(wrong[:5])}")

    def cursor(self, version: int, cursor: str) -> None:
        if self.cursors.setdefault(version, cursor) != cursor:
            raise Violation(f"version {version} has two cursors")

    def one_cursor_a_version(self) -> None:
        for operation in self.session.history:
            if operation.end and operation.kind == "list":
                self.cursor(operation.version, operation.body["cursor"])
            elif operation.end and operation.kind == "page":
                edits = operation.body["edits"]
                self.cursor(operation.after + len(edits), operation.body["cursor"])
                if edits != self.session.log[operation.after : operation.after + len(edits)]:
                    raise Violation(f"a page after {operation.after} is not what the log holds")

    def streams(self) -> None:
        for seen in self.session.streams:
            if not seen:
                raise Violation("a stream told nothing")
            first = seen[0][1]["version"]
            if [entry for _, entry in seen] != self.session.log[first - 1 :]:
                raise Violation("a stream is not what the log holds")
            for cursor, entry in seen:
                self.cursor(entry["version"], cursor)

    def one_order(self) -> None:
        """Folds the log with the model, and gives every answer at its place in it."""
        model = Model()
        at: dict[int, list[Operation]] = {}
        for operation in self.session.history:
            if operation.end is not None and operation.kind != "page":
                at.setdefault(operation.first, []).append(operation)
        while True:
            writer = None
            for operation in at.pop(model.version, []):
                if operation.kind == "list":
                    self.list(operation, model)
                elif operation.version > model.version or any(o["status"] == "applied" for o in operation.outcomes):
                    if writer:
                        raise Violation(f"two requests recorded version {model.version + 1}")
                    writer = operation
                else:
                    self.outcomes(operation, model)
            if model.version == len(self.session.log):
                break
            if writer:
                self.outcomes(writer, model)
            else:
                # Recorded for a client that was not told of it.
                entry = self.session.log[model.version]
                self.record(entry, model)
        if at:
            raise Violation(f"answers of versions that never were: {sorted(at)[:5]}")

    def record(self, entry: dict[str, Any], model: Model) -> None:
        edit = {key: value for key, value in entry.items() if key not in ("version", "recordedAt", "device", "day")}
        model.record(edit, as_instant(entry["at"]), None)

    def outcomes(self, operation: Operation, model: Model) -> None:
        for asked, outcome in zip(operation.edits, operation.outcomes, strict=True):
            allowed = model.allowed(asked, operation.clock, False)
            got = (outcome["status"], outcome["code"] if outcome["status"] == "rejected" else outcome.get("version"))
            if got not in allowed:
                raise Violation(f"at version {model.version} the model allows {allowed}, not {outcome}, of {asked}")
            if got[0] == "applied":
                self.record(self.session.log[model.version], model)
        if operation.version != model.version:
            raise Violation(f"a batch ended at {model.version}, and was told {operation.version}")

    def list(self, operation: Operation, model: Model) -> None:
        listed = [{name: goal[name] for name in SAME} for goal in operation.body["goals"]]
        expected = [{name: goal[name] for name in SAME} for goal in model.read(self.today)]
        if listed != expected:
            raise Violation(f"a list of version {model.version} is not that of the model: {listed}, {expected}")
