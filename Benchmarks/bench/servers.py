"""The servers: Goals with everything on, and its peers."""

from __future__ import annotations

import json
import resource
import shutil
import sqlite3
import time
from pathlib import Path

import machine
import places
from fixtures import Fixture
from running import Failure, Json, Process, SyncCount, free_port, get, wait_until


class Server:
    """One server on a fresh copy of a database."""

    name = ""
    # Whether one sync may make the requests of many connections durable.
    gathers = False
    # Whether all requests of an account come to the same one of its ports.
    by_account = False

    def __init__(self, folder: Path, fixture: Fixture, *flags: str):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder = folder
        self.fixture = fixture
        self.flags = flags
        self.database = folder / f"{self.name}.sqlite"
        self.port = free_port()
        self.ports = [self.port]
        self.process: Process | None = None
        # Of the list that was last looked at.
        self.list_bytes = 0
        self.prepare()
        self._edits, self._size = self.edits(), self.size()

    # What each kind of server does differently.

    def prepare(self) -> None:
        self.fixture.peer_database(self.database)

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return {}

    def check_durability(self) -> None:
        """Asks the server; what it does is counted besides, in a pass of its own."""

    def count_syncs(self) -> SyncCount:
        """A count that is to be begun before the server."""
        return SyncCount(places.WORK / "syncs", places.COUNTER)

    def drive(self, connections: int, seconds: float) -> Json | None:  # noqa: ARG002 - for those that have one
        """Puts it under a load of its own, in place of wrk's, and answers what wrk's script would tell."""
        return None

    def used(self) -> dict[str, float]:
        """What only grows, by name; the CPU of all that serves is one of them."""
        return {"cpu": self.running.cpu_seconds()}

    # What all do.

    def spawn(self, environment: dict[str, str] | None = None) -> None:
        log = self.folder / f"{self.name}.log"
        self.process = Process(self.command(), log, {**self.environment(), **(environment or {})})

    def start(self, environment: dict[str, str] | None = None) -> Server:
        self.spawn(environment)
        try:
            self.wait()
            self.check_list()
            self.check_durability()
        except BaseException:
            self.kill()
            raise
        return self

    def wait(self) -> float:
        """Waits for the first list; how long that took since the start, in seconds."""
        running = self.running
        wait_until(self.answers, f"{self.name} answers")
        return time.perf_counter() - running.began

    def answers(self) -> bool:
        self.running.check()
        try:
            answers = [get(port, "/v1/goals", self.fixture.token) for port in self.ports]
        except OSError:
            return False
        for status, _, _ in answers:
            if status != 200:
                raise Failure(f"{self.name} answers {status} to GET /v1/goals")
        return True

    def check_list(self) -> None:
        """The list has to be that of the fixture, whatever was counted."""
        for port in self.ports:
            self.check_list_of(port)

    def check_list_of(self, port: int) -> None:
        _, _, body = get(port, "/v1/goals", self.fixture.token)
        self.list_bytes = len(body)
        goals = json.loads(body)["goals"]
        expected = [(id, self.fixture.goal(place)[0]) for place, id in enumerate(self.fixture.goal_ids)]
        if [(goal["id"].lower(), goal["title"]) for goal in goals] != expected:
            raise Failure(f"{self.name} gives another list than it was given: {body[:300]!r}")

    @property
    def running(self) -> Process:
        assert self.process is not None
        return self.process

    def stop(self) -> None:
        if self.process is not None:
            self.process.stop()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()

    def recorded(self) -> int:
        """How many edits came into its database; when it is stopped."""
        return self.edits() - self._edits

    def grown(self) -> int:
        """By how many bytes its database grew; when it is stopped."""
        return self.size() - self._size

    def edits(self) -> int:
        """How many edits its database has; when it is stopped."""
        return count_edits(self.database)

    def size(self) -> int:
        """The bytes of the database; when it is stopped, and the write-ahead log is in it."""
        return sum(file.stat().st_size for file in self.folder.glob(self.database.name + "*") if file.suffix != ".lock")


class Goals(Server):
    name = "goals"
    gathers = True

    def prepare(self) -> None:
        self.fixture.goals_database(self.database)

    def command(self) -> list[str]:
        return [*serving(self.database, self.port), *self.flags]


def serving(database: Path | str, port: int) -> list[str]:
    return [
        str(places.GOALS), "serve", "--database", str(database),
        "--listen", f"127.0.0.1:{port}", "--rate-limit", "0", "--max-account-bytes", str(1 << 40),
    ]  # fmt: skip


class Hummingbird(Server):
    name = "hummingbird"

    def command(self) -> list[str]:
        return [str(places.HUMMINGBIRD), str(self.port), str(self.database)]

    def check_durability(self) -> None:
        said = self.running.said()
        if "journal_mode=wal synchronous=2" not in said:
            raise Failure(f"the Hummingbird peer is not durable: {said}")


class FastAPI(Server):
    name = "fastapi"

    def command(self) -> list[str]:
        return [
            str(places.UVICORN), "peer:app", "--app-dir", str(places.BENCHMARKS / "FastAPI"),
            "--host", "127.0.0.1", "--port", str(self.port), "--workers", "1", "--loop", "uvloop",
            "--http", "httptools", "--no-access-log", "--log-level", "warning",
        ]  # fmt: skip

    def environment(self) -> dict[str, str]:
        return {"PEER_DATABASE": str(self.database), "PYTHONDONTWRITEBYTECODE": "1"}

    def check_durability(self) -> None:
        _, _, body = get(self.port, "/durability", self.fixture.token)
        if json.loads(body) != {"journal_mode": "wal", "synchronous": 2}:
            raise Failure(f"the FastAPI peer is not durable: {body!r}")


class Nginx(Server):
    """Gives the answer of Goals to GET /v1/goals, byte for byte: the limit that HTTP sets."""

    name = "nginx"

    def prepare(self) -> None:
        goals = Goals(self.folder / "goals", self.fixture).start()
        try:
            status, fields, body = get(goals.port, "/v1/goals", self.fixture.token)
        finally:
            goals.kill()
        if status != 200 or b"$" in body or b"'" in body:
            raise Failure("the list can't be put into nginx's configuration")
        kept = ["x-request-id", "x-content-type-options", "cache-control", "etag"]
        lines = "".join(f"add_header {name} '{fields[name]}';\n" for name in kept)
        # No string in the configuration may be longer than 4096 bytes.
        pieces = [body[start : start + 4000].decode() for start in range(0, len(body), 4000)]
        maps = "".join(
            f"map $server_port $piece_{place} {{ default '{piece}'; }}\n" for place, piece in enumerate(pieces)
        )
        whole = "".join(f"$piece_{place}" for place in range(len(pieces)))
        (self.folder / "nginx.conf").write_text(
            f"""daemon off;
            master_process off;
            pid {self.folder}/nginx.pid;
            error_log {self.folder}/nginx.log;
            events {{ worker_connections 4096; }}
            http {{
              access_log off;
              keepalive_requests 1000000000;
              keepalive_timeout 75s;
              tcp_nodelay on;
              client_body_temp_path {self.folder}/body;
              proxy_temp_path {self.folder}/proxy;
              fastcgi_temp_path {self.folder}/fastcgi;
              uwsgi_temp_path {self.folder}/uwsgi;
              scgi_temp_path {self.folder}/scgi;
              {maps}
              server {{
                listen 127.0.0.1:{self.port} backlog=4096;
                default_type application/json;
                location = /v1/goals {{
                  {lines}
                  return 200 {whole};
                }}
              }}
            }}
            """
        )

    def command(self) -> list[str]:
        return [machine.NGINX or "nginx", "-c", str(self.folder / "nginx.conf")]

    def edits(self) -> int:
        return 0

    def size(self) -> int:
        return 0


KINDS: dict[str, type[Server]] = {kind.name: kind for kind in (Goals, Hummingbird, FastAPI, Nginx)}
TITLES = {
    "goals": "Goals",
    "hummingbird": "Hummingbird + GRDB",
    "fastapi": "FastAPI + sqlite3",
    "nginx": "nginx `return`",
    "postgresql": "Goals on PostgreSQL, one server",
    "postgresql-3": "three servers, each account's edits to one",
    "postgresql-3-any": "three servers, each edit to any",
    "pgbench": "pgbench, a transaction an edit",
}


def count_edits(path: Path) -> int:
    """In a database that nobody has open: Goals' or a peer's."""
    database = sqlite3.connect(path)
    try:
        return database.execute("SELECT count(*) FROM edit").fetchone()[0]
    finally:
        database.close()


def allow_many_files() -> None:
    """As many descriptors as may be had, for the servers and for the loads."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
