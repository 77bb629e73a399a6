"""100,000 operations by 24 clients, with restarts, checked from the answers alone.

Clients of three accounts send batches, send some of them again, read lists and logs and follow
streams; each answer is kept with the moments at which it was asked for and read. Then, for each
account:

- the log has every applied edit once, at the version and with the content that was acknowledged,
  and nothing else;
- there is one order, that of the log, in which a simple model (model.py) gives every answer:
  each outcome, each list;
- what was asked for after an answer had come never shows an earlier version than that answer;
- a version has one cursor, in lists, pages and streams, before and after restarts;
- a stream tells what the log holds, in order, without a gap and nothing twice.
"""

from __future__ import annotations

import copy
import random
import signal
import threading
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from goals_client import Response, instant, new_id, quote, strict_json
from goals_server import away_from_midnight
from model import Account, as_instant, utc_day
from rig import GONE, PATIENCE, UNLIMITED, Client, Deep, Report, Server, Violation, control, edit, say

ACCOUNTS, CLIENTS, STREAMS = 3, 24, 2
SAME = ("id", "title", "colour", "interval", "frequency", "unit", "active", "progress", "completion", "period")


@dataclass
class Operation:
    """What a client asked and was told. `end` is None where no answer came."""

    client: int
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
        other = Model(copy.deepcopy(self.goals, memo), set(self.ever), self.log, self.versions)
        return other


class Session:
    """An account on a server that comes and goes, and all that was seen of it."""

    def __init__(self, server: Server, token: str):
        self.server, self.token = server, token
        self.goals = [new_id() for _ in range(6)]
        self.passing: list[str] = []  # goals that are made to be deleted
        self.history: list[Operation] = []
        self.streams: list[list[tuple[str, dict[str, Any]]]] = [[] for _ in range(STREAMS)]
        self.starts: list[str] = [""] * STREAMS
        self.log: list[dict[str, Any]] = []
        self.faults: list[str] = []


class Run:
    def __init__(self, deep: Deep, operations: int):
        self.dice = deep.dice("history")
        self.server = Server(deep.new_folder("history"), *UNLIMITED).start()
        self.sessions = [Session(self.server, self.server.account()["token"]) for _ in range(ACCOUNTS)]
        self.left = operations
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.restarts: Counter[str] = Counter()

    def client(self, number: int, dice: random.Random) -> None:
        session = self.sessions[number % ACCOUNTS]
        client: Client | None = None
        sent: list[list[dict[str, Any]]] = []
        after, at = "", 0
        while True:
            with self.lock:
                if self.left <= 0:
                    break
                self.left -= 1
            operation = Operation(number, time.monotonic(), "list")
            try:
                client = client or self.server.client(session.token)
                choice = dice.random()
                if choice < 0.55:
                    self.write(session, client, operation, dice, sent)
                elif choice < 0.8:
                    operation.body = self.answer(client.get("/v1/goals"))
                    operation.version = operation.body["version"]
                else:
                    operation.kind, operation.after = "page", at
                    page = self.answer(client.get(f"/v1/edits?limit=50{after}"))
                    operation.body, operation.version = page, page["version"]
                    at, after = at + len(page["edits"]), f"&after={quote(page['cursor'])}"
                operation.end = time.monotonic()
            except GONE:
                if client:
                    client.close()
                client = None
                time.sleep(0.02)
            except AssertionError as error:
                session.faults.append(str(error))
                self.over.set()
                return
            with self.lock:
                session.history.append(operation)
        if client:
            client.close()

    def write(
        self, session: Session, client: Client, operation: Operation, dice: random.Random, sent: list[list[dict[str, Any]]]
    ) -> None:
        operation.kind = "write"
        again = sent and dice.random() < 0.15
        operation.edits = dice.choice(sent[-5:]) if again else [self.edit(session, dice) for _ in range(dice.choice([1, 1, 1, 2, 5]))]
        sent.append(operation.edits)
        before = int(time.time() * 1000)
        told = self.answer(client.edits(*operation.edits))
        operation.clock = (before, int(time.time() * 1000) + 1)
        operation.outcomes, operation.version = told["outcomes"], told["version"]

    @staticmethod
    def answer(response: Response) -> dict[str, Any]:
        if response.status == 503:  # it is about to end; whether an edit was recorded is open
            raise OSError("draining")
        return response.expect(200).json()

    def edit(self, session: Session, dice: random.Random) -> dict[str, Any]:
        """Most are bumps; `at` lies in the last days, and always before the goals' next change
        is told."""
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

    def follow(self, session: Session, number: int) -> None:
        """Reads a stream from the beginning, and resumes it by its last id."""
        last, seen = session.starts[number], session.streams[number]
        while not self.over.is_set():
            try:
                with self.server.connect(timeout=3) as stream:
                    resume = f"Last-Event-ID: {last}\r\n" if last else ""
                    stream.send(
                        f"GET /v1/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {session.token}\r\n{resume}\r\n".encode()
                    )
                    if stream.read_head()[0] != 200:
                        continue
                    text = b""
                    while not self.over.is_set():
                        size = int(stream._until(b"\r\n"), 16)
                        text += stream._exactly(size)
                        stream._exactly(2)
                        *events, text = text.split(b"\n\n")
                        for event in events:
                            fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
                            if fields.get(b"event") == b"reset":
                                session.faults.append("a stream was reset: its cursor was taken back")
                            if b"id" in fields:
                                last = fields[b"id"].decode()
                                session.starts[number] = session.starts[number] or last
                            if fields.get(b"event") == b"edit":
                                seen.append((last, strict_json(fields[b"data"])))
            except (*GONE, ValueError):
                time.sleep(0.02)

    def restart(self, times: int) -> None:
        """Kills the server, or asks it to end, in turn, so many times while its clients ask."""
        for number in range(times, 0, -1):
            next_at = self.left * (number - self.dice.random()) / (number + 1)
            while self.left > next_at:
                if self.over.wait(0.005):
                    return
            if number % 2:
                self.server.kill()
                self.restarts["SIGKILL"] += 1
            else:
                self.server.stop(signal.SIGTERM)
                self.restarts["SIGTERM"] += 1
            self.server.start()

    def go(self, restarts: int) -> None:
        for session in self.sessions:
            client = self.server.client(session.token)
            at = instant(time.time() - 200_000)
            edits = [edit("add", at=at, goal={"id": goal, "title": "t", "interval": "monthly"}) for goal in session.goals]
            operation = Operation(-1, time.monotonic(), "write", [*edits, edit("setActivity", at=at, activity=dict.fromkeys(session.goals, True))])
            before = int(time.time() * 1000)
            told = client.edits(*operation.edits).expect(200).json()
            operation.clock, operation.end = (before, int(time.time() * 1000) + 1), time.monotonic()
            operation.outcomes, operation.version = told["outcomes"], told["version"]
            session.history.append(operation)
        threads = [
            threading.Thread(target=self.client, args=(number, random.Random(self.dice.getrandbits(64))), daemon=True)
            for number in range(CLIENTS)
        ]
        others = [threading.Thread(target=self.follow, args=(s, n), daemon=True) for s in self.sessions for n in range(STREAMS)]
        others.append(threading.Thread(target=self.restart, args=(restarts,), daemon=True))
        for thread in threads + others:
            thread.start()
        for thread in threads:
            thread.join()
        for session in self.sessions:
            client = self.server_client(session)
            session.log = client.log()
            deadline = time.monotonic() + 15 * PATIENCE
            while time.monotonic() < deadline and any(
                not seen or seen[-1][1]["version"] < len(session.log) for seen in session.streams
            ):
                time.sleep(0.05)
        self.over.set()
        for thread in others:
            thread.join(20 * PATIENCE)
        if not self.server.alive():
            self.server.start()
        self.server.stop()
        self.server.run("verify").expect(0)
        for session in self.sessions:
            if session.faults:
                raise Violation(session.faults[0])

    def server_client(self, session: Session) -> Client:
        """A client of a server that answers; it may be on its way down or up."""
        while True:
            try:
                client = self.server.client(session.token)
                client.version()
                return client
            except (*GONE, AssertionError):
                time.sleep(0.05)


class Judge:
    """Looks for one order that explains everything that was seen of an account."""

    def __init__(self, session: Session):
        self.session = session
        self.cursors: dict[int, str] = {}
        self.today = utc_day(int(time.time() * 1000))

    def all(self) -> None:
        self.log_is_what_was_sent()
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
        for operation in self.session.history:
            for outcome in operation.outcomes:
                if outcome["status"] in ("applied", "duplicate"):
                    if outcome["version"] > len(log) or log[outcome["version"] - 1]["id"] != outcome["id"]:
                        raise Violation(f"the log does not have {outcome}")

    def never_back(self) -> None:
        answered = sorted((o for o in self.session.history if o.end is not None), key=lambda o: o.end or 0)
        at, latest = 0, Operation(-1, 0, "start", end=0)
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
        for edit, outcome in zip(operation.edits, operation.outcomes, strict=True):
            allowed = model.allowed(edit, operation.clock, False)
            got = (outcome["status"], outcome["code"] if outcome["status"] == "rejected" else outcome.get("version"))
            if got not in allowed:
                raise Violation(f"at version {model.version} the model allows {allowed}, not {outcome}, of {edit}")
            if got[0] == "applied":
                self.record(self.session.log[model.version], model)
        if operation.version != model.version:
            raise Violation(f"a batch ended at {model.version}, and was told {operation.version}")

    def list(self, operation: Operation, model: Model) -> None:
        listed = [{name: goal[name] for name in SAME} for goal in operation.body["goals"]]
        expected = [{name: goal[name] for name in SAME} for goal in model.read(self.today)]
        if listed != expected:
            raise Violation(f"a list of version {model.version} is not that of the model: {listed}, {expected}")


def forgetting(deep: Deep) -> str | None:
    """A server whose database is set back to an older copy between two restarts."""
    run = Run(deep, 4000)
    copied: list[Any] = []

    def restart(_: int) -> None:
        while run.left > 2500:
            time.sleep(0.01)
        run.server.stop()
        copied.append(run.server.database.read_bytes())
        run.server.start()
        while run.left > 1500:
            time.sleep(0.01)
        run.server.stop()
        run.server.database.write_bytes(copied[0])
        run.server.start()

    run.restart = restart  # type: ignore[method-assign]
    try:
        run.go(1)
        for session in run.sessions:
            Judge(session).all()
    except AssertionError as error:
        return str(error)
    finally:
        run.over.set()
        run.server.kill()
    return None


def lies(session: Session) -> list[tuple[str, Session]]:
    """The same history, each time with one thing in it that can't have been."""
    made = []
    for name in ("an older list", "a wrong count", "a gap in a stream", "an outcome of another version", "two edits exchanged in the log"):
        lie = copy.copy(session)
        lie.history = [copy.copy(operation) for operation in session.history]
        lie.streams, lie.log = [list(seen) for seen in session.streams], list(session.log)
        lists = [o for o in lie.history if o.kind == "list" and o.end]
        late = max(lists, key=lambda o: o.end or 0)
        if name == "an older list":
            early = min(lists, key=lambda o: o.end or 0)
            late.body, late.version = early.body, early.version
        elif name == "a wrong count":
            goals = copy.deepcopy(late.body["goals"])
            goals[0]["frequency"] += 1
            late.body = {**late.body, "goals": goals}
        elif name == "a gap in a stream":
            del lie.streams[0][len(lie.streams[0]) // 2]
        elif name == "an outcome of another version":
            write = next(o for o in reversed(lie.history) if any(x["status"] == "applied" for x in o.outcomes))
            write.outcomes = [{**x, "version": x["version"] + 1} if x["status"] == "applied" else x for x in write.outcomes]
        else:
            lie.log[10], lie.log[11] = {**lie.log[11], "version": 11}, {**lie.log[10], "version": 12}
        made.append((name, lie))
    return made


def run(deep: Deep) -> Report:
    away_from_midnight(300)
    operations = deep.rounds(100_000, 8_000)
    run = Run(deep, operations)
    try:
        run.go(deep.rounds(30, 6))
        for session in run.sessions:
            Judge(session).all()
    finally:
        run.over.set()
        run.server.kill()
    history = [operation for session in run.sessions for operation in session.history]
    answered = sum(operation.end is not None for operation in history)
    outcomes = Counter(outcome["status"] for operation in history for outcome in operation.outcomes)
    say(f"{answered} of {len(history)} answered, {dict(outcomes)}, {dict(run.restarts)}")
    if not run.restarts["SIGKILL"] or not run.restarts["SIGTERM"] or outcomes["rejected"] == 0 or outcomes["duplicate"] == 0:
        raise Violation("the history has not all that it should try")
    report = Report(
        f"{len(history)} operations by {CLIENTS} clients, {run.restarts['SIGKILL']} kills and {run.restarts['SIGTERM']} orderly restarts, "
        f"{sum(outcomes.values())} outcomes, {sum(len(seen) for s in run.sessions for seen in s.streams)} edits on streams: one order explains all"
    )
    for name, lie in lies(run.sessions[0]):
        try:
            Judge(lie).all()
        except Violation as error:
            control(report, f"a history with {name}", True, str(error).partition(",")[0][:70])
        else:
            control(report, f"a history with {name}", False, "it was believed")
    wrong = forgetting(deep)
    control(report, "a server set back to an older database", wrong is not None, str(wrong).splitlines()[0][:70])
    return report
