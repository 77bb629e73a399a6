"""Files that were damaged: a server never tells wrong data without `goals verify` noticing.

A database after an orderly end, one with the log that a kill left, and a backup; in each a byte,
a bit, a sector or the end is damaged. Then one of these holds: `goals verify`, `goals restore`
or the server's start refuses it; or all that the accounts say is as it was. Of a damaged log its
end may be missing, as SQLite's recovery leaves it (the checksum of a frame does not fit,
sqlite.org/walformat.html §4.4): then the accounts say what they said at some earlier version.
What the server tells before anybody verifies is compared, too, and counted.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from goals_client import edit
from goals_server import UNLIMITED, Server, goals
from one_order import GONE, Violation
from rig import Deep, Report, control, refused_clearly, say, starts, told

SECTOR = 512


class Damaged:
    """The files, what was told of them, and their damaged copies."""

    def __init__(self, deep: Deep):
        self.dice = deep.dice("torn")
        self.folder, self.case = deep.new_folder("whole"), deep.folder / "torn"
        with Server(self.folder, *UNLIMITED).start() as server:
            me, other = server.client(), server.new_client("other")
            self.tokens = [me.token or "", other.token or ""]
            for client in (me, other):
                goals = [client.add_goal(title=f"goal {number}", interval="weekly") for number in range(4)]
                for number in range(40):
                    client.apply(*[edit("bump", goal=self.dice.choice(goals), note=f"note {number} {n}") for n in range(10)])
                client.apply(edit("delete", goal=goals[0]))
            server.run("backup", str(self.folder / "backup")).expect(0)
            server.stop()
            shutil.copy(server.database, self.folder / "stopped")
            server.start()
            for client in (server.client(token) for token in self.tokens):
                goal = client.goals()[0]["id"]
                for number in range(60):
                    client.apply(edit("bump", goal=goal, note=f"late {number}"))
            self.late = [told(server.client(token)) for token in self.tokens]
            server.kill()
            shutil.copy(server.database, self.folder / "killed")
            shutil.copy(f"{server.database}-wal", self.folder / "killed-wal")
        self.early = [{**each, "log": each["log"][:-60]} for each in self.late]

    def damage(self, file: Path, name: str) -> str:
        data = bytearray(file.read_bytes())
        at = self.dice.randrange(len(data))
        if name == "a bit":
            data[at] ^= 1 << self.dice.randrange(8)
        elif name == "a byte":
            data[at] = (data[at] + self.dice.randrange(1, 256)) % 256
        elif name == "a sector of zeros":
            at -= at % SECTOR
            data[at : at + SECTOR] = bytes(SECTOR)
        elif name == "a sector of another place":
            at -= at % SECTOR
            other = self.dice.randrange(len(data) // SECTOR) * SECTOR
            data[at : at + SECTOR] = data[other : other + SECTOR]
        elif name == "sixteen bytes":
            data[at : at + 16] = self.dice.randbytes(len(data[at : at + 16]))
        else:
            del data[at:]
        file.write_bytes(data)
        return f"{name} at {at} of {file.name}"

    def round(self, kind: str, name: str) -> tuple[str, str]:
        """Answers where it was damaged and what came of it."""
        shutil.rmtree(self.case, ignore_errors=True)
        self.case.mkdir()
        database = self.case / "goals.sqlite"
        if kind == "backup":
            shutil.copy(self.folder / "backup", self.case / "backup")
            where = self.damage(self.case / "backup", name)
            done = goals("restore", str(self.case / "backup"), database=database)
            if done.code:
                refused_clearly(done)
                return where, "refused by restore"
            return where, self.look(kind, where, verified=True)
        shutil.copy(self.folder / ("stopped" if kind == "stopped" else "killed"), database)
        if kind != "stopped":
            shutil.copy(self.folder / "killed-wal", f"{database}-wal")
        where = self.damage(Path(f"{database}-wal") if kind == "log" else database, name)
        copy = self.case / "verified"
        copy.mkdir()
        for file in self.case.glob("goals.sqlite*"):
            shutil.copy(file, copy / file.name)
        done = goals("verify", database=copy / "goals.sqlite")
        if done.code:
            refused_clearly(done)
        return where, self.look(kind, where, verified=done.code == 0)

    def look(self, kind: str, where: str, verified: bool) -> str:
        """What the server tells; a violation where that is wrong and verify found it sound."""
        server = Server(self.case, *UNLIMITED)
        try:
            if not starts(server):
                refused_clearly(server)
                return "refused at start"
            seen, same = [], True
            for number, token in enumerate(self.tokens):
                try:
                    now = told(server.client(token))
                except (*GONE, AssertionError) as error:
                    if not server.alive():
                        raise Violation(f"{where}: it made the server end{server.shown()}") from None
                    seen.append(str(error)[:40])
                    continue
                same = same and self.matches(now, number, kind)
            if not same and verified:
                raise Violation(f"{where}: the server tells other data, and verify finds it sound")
            if not verified:
                return "noticed by verify" if same else "noticed by verify; the server told other data"
            if seen:
                raise Violation(f"{where}: verify finds it sound, and the server does not answer: {seen}")
            return "no difference"
        finally:
            server.kill()

    def matches(self, now: dict[str, Any], number: int, kind: str) -> bool:
        late = self.late[number]
        most = len(late["log"]) if kind in ("log", "killed") else len(late["log"]) - 60
        least = 0 if kind == "log" else most
        count = len(now["log"])
        same = least <= count <= most and now["log"] == late["log"][:count]
        fixed = ("id", "name", "timeZone", "weekStart", "dayStart", "createdAt")
        same = same and all(now["account"][name] == late["account"][name] for name in fixed)
        return same and self.listed(now["goals"]) == self.listed(late["goals"], late["log"][count:])

    @staticmethod
    def listed(goals: list[dict[str, Any]], without: Iterable[dict[str, Any]] = ()) -> dict[str, int]:
        """The goals' counts, but for the bumps that are missing at the end of the log."""
        taken = Counter[str]()
        for bump in without:
            taken[bump["goal"]] += bump["by"]
        return {goal["id"] + goal["title"]: goal["progress"] - taken[goal["id"]] for goal in goals}


NAMES = ["a bit", "a byte", "a sector of zeros", "a sector of another place", "sixteen bytes", "the end"]


def run(deep: Deep) -> Report:
    damaged = Damaged(deep)
    seen, wrong = Counter[str](), []
    for number in range(deep.rounds(600, 72)):
        kind = ("stopped", "killed", "log", "backup")[number % 4]
        try:
            _, outcome = damaged.round(kind, NAMES[number // 4 % len(NAMES)])
            seen[f"{kind}: {outcome}"] += 1
        except Violation as error:
            wrong.append(str(error))
            say(f"WRONG {wrong[-1][:600]}")
    for outcome, count in sorted(seen.items()):
        say(f"{count} x {outcome}")
    if wrong:
        raise Violation(f"{len(wrong)} of {seen.total() + len(wrong)} went wrong, the first: {wrong[0]}")
    total = Counter(outcome.partition(": ")[2] for outcome in seen.elements())
    report = Report(f"{seen.total()} damaged files: " + ", ".join(f"{count} {what}" for what, count in total.most_common()))
    altered(damaged, report)
    return report


def altered(damaged: Damaged, report: Report) -> None:
    """A note of the log, rewritten in place with as many bytes: verify must notice, and so must
    the comparison."""
    shutil.rmtree(damaged.case, ignore_errors=True)
    damaged.case.mkdir()
    database = damaged.case / "goals.sqlite"
    data = (damaged.folder / "stopped").read_bytes()
    database.write_bytes(data.replace(b"note 17 3", b"note 17 8"))
    done = goals("verify", database=database)
    control(report, "a note rewritten in the file", done.code == 1, "verify refused it")
    database.write_bytes(damaged.folder.joinpath("stopped").read_bytes())
    damaged.late[0]["log"][20]["note"] = "remembered otherwise"
    try:
        damaged.look("stopped", "nothing", verified=True)
    except Violation as error:
        control(report, "a sound file, and another memory of it", True, str(error).partition(": ")[2])
    else:
        control(report, "a sound file, and another memory of it", False, "the comparison saw nothing")
