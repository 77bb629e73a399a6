"""The machine around a server: its clock jumps, zone files can't be read, its disk is full."""

from __future__ import annotations

import errno
import random
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from crash_rig import Lost, Rig, Writer
from frozen_clock import FrozenClock
from goals_client import Client, edit, instant, until
from goals_server import UNLIMITED, Server
from one_order import Violation
from rig import FAIL, OPEN, READ, Deep, Disk, NotHere, Report, control, file_system, say, sound, threaded

ZONE = "Asia/Tokyo"
ZONE_FILE = f"/usr/share/zoneinfo/{ZONE}"


def clock(deep: Deep, rounds: int, report: Report) -> str:
    """The clock jumps forwards and backwards, by seconds and by years, while the server runs and
    between its runs."""
    folder, dice = deep.new_folder("clock"), deep.dice("clock")
    frozen = FrozenClock(folder)
    start = datetime(2026, 11, 20, 12, tzinfo=UTC)
    now = latest = start
    frozen.set(now.isoformat())
    server = Server(folder, *UNLIMITED, env=frozen.env).start()
    sent: list[str] = []
    try:
        goal = server.client().add_goal(interval="monthly")
        for number in range(rounds):
            now += timedelta(seconds=dice.choice([-1, 1, -3600, 90_000, -40 * 86400, 400 * 86400, -3 * 365 * 86400]))
            now = max(now, start)
            latest = max(latest, now)
            frozen.set(now.isoformat())
            if number % 5 == 4:
                server.kill() if dice.random() < 0.5 else server.stop()
                server.start()
            bump = edit("bump", goal=goal)
            client = server.client()
            sent += [bump["id"]] if client.outcomes(bump)[0]["status"] == "applied" else []
            recorded = client.get(f"/v1/edits/{bump['id']}").expect(200).json()
            if recorded["at"] != instant(now.timestamp()) or recorded["day"] != f"{now:%Y-%m-%d}":
                raise Violation(f"at {now} a bump was recorded as {recorded}")
            client.get("/v1/goals").expect(200)
            client.close()
        log = server.client().log()
        if not in_order(log) or [entry["id"] for entry in log[2:]] != sent:
            raise Violation("the log is not in the order in which it was recorded")
        sound(server, "after jumps of the clock")
    finally:
        server.kill()
    log[3], log[4] = log[4] | {"recordedAt": "2099"}, log[3]
    control(report, "a log recorded backwards", not in_order(log), "it was noticed")
    return f"{rounds} jumps of the clock: days and instants as they must be"


def in_order(log: list[dict[str, Any]]) -> bool:
    times = [entry["recordedAt"] for entry in log]
    return times == sorted(times)


def zones(deep: Deep, report: Report) -> str:
    """What needs a zone that can't be read is refused and recorded nowhere; later it counts on
    the right day."""
    tried = 0
    for calls, error in ((OPEN, errno.EMFILE), (OPEN, errno.EIO), (READ, errno.EIO), (OPEN, errno.ENOENT)):
        for number in (1, 2):
            folder = deep.new_folder("zones")
            disk = Disk(deep, ZONE_FILE)
            with Server(folder, *UNLIMITED, env=disk.env).start() as server:
                token = server.run("account", "add", "far", "--time-zone", ZONE, "--json").expect(0).json()["token"]
                goal = server.client(token).add_goal(interval="monthly")
                server.stop()
                disk.arm(calls, number, FAIL, error, times=1 if error != errno.ENOENT else 1 << 40)
                server.start()
                happened = count_a_day(server.client(token), goal, disk)
                disk.disarm()
                evening = datetime.now(UTC).replace(hour=18, minute=0) - timedelta(days=1)
                right = f"{evening + timedelta(hours=9):%Y-%m-%d}"
                client = server.client(token)
                until(lambda: bumped(client, goal, evening).status == 200, f"{ZONE} is read again", 65, 0.2)
                wrong = [entry for entry in client.log() if entry["type"] == "bump" and entry["day"] != right]
                if wrong:
                    raise Violation(f"call {number} for {ZONE} failed with {errno.errorcode[error]}: recorded on a wrong day: {wrong[0]}")
                client.patch("/v1/account", {"timeZone": "Europe/Paris"}).expect(200)
                client.patch("/v1/account", {"timeZone": ZONE}).expect(200)
                sound(server, "after a zone that could not be read")
                tried += happened
    if not tried:
        raise Violation("no call for the zone's file was ever seen")
    with Server(deep.new_folder("zones"), *UNLIMITED).start() as server:
        client = server.client()  # lives in UTC
        goal = client.add_goal()
        bumped(client, goal, evening)
        control(report, "an account in UTC", client.log()[-1]["day"] != right, "counts on another day")
    return f"{tried} zone files that could not be read: no wrong day"


def bumped(client: Client, goal: str, at: datetime) -> Any:
    response = client.post(f"/v1/goals/{goal}/bump", {"at": at.isoformat()})
    if response.status not in (200, 503):
        raise Violation(f"neither counted nor unavailable{response.shown()}")
    return response


def count_a_day(client: Client, goal: str, disk: Disk) -> int:
    """Bumps while the zone fails; what is answered 503 is not in the log."""
    evening = datetime.now(UTC).replace(hour=18, minute=0) - timedelta(days=1)
    for _ in range(3):
        before = client.version()
        if bumped(client, goal, evening).status == 503 and client.version() != before:
            raise Violation("answered 503, and recorded")
    return int(disk["happened"] > 0)


class RefusedWriter(Writer):
    """Stops at the first refusal, which is no acknowledgement."""

    def single(self, bump: dict[str, Any]) -> None:
        super().single(bump)
        if self.fault:
            del self.acknowledged[bump["id"]]


class FullRig(Rig):
    """`crash_rig.Rig` on a file system that its writers find full, and that has room again."""

    def round(self) -> tuple[int, int]:
        writers = [RefusedWriter(self.client(), self.goals, random.Random(self.numbers.getrandbits(64))) for _ in range(4)]
        ballast = self.server.folder / "ballast"
        with threaded(*[writer.run for writer in writers]):
            time.sleep(self.numbers.uniform(0, 0.1))
            fill(ballast)
            until(lambda: all(writer.fault for writer in writers), "a full disk refuses", 30)
            killed = self.numbers.random() < 0.5
            if killed:
                self.server.kill()
        refused = {w.fault for w in writers if w.fault and "503" not in w.fault}
        if refused:
            raise Lost(f"a full disk is told otherwise: {refused.pop()}")
        for writer in writers:
            writer.fault = None
        ballast.unlink()
        if killed:
            self.server.start()
        client, bump = self.client(), writers[0].bump()
        until(lambda: client.edits(bump).status == 200, "it takes writes again", 15, 0.05)
        self.judge(writers)
        return sum(len(w.acknowledged) for w in writers), 0


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as out:
        for size in (1 << 16, 512):
            try:
                while True:
                    out.write(b"\0" * size)
            except OSError:
                pass


def full(deep: Deep, rounds: int, report: Report) -> str:
    owed = 0
    with file_system(deep, "ext4", 64) as system:
        rig = FullRig(system.folder, deep.dice("full").getrandbits(32))
        try:
            for _ in range(rounds):
                owed += rig.round()[0]
            forgotten = Writer(rig.client(), rig.goals, random.Random(1), acknowledged={"00000000-0000-4000-8000-000000000000": 5})
            try:
                rig.judge([forgotten])
            except Lost as error:
                control(report, "an edit that was never recorded on the full disk", True, str(error)[:60])
            else:
                control(report, "an edit that was never recorded on the full disk", False, "it was believed")
        finally:
            rig.server.kill()
    return f"{rounds} times a disk that was full and had room again, {owed} edits owed: none lost"


def run(deep: Deep) -> Report:
    report, tried = Report(""), []
    wrong: list[str] = []
    parts: list[Callable[[], str]] = [
        lambda: clock(deep, deep.rounds(300, 40), report),
        lambda: full(deep, deep.rounds(30, 4), report),
        lambda: zones(deep, report),
    ]
    for part in parts:
        try:
            tried.append(part())
        except NotHere as missing:
            tried.append(f"NOT TRIED: a full disk, which needs {missing}")
        except AssertionError as error:
            wrong.append(str(error))
            say(f"WRONG {wrong[-1][:1000]}")
            continue
        say(tried[-1])
    report.tried = "; ".join(tried)
    if wrong:
        raise Violation(f"{wrong[0].splitlines()[0]}; {report.tried}")
    return report
