"""Servers that share one log on PostgreSQL: commands on it, and what is left of it when anything is killed."""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

import tier
from cluster_rig import attack, lose
from goals_client import Client, new_id, until
from goals_server import UNLIMITED, Server, binary, goals
from one_order import Violation
from shared_server import Cluster, SharedServer, cluster
from test_operation import metrics

pytestmark = tier.THOROUGH


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedServer]:
    with SharedServer(tmp_path_factory.mktemp("s"), *UNLIMITED, servers=2).start() as server:
        yield server


@pytest.fixture
def own() -> Iterator[Cluster]:
    """A cluster for a test that changes its settings."""
    own = Cluster()
    yield own
    own.end()


@contextmanager
def holding(database: str, statement: str) -> Iterator[None]:
    """Somebody is in the middle of a transaction that keeps what the statement locks."""
    holder = subprocess.Popen(["psql", "-d", database, "-qAtX", "-v", "ON_ERROR_STOP=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert holder.stdin is not None and holder.stdout is not None
    holder.stdin.write(f"BEGIN;\n{statement};\n\\echo held\n")
    holder.stdin.flush()
    while holder.stdout.readline() != "held\n":
        assert holder.poll() is None
    try:
        yield
    finally:
        holder.communicate("COMMIT;\n")


def name_standbys(own: Cluster, names: str) -> None:
    own.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
    own.sql("SELECT pg_reload_conf()")
    until(lambda: own.sql("SHOW synchronous_standby_names") == f"{names}\n", "the setting is read")


def test_a_primary_that_names_no_standby_is_noticed_while_servers_run(tmp_path: Path, own: Cluster) -> None:
    url = own.fresh_database()
    goals("migrate", url).expect(0)
    token = goals("account", "add", "me", "--database", url, "--json").expect(0).json()["token"]
    name_standbys(own, "db2")
    with SharedServer(tmp_path, "--metrics-listen", "127.0.0.1:0", url=url) as server:
        me = server.client(token)

        def connect_anew() -> float:
            own.sql("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'goals'")
            me.get("/v1/goals").expect(200)
            return metrics(server)["goals_risks"]

        assert connect_anew() == 0
        name_standbys(own, "")
        assert [connect_anew() for _ in range(3)] == [1, 1, 1]
        name_standbys(own, "db2")
        assert connect_anew() == 0
        assert sum("synchronous_standby_names is empty" in line for line in server.err) == 1, server.shown()


class TestCommands:
    def test_serve_refuses_a_database_that_was_not_migrated(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        refused = goals("serve", "--listen", "127.0.0.1:0", database=url, cwd=tmp_path).expect(1)
        assert f"it has no tables, and this program needs version 1: run goals migrate '{url}'" in refused.err
        assert goals("migrate", url).expect(0).out.startswith("Took step 1")
        assert goals("migrate", env={"GOALS_DATABASE": url}).expect(0).out == "This program can use the schema.\n"

    def test_many_may_migrate_at_once(self) -> None:
        url = cluster().fresh_database()
        with ThreadPoolExecutor(4) as pool:
            for done in [pool.submit(goals, "migrate", url) for _ in range(4)]:
                assert done.result().expect(0).out.endswith("This program can use the schema.\n")

    def test_a_schema_of_a_newer_program_is_used_where_that_lets_it(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        goals("migrate", url).expect(0)
        cluster().sql("INSERT INTO migration VALUES (98, 'adds', 1, 1)", url)
        assert goals("migrate", url).expect(0).out == "This program can use the schema.\n"
        server = SharedServer(tmp_path, *UNLIMITED, url=url)
        server.token = server.account("me")["token"]
        with server.start():
            server.client().add_goal()
        # What it does not know of it could neither check nor copy.
        for command in (["verify", "--database", url], ["copy", url, str(tmp_path / "copy.sqlite")]):
            refused = goals(*command, cwd=tmp_path).expect(1)
            assert "its schema is that of version 98, which is newer than 1" in refused.err, refused.shown()
        cluster().sql("INSERT INTO migration VALUES (99, 'takes away', 1, 99)", url)
        for command in (["migrate"], ["serve"], ["account", "list"], ["verify"]):
            assert "which is newer than" in goals(*command, database=url, cwd=tmp_path).expect(1).err

    def test_a_role_that_may_only_read_is_refused(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        goals("migrate", url).expect(0)
        role = f"reader_{new_id()[-12:]}"
        cluster().sql(f"CREATE ROLE {role} LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}", url)
        refused = goals("serve", database=url.replace("postgres@", f"{role}@"), cwd=tmp_path).expect(1)
        assert "may not write" in refused.err

    def test_what_a_role_may_not_do_and_what_is_in_the_way_is_said_with_what_to_do(self, tmp_path: Path) -> None:
        url = cluster().fresh_database()
        role = f"stranger_{new_id()[-12:]}"
        cluster().sql(f"CREATE ROLE {role} LOGIN", url)
        own = "make the role the owner of the database and of its tables: ALTER DATABASE … OWNER TO …, ALTER TABLE … OWNER TO …"
        refused = goals("migrate", url.replace("postgres@", f"{role}@")).expect(1)
        assert "permission denied for schema public" in refused.err and own in refused.err, refused.shown()
        goals("migrate", url).expect(0)
        for command in (["serve"], ["account", "list"], ["migrate"]):
            refused = goals(*command, database=url.replace("postgres@", f"{role}@"), cwd=tmp_path).expect(1)
            assert "permission denied for table migration" in refused.err and own in refused.err, refused.shown()
        full = cluster().fresh_database()
        cluster().sql("CREATE TABLE account (id int)", full)
        refused = goals("migrate", full).expect(1)
        assert 'relation "account" already exists' in refused.err and "make an empty database for Goals" in refused.err
        assert cluster().sql("SELECT count(*) FROM migration", full) == "0\n"

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
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE application_name = 'goals' AND datname = current_database()",
                two.database,
            )

    def test_a_row_of_a_token_that_somebody_holds_holds_up_no_others(self, two: SharedServer) -> None:
        one, another = Client(two.all[0].address, two.account()["token"]), Client(two.all[0].address, two.account()["token"])
        held = one.post("/v1/tokens", {"name": "phone"}).expect(201).json()["id"]
        with holding(two.database, f"SELECT FROM token WHERE id = '{held}' FOR UPDATE"):
            refused = one.delete(f"/v1/tokens/{held}").expect(503, "store-unavailable").json()
            assert "not recorded" in refused["detail"], "it was given up without knowing what became of it"
            another.post("/v1/tokens", {"name": "phone"}).expect(201)
        one.delete(f"/v1/tokens/{held}").expect(204)

    def test_a_table_that_somebody_locks_for_a_moment_costs_no_500(self, two: SharedServer) -> None:
        """A round read one account after the other in the transaction in which the first read had failed."""
        clients = [[Client(server.address, token) for server in two.all] for token in (two.account()["token"] for _ in range(6))]
        goals_of = [each[0].add_goal() for each in clients]
        is_over = threading.Event()

        def bump(client: Client, goal: str) -> set[int]:
            seen = set()
            while not is_over.is_set():
                seen.add(client.post(f"/v1/goals/{goal}/bump").status)
            return seen

        with ThreadPoolExecutor(12) as pool:
            told = [pool.submit(bump, client, goal) for each, goal in zip(clients, goals_of, strict=True) for client in each]
            try:
                for seconds in (1, 5):
                    with holding(two.database, "LOCK TABLE account"):
                        time.sleep(seconds)
                    for each, goal in zip(clients, goals_of, strict=True):
                        until(lambda: each[0].post(f"/v1/goals/{goal}/bump").status == 200, "edits are taken again")
            finally:
                is_over.set()
            assert set().union(*(each.result() for each in told)) <= {200, 503}

    def test_what_is_gone_is_missing_only_behind_a_commit(self, two: SharedServer) -> None:
        """The transaction that took it away may be lost with the database, and nobody would do it again."""
        one, missing = Client(two.all[0].address, two.account()["token"]), new_id()
        commands = [
            ("token", "revoke", missing),
            ("token", "revoke", "button"),
            ("token", "revoke", "--account", missing, "button"),
            ("account", "remove", missing, "--yes"),
        ]
        with holding(two.database, "LOCK TABLE probe"):
            one.delete(f"/v1/tokens/{missing}").expect(503, "store-unavailable")
            for command in commands:
                assert "Others were in the way" in goals(*command, database=two.database).expect(1).err
            # A command that takes nothing away says so at once.
            assert "There is no account" in goals("token", "list", missing, database=two.database).expect(1).err
        one.delete(f"/v1/tokens/{missing}").expect(404)
        for command in commands:
            assert "There is no" in goals(*command, database=two.database).expect(1).err

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

    def test_a_file_of_passwords_that_others_may_read_is_passed_over_in_one_line(self, tmp_path: Path) -> None:
        url = cluster().fresh_database().replace("postgres@", "guarded@")
        cluster().sql("CREATE ROLE guarded LOGIN PASSWORD 'secret'")
        (tmp_path / "passwords").write_text("*:*:*:guarded:secret\n")
        (tmp_path / "passwords").chmod(0o640)
        refused = goals("migrate", database=url, env={"PGPASSFILE": str(tmp_path / "passwords")}).expect(1)
        assert f"chmod 600 {tmp_path}/passwords" in refused.err and len(refused.err.splitlines()) == 1, refused.shown()
        (tmp_path / "passwords").chmod(0o600)
        refused = goals("migrate", database=url, env={"PGPASSFILE": str(tmp_path / "passwords")}).expect(1)
        assert "permission denied" in refused.err, refused.shown()

    def test_a_file_of_passwords_that_its_user_may_not_read_is_said(self) -> None:
        if os.geteuid() != 0:
            pytest.skip("only root runs programs as another user")
        url = cluster().fresh_database().replace("postgres@", "guarded@")
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            file, user = Path(folder, "passwords"), pwd.getpwnam("postgres").pw_uid
            file.write_text("*:*:*:guarded:secret\n")
            file.chmod(0o600)
            for path, said in ((file, f"may not read it: chown {user} {file}"), (Path(folder, "none"), "is not there")):
                environment = {"PATH": "/usr/bin:/bin", "PGPASSFILE": str(path)}
                refused = subprocess.run(
                    ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", binary(), "migrate", url],
                    env=environment, cwd=folder, capture_output=True, text=True)
                assert refused.returncode == 1 and said in refused.stderr, refused.stderr

    def test_migrate_says_before_it_writes_that_no_standby_is_there(self, own: Cluster) -> None:
        url, migrated = own.fresh_database(), own.fresh_database()
        goals("migrate", migrated).expect(0)
        name_standbys(own, "db2")
        refused = goals("migrate", url).expect(1)
        assert "no standby is connected: start it, or take it out of synchronous_standby_names" in refused.err
        assert own.sql("SELECT count(*) FROM pg_class WHERE relname = 'migration'", url) == "0\n"
        goals("migrate", migrated).expect(0)

    def test_no_standby_is_said_before_anything_is_written(self, own: Cluster) -> None:
        url = own.fresh_database()
        goals("migrate", url).expect(0)
        account = goals("account", "add", "me", "--json", database=url).expect(0).json()
        name_standbys(own, "db2")
        for command in (
            ["account", "add", "you"],
            ["account", "set", "me", "--name", "you"],
            ["token", "add", "me", "--name", "door", "--scope", "write"],
            ["account", "remove", account["id"], "--yes"],
        ):
            refused = goals(*command, database=url).expect(1)
            assert "no standby is connected: start it, or take it out of synchronous_standby_names" in refused.err
        # It looked before it wrote: a commit that waits for a standby in vain can be seen all the same.
        (listed,) = goals("account", "list", "--json", database=url).expect(0).listing()
        assert listed["name"] == "me" and own.sql("SELECT count(*) FROM token", url) == "1\n"

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
        for client in clients:
            until(lambda: client.get("/v1/goals").status == 401, "the token is refused", 10)
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


def test_whatever_fails_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path) -> None:
    seen = attack(tmp_path, tier.seed(), int(os.environ.get("GOALS_ROUNDS") or 1))
    print(dict(seen))


def test_the_rig_notices_commits_that_did_not_wait(tmp_path: Path) -> None:
    with pytest.raises(Violation, match="acknowledged edits are lost"):
        lose(tmp_path, tier.seed())
