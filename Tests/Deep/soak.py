"""Mixed load for an hour: memory and descriptors stay flat.

The load is what a server is asked for: bumps one by one and in batches, lists, histories,
pictures, tables, past lists, streams, tokens, refusals, backups, accounts that come and go.
Before it there are as many edits as the ids that wait for their index can be, and a backup.
Notes are left out, because they are part of the states that are kept, up to 64 MB of them. In
its last third memory may be more than in the second by a slack of 6 MB. Descriptors are counted
when all have gone.
"""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

from goals_client import PATIENCE, Client, Connection, edit, until
from goals_server import UNLIMITED, Server
from one_order import GONE, Violation
from rig import Deep, Disk, Report, control, say

SLACK = 6 << 20
# In less than ten minutes the ids that wait may set out for their index once, which takes this.
STEP = 8 << 20
REQUESTS_A_SECOND = 150
EDITS_BEFORE = 140_000


def resident(server: Server) -> int:
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def descriptors(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.pid}/fd"))


class Load:
    """Clients of a few accounts who do a bit of everything, at a steady pace."""

    def __init__(self, server: Server, dice: random.Random, pace: float, accounts: int = 20):
        self.server, self.dice, self.pace = server, dice, pace
        self.over = threading.Event()
        self.requests = self.edits = 0
        self.faults: list[str] = []
        self.accounts: list[tuple[str, list[str]]] = []
        for _ in range(accounts):
            client = server.new_client()
            goals = [client.add_goal(interval=dice.choice(["daily", "weekly", "monthly"])) for _ in range(5)]
            self.accounts.append((client.token or "", goals))
            for _ in range(EDITS_BEFORE // accounts // 1000):
                client.edits(*[edit("bump", goal=dice.choice(goals)) for _ in range(1000)]).expect(200)
            client.close()

    def run(self, seconds: float, clients: int = 4) -> None:
        """For so long, and for at least half of the requests that belong to it at this pace."""
        threads = [threading.Thread(target=self.client, args=(random.Random(self.dice.random()), clients)) for _ in range(clients)]
        threads.append(threading.Thread(target=self.seldom, args=(random.Random(self.dice.random()),)))
        for thread in threads:
            thread.start()
        self.over.wait(seconds)
        while self.requests < seconds * self.pace / 2 and not self.over.wait(0.2):
            pass
        self.over.set()
        for thread in threads:
            thread.join(60 * PATIENCE)

    def client(self, dice: random.Random, clients: int) -> None:
        while not self.over.is_set():
            token, goals = dice.choice(self.accounts)
            client = self.server.client(token)
            try:
                for _ in range(dice.randint(1, 60)):
                    began = time.monotonic()
                    self.step(client, dice, dice.choice(goals))
                    self.requests += 1
                    self.over.wait(max(0, clients / self.pace - (time.monotonic() - began)))
            except (*GONE, AssertionError) as error:
                self.faults.append(f"{type(error).__name__}: {error}")
                self.over.set()
            client.close()

    def step(self, client: Client, dice: random.Random, goal: str) -> None:
        at = dice.random()
        if at < 0.30:
            client.post(f"/v1/goals/{goal}/bump").expect(200)
            self.edits += 1
        elif at < 0.45:
            count = dice.choice([2, 10, 50])
            client.apply(*[edit("bump", goal=goal) for _ in range(count)])
            self.edits += count
        elif at < 0.70:
            client.get("/v1/goals").expect(200)
        elif at < 0.76:
            client.get(f"/v1/goals/{goal}/history").expect(200)
        elif at < 0.80:
            client.get(f"/v1/goals/{goal}/history.svg").expect(200)
        elif at < 0.84:
            client.get("/v1/edits?limit=100").expect(200)
        elif at < 0.88:
            self.follow(client)
        elif at < 0.92:
            client.patch(f"/v1/goals/{goal}", {"title": f"t {dice.randint(0, 99)}"}).expect(200)
            self.edits += 1
        elif at < 0.96:
            client.post("/v1/edits", {"edits": [{"id": "x", "typ": 1}]}).expect(200)
            client.get("/v1/goals/none").expect(404)
            client.get("/v1/goals", token="goals_wrong").expect(401)
        else:
            token = client.post("/v1/tokens", {"name": "guest", "scope": "read"}).expect(201).json()
            client.get("/v1/goals", token=token["token"]).expect(200)
            client.delete(f"/v1/tokens/{token['id']}").expect(204)

    def follow(self, client: Client) -> None:
        """A stream that is read for a moment and dropped."""
        with following(self.server, client.token):
            pass

    def seldom(self, dice: random.Random) -> None:
        """What costs more: a backup, a table, an export, an account that comes and goes."""
        number = 0
        while not self.over.wait(4):
            number += 1
            token, _ = dice.choice(self.accounts)
            client = self.server.client(token, timeout=60 * PATIENCE)
            try:
                version = client.version()
                client.get(f"/v1/goals?version={dice.randint(0, min(version, 2000))}").expect(200)
                if number % 4 == 0:
                    client.get("/v1/export.csv").expect(200)
                account = self.server.account()
                self.server.client(account["token"]).add_goal()
                self.server.run("account", "remove", account["id"], "--yes").expect(0)
                if number % 8 == 0:
                    copy = self.server.folder / f"copy-{number}"
                    self.server.run("backup", str(copy)).expect(0)
                    copy.unlink()
            except (*GONE, AssertionError) as error:
                self.faults.append(f"{type(error).__name__}: {error}")
                self.over.set()
            client.close()


def following(server: Server, token: str | None) -> Connection:
    """A stream that has begun."""
    stream = server.connect()
    stream.send(f"GET /v1/changes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    stream.read_head()
    return stream


def growth(samples: list[int]) -> int:
    """How much more memory there is at the least in the last third of the samples than in the
    one before it: a backup or a fold of the past takes some for a while, and what it gave back
    is taken again by others first."""
    third = len(samples) // 3
    return min(samples[-third:]) - min(samples[third:-third])


def soak(
    deep: Deep, name: str, seconds: float, pace: float, leak: int = 0, then: Callable[[Server], object] = lambda _: None
) -> tuple[str, str | None]:
    """Answers what was seen, and what was wrong with it."""
    folder = deep.new_folder(name)
    disk = Disk(deep, folder)
    disk["leak"] = leak
    with Server(folder, *UNLIMITED, env=disk.env if leak else None).start() as server:
        load = Load(server, deep.dice(name), pace)
        server.run("backup", str(folder / "copy")).expect(0)
        samples: list[int] = []
        edits: list[int] = []
        open_before = descriptors(server)
        runner = threading.Thread(target=load.run, args=(seconds,))
        runner.start()
        while runner.is_alive():
            samples.append(resident(server))
            edits.append(load.edits)
            runner.join(max(0.5, seconds / 600))
        if load.faults:
            raise Violation(load.faults[0])
        kept = then(server)
        try:
            until(lambda: descriptors(server) <= open_before + 2, "descriptors are given back", 12, 0.2)
            wrong = None
        except AssertionError:
            wrong = f"{descriptors(server)} descriptors are open, {open_before} were before"
        del kept
        grown, recorded = growth(samples), edits[-1] - edits[len(edits) // 3]
        if grown > SLACK + (STEP if seconds < 600 else 0):
            wrong = f"memory grew by {grown / 1e6:.1f} MB while {recorded} edits were recorded"
        seen = (
            f"{load.requests} requests and {load.edits} edits in {seconds / 60:.1f} minutes: {samples[len(samples) // 3] / 1e6:.0f} MB "
            f"after a third, {samples[-1] / 1e6:.0f} MB at the end, {max(samples) / 1e6:.0f} MB at the most, {descriptors(server)} descriptors"
        )
        say("MB resident: " + " ".join(f"{size / 1e6:.0f}" for size in samples[:: max(1, len(samples) // 24)]))
        server.stop()
        return seen, wrong


def leave_open(server: Server) -> object:
    """Streams: the server ends connections that ask for nothing while the rig waits."""
    token = server.account()["token"]
    return [following(server, token) for _ in range(20)]


def run(deep: Deep) -> Report:
    short = 30 if deep.quick else 90
    seen, wrong = soak(deep, "soak", 60 * deep.soak_minutes, REQUESTS_A_SECOND)
    if wrong:
        raise Violation(f"{wrong}; {seen}")
    report = Report(seen)
    _, wrong = soak(deep, "soak-leak", short, REQUESTS_A_SECOND, leak=65536)
    control(report, "with a leak of 64 KB a sync", wrong is not None and "memory" in wrong, str(wrong))
    _, wrong = soak(deep, "soak-open", 6, REQUESTS_A_SECOND, then=leave_open)
    control(report, "with 20 connections left open", wrong is not None and "descriptors" in wrong, str(wrong))
    return report
