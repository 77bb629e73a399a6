"""Servers that share one log on PostgreSQL: a cluster for all tests, a database for each server of theirs."""

from __future__ import annotations

import atexit
import contextlib
import functools
import itertools
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any, Self

from goals_client import Client, Connection, Response, build, new_id, until
from goals_server import ROOT, Server, goals, suspend

CLUSTER = ROOT / "Tests/PostgreSQLTestSupport/cluster.sh"
PORT = 27010


class Cluster:
    """A PostgreSQL of its own, or a standby of another, which ends with the tests, however they end."""

    def __init__(self, *settings: str, primary: Cluster | None = None):
        lines = ["listen_addresses = ''", f"port = {PORT}", "max_connections = 400", "shared_buffers = 16MB", *settings]
        asked = ["standby", primary.folder] if primary else ["start", "\n".join(lines)]
        started = subprocess.run([CLUSTER, *asked], capture_output=True, text=True)
        words = started.stdout.split("\n")[-2:]
        assert started.returncode == 0 and words[0].startswith("ready "), started.stdout + started.stderr
        self.folder: str = words[0].removeprefix("ready ")
        self.watcher = subprocess.Popen([CLUSTER, "watch", self.folder], stdin=subprocess.PIPE)
        atexit.register(self.end)

    def end(self) -> None:
        assert self.watcher.stdin is not None
        self.watcher.stdin.close()
        self.watcher.wait()

    def sql(self, statement: str, url: str | None = None) -> str:
        url = url or f"postgresql://postgres@/postgres?host={self.folder}&port={PORT}"
        psql = ["psql", "-d", url, "-qAtX", "-v", "ON_ERROR_STOP=1"]
        ran = subprocess.run([*psql, "-c", statement], capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def kill(self) -> None:
        """As if the machine had lost its power, but for its disk: all of its processes at once. One that
        outlived the first would no longer wait for the standby, and another would read what it wrote."""
        first = int(Path(self.folder, "data/postmaster.pid").read_text().split()[0])
        suspend(first)
        processes = [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in processes:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, number)

    def start_again(self) -> None:
        subprocess.run([CLUSTER, "restart", self.folder], check=True, stdout=subprocess.DEVNULL)

    def promote(self) -> None:
        subprocess.run([CLUSTER, "promote", self.folder], check=True)

    def fresh_database(self) -> str:
        """The URL of a database in which there is nothing."""
        name = f"goals_{new_id()[-12:]}"
        self.sql(f"CREATE DATABASE {name}")
        return f"postgresql://postgres@/{name}?host={self.folder}&port={PORT}"


class Pair:
    """A primary and its synchronous standby, on two places that they may change."""

    def __init__(self) -> None:
        first = Cluster(
            "synchronous_standby_names = 'ANY 1 (*)'",
            "wal_keep_size = 512MB",
            "wal_retrieve_retry_interval = 100ms",
        )
        self.places = [first, Cluster(primary=first)]
        self.first = 0

    @property
    def primary(self) -> Cluster:
        return self.places[self.first]

    @property
    def standby(self) -> Cluster:
        return self.places[1 - self.first]

    def socket(self, place: int) -> str:
        return f"{self.places[place].folder}/.s.PGSQL.{PORT}"

    def wait_for_writes(self) -> None:
        """Until commits wait for the standby, which is down."""
        waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        until(lambda: int(self.primary.sql(waits)) > 0, "commits wait for the standby", 60)

    def take_over(self) -> None:
        """The standby becomes the primary, and gets a standby in the place of the old one."""
        self.standby.promote()
        self.primary.end()
        self.first = 1 - self.first
        self.places[1 - self.first] = Cluster(primary=self.primary)

    def end(self) -> None:
        for cluster in self.places:
            cluster.end()


@functools.cache
def cluster() -> Cluster:
    """The one that no test stops or gives other settings."""
    return Cluster()


class RoundRobin(Client):
    """Sends each request to the next server, whoever answered the last."""

    def __init__(self, addresses: list[tuple[str, int]], token: str | None, **options: Any):
        super().__init__(addresses[0], token, **options)
        self.clients = [Client(address, token, **options) for address in addresses]
        self.turns = itertools.cycle(self.clients)

    def exchange(self, method: str, data: bytes) -> Response:
        return next(self.turns).exchange(method, data)

    def close(self) -> None:
        for client in self.clients:
            client.close()


class SharedServer(Server):
    """One or more `goals serve` on one database. What is asked of a server is asked of the first of them."""

    def __init__(self, folder: Path | str, *flags: str, servers: int = 1, url: str | None = None):
        super().__init__(folder, *flags)
        self.is_migrated = url is not None
        self.database = url or cluster().fresh_database()
        self.others = [SharedServer(folder, *flags, url=self.database) for _ in range(servers - 1)]

    @property
    def all(self) -> list[Server]:
        return [self, *self.others]

    def start(self, listeners: int = 1, timeout: float = 30) -> Self:
        if not self.is_migrated:
            goals("migrate", self.database).expect(0)
            self.is_migrated = True
            self.token = self.account("me")["token"]
        super().start(listeners, timeout)
        for other in self.others:
            other.start()
        return self

    def makes_account(self) -> bool:
        return False

    def client(self, token: str | None = "", timeout: float = 60) -> Client:
        token = self.token if token == "" else token
        return RoundRobin([one.address for one in self.all], token, timeout=timeout)

    def alive(self) -> bool:
        return super().alive() and all(other.alive() for other in self.others)

    def stop(self, *arguments: Any, **options: Any) -> None:
        for one in self.others:
            one.stop(*arguments, **options)
        super().stop(*arguments, **options)

    def kill(self) -> None:
        for other in self.others:
            other.kill()
        super().kill()


class Follower:
    """A stream, and what came of it."""

    def __init__(self, server: Server, **options: Any):
        self.ended = threading.Event()
        self.told = b""
        self.connection = Connection(server.address, 100)
        self.connection.send(build("GET", "/v1/changes", **options))
        threading.Thread(target=self.read, daemon=True).start()
        until(lambda: b"event: " in self.told or b"data: " in self.told or b"id: " in self.told, "the stream begins")

    def read(self) -> None:
        while data := self.connection.socket.recv(65536):
            self.told += data
            if self.told.endswith(b"\r\n0\r\n\r\n"):
                break
        self.ended.set()
