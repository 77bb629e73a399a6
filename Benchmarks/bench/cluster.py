"""A cluster of PostgreSQL with the accounts of a fixture, and what its processes have used."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import places
from fixtures import DEVICE, Fixture, goals
from running import TICKS, Failure, free_port, stat, wait_until

# After those of cluster.sh: the limits of the log that PostgreSQL has by itself, and room for clients.
SETTINGS = ["max_wal_size = 1GB", "min_wal_size = 80MB", "max_connections = 300", "listen_addresses = '127.0.0.1'"]
DURABLE = ("fsync", "full_page_writes", "synchronous_commit")

# Copies the one account that is there, as `Fixture.multiply` does in a file. pgbench can work out
# the ids.
COPIES = """
CREATE TEMP TABLE made AS
SELECT md5('account ' || number)::uuid AS id, 'account ' || number AS name,
  sha256(convert_to('goals_' || encode(sha256(convert_to('token ' || number, 'UTF8')), 'hex'), 'UTF8')) AS secret
FROM generate_series(0, {accounts} - 1) AS number;
"""
COPY = """
INSERT INTO {table} SELECT copy.* FROM made, {table} AS first,
  jsonb_populate_record(first, jsonb_build_object({values})) AS copy;
DELETE FROM {table} WHERE {owner} NOT IN (SELECT id FROM made);
"""
CHANGED = [
    ("account", "id", "'id', made.id, 'name', made.name"),
    ("token", "account", f"'account', made.id, 'id', made.id, 'secret', made.secret, 'name', '{DEVICE}'"),
    *((table, "account", "'account', made.id") for table in ("edit", "undo_chain", "snapshot", "goal", "day", "note")),
]


class Cluster:
    """A cluster with the accounts of a fixture in its database. It is gone when it is killed, or the bench ends."""

    def __init__(self, fixture: Fixture):
        self.port = free_port()
        settings = "\n".join([*SETTINGS, f"port = {self.port}"])
        result = subprocess.run(
            [places.CLUSTER, "start", settings], env={**os.environ, "TMPDIR": str(places.WORK)},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        *_, last = result.stdout.splitlines() or [""]
        if result.returncode != 0 or not last.startswith("ready "):
            raise Failure(f"no cluster of PostgreSQL was started: {result.stdout} {result.stderr}")
        self.folder = Path(last.removeprefix("ready "))
        # Ends the cluster at the end of its input, which comes with the end of the bench, too.
        self._watch = subprocess.Popen([places.CLUSTER, "watch", self.folder], stdin=subprocess.PIPE)
        self.pid = int((self.folder / "data/postmaster.pid").read_text().split("\n")[0])
        try:
            self.fill(fixture)
        except BaseException:
            self.kill()
            raise

    @property
    def url(self) -> str:
        """For a role that owns the database, and is no superuser."""
        return f"postgresql://goals@127.0.0.1:{self.port}/goals"

    def fill(self, fixture: Fixture) -> None:
        self.ask("CREATE ROLE goals LOGIN;\nCREATE DATABASE goals OWNER goals;", database="postgres")
        goals(["migrate"], self.url)
        account = json.loads(goals(["account", "add", "account 1", "--json"], self.url))
        log = places.WORK / "log.ndjson"
        fixture.write_log(log)
        goals(["import", account["id"], str(log)], self.url)
        log.unlink()
        copies = "".join(COPY.format(table=table, owner=owner, values=values) for table, owner, values in CHANGED)
        self.ask(COPIES.format(accounts=fixture.accounts) + copies + "VACUUM ANALYZE;\nCHECKPOINT;")

    def ask(self, sql: str, database: str = "goals") -> str:
        """Runs statements as the superuser; the rows that they answer, as text."""
        command = ["psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1"]
        result = subprocess.run(command, input=sql, capture_output=True, text=True)
        if result.returncode != 0:
            raise Failure(f"PostgreSQL refuses: {result.stderr}")
        return result.stdout.strip()

    def check_durability(self) -> None:
        found = {name: self.ask(f"SHOW {name}") for name in DURABLE}
        if set(found.values()) != {"on"}:
            raise Failure(f"PostgreSQL is not durable: {found}")

    def wait_until_left(self) -> None:
        """Waits until nobody is connected but who asks."""
        others = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        wait_until(lambda: self.ask(others) == "0", "clients leave PostgreSQL", step=0.05)

    def processes(self) -> list[int]:
        """Its first process, and those that this one has started and that are there."""
        return [self.pid, *(pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if parent(pid) == self.pid)]

    def connections(self) -> int:
        """Of the role `goals`, each of which has a process that says so."""
        return sum(title(pid).startswith("postgres: goals ") for pid in self.processes())

    def cpu_seconds(self) -> float:
        """What all its processes have computed, those that have ended, too."""
        while True:
            ended = stat(self.pid)[13:15]
            running = [ticks(pid) for pid in self.processes()]
            if stat(self.pid)[13:15] == ended:
                return (sum(running) + sum(map(int, ended))) / TICKS

    def memory(self) -> int:
        """In bytes; what several processes share counts once."""
        return sum(share(pid) for pid in self.processes())

    def kill(self) -> None:
        self._watch.communicate()


def parent(pid: int) -> int | None:
    try:
        return int(stat(pid)[1])
    except OSError:
        return None


def title(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def ticks(pid: int) -> int:
    try:
        return sum(map(int, stat(pid)[11:13]))
    except OSError:
        return 0


def share(pid: int) -> int:
    try:
        found = re.search(r"^Pss:\s+(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0
