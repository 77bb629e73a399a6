"""Three servers on a primary and its standby, their clients, and whatever may go wrong around them.

Each server reaches the database by wires of its own, which can be cut. 48 clients write, 12 read
and 9 follow; a third of what they ask is of one account, one write in ten goes to two servers at
once, and what was not answered is sent again with the same ids. one_order.py judges what they saw.
"""

from __future__ import annotations

import contextlib
import functools
import random
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from flaky_proxy import Wire
from goals_client import PATIENCE, Client, Connection, until
from goals_server import UNLIMITED, Server, goals, suspend
from one_order import GONE, Judge, Session, Violation, Visitor
from shared_server import Pair, SharedServer

ACCOUNTS, WRITERS, READERS = 9, 48, 12


class Rig:
    def __init__(self, folder: Path, seed: int):
        self.dice = random.Random(seed)
        self.pair = Pair()
        url = self.pair.primary.fresh_database()
        goals("migrate", url).expect(0)
        self.servers = SharedServer(folder, *UNLIMITED, servers=3, url=url)
        tokens = [self.servers.account(f"account {number}")["token"] for number in range(ACCOUNTS)]
        self.sessions = [Session(token, 1) for token in tokens]
        self.wires = [[Wire(functools.partial(self.pair.socket, place)) for place in (0, 1)] for _ in range(3)]
        name = url.split("/")[3].split("?")[0]
        for server, wires in zip(self.servers.all, self.wires, strict=True):
            hosts = ",".join(f"127.0.0.1:{wire.listener.getsockname()[1]}" for wire in wires)
            server.database = f"postgresql://postgres@{hosts}/{name}?target_session_attrs=read-write"
        self.servers.start()
        for session in self.sessions:
            session.begin(self.servers.client(session.token))
        self.written = [0] * WRITERS  # by each, and answered
        self.faults: Counter[str] = Counter()
        self.stopping, self.over = threading.Event(), threading.Event()

    # What the clients do

    def visit(self, number: int, seed: int) -> None:
        dice = random.Random(seed)
        own = self.sessions[1 + number % (ACCOUNTS - 1)]
        visitors = [Visitor(session, random.Random(dice.random())) for session in (self.sessions[0], own)]
        while not self.stopping.is_set():
            visitor = visitors[dice.random() > 1 / 3]
            try:
                if number < WRITERS and dice.random() < 0.6:
                    self.write(visitor, dice)
                    self.written[number] += 1
                else:
                    self.ask(dice.choice(self.servers.all), visitor, Visitor.read)
            except AssertionError as error:
                visitor.session.faults.append(str(error))

    def ask(self, server: Server, visitor: Visitor, what: Callable[..., None], *arguments: object) -> bool:
        """Whether the server answered soon."""
        with contextlib.suppress(*GONE), contextlib.closing(Client(server.address, visitor.session.token, 5)) as client:
            what(visitor, client, *arguments)
            return True
        self.over.wait(0.02)
        return False

    def write(self, visitor: Visitor, dice: random.Random) -> None:
        """Until it is answered, even when the others stop."""
        edits = visitor.edits()
        answered = False
        while not answered and not self.over.is_set():
            server, *others = dice.sample(self.servers.all, 2 if dice.random() < 0.1 else 1)
            twins = [threading.Thread(target=self.ask, args=(other, visitor, Visitor.write, edits), daemon=True) for other in others]
            for twin in twins:
                twin.start()
            answered = self.ask(server, visitor, Visitor.write, edits)
            for twin in twins:
                twin.join()

    # What goes wrong

    def progress(self, writes: int) -> None:
        count = sum(self.written) + writes
        until(lambda: sum(self.written) >= count, f"{writes} more writes are answered", 60)

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        process = self.dice.choice(self.servers.all).process
        assert process is not None
        suspend(process.pid)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """A server asks and is not heard, or hears no answers, or both."""
        wires = self.dice.choice(self.wires)
        what = self.dice.choice([["questions"], ["answers"], ["questions", "answers"]])
        for wire in wires:
            wire.cut(what)
        try:
            yield
        finally:
            for wire in wires:
                if self.dice.random() < 0.5:
                    wire.reset()
                wire.mend()

    def a_server_is_killed(self) -> None:
        server = self.dice.choice(self.servers.all)
        Server.kill(server)
        Server.start(server)

    def a_server_is_paused(self) -> None:
        with self.paused():
            self.progress(self.dice.choice([50, 250]))

    def a_network_is_cut(self) -> None:
        with self.cut():
            self.progress(self.dice.choice([50, 250]))

    def backends_are_terminated(self) -> None:
        """Again and again, so that it happens between the statements of a round, too."""
        for _ in range(15):
            some = self.dice.choice(["true", "pid % 2 = 0"])
            self.pair.primary.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'goals' AND {some}")
            self.progress(8)

    def the_standby_is_killed(self) -> None:
        self.pair.standby.kill()
        self.pair.wait_for_writes()
        self.pair.standby.start_again()

    def the_primary_is_killed(self) -> None:
        self.pair.primary.kill()
        self.pair.primary.start_again()

    def the_standby_takes_over(self) -> None:
        self.pair.primary.kill()
        beside: list[Callable[[], contextlib.AbstractContextManager[None]]] = [contextlib.nullcontext, self.paused, self.cut]
        with self.dice.choice(beside)():
            self.pair.take_over()
            self.progress(50)

    def the_standby_that_was_down_takes_over(self) -> None:
        self.pair.standby.kill()
        self.pair.wait_for_writes()
        self.pair.primary.kill()
        self.pair.standby.start_again()
        self.pair.take_over()

    def commits_do_not_wait(self) -> None:
        """For the standby, by a setting of the database that servers can't pin as they do `synchronous_commit`."""
        self.pair.primary.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.pair.primary.sql("SELECT pg_reload_conf()")
        self.progress(300)  # so that all that write have heard of it
        self.pair.standby.kill()
        self.progress(60)
        self.pair.primary.kill()
        self.pair.standby.start_again()
        self.pair.take_over()

    def everything(self, rounds: int) -> list[Callable[[], None]]:
        kinds = [
            self.a_server_is_killed, self.a_server_is_paused, self.a_network_is_cut, self.backends_are_terminated,
            self.the_standby_is_killed, self.the_primary_is_killed, self.the_standby_takes_over,
            self.the_standby_that_was_down_takes_over,
        ]  # fmt: skip
        return [fault for _ in range(rounds) for fault in self.dice.sample(kinds, len(kinds))]

    # The run

    def run(self, faults: list[Callable[[], None]]) -> None:
        def anywhere() -> Connection:
            return Connection(random.choice(self.servers.all).address, 3)

        seeds = enumerate([self.dice.getrandbits(32) for _ in range(WRITERS + READERS)])
        visits = [threading.Thread(target=self.visit, args=each, daemon=True) for each in seeds]
        follows = [threading.Thread(target=session.follow, args=(0, anywhere, self.over), daemon=True) for session in self.sessions]
        for thread in visits + follows:
            thread.start()
        try:
            for fault in faults:
                self.progress(300)
                fault()
                self.faults["faults"] += 1
            self.progress(100)
            self.stopping.set()
            for thread in visits:
                thread.join(60 * PATIENCE)
            if any(thread.is_alive() for thread in visits):
                raise Violation("a client waits for an answer, and none comes")
            for session in self.sessions:
                session.finish(self.servers.client(session.token), self.over)
        finally:
            self.stopping.set()
            self.over.set()
            for thread in visits + follows:
                thread.join(60 * PATIENCE)

    def judge(self) -> Counter[str]:
        """How much was seen; throws a `Violation`."""
        seen = self.faults.copy()
        lost = 0
        for session in self.sessions:
            lost += len(session.lost())
            seen["acknowledged"] += len(session.acknowledged())
            seen["streamed"] += sum(map(len, session.streams))
            for operation in session.history:
                seen.update([operation.kind if operation.end else "unanswered"])
                seen.update(outcome["status"] for outcome in operation.outcomes)
        if lost:
            raise Violation(f"{lost} of {seen['acknowledged']} acknowledged edits are lost")
        for session in self.sessions:
            Judge(session).all()
        if not self.servers.alive():
            raise Violation(f"a server ended by itself{''.join(server.shown() for server in self.servers.all)}")
        self.servers.run("verify").expect(0)
        return seen

    def end(self) -> None:
        self.servers.kill()
        self.pair.end()
        for wires in self.wires:
            for wire in wires:
                wire.close()


def attack(folder: Path, seed: int, rounds: int) -> Counter[str]:
    """Everything that may go wrong, in each round; how often, and what was seen."""
    rig = Rig(folder, seed)
    try:
        rig.run(rig.everything(rounds))
        return rig.judge()
    finally:
        rig.end()


def lose(folder: Path, seed: int) -> None:
    """Where acknowledged edits are lost; has to throw a `Violation` that says so."""
    rig = Rig(folder, seed)
    try:
        rig.run([rig.commits_do_not_wait])
        rig.judge()
    finally:
        rig.end()
