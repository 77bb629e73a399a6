"""Servers of Goals that share a database on PostgreSQL, and pgbench with a load like theirs."""

from __future__ import annotations

import re
import statistics
import subprocess

import machine
import places
from cluster import Cluster
from running import Failure, Json, Process, SyncCount, free_port, metric, wait_until
from servers import Server, serving


class WalSyncs(SyncCount):
    """How often a cluster has synced its log; what its processes have not told yet is not in it."""

    def __init__(self, cluster: Cluster):
        self._cluster = cluster
        self.environment = {}

    def value(self) -> int:
        return int(self._cluster.ask("SELECT wal_sync FROM pg_stat_wal"))

    def close(self) -> None:
        pass


class Together(Process):
    """Servers and their database, as if they were one process."""

    def __init__(self, servers: list[Process], cluster: Cluster):
        self.servers = servers
        self.cluster = cluster
        self.began = min((server.began for server in servers), default=0)

    def check(self) -> None:
        for server in self.servers:
            server.check()

    def said(self) -> str:
        return "\n".join(server.said() for server in self.servers)

    def cpu_seconds(self) -> float:
        return sum(server.cpu_seconds() for server in self.servers) + self.cluster.cpu_seconds()

    def memory(self, name: str = "VmRSS") -> int:
        return sum(server.memory(name) for server in self.servers) + self.cluster.memory()

    def stop(self) -> None:
        for server in self.servers:
            server.stop()
        self.cluster.wait_until_left()

    def kill(self) -> None:
        for server in self.servers:
            server.kill()


class OnPostgreSQL(Server):
    """Serves nothing by itself. Its database is there from the beginning until it is killed."""

    gathers = True

    def prepare(self) -> None:
        self.cluster = Cluster(self.fixture)

    def check_durability(self) -> None:
        self.cluster.check_durability()

    def count_syncs(self) -> SyncCount:
        return WalSyncs(self.cluster)

    def used(self) -> dict[str, float]:
        return {**super().used(), "databaseCpu": self.cluster.cpu_seconds()}

    def kill(self) -> None:
        super().kill()
        self.cluster.kill()

    def edits(self) -> int:
        return int(self.cluster.ask("SELECT count(*) FROM edit"))

    def size(self) -> int:
        return int(self.cluster.ask("SELECT pg_database_size('goals')"))


class One(OnPostgreSQL):
    """A server of Goals, or so many in one database."""

    name = "postgresql"
    servers = 1

    def prepare(self) -> None:
        super().prepare()
        self.ports = [free_port() for _ in range(self.servers)]
        self.port = self.ports[0]
        self.metrics = [free_port() for _ in self.ports]

    def spawn(self, environment: dict[str, str] | None = None) -> None:
        servers = [
            Process(
                [*serving(self.cluster.url, port), "--metrics-listen", f"127.0.0.1:{metrics}", *self.flags],
                self.folder / f"goals-{port}.log", environment,
            )
            for port, metrics in zip(self.ports, self.metrics, strict=True)
        ]  # fmt: skip
        self.process = Together(servers, self.cluster)

    def used(self) -> dict[str, float]:
        """Overtaken are the accounts of a round that another server has changed meanwhile."""
        overtaken = sum(metric(port, "goals_accounts_overtaken_total") for port in self.metrics)
        return {**super().used(), "overtaken": overtaken}


class Three(One):
    name = "postgresql-3"
    servers = 3
    by_account = True


class Scattered(Three):
    name = "postgresql-3-any"
    by_account = False


class Pgbench(OnPostgreSQL):
    """The same log and counts, in a transaction an edit, and nothing in front of them: see loads/edit.sql."""

    name = "pgbench"
    # What it took to connect, which servers do once, and pgbench in each round.
    connecting = 0.0

    def spawn(self, environment: dict[str, str] | None = None) -> None:  # noqa: ARG002 - nothing is started here
        self.process = Together([], self.cluster)

    def used(self) -> dict[str, float]:
        return {name: value - self.connecting for name, value in super().used().items()}

    def wait(self) -> float:
        return 0

    def check_list(self) -> None:
        """It has none."""

    def drive(self, connections: int, seconds: float) -> Json:
        for log in self.folder.glob("log.*"):
            log.unlink()
        # Its time begins before it connects.
        time = max(1, round(seconds)) + connections // 64
        command = [
            str(machine.PGBENCH), "-h", "127.0.0.1", "-p", str(self.cluster.port), "-U", "goals", "--no-vacuum",
            "--protocol", "prepared", "--client", str(connections), "--time", str(time),
            "--file", str(places.LOADS / "edit.sql"), "--define", f"last={self.fixture.accounts - 1}",
            "--log", "--log-prefix", str(self.folder / "log"), "goals",
        ]  # fmt: skip
        before = self.cluster.cpu_seconds()
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as client:
            wait_until(lambda: self.cluster.connections() == connections or client.poll() is not None, "pgbench connects", step=0.005)
            connected = client.poll() is None
            self.connecting += self.cluster.cpu_seconds() - before
            output, _ = client.communicate()
        rate = re.search(r"^tps = (\S+) ", output, re.MULTILINE)
        if not connected or client.returncode != 0 or not rate or "number of failed transactions: 0 " not in output:
            raise Failure(f"pgbench failed: {output}")
        # A line a transaction: its client, its number, and how many microseconds it took.
        times = [int(line.split()[2]) for log in self.folder.glob("log.*") for line in log.read_text().splitlines()]
        hundredths = statistics.quantiles(times, n=100)
        return {
            "requests": len(times), "sent": len(times), "microseconds": len(times) / float(rate[1]) * 1e6,
            "p50": hundredths[49], "p95": hundredths[94], "p99": hundredths[98],
            "refused": 0, "broken": 0, "wrong": 0, "bytes": 0,
        }  # fmt: skip


SHARED: dict[str, type[OnPostgreSQL]] = {kind.name: kind for kind in (One, Three, Scattered, Pgbench)}
