"""At the Nth call to the disk something happens: an error, a short write, a kill.

Two rigs share this. `faults`: EIO, ENOSPC and short writes, one call or all from there on, and
errors of reading. `kills`: SIGKILL just before the call. The phases are what touches a disk: a
first start, a start on what a kill left, the migration of an old database, commits, the checkpoint
of a full log and that of an orderly end, the merge of ids into their index, backup, restore,
import. A first run without faults counts the calls of each kind; then every one is tried, or so
many of them, spread, where they are more.

Afterwards: what was acknowledged is in the log, once, at its version; what was answered 503 was
not to be seen, and can be sent again; what stopped said why in a sentence; `goals verify`
agrees.
"""

from __future__ import annotations

import errno
import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crash_rig import Kept
from goals_client import Client, edit, until
from goals_server import ROOT, UNLIMITED, Finished, Server, goals
from one_order import GONE, Violation
from rig import DROP, FAIL, KILL, NAME, OPEN, READ, SHORT, SIZE, SYNC, WRITE, Deep, Disk, Report, control, refused_clearly, say, sound, starts, told

FIXTURES = ROOT / "Tests" / "Fixtures" / "databases"
EVER = 1 << 40
CALLS = {"read": READ, "write": WRITE, "sync": SYNC, "size": SIZE, "open": OPEN, "name": NAME}
FAULTS = {
    "write": [(FAIL, errno.EIO, 1), (FAIL, errno.ENOSPC, EVER), (SHORT, 0, 1)],
    "sync": [(FAIL, errno.EIO, 1), (FAIL, errno.EIO, EVER)],
    "size": [(FAIL, errno.EIO, 1)],
    "open": [(FAIL, errno.EMFILE, 1), (FAIL, errno.EIO, 1)],
    "read": [(FAIL, errno.EIO, 1), (FAIL, errno.EIO, EVER)],
    "name": [(FAIL, errno.EIO, 1)],
}
KILLS = {name: [(KILL, 0, 1)] for name in CALLS if name != "read"}


class Log(Kept):
    """Of an account in which more than bumps may have been undone, by an older version."""

    def count(self, recorded: dict[str, Any]) -> None:
        if recorded["type"] != "undo" or recorded["edit"] in self.effects:
            super().count(recorded)


@dataclass
class Case:
    """One database on one disk, what was sent to it, and what was answered."""

    folder: Path
    disk: Disk
    token: str = ""
    goal: str = ""
    acknowledged: dict[str, int] = field(default_factory=dict)
    sent: list[list[dict[str, Any]]] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    ended: str = ""
    killed_server: bool = True  # what is killed is the server, and no command

    def __post_init__(self) -> None:
        self.server = Server(self.folder, *UNLIMITED, env=self.disk.env)

    def client(self) -> Client:
        return self.server.client(self.token or self.server.token)

    def send(self, count: int, note: str = "") -> bool:
        """Sends a batch of bumps; false where nobody answers any more."""
        batch = [edit("bump", goal=self.goal, **({"note": note} if note else {})) for _ in range(count)]
        self.sent.append(batch)
        client = self.client()
        try:
            response = client.edits(*batch)
        except GONE:
            return False
        finally:
            client.close()
        if response.status == 503:
            self.refused |= {bump["id"] for bump in batch}
            return True
        for outcome in response.expect(200).json()["outcomes"]:
            if outcome["status"] != "applied":
                raise Violation(f"a new edit was not applied: {outcome}")
            self.acknowledged[outcome["id"]] = outcome["version"]
        return True

    def start(self) -> bool:
        if starts(self.server):
            return True
        self.note_end()
        return False

    def up(self) -> None:
        """Starts it on a disk that is well."""
        self.disk.disarm()
        self.disk["happened"] = 0
        if not starts(self.server):
            raise Violation(f"it does not start again: {refused_clearly(self.server)}")

    def is_up(self) -> bool:
        """Whether the server still runs; one that was killed is waited for."""
        if self.disk["action"] == KILL and self.disk["happened"] and self.killed_server:
            self.server.wait()
        return self.server.alive()

    def note_end(self) -> None:
        """The server ended by itself: by our kill, or with a sentence."""
        if self.disk["action"] == KILL and self.disk["happened"]:
            self.server.wait()
        else:
            self.ended = refused_clearly(self.server)

    def judge(self) -> None:
        """After a kill and a start on a disk that is well again."""
        if self.is_up():
            self.disk.disarm()
            self.recover()
            self.server.kill()
        self.up()
        kept = self.kept()
        for id, version in self.acknowledged.items():
            if kept.versions.get(id) != version:
                raise Violation(f"acknowledged at {version}, recorded at {kept.versions.get(id)}: {id}")
        for number, batch in enumerate(self.sent):
            known = {edit["id"] in kept.versions for edit in batch}
            if len(known) > 1:
                raise Violation("half a batch was recorded")
            if number < len(self.sent) - 5:
                continue
            outcomes = self.client().outcomes(*batch)
            if {outcome["status"] for outcome in outcomes} != {"duplicate" if known == {True} else "applied"}:
                raise Violation(f"sent again: {outcomes[:2]}")
        progress = self.client().goal(self.goal)["progress"]
        if progress != (total := self.kept().sums.get(self.goal, 0)):
            raise Violation(f"the list says {progress}, the log {total}")
        sound(self.server, "after it")
        self.server.stop()

    def recover(self) -> None:
        """While the server runs on: what was refused is not to be seen, and it takes writes
        again by itself."""
        if self.refused & set(self.kept().versions):
            raise Violation("answered 503, and to be seen in the log")
        until(lambda: self.client().post(f"/v1/goals/{self.goal}/bump").status == 200, "it takes writes again", 15, 0.05)

    def kept(self) -> Kept:
        kept = Log()
        kept.read_on(self.client())
        return kept


Phase = Callable[[Case, Callable[[], None]], None]


def phase_first_start(case: Case, arm: Callable[[], None]) -> None:
    for file in case.folder.iterdir():
        file.unlink()
    case.token, case.goal = "", ""
    arm()
    case.start()


def phase_start(case: Case, arm: Callable[[], None]) -> None:
    """On the log that a kill left."""
    case.server.start()
    case.send(200, "x" * 200)
    case.server.kill()
    arm()
    if case.start():
        case.send(3)


def phase_commit(case: Case, arm: Callable[[], None]) -> None:
    case.server.start()
    case.send(5)
    arm()
    for count in (1, 20, 1, 3):
        if not case.send(count):
            return
    try:
        response = case.client().get("/v1/edits?limit=1000")
    except GONE:
        return
    if response.status == 200:
        missing = set(case.acknowledged) - {entry["id"] for entry in response.json()["edits"]}
        if missing:
            raise Violation(f"acknowledged, and missing in the log that is read: {missing}")
    else:
        response.expect(503, "store-unavailable")


def phase_checkpoint(case: Case, arm: Callable[[], None]) -> None:
    """Of an orderly end."""
    case.server.start()
    case.send(300, "x" * 300)
    arm()
    assert case.server.process
    case.server.process.terminate()
    if case.server.wait() != 0:
        case.note_end()


def phase_full_log(case: Case, arm: Callable[[], None]) -> None:
    """The checkpoint that a full log needs, in the midst of commits: the first writes to the
    database's own file."""
    case.up()
    arm()
    for _ in range(20):
        if not case.send(500, "x" * 400) or case.disk["happened"] or (case.disk["seen"] and case.disk["countdown"] < -EVER):
            return


def phase_merge(case: Case, arm: Callable[[], None]) -> None:
    """On a database in which nearly as many ids wait as set out together."""
    case.server.start()
    arm()
    for _ in range(8):
        if not case.send(400):
            return


def phase_backup(case: Case, arm: Callable[[], None]) -> None:
    case.server.start()
    case.send(50)
    copy = case.folder / "goals.sqlite.copy"
    arm()
    done = case.server.run("backup", str(copy))
    happened = case.disk["happened"]
    case.disk.disarm()
    check_command(case, done, happened)
    if copy.exists():
        goals("verify", database=copy).expect(0)
        copy.unlink()
    elif done.code == 0:
        raise Violation("a backup was made and is not there")
    # A part of one that was cut off bears the second in its name.
    until(lambda: case.server.run("backup", str(copy)).code == 0, "it can be backed up", 5, 0.3)


def phase_restore(case: Case, arm: Callable[[], None]) -> None:
    command(case, arm, "restore", str(case.folder / "backup"), "--force")


def phase_import(case: Case, arm: Callable[[], None]) -> None:
    """Into another account, beside the log that stays as it is."""
    command(case, arm, "import", "other", str(case.folder / "export"))


def command(case: Case, arm: Callable[[], None], *arguments: str) -> None:
    """A command that owns the database: after it failed the database is as before or as
    afterwards, and it can be repeated."""
    before, case.killed_server = case.folder / "before.json", False
    arm()
    done = case.server.run(*arguments, env=case.disk.env)
    happened = case.disk["happened"]
    case.disk.disarm()
    check_command(case, done, happened)
    case.up()
    state = told(case.client())["log"]
    case.server.stop()
    if state not in json.loads(before.read_text()):
        raise Violation("the database is neither that of before nor that of afterwards")
    again = case.server.run(*arguments)
    if again.code != 0 and "edits" not in again.err:  # an import that went through is not repeated
        raise Violation(f"it can't be repeated{again.shown()}")


def check_command(case: Case, done: Finished, happened: int) -> None:
    if done.code in (-9, 137) and case.disk["action"] == KILL and happened:
        return
    if done.code != 0 and not (case.killed_server and case.disk["action"] == KILL and not case.is_up()):
        if not happened:
            raise Violation(f"it failed for no reason{done.shown()}")
        refused_clearly(done)


def phase_migration(case: Case, arm: Callable[[], None]) -> None:
    case.server.database.unlink()
    shutil.copy(FIXTURES / "0.1.0" / "goals.sqlite", case.server.database)
    kept = json.loads((FIXTURES / "0.1.0" / "told.json").read_text())["accounts"]
    arm()
    if case.start() and case.is_up():
        case.server.kill()
    case.up()
    for name, account in kept.items():
        if case.server.client(account["token"]).log() != account["log"]:
            raise Violation(f"the log of {name} is another one after the migration")
    case.token = next(iter(kept.values()))["token"]
    case.goal = case.client().add_goal()


PHASES: dict[str, tuple[Phase, str]] = {
    "first start": (phase_first_start, ""),
    "start": (phase_start, ""),
    "migration": (phase_migration, ""),
    "commit": (phase_commit, ""),
    "checkpoint": (phase_checkpoint, ""),
    "full log": (phase_full_log, "goals.sqlite"),
    "merge": (phase_merge, ""),
    "backup": (phase_backup, ""),
    "restore": (phase_restore, ""),
    "import": (phase_import, ""),
}


class Templates:
    """The databases that the phases begin with."""

    def __init__(self, deep: Deep):
        self.deep, self.plain, self.many, self.full = deep, *(deep.new_folder(name) for name in ("plain", "many", "full"))
        with Server(self.plain, *UNLIMITED).start() as server:
            client = server.client()
            self.token, self.goal = server.token or "", client.add_goal(interval="monthly")
            client.apply(*[edit("bump", goal=self.goal, note=f"note {number}") for number in range(100)])
            server.run("backup", str(self.plain / "backup")).expect(0)
            early = client.log()
            client.apply(*[edit("bump", goal=self.goal) for _ in range(50)])
            (self.plain / "export").write_bytes(client.get("/v1/export").expect(200).body)
            (self.plain / "before.json").write_text(json.dumps([early, client.log()]))
            server.account("other")
            server.stop()
        for name in ("goals.sqlite", "before.json"):
            shutil.copy(self.plain / name, self.many / name)
        with Server(self.many, *UNLIMITED).start() as server:
            client = server.client(self.token)
            for _ in range(65):
                client.edits(*[edit("bump", goal=self.goal) for _ in range(1000)]).expect(200)
            server.stop()

        shutil.copy(self.plain / "goals.sqlite", self.full / "goals.sqlite")
        with Server(self.full, *UNLIMITED).start() as server:
            client, log = server.client(self.token), Path(f"{server.database}-wal")
            # A checkpoint comes after 6000 pages (docs/decisions/0010-checkpoints.md).
            while log.stat().st_size < 5600 * 4120:
                client.edits(*[edit("bump", goal=self.goal, note="x" * 400) for _ in range(200)]).expect(200)
            server.kill()

    def case(self, phase: str) -> Case:
        folder = self.deep.new_folder("case")
        for file in {"merge": self.many, "full log": self.full}.get(phase, self.plain).iterdir():
            if file.name in ("goals.sqlite", "goals.sqlite-wal", "backup", "export", "before.json"):
                shutil.copy(file, folder / file.name)
        return Case(folder, Disk(self.deep, f"{folder}/goals.sqlite"), self.token, self.goal)


def attempt(templates: Templates, phase: str, calls: int, number: int, action: int, error: int, times: int) -> tuple[int, Case]:
    """Answers how many such calls there were after it was armed."""
    case = templates.case(phase)
    run, suffix = PHASES[phase]
    try:
        run(case, lambda: case.disk.arm(calls, number, action, error, times, suffix))
        seen = case.disk["seen"]
        if calls == READ and "malformed" in case.ended:
            raise Violation(f"an error of reading is told as damage: {case.ended}")
        if not case.goal:
            if case.is_up():
                case.server.kill()
            case.up()
            case.token = case.server.token or case.server.run("token", "add", "me", "--name", "again", "--json").expect(0).json()["token"]
            case.goal = case.client().add_goal()
        case.judge()
        return seen, case
    finally:
        case.disk.disarm()
        case.server.kill()
        case.disk.memory.close()
        Path(case.disk.env["DISK_STATE"]).unlink()


def numbers(count: int, most: int, dice: random.Random) -> list[int]:
    """Each of so many calls, or the first ones and some of the others."""
    if count <= most:
        return list(range(1, count + 1))
    first = most // 3
    return [*range(1, first + 1), *sorted(dice.sample(range(first + 1, count + 1), most - first))]


def every_step(deep: Deep, name: str, what: dict[str, list[tuple[int, int, int]]], most: int) -> tuple[Report, Templates]:
    dice, templates, tried = deep.dice(name), Templates(deep), Counter[str]()
    wrong: list[str] = []
    for phase in PHASES:
        ended = Counter[str]()
        for call, actions in what.items():
            if phase == "full log" and call not in ("write", "sync"):
                continue
            count, _ = attempt(templates, phase, CALLS[call], EVER, FAIL, 0, 1)
            # Of the large databases fewer are tried: each is read whole, and verified.
            for number in numbers(count, max(2, most // 3) if phase in ("merge", "full log") else most, dice):
                for action, error, times in actions:
                    place = f"{phase}, {call} {number} of {count}, action {action} {errno.errorcode.get(error, '')} x {times}"
                    try:
                        _, case = attempt(templates, phase, CALLS[call], number, action, error, times)
                    except Exception as problem:  # noqa: BLE001 - whatever it is, it went wrong
                        wrong.append(f"{place}: {problem}")
                        say(f"WRONG {wrong[-1][:1500]}")
                        continue
                    tried[phase] += 1
                    ended[case.ended] += bool(case.ended)
        say(f"{phase}: {tried[phase]} times" + "".join(f"\n    {count} x {sentence[:200]}" for sentence, count in ended.most_common(4)))
    if wrong:
        raise Violation(f"{len(wrong)} of {tried.total() + len(wrong)} went wrong, the first: {wrong[0]}")
    return Report(f"{tried.total()} in all: " + ", ".join(f"{count} in {phase}" for phase, count in tried.items())), templates


def dropped_write(templates: Templates, report: Report) -> None:
    """A write of the log that never gets there must be noticed."""
    try:
        attempt(templates, "commit", WRITE, 3, DROP, 0, EVER)
    except (AssertionError, KeyError) as error:
        control(report, "with writes that are dropped", True, f"it was noticed ({str(error).splitlines()[0][:120]})")
    else:
        control(report, "with writes that are dropped", False, "all was well")
