"""Databases to start from: the same accounts, tokens and goals for every server.

One account is made by Goals itself: an import of a log that is written here, chain and all. The others
are copies of its rows, which are valid as they are: neither the chain nor any id says whose it is.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import places
from running import Failure, Json

DAY = 86_400_000
INTERVALS = ["daily", "weekly", "monthly"]
COLOURS = ["green", "blue", "cyan", "yellow", "orange", "red", "purple"]
CALENDAR = '{"timeZone":"UTC","weekStart":"monday","dayStart":"00:00"}'
DEVICE = "bench"


def instant(milliseconds: int) -> str:
    moment = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"


def made_id(kind: str, number: int) -> str:
    """An id that is the same every time."""
    return str(uuid.UUID(bytes=hashlib.sha256(f"{kind} {number}".encode()).digest()[:16], version=4))


@dataclass(frozen=True)
class Fixture:
    accounts: int = 1
    goals: int = 20
    # How many days back each goal has bumps, and on each so many-th of them one.
    days: int = 0
    every: int = 1
    # How many bumps the log has beside those, spread over the goals and the last hundred days.
    bumps: int = 0

    @property
    def token(self) -> str:
        return self.token_of(0)

    def token_of(self, account: int) -> str:
        return "goals_" + hashlib.sha256(f"token {account}".encode()).hexdigest()

    @cached_property
    def goal_ids(self) -> list[str]:
        return [made_id("goal", number) for number in range(self.goals)]

    @property
    def edits(self) -> int:
        """In an account's log."""
        return self.goals + 1 + self.goals * self.days // self.every + self.bumps

    # For the loads

    def load_file(self) -> Path:
        """A line for each account: its token, then its goals. Made once."""
        path = places.WORK / f"accounts-{self.accounts}x{self.goals}.txt"
        if not path.exists():
            ids = " ".join(self.goal_ids)
            write_whole(path, "".join(f"{self.token_of(account)} {ids}\n" for account in range(self.accounts)).encode())
        return path

    # For the peers

    def peer_database(self, path: Path) -> None:
        database = sqlite3.connect(path, isolation_level=None)
        database.executescript(places.SCHEMA.read_text())
        database.execute("BEGIN")
        for account in range(1, self.accounts + 1):
            secret = hashlib.sha256(self.token_of(account - 1).encode()).digest()
            database.execute("INSERT INTO account VALUES (?, ?, 0)", (account, f"account {account}"))
            database.execute("INSERT INTO token VALUES (?, ?, ?, NULL)", (secret, account, DEVICE))
            database.executemany(
                "INSERT INTO goal VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
                (
                    (account, uuid.UUID(id).bytes, place, *self.goal(place))
                    for place, id in enumerate(self.goal_ids)
                ),
            )
        database.execute("COMMIT")
        database.close()

    def goal(self, place: int) -> tuple[str, str, str, int, str | None]:
        """Title, colour, interval, frequency and unit of the goal at a place of the list."""
        return (
            f"Goal number {place + 1}",
            COLOURS[place % len(COLOURS)],
            INTERVALS[place % len(INTERVALS)],
            1 + place % 9,
            [None, "km", "glasses", "pages"][place % 4],
        )

    # For Goals

    def goals_database(self, path: Path) -> None:
        """Puts a copy where it is wanted; what it is a copy of is made once for each binary."""
        shutil.copy(self.prepared(), path)

    @cached_property
    def path(self) -> Path:
        """Where its database is kept, once it is made."""
        name = f"{self.accounts}x{self.goals}-{self.days}-{self.every}-{self.bumps}.sqlite"
        return places.WORK / "prepared" / made_by() / name

    def prepared(self) -> Path:
        if not self.path.exists():
            folder = self.path.parent
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / "unfinished.sqlite"
            log = path.with_suffix(".ndjson")
            self.write_log(log)
            self.import_log(log, path)
            log.unlink()
            self.multiply(path)
            for leftover in folder.glob("unfinished.sqlite-*"):
                raise Failure(f"{leftover} is left: the database was not closed well")
            path.rename(self.path)
        return self.path

    def import_log(self, log: Path, database: Path) -> float:
        """Makes a database with the one account, and imports its log; how long the import took, in seconds."""
        for file in database.parent.glob(database.name + "*"):
            file.unlink()
        account = goals(["account", "add", "account 1", "--json"], database)
        began = time.perf_counter()
        goals(["import", json.loads(account)["id"], str(log)], database)
        return time.perf_counter() - began

    def write_log(self, path: Path) -> None:
        with path.open("wb") as output:
            for line in self.log():
                output.write(line)

    def log(self) -> Iterator[bytes]:
        """The lines of an export (docs/decisions/0007-export-and-import.md)."""
        start = int(time.time()) // 86400 * DAY - (max(self.days, 100) + 2) * DAY
        chain = hashlib.sha256(b"goals/1\n" + CALENDAR.encode()).digest()
        yield f'{{"export":"goals","format":1,"calendar":{CALENDAR}}}\n'.encode()
        version = 0
        # What was counted is recorded afterwards, as by a device that comes back after years.
        recorded = instant(start + (max(self.days, 100) + 1) * DAY)
        for id, fields, at, day in self.entries(start):
            version += 1
            line = (
                f'{{"id":"{id}",{fields},"at":"{instant(at)}","version":{version},'
                f'"recordedAt":"{recorded}","device":"{DEVICE}"{day}}}'
            ).encode()
            chain = hashlib.sha256(chain + b"\x01" + line).digest()
            yield line + b"\n"
        yield f'{{"whole":true,"edits":{version},"chain":"{chain.hex()}"}}\n'.encode()

    def entries(self, start: int) -> Iterator[tuple[str, str, int, str]]:
        """Id, the fields that its type has, instant, and the day as the line has it, of each edit."""
        # An added goal comes first in the list.
        for place in reversed(range(self.goals)):
            title, colour, interval, frequency, unit = self.goal(place)
            goal: Json = {"id": self.goal_ids[place], "title": title, "colour": colour, "interval": interval}
            goal |= {"frequency": frequency, "unit": unit}
            text = json.dumps(goal, separators=(",", ":"))
            yield made_id("add", place), f'"type":"add","goal":{text}', start, ""
        activity = ",".join(f'"{id}":true' for id in self.goal_ids)
        yield made_id("activity", 0), f'"type":"setActivity","activity":{{{activity}}}', start, ""
        bump = [f'"type":"bump","goal":"{id}","by":1' for id in self.goal_ids]
        for day in range(1, self.days + 1):
            at = start + day * DAY
            text = f',"day":"{instant(at)[:10]}"'
            for place in range(day % self.every, self.goals, self.every):
                yield str(uuid.UUID(int=(day << 32 | place) << 64 | 1)), bump[place], at, text
        days = [(start + day * DAY, f',"day":"{instant(start + day * DAY)[:10]}"') for day in range(1, 101)]
        digest = hashlib.blake2b
        for number in range(self.bumps):
            # Random, as a client's UUIDv4 is, and the same every time.
            id = digest(number.to_bytes(8, "big"), digest_size=16).hexdigest()
            at, text = days[number * 100 // self.bumps]
            written = f"{id[:8]}-{id[8:12]}-4{id[13:16]}-8{id[17:20]}-{id[20:]}"
            yield written, bump[number % self.goals], at, text

    def multiply(self, path: Path) -> None:
        """Gives the first account its token, and copies its rows for the others."""
        database = sqlite3.connect(path, isolation_level=None)
        secrets = "CREATE TEMP TABLE made (number INTEGER PRIMARY KEY, id BLOB, secret BLOB)"
        database.execute("PRAGMA synchronous = OFF")
        database.execute("BEGIN")
        database.execute(secrets)
        # An import gives the account another number.
        ((first,),) = database.execute("SELECT number FROM account").fetchall()
        database.executemany(
            "INSERT INTO made VALUES (?, ?, ?)",
            (
                (
                    first + number,
                    uuid.UUID(made_id("account", number)).bytes,
                    hashlib.sha256(self.token_of(number).encode()).digest(),
                )
                for number in range(self.accounts)
            ),
        )
        database.execute("UPDATE token SET name = ?, secret = (SELECT secret FROM made WHERE number = ?)", (DEVICE, first))
        changed = {
            "account": {"number": "made.number", "id": "made.id", "name": "'account ' || made.number"},
            "token": {"account": "made.number", "id": "made.id", "secret": "made.secret"},
            "edit": {"place": "(made.number << 40) + (place & ((1 << 40) - 1))"},
            "edit_id": {"account": "made.number"},
            "snapshot": {"account": "made.number"},
            "goal": {"account": "made.number"},
            "day": {"account": "made.number"},
        }
        # An import leaves none to wait for the index.
        assert database.execute("SELECT count(*) FROM recent_id").fetchone() == (0,)
        owner = {"account": "number", "edit": "place >> 40"}
        for table, values in changed.items():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            kept = ", ".join(values.get(column, f"{table}.{column}") for column in columns)
            database.execute(
                f"INSERT INTO {table} ({', '.join(columns)}) SELECT {kept} FROM made, {table}"
                f" WHERE made.number > {first} AND {table}.{owner.get(table, 'account')} = {first}"
            )
        assert database.execute("SELECT count(*) FROM account").fetchone() == (self.accounts,)
        database.execute("COMMIT")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()


def goals(arguments: list[str], database: Path | str) -> str:
    """Runs `goals …` on a database, to its end; what it prints."""
    command = [str(places.GOALS), *arguments, "--database", str(database)]
    own = {name: value for name, value in os.environ.items() if not name.startswith("GOALS_")}
    result = subprocess.run(command, env=own, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise Failure(f"{' '.join(command)}: {result.stderr.strip()}")
    return result.stdout


def binary_digest() -> str:
    if not places.GOALS.exists():
        raise Failure(f"there is no {places.GOALS}: `make bench` builds it")
    return hashlib.sha256(places.GOALS.read_bytes()).hexdigest()[:12]


def made_by() -> str:
    """What the databases depend on: the binary, what is written here, and the day, up to which they have bumps."""
    digest = hashlib.sha256(binary_digest().encode() + Path(__file__).read_bytes())
    return f"{digest.hexdigest()[:12]}-{int(time.time()) // 86400}"


def forget_others() -> None:
    """Takes away what was made with other binaries, or on other days."""
    for folder in (places.WORK / "prepared").glob("*"):
        if folder.name != made_by():
            shutil.rmtree(folder)


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file that is there whole, or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_bytes(data)
    unfinished.rename(path)
