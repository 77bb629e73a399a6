"""Servers that share one log on PostgreSQL: commands on it, and what is left of it when anything is killed."""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from goals_client import Client, Closed, ProtocolError, Response, edit, new_id, until
from goals_server import UNLIMITED, Server, goals
from shared_server import Cluster, SharedServer, cluster
from test_changes import Stream

LOST = (Closed, ProtocolError, OSError, EOFError)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedServer]:
    with SharedServer(tmp_path_factory.mktemp("s"), *UNLIMITED, servers=2).start() as server:
        yield server


class TestCommands:
    def test_serve_refuses_a_database_that_was_not_migrated(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        refused = goals("serve", "--listen", "127.0.0.1:0", database=url, cwd=tmp_path).expect(1)
        assert "run goals migrate" in refused.err
        assert goals("migrate", url).expect(0).out.startswith("Took step 1")
        assert goals("migrate", env={"GOALS_DATABASE": url}).expect(0).out == "The schema is that of this program.\n"

    def test_many_may_migrate_at_once(self) -> None:
        url = cluster().fresh_database()
        with ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(goals, "migrate", url) for _ in range(4)]:
                assert done.result().expect(0).out.endswith("The schema is that of this program.\n")

    def test_a_schema_of_a_newer_program_is_refused(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        goals("migrate", url).expect(0)
        cluster().sql("INSERT INTO migration VALUES (99, 'later', 1)", url)
        for command in (["migrate"], ["serve"], ["account", "list"], ["verify"]):
            assert "which is newer than" in goals(*command, database=url, cwd=tmp_path).expect(1).err

    def test_a_role_that_may_only_read_is_refused(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        goals("migrate", url).expect(0)
        role = f"reader_{new_id()[-12:]}"
        cluster().sql(f"CREATE ROLE {role} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}", url)
        refused = goals("serve", database=url.replace("postgres@", f"{role}@"), cwd=tmp_path).expect(1)
        assert "may not write" in refused.err

    def test_verify_names_what_is_damaged_and_no_server_starts_without_a_table(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        goals("migrate", url).expect(0)
        goals("account", "add", "me", database=url).expect(0)
        assert goals("verify", database=url).expect(0).out == "Sound: 1 account.\n"
        cluster().sql("UPDATE token SET name = 'mine'; DROP INDEX session_token", url)
        for damage, said in (
            ("SELECT", "the schema has lost the index session_token: "),
            ("CREATE INDEX session_token ON session (token, renewed_at)", "it or its tokens are not as they were made"),
            ("DROP TABLE account", "the schema has lost the table account"),
        ):
            cluster().sql(damage, url)
            found = goals("verify", "--json", database=url).expect(1)
            (fault,) = found.json()["faults"]
            assert said in fault and said in found.err, found.shown()
        for command in (["serve", "--listen", "127.0.0.1:0"], ["account", "list"]):
            assert "it has lost a table: goals verify" in goals(*command, database=url, cwd=tmp_path).expect(1).err

    def test_a_connection_that_was_lost_while_nobody_asked_costs_no_request(self, two: SharedServer) -> None:
        me = two.new_client()
        goal = me.add_goal()
        for _ in range(3):
            for _ in two.all:
                me.post(f"/v1/goals/{goal}/bump").expect(200)
                me.get("/v1/goals").expect(200)
            cluster().sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'goals' AND datname = current_database()",
                two.database,
            )

    def test_what_is_nearly_a_url_makes_no_file_and_shows_no_password(self, tmp_path: Path) -> None:
        for text in (
            "Postgresql://me:hunter2@127.0.0.1/goals",
            "postgresql:/me:hunter2@127.0.0.1/goals",
            "mysql://me:hunter2@127.0.0.1/goals",
            "host=127.0.0.1 user=me password=hunter2",
        ):
            for command in (["serve"], ["account", "list"], ["migrate"], ["verify"]):
                refused = goals(*command, database=text, cwd=tmp_path).expect(1)
                assert "postgresql://USER@HOST" in refused.err and "hunter2" not in refused.err + refused.out
        assert not list(tmp_path.iterdir())

    def test_a_password_in_the_url_is_refused_and_not_repeated(self, tmp_path: Path) -> None:
        for command in (["serve"], ["migrate"], ["account", "list"], ["verify"]):
            refused = goals(*command, database="postgresql://me:hunter2@127.0.0.1/goals", cwd=tmp_path).expect(1)
            assert "PGPASSFILE" in refused.err and "hunter2" not in refused.err

    def test_migrate_refuses_a_file(self, tmp_path: Path) -> None:
        assert "goals serve migrates" in goals("migrate", database=tmp_path / "goals.sqlite").expect(1).err
        assert not list(tmp_path.iterdir())

    @pytest.mark.parametrize("setting", ["synchronous_commit = off", "synchronous_commit = local"])
    def test_serve_refuses_settings_that_may_lose_a_commit(self, tmp_path: Path, setting: str) -> None:
        url = cluster().fresh_database()
        goals("migrate", url).expect(0)
        name = url.split("/")[3].split("?")[0]
        cluster().sql(f"ALTER DATABASE {name} SET {setting}")
        refused = goals("serve", "--listen", "127.0.0.1:0", database=url, cwd=tmp_path).expect(1)
        assert "synchronous_commit is" in refused.err and "set it to on" in refused.err

    def test_no_host_that_answers_is_said_at_the_start(self, tmp_path: Path) -> None:
        refused = goals("serve", database="postgresql://me@127.0.0.1:1/goals", cwd=tmp_path).expect(1)
        assert "Connection refused" in refused.err and "is PostgreSQL running there" in refused.err

    def test_a_database_that_is_not_there_is_said_with_how_to_make_it(self) -> None:
        for command in ("migrate", "verify"):
            url = cluster().fresh_database()
            refused = goals(command, database=url.replace("/goals_", "/none_")).expect(1)
            assert "createdb --owner=" in refused.err, refused.shown()
            assert "postgresql://" in goals(command, "--help").expect(0).out.split("USAGE")[0]

    def test_accounts_and_tokens_are_managed_beside_the_servers(self, two: SharedServer) -> None:
        made = two.account("Ann")
        assert "Ann" in [account["name"] for account in two.run("account", "list", "--json").listing()]
        token = two.run("token", "add", "Ann", "--name", "door", "--scope", "write", "--json").expect(0).json()
        clients = [one.client(token["token"]) for one in two.all]
        for client in clients:
            Client.get(client, "/v1/goals").expect(200)
        two.run("token", "revoke", token["id"]).expect(0)
        revoked = time.monotonic()
        for client in clients:
            until(lambda: client.get("/v1/goals").status == 401, "the token is refused", 10)
        assert time.monotonic() - revoked < 10
        two.run("account", "remove", made["id"], "--yes").expect(0)
        until(lambda: two.client(made["token"]).get("/v1/goals").status == 401, "the account is gone", 10)

    def test_an_account_moves_from_a_file_and_back(self, two: SharedServer, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED).start() as file:
            me = file.client()
            goal = me.add_goal()
            for _ in range(20):
                me.post(f"/v1/goals/{goal}/bump").expect(200)
            export = file.run("export", "me").expect(0).out
            (tmp_path / "me.ndjson").write_text(export)
            moved = two.new_client("moved")
            two.run("import", "moved", str(tmp_path / "me.ndjson")).expect(0)
            assert two.run("export", "moved").expect(0).out == export
            assert moved.goals() == me.goals()
            (tmp_path / "back.ndjson").write_text(moved.get("/v1/export").expect(200).body.decode())
            back = file.new_client("back")
            back.post("/v1/import", export.encode(), content_type="application/x-ndjson").expect(201)
            assert back.log() == me.log()
        assert two.run("verify").expect(0).out.startswith("Sound: ")

    @pytest.mark.parametrize("command", ["backup", "restore"])
    def test_backups_name_the_tools_of_the_database(self, two: SharedServer, tmp_path: Path, command: str) -> None:
        refused = two.run(command, str(tmp_path / "copy")).expect(1)
        assert "pg_basebackup" in refused.err and not (tmp_path / "copy").exists()


class Rig:
    """Three servers, writers, readers and followers, and what may go wrong around them."""

    def __init__(self, folder: Path, cluster: Cluster, seed: int):
        self.cluster = cluster
        self.dice = random.Random(seed)
        self.servers = SharedServer(folder, *UNLIMITED, servers=3, url=cluster.fresh_database())
        goals("migrate", self.servers.database).expect(0)
        self.tokens = [self.servers.account(f"account {number}")["token"] for number in range(3)]
        self.servers.start()
        self.addresses = [server.address for server in self.servers.all]
        self.goals = [self.client(0, token).add_goal() for token in self.tokens]
        self.starts = [self.client(0, token).get("/v1/goals").json()["cursor"] for token in self.tokens]
        self.acknowledged: list[dict[str, int]] = [{} for _ in self.tokens]
        self.told: list[list[int]] = []
        self.wrong: list[str] = []
        self.stopping = threading.Event()

    def client(self, server: int, token: str) -> Client:
        return Client(self.addresses[server], token, 20)

    def anywhere(self, dice: random.Random, token: str, ask: Callable[[Client], Response]) -> Response | None:
        """What some server answers; None where it is lost, or can't be had now."""
        client = self.client(dice.randrange(3), token)
        try:
            response = ask(client)
        except LOST:
            return None
        finally:
            client.close()
        return None if response.status == 503 else response

    def write(self, account: int, seed: int) -> None:
        dice = random.Random(seed)
        while not self.stopping.is_set():
            bump = edit("bump", goal=self.goals[account], id=new_id())
            answer = None
            while answer is None:
                # Some come to two servers at once.
                if dice.random() < 0.1:
                    self.anywhere(dice, self.tokens[account], lambda client: client.edits(bump))
                answer = self.anywhere(dice, self.tokens[account], lambda client: client.edits(bump))
            (outcome,) = answer.expect(200).json()["outcomes"]
            if outcome["status"] not in ("applied", "duplicate"):
                self.wrong.append(f"a bump was {outcome}")
            self.acknowledged[account][bump["id"]] = outcome["version"]

    def read(self, account: int, seed: int) -> None:
        dice, last = random.Random(seed), 0
        while not self.stopping.is_set():
            least = self.last(account)
            answer = self.anywhere(dice, self.tokens[account], lambda client: client.get("/v1/goals"))
            if answer is None:
                continue
            version = answer.expect(200).json()["version"]
            if version < max(last, least):
                self.wrong.append(f"a list of version {version} after one of {last}, and an answer of {least}")
            last = version

    def follow(self, account: int, seed: int) -> None:
        dice, cursor, told = random.Random(seed), self.starts[account], []
        self.told.append(told)
        while not self.stopping.is_set() or not told or told[-1] < self.last(account):
            try:
                stream = Stream(self.addresses[dice.randrange(3)], self.tokens[account], last=cursor)
                stream.socket.settimeout(5)
                while stream.status == 200:
                    event = stream.event()
                    cursor = event.id or cursor
                    if event.type == "reset":
                        self.wrong.append(f"a stream was reset at {cursor}")
                    elif event.type == "edit":
                        told.append(json.loads(event.data)["version"])
                    if dice.random() < 0.02 or (self.stopping.is_set() and told and told[-1] >= self.last(account)):
                        break
                stream.close()
            except LOST:
                time.sleep(0.01)

    def last(self, account: int) -> int:
        """The version of the last edit that was acknowledged; the writers go on meanwhile."""
        return max(self.acknowledged[account].copy().values(), default=0)

    # What goes wrong

    def kill_a_server(self) -> None:
        number = self.dice.randrange(3)
        server = self.servers.all[number]
        server.process.kill()
        server.process.wait()
        Server.start(server)
        self.addresses[number] = server.address

    def pause_a_server(self) -> None:
        server = self.dice.choice(self.servers.all)
        server.process.send_signal(signal.SIGSTOP)
        self.progress(10)
        server.process.send_signal(signal.SIGCONT)

    def terminate_connections(self) -> None:
        self.cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'goals'")

    def kill_the_database(self) -> None:
        self.cluster.kill()
        self.cluster.start_again()

    def progress(self, edits: int) -> None:
        """Waits until more edits are acknowledged."""
        count = sum(map(len, self.acknowledged)) + edits
        until(lambda: sum(map(len, self.acknowledged)) >= count, f"{edits} more edits are acknowledged", 60)

    def run(self, faults: list[Callable[[], None]]) -> None:
        def watched(work: Callable[[int, int], None], account: int, seed: int) -> None:
            try:
                work(account, seed)
            except Exception as error:
                self.wrong.append(f"{work.__name__}: {error!r}")

        workers = [
            threading.Thread(target=watched, args=(work, account, self.dice.getrandbits(32)), daemon=True)
            for account in range(3)
            for work in (self.write, self.write, self.write, self.read, self.follow)
        ]
        for worker in workers:
            worker.start()
        try:
            for fault in faults:
                self.progress(30)
                fault()
            self.progress(30)
        finally:
            self.stopping.set()
            for worker in workers:
                worker.join(60)
        assert not [worker for worker in workers if worker.is_alive()], "a worker never came to its end"

    def judge(self) -> None:
        assert not self.wrong, self.wrong[:5]
        for account, token in enumerate(self.tokens):
            log = self.client(0, token).log()
            assert [row["version"] for row in log] == list(range(1, len(log) + 1))
            versions = {row["id"]: row["version"] for row in log}
            assert len(versions) == len(log), "an edit is recorded twice"
            for id, version in self.acknowledged[account].items():
                assert versions.get(id) == version, f"acknowledged at {version}, recorded at {versions.get(id)}"
        for told in self.told:
            assert told == list(range(3, 3 + len(told))), "a stream missed or repeated an edit"
        assert self.servers.run("verify").expect(0).out.startswith("Sound: ")


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    cluster = Cluster("wal_writer_delay = 10s")
    yield cluster
    cluster.end()


def seeded() -> int:
    seed = int(os.environ.get("GOALS_SEED") or random.SystemRandom().randrange(2**32))
    print(f"GOALS_SEED={seed}")
    return seed


def test_whatever_is_killed_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path, own_cluster: Cluster) -> None:
    rig = Rig(tmp_path, own_cluster, seeded())
    try:
        faults = [rig.kill_a_server, rig.terminate_connections, rig.pause_a_server, rig.kill_the_database]
        rig.run(faults * int(os.environ.get("GOALS_ROUNDS") or 3))
        rig.judge()
    finally:
        rig.servers.kill()


def test_the_rig_notices_commits_that_were_not_on_the_disk(tmp_path: Path, own_cluster: Cluster) -> None:
    """With a setting that a start refuses, but which an operator can make while servers run."""
    rig = Rig(tmp_path, own_cluster, seeded())

    def trust_the_memory() -> None:
        own_cluster.sql("ALTER SYSTEM SET synchronous_commit = off")
        own_cluster.sql("SELECT pg_reload_conf()")
        rig.progress(60)
        own_cluster.kill()
        Path(own_cluster.folder, "data/postgresql.auto.conf").write_text("")
        own_cluster.start_again()

    try:
        with pytest.raises(AssertionError, match="acknowledged|went back|a list of version|never came to its end"):
            rig.run([trust_the_memory])
            rig.judge()
    finally:
        rig.servers.kill()
