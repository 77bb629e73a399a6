"""The power goes off under sixteen writers; what was acknowledged before is there afterwards.

The file systems are on loop devices. Their shutdown (what `xfs_io -x -c shutdown` does) throws
away all that was not written to the device, as a cut does. Half of the cuts come from inside a
checkpoint, just before a write to the database's own file (disk.c), the others at random
moments. An answer counts if it was read before the cut.
"""

from __future__ import annotations

import random
import time
from typing import Any

from crash_rig import WRITERS, Kept, Lost, Rig, Writer
from goals_client import Closed
from goals_server import UNLIMITED, Server
from one_order import Violation
from rig import CUT, WRITE, Deep, Disk, FileSystem, NotHere, Report, control, file_system, say, starts, threaded

ROUNDS_A_DATABASE = 10


class Owed(dict[str, int]):
    """Edits that were acknowledged before the cut."""

    def __init__(self, disk: Disk):
        super().__init__()
        self.disk = disk

    def __setitem__(self, id: str, version: int) -> None:
        if self.disk["cut"] == 0:
            super().__setitem__(id, version)


class OwedWriter(Writer):
    """Writes until the cut; long notes fill the log, so that checkpoints are frequent."""

    disk: Disk

    def batch(self) -> list[dict[str, Any]]:
        return super().batch() + [{**self.bump(), "note": "x" * self.numbers.randint(0, 450)} for _ in range(40)]

    def single(self, bump: dict[str, Any]) -> None:
        super().single(bump)
        self.end()

    def several(self, batch: list[dict[str, Any]]) -> None:
        super().several(batch)
        self.end()

    def end(self) -> None:
        if self.disk["cut"] != 0:
            self.fault = None
            raise Closed("the power is off")


class PowerRig(Rig):
    """`crash_rig.Rig` on a file system whose power is cut."""

    def __init__(self, system: FileSystem, deep: Deep, seed: int, lies: bool = False):
        self.system, self.deep = system, deep
        self.disk = Disk(deep, system.folder)
        self.disk["lies"] = int(lies)
        self.numbers = random.Random(seed)
        folder = system.folder / f"d{seed}"
        folder.mkdir()
        self.server = Server(folder, *UNLIMITED, env=self.disk.env).start()
        self.token = self.server.token
        client = self.client()
        self.goals = [client.add_goal(title=f"goal {number}", interval="monthly") for number in range(20)]
        self.kept = Kept()
        self.kept.read_on(client)
        self.restarts = 0
        system.sync()

    def write_until_cut(self, in_checkpoint: bool) -> list[OwedWriter]:
        self.disk["cut"] = 0
        writers: list[OwedWriter] = []
        for _ in range(WRITERS):
            writer = OwedWriter(self.client(), self.goals, random.Random(self.numbers.getrandbits(64)), Owed(self.disk))
            writer.disk = self.disk
            writers.append(writer)
        with threaded(*[writer.run for writer in writers]):
            if in_checkpoint:
                self.disk.arm(WRITE, self.numbers.randint(1, 120), CUT, suffix="goals.sqlite")
                deadline = time.monotonic() + 6
                while self.disk["cut"] == 0 and time.monotonic() < deadline and self.server.alive():
                    time.sleep(0.01)
                if self.disk["cut"] == 0 and self.server.process:
                    self.server.process.terminate()  # the checkpoint of an orderly end
                    while self.disk["cut"] == 0 and self.server.alive():
                        time.sleep(0.005)
            else:
                time.sleep(self.numbers.uniform(0.05, 0.6))
            if self.disk["cut"] == 0:
                in_checkpoint = False
                self.disk["cut"] = time.monotonic_ns()
                self.system.cut()
            if self.disk["cut"] < 0:
                raise Violation(f"the cut failed with {-self.disk['cut']}")
            time.sleep(0.02)
            self.server.kill()
        self.disk.disarm()
        self.in_checkpoint = in_checkpoint
        self.system.unmount()
        self.system.mount()
        for writer in writers:
            writer.client.close()
        return writers

    def cut_round(self, in_checkpoint: bool) -> int:
        writers = self.write_until_cut(in_checkpoint)
        if not starts(self.server):
            raise Lost(f"the server does not start after a cut{self.server.shown()}")
        self.judge(writers)
        return sum(len(writer.acknowledged) for writer in writers)

    def lost(self) -> tuple[int, int]:
        """A cut whose losses are counted: of how many owed edits how many are gone."""
        writers = self.write_until_cut(False)
        owed = {id for writer in writers for id in writer.acknowledged}
        try:
            if starts(self.server):
                self.kept.read_on(self.client())
        except (Lost, AssertionError):
            pass  # the head of the log is gone, too: all that can't be read is lost
        self.server.kill()
        return len(owed - set(self.kept.versions)), len(owed)


def cuts(deep: Deep, kind: str, rounds: int, report: Report) -> str:
    owed = inside = done = 0
    dice = deep.dice(f"power {kind}")
    with file_system(deep, kind) as system:
        while done < rounds:
            rig = PowerRig(system, deep, dice.getrandbits(32))
            try:
                for _ in range(min(ROUNDS_A_DATABASE, rounds - done)):
                    owed += rig.cut_round(in_checkpoint=done % 2 == 0)
                    inside += rig.in_checkpoint
                    done += 1
                rig.end()
            finally:
                rig.server.kill()
            for file in rig.server.folder.iterdir():
                file.unlink()
            say(f"{kind}: {done} cuts, {inside} in a checkpoint, {owed} edits owed")
        rig = PowerRig(system, deep, dice.getrandbits(32), lies=True)
        lost, told = rig.lost()
        control(report, f"{kind} with an fdatasync that does nothing", lost > 0, f"{lost} of {told} acknowledged edits were lost")
    if inside * 4 < rounds:
        raise Violation(f"only {inside} of {rounds} cuts were in a checkpoint")
    return f"{kind}: {done} cuts, {inside} of them in a checkpoint, {owed} edits owed: none lost, none twice"


def run(deep: Deep) -> Report:
    report, tried = Report(""), []
    rounds = deep.rounds(60, 8)
    for kind in ("ext4", "xfs"):
        try:
            tried.append(cuts(deep, kind, rounds, report))
        except NotHere as missing:
            tried.append(f"NOT TRIED: {kind}, which needs {missing}")
    report.tried = "; ".join(tried)
    return report
