"""Kills the server at random moments under sixteen concurrent writers, and looks at what it kept.

    python Tests/BlackBox/crash_rig.py --rounds 100 --seed 7

A round: writers post bumps, alone and in small batches, and take some of them back, each edit with
an id of its own; the server
is killed (SIGKILL) at a random moment; it is started again, now and then killed once more while it
starts. Then: every acknowledged edit is in the log exactly once, at the version it was acknowledged
at; no edit is there twice; versions have no gap; the list is the sum of the log; everything that
was not acknowledged can be sent again and is a duplicate or is applied; `goals verify` agrees.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from goals_client import Client, Closed, ProtocolError, edit, quote
from goals_server import UNLIMITED, Server

WRITERS = 16


class Lost(AssertionError):
    """What the server kept is not what it acknowledged."""


@dataclass
class Writer:
    """One connection that sends until the server is gone, and remembers what it was told."""

    client: Client
    goals: list[str]
    numbers: random.Random
    acknowledged: dict[str, int] = field(default_factory=dict)
    open: list[list[dict[str, Any]]] = field(default_factory=list)
    fault: str | None = None

    def id(self) -> str:
        return str(uuid.UUID(int=self.numbers.getrandbits(128), version=4))

    def bump(self) -> dict[str, Any]:
        return edit("bump", id=self.id(), goal=self.numbers.choice(self.goals), by=self.numbers.randint(1, 3))

    def batch(self) -> list[dict[str, Any]]:
        """Bumps, the first of which is now and then taken back, and put there again."""
        batch = [self.bump() for _ in range(self.numbers.randint(2, 8))]
        for _ in range(self.numbers.choice([0, 0, 1, 2])):
            last = batch[-1] if batch[-1]["type"] == "undo" else batch[0]
            batch.append(edit("undo", id=self.id(), edit=last["id"]))
        return batch

    def run(self) -> None:
        while self.fault is None:
            single = self.numbers.random() < 0.7
            batch = [self.bump()] if single else self.batch()
            self.open.append(batch)
            try:
                if single:
                    self.single(batch[0])
                else:
                    self.several(batch)
            except (Closed, OSError, ProtocolError):
                self.client.close()
                return
            self.open.pop()

    def single(self, bump: dict[str, Any]) -> None:
        body = {key: bump[key] for key in ("by",)}
        target = f"/v1/goals/{bump['goal']}/bump"
        response = self.client.post(target, body, headers={"Idempotency-Key": bump["id"]})
        if response.status != 200:
            self.fault = f"a bump was refused{response.shown()}"
        self.acknowledged[bump["id"]] = 0  # this answer does not tell the version

    def several(self, batch: list[dict[str, Any]]) -> None:
        response = self.client.edits(*batch, atomic=self.numbers.random() < 0.5)
        outcomes = response.json().get("outcomes", []) if response.status == 200 else []
        if [outcome["status"] for outcome in outcomes] != ["applied"] * len(batch):
            self.fault = f"a batch was not applied{response.shown()}"
            return
        for outcome in outcomes:
            self.acknowledged[outcome["id"]] = outcome["version"]


@dataclass
class Kept:
    """What is known to be in the log, from all rounds so far."""

    cursor: str | None = None
    version: int = 0
    versions: dict[str, int] = field(default_factory=dict)
    effects: dict[str, tuple[str, int]] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)

    def read_on(self, client: Client) -> list[dict[str, Any]]:
        """Reads what is new in the log; versions go on without a gap, and no id comes twice."""
        new: list[dict[str, Any]] = []
        while True:
            after = f"&after={quote(self.cursor)}" if self.cursor else ""
            response = client.get(f"/v1/edits?limit=1000{after}")
            if response.status != 200:
                raise Lost(f"the log can't be read on from an acknowledged cursor{response.shown()}")
            page = response.json()
            for recorded in page["edits"]:
                self.version += 1
                if recorded["version"] != self.version:
                    raise Lost(f"a gap: expected version {self.version}, got {recorded}")
                if recorded["id"] in self.versions:
                    raise Lost(f"twice in the log: {recorded}, first at {self.versions[recorded['id']]}")
                self.versions[recorded["id"]] = self.version
                self.count(recorded)
            new += page["edits"]
            self.cursor = page["cursor"]
            if not page["more"]:
                if page["version"] != self.version:
                    raise Lost(f"the log ends at {self.version}, but says {page['version']}")
                return new

    def count(self, recorded: dict[str, Any]) -> None:
        """What an edit did to a goal's sum; an undo does the opposite of what it takes back."""
        if recorded["type"] == "bump":
            self.effects[recorded["id"]] = (recorded["goal"], recorded["by"])
        elif recorded["type"] == "undo":
            goal, by = self.effects[recorded["edit"]]
            self.effects[recorded["id"]] = (goal, -by)
        else:
            return
        goal, by = self.effects[recorded["id"]]
        self.sums[goal] = self.sums.get(goal, 0) + by


class Rig:
    def __init__(self, folder: Path, seed: int, goals: int = 20):
        self.numbers = random.Random(seed)
        self.server = Server(folder, *UNLIMITED).start()
        self.token = self.server.token
        client = self.client()
        self.goals = [client.add_goal(title=f"goal {number}", interval="monthly") for number in range(goals)]
        self.kept = Kept()
        self.kept.read_on(client)
        self.restarts = 0

    def client(self) -> Client:
        return self.server.client(self.token)

    def round(self) -> tuple[int, int]:
        """One crash; answers how many edits were acknowledged and how many were left open."""
        writers = [Writer(self.client(), self.goals, random.Random(self.numbers.getrandbits(64))) for _ in range(WRITERS)]
        threads = [threading.Thread(target=writer.run) for writer in writers]
        delay = self.numbers.uniform(0.05, 0.6)
        for thread in threads:
            thread.start()
        time.sleep(delay)
        self.server.kill()
        for thread in threads:
            thread.join(30)
        self.start_again()
        self.judge(writers)
        return sum(len(w.acknowledged) for w in writers), sum(len(b) for w in writers for b in w.open)

    def start_again(self) -> None:
        """Starts the server; one time in four it is killed while it starts."""
        if self.numbers.random() < 0.25:
            self.server.spawn()
            time.sleep(self.numbers.uniform(0, 0.05))
            self.server.kill()
            self.restarts += 1
        self.server.start()
        self.restarts += 1

    def judge(self, writers: Sequence[Writer]) -> None:
        client = self.client()
        self.kept.read_on(client)
        for writer in writers:
            if writer.fault:
                raise Lost(writer.fault)
            self.judge_acknowledged(writer)
        for writer in writers:
            for batch in writer.open:
                self.send_again(client, batch)
        self.kept.read_on(client)
        self.judge_sums(client)
        verified = self.server.run("verify")
        if verified.code != 0:
            raise Lost(f"verify finds a difference{verified.shown()}")

    def judge_acknowledged(self, writer: Writer) -> None:
        for id, version in writer.acknowledged.items():
            kept = self.kept.versions.get(id)
            if kept is None:
                raise Lost(f"acknowledged and lost: {id} (acknowledged at {version or 'some version'})")
            if version and kept != version:
                raise Lost(f"acknowledged at {version}, recorded at {kept}: {id}")

    def send_again(self, client: Client, batch: list[dict[str, Any]]) -> None:
        known = [edit["id"] in self.kept.versions for edit in batch]
        if any(known) and not all(known):
            raise Lost(f"half a request was recorded: {list(zip([e['id'] for e in batch], known, strict=True))}")
        outcomes = client.outcomes(*batch)
        expected = "duplicate" if all(known) else "applied"
        if [outcome["status"] for outcome in outcomes] != [expected] * len(batch):
            raise Lost(f"sent again, expected {expected}: {outcomes}")
        for edit_, outcome in zip(batch, outcomes, strict=True):
            if expected == "duplicate" and outcome["version"] != self.kept.versions[edit_["id"]]:
                raise Lost(f"a duplicate of another version than the log's: {outcome}")

    def judge_sums(self, client: Client) -> None:
        listed = {goal["id"]: goal["progress"] for goal in client.goals()}
        if listed != {id: self.kept.sums.get(id, 0) for id in self.goals}:
            raise Lost(f"the list is not the sum of the log: {listed} and {self.kept.sums}")

    def end(self) -> None:
        self.server.stop()
        verified = self.server.run("verify")
        if verified.code != 0:
            raise Lost(f"verify finds a difference{verified.shown()}")


def crash(rounds: int, seed: int, folder: Path, per_database: int = 20, say: Any = print) -> None:
    """Runs rounds, on a new database every so often; raises `Lost` at the first difference."""
    done = 0
    while done < rounds:
        home = Path(tempfile.mkdtemp(prefix="c", dir=folder))
        rig = Rig(home, seed + done)
        try:
            for _ in range(min(per_database, rounds - done)):
                acknowledged, left = rig.round()
                done += 1
                say(f"round {done}: {acknowledged} acknowledged, {left} left open, {rig.kept.version} in the log")
            rig.end()
        finally:
            rig.server.kill()
        shutil.rmtree(home)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--folder", type=Path, help="where the databases are made; kept when a round fails")
    options = parser.parse_args()
    folder = options.folder or Path(tempfile.mkdtemp(prefix="goals-crash-"))
    print(f"seed {options.seed}, in {folder}", flush=True)
    try:
        crash(options.rounds, options.seed, folder, say=lambda text: print(text, flush=True))
    except (OSError, AssertionError) as error:
        print(f"FAILED (seed {options.seed}, database in {folder})\n{error}", file=sys.stderr)
        return 1
    print(f"{options.rounds} crashes, nothing lost, nothing twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
