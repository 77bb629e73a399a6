"""100,000 operations by 24 clients, with restarts, checked from the answers alone: see one_order.py."""

from __future__ import annotations

import copy
import random
import signal
import threading
import time
from collections import Counter
from typing import Any

from goals_client import PATIENCE, Client
from goals_server import UNLIMITED, Server
from one_order import GONE, Judge, Session, Violation, Visitor
from rig import Deep, Report, control, say

ACCOUNTS, CLIENTS, STREAMS = 3, 24, 2


class Run:
    def __init__(self, deep: Deep, operations: int):
        self.dice = deep.dice("history")
        self.server = Server(deep.new_folder("history"), *UNLIMITED).start()
        self.sessions = [Session(self.server.account()["token"], STREAMS) for _ in range(ACCOUNTS)]
        self.left = operations
        self.lock = threading.Lock()
        self.over = threading.Event()
        self.restarts: Counter[str] = Counter()

    def client(self, number: int, dice: random.Random) -> None:
        session = self.sessions[number % ACCOUNTS]
        visitor = Visitor(session, dice)
        client: Client | None = None
        while True:
            with self.lock:
                if self.left <= 0:
                    break
                self.left -= 1
            try:
                client = client or self.server.client(session.token)
                visitor.ask(client)
            except GONE:
                if client:
                    client.close()
                else:  # nobody could be asked
                    with self.lock:
                        self.left += 1
                client = None
                time.sleep(0.02)
            except AssertionError as error:
                session.faults.append(str(error))
                self.over.set()
                return
        if client:
            client.close()

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
            session.begin(self.server.client(session.token))
        threads = [
            threading.Thread(target=self.client, args=(number, random.Random(self.dice.getrandbits(64))), daemon=True)
            for number in range(CLIENTS)
        ]
        others = [
            threading.Thread(target=session.follow, args=(number, lambda: self.server.connect(timeout=3), self.over), daemon=True)
            for session in self.sessions
            for number in range(STREAMS)
        ]
        others.append(threading.Thread(target=self.restart, args=(restarts,), daemon=True))
        for thread in threads + others:
            thread.start()
        for thread in threads:
            thread.join()
        for session in self.sessions:
            session.finish(self.server_client(session), self.over)
        self.over.set()
        for thread in others:
            thread.join(20 * PATIENCE)
        if not self.server.alive():
            self.server.start()
        self.server.stop()
        self.server.run("verify").expect(0)

    def server_client(self, session: Session) -> Client:
        """A client of a server that answers; it may be on its way down or up."""
        while True:
            try:
                client = self.server.client(session.token)
                client.version()
                return client
            except (*GONE, AssertionError):
                time.sleep(0.05)


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

    run.restart = restart  # type: ignore[assignment, method-assign]
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
    # The judge reads every list as one of the same day.
    left = 86400 - time.time() % 86400
    if left < 300:
        time.sleep(left + 0.1)
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
