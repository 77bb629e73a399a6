"""All accounts of one database in another: `goals copy`, between files and PostgreSQL, cut off anywhere."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from goals_client import edit, new_id, until
from goals_server import UNLIMITED, Finished, Server, binary, environment, goals
from shared_server import SharedServer, cluster
from test_export import live, take
from test_faults import small_disk  # noqa: F401 (a fixture)
from test_session import sign_in
from tier import THOROUGH

SAME = "accounts are the same on both sides."


def tables() -> str:
    """The URL of a database whose tables are made, and empty."""
    url = cluster().fresh_database()
    goals("migrate", url).expect(0)
    return url


def copy(source: Path | str, target: Path | str) -> Finished:
    return goals("copy", str(source), str(target))


def book(database: Path | str) -> Any:
    """What the commands tell of all accounts and their tokens."""
    accounts = goals("account", "list", "--json", database=database).expect(0).listing()
    tokens = {row["id"]: goals("token", "list", row["id"], "--json", database=database).expect(0).json() for row in accounts}
    return accounts, tokens


def exports(database: Path | str) -> dict[str, str]:
    """The whole log of each account."""
    accounts = goals("account", "list", "--json", database=database).expect(0).listing()
    return {row["id"]: goals("export", row["id"], database=database).expect(0).out for row in accounts}


def sound(database: Path | str) -> None:
    assert goals("verify", database=database).expect(0).out.startswith("Sound: ")


class Life:
    """A file with an account that has edits of all types, tokens of all kinds and a session; and two small ones."""

    def __init__(self, folder: Path):
        with Server(folder, *UNLIMITED).start() as server:
            self.file = server.database
            self.token = server.token
            me = server.client()
            self.goals = live(me)
            self.cookie = sign_in(me)
            self.tokens = {"me": self.token}
            for name, options in {
                "reader": ["--scope", "read"],
                "button": ["--scope", "bump", "--goal", me.goals()[0]["title"]],
                "guest": ["--scope", "write", "--expires", "2999-01-01T00:00:00Z"],
                "gone": ["--scope", "write"],
            }.items():
                made = server.run("token", "add", "me", "--name", name, *options, "--json").expect(0).json()
                self.tokens[name] = made["token"]
            server.client(self.tokens["reader"]).get("/v1/goals").expect(200)
            server.run("token", "revoke", "gone").expect(0)
            server.run("account", "add", "Ann \u20ac", "--time-zone", "Asia/Tokyo").expect(0)
            self.unchosen = server.client(server.account("Bob")["token"])
            self.answers = self.read(server)
            server.stop()

    def read(self, server: Server) -> list[Any]:
        """What clients see: lists, histories, the log with its cursors, and what tokens and cookies open."""
        me = server.client(self.token)
        version = me.version()
        paths = ["/v1/goals", f"/v1/goals?version={version // 2}", "/v1/edits?limit=9", "/v1/edits?limit=1000"]
        paths += ["/v1/account", "/v1/export", "/v1/export.csv"]
        paths += [f"/v1/goals/{goal}/{kind}" for goal in self.goals for kind in ("history", "history.svg")]
        seen: list[Any] = []
        for path in paths:
            answer = me.get(path).expect(200)
            seen.append((path, answer.body, answer.header("ETag")))
        cursor = me.get("/v1/edits?limit=9").json()["cursor"]
        seen.append(me.get(f"/v1/edits?after={cursor}").expect(200).body)
        for name, token in self.tokens.items():
            answer = server.client(token).get("/v1/token")
            seen.append((name, answer.status, answer.body if answer.status == 200 else None))
        cookie = server.client(None).request("GET", "/v1/goals", headers={"Cookie": self.cookie}).expect(200)
        return [*seen, cookie.body]


class TestAMove:
    def test_to_postgresql_and_back_keeps_everything_and_nobody_signs_in_again(self, tmp_path: Path) -> None:
        life = Life(tmp_path)
        before, logs = book(life.file), exports(life.file)
        assert len(logs) == 3 and len(json.dumps(before[1])) > 1000
        url = tables()
        moved = copy(life.file, url).expect(0)
        edits = sum(log.count("\n") - 2 for log in logs.values())
        assert moved.out == f"Copied 3 accounts with {edits} edits, and skipped 0 that were there already. 3 {SAME}\n"
        assert exports(url) == logs and book(url) == before
        sound(url)
        sound(life.file)
        with SharedServer(tmp_path, *UNLIMITED, servers=2, url=url).start() as servers:
            assert life.read(servers) == life.answers
            me = servers.client(life.token)
            goal = next(goal["id"] for goal in me.goals() if goal["active"])
            bump = edit("bump", goal=goal, id=new_id())
            assert [me.outcomes(bump)[0]["status"] for _ in range(2)] == ["applied", "duplicate"]
            assert me.outcomes(edit("undo", edit=bump["id"]))[0]["status"] == "applied"
            life.answers = life.read(servers)
            servers.stop()
        back = tmp_path / "back.sqlite"
        assert SAME in copy(url, back).expect(0).out
        assert exports(back) == exports(url) and book(back) == book(url)
        sound(back)
        server = Server(tmp_path, *UNLIMITED)
        server.database = back
        with server.start():
            assert life.read(server) == life.answers
            server.client(life.token).add_goal()
            server.stop()
        sound(back)

    @THOROUGH
    def test_of_a_file_to_a_file_or_a_database_to_a_database(self, tmp_path: Path) -> None:
        life = Life(tmp_path)
        urls = [tables(), tables()]
        ways: list[tuple[Path | str, Path | str]] = [(life.file, tmp_path / "b.sqlite"), (tmp_path / "b.sqlite", urls[0]), (urls[0], urls[1])]
        for source, target in ways:
            assert SAME in copy(source, target).expect(0).out
        assert exports(urls[1]) == exports(life.file) and book(urls[1]) == book(life.file)
        sound(urls[1])

    def test_that_is_done_again_skips_what_is_there(self, tmp_path: Path) -> None:
        life, url = Life(tmp_path), tables()
        copy(life.file, url).expect(0)
        again = copy(life.file, url).expect(0)
        assert again.out == f"Copied 0 accounts with 0 edits, and skipped 3 that were there already. 3 {SAME}\n"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with five accounts, of 4,000 edits each but for the first."""
    folder = tmp_path_factory.mktemp("large")
    with Server(folder, *UNLIMITED, "--max-import", "20000000").start() as server:
        client = server.new_client("1")
        goal = client.add_goal()
        for _ in range(4):
            client.edits(*[edit("bump", goal=goal, note="n" * 100) for _ in range(1000)]).expect(200)
        export = client.get("/v1/export").expect(200).body
        for name in "234":
            take(server.new_client(name), export).expect(201)
        server.stop()
    sound(server.database)
    return server.database


def started(source: Path | str, target: Path | str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [binary(), "copy", str(source), str(target)],
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@THOROUGH
class TestACopyThatIsCutOff:
    def cut_off(self, source: Path | str, target: Path | str, moment: Callable[[], bool], act: Callable[[Any], None]) -> str:
        """Begins a copy, and does something to it at a moment, unless it ends before. Answers what it said in the end."""
        process = started(source, target)
        until(lambda: process.poll() is not None or moment(), "the copy comes to the moment", 60, 0.001)
        act(process)
        out, err = process.communicate(timeout=600)
        return out + err

    @staticmethod
    def kill(process: subprocess.Popen[str]) -> None:
        process.send_signal(signal.SIGKILL)

    def test_by_a_kill_goes_on_where_it_was_on_postgresql(self, large: Path) -> None:
        url = tables()
        writing = (
            "EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'goals'"
            " AND datname = current_database() AND backend_xid IS NOT NULL)"
        )
        for there in range(1, 5):
            # Of the account behind so many, something is written and not committed.
            moment = f"SELECT CASE WHEN count(*) >= {there} AND {writing} THEN 1 ELSE 0 END FROM account"
            said = self.cut_off(large, url, lambda: self.asked(moment, url) > 0, self.kill)
            assert said == ""
            assert there <= self.count(url) < 5
            sound(url)
        there = self.count(url)
        last = copy(large, url).expect(0)
        assert f", and skipped {there} that were there already. 5 {SAME}" in last.out, last.shown()
        assert exports(url) == exports(large) and book(url) == book(large)
        sound(url)

    def asked(self, statement: str, url: str) -> int:
        return int(cluster().sql(statement, url))

    def count(self, url: str) -> int:
        return self.asked("SELECT count(*) FROM account", url)

    def test_by_a_kill_goes_on_where_it_was_in_a_file(self, large: Path, tmp_path: Path) -> None:
        target = tmp_path / "target.sqlite"
        log = tmp_path / "target.sqlite-wal"

        def size() -> int:
            return sum(file.stat().st_size for file in (target, log) if file.exists())

        between = 0
        for bytes in (0, 1, 60_000, 500_000, 1_500_000, 3_000_000, 6_000_000):
            self.cut_off(large, target, lambda: target.exists() and size() >= bytes, self.kill)
            # Where it was cut off before its tables were there, it is empty.
            verified = goals("verify", database=target)
            assert verified.code == 0 or ("is empty" in verified.err and bytes < 60_000), verified.shown()
            between += verified.code == 0 and 0 < len(goals("account", "list", "--json", database=target).listing()) < 5
        assert between >= 1
        assert SAME in copy(large, target).expect(0).out
        assert exports(target) == exports(large) and book(target) == book(large)
        sound(target)

    def test_by_a_lost_connection_says_so_and_goes_on(self, large: Path) -> None:
        url = tables()
        end = (
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'goals'"
            " AND datname = current_database() AND backend_xid IS NOT NULL"
        )
        said = self.cut_off(large, url, lambda: self.count(url) >= 2 and self.asked(end, url) > 0, lambda _: None)
        assert "goals: The copy ended at account" in said and "run the same command again to go on" in said
        sound(url)
        there = self.count(url)
        again = copy(large, url).expect(0)
        assert f", and skipped {there} that were there already. 5 {SAME}" in again.out, again.shown()

    def test_by_a_full_disk_says_so_and_goes_on(self, large: Path, small_disk: Path) -> None:  # noqa: F811
        subprocess.run(["mount", "-o", "remount,size=3m", str(small_disk)], check=True)
        target = small_disk / "target.sqlite"
        refused = copy(large, target).expect(1)
        assert "The disk is full" in refused.err and "run the same command again to go on" in refused.err
        assert len(refused.err.splitlines()) == 1
        subprocess.run(["mount", "-o", "remount,size=100m", str(small_disk)], check=True)
        assert SAME in copy(large, target).expect(0).out
        assert exports(target) == exports(large)
        sound(target)


@THOROUGH
class TestAConflict:
    def test_is_told_by_name_and_nothing_of_the_account_is_altered(self, tmp_path: Path) -> None:
        life, url = Life(tmp_path), tables()
        copy(life.file, url).expect(0)
        with SharedServer(tmp_path, url=url).start() as served:
            served.client(life.token).add_goal()
            served.stop()
        moved = exports(url)
        server = Server(tmp_path)
        server.database = life.file
        with server.start():
            server.run("account", "add", "Zoe").expect(0)
            server.stop()
        for source, target in ((life.file, url), (url, life.file)):
            refused = copy(source, target).expect(1)
            assert refused.err.startswith("goals: 1 account of FROM is not the same in TO: me ("), refused.shown()
            assert " ends at version " in refused.err and "goals account remove" in refused.err
            assert SAME not in refused.out
        added = {id for id in exports(url) if id not in moved}
        assert len(added) == 1 and {id: log for id, log in exports(url).items() if id in moved} == moved
        sound(url)
        goals("account", "remove", "me", "--yes", database=url).expect(0)
        assert "Copied 1 account with" in copy(life.file, url).expect(0).out
        assert exports(url) == exports(life.file) and book(url) == book(life.file)


class TestWhatCanNotBeCopied:
    def refused(self, tmp_path: Path, source: Path | str, target: Path | str, *said: str) -> None:
        before = {path.name for path in tmp_path.iterdir()}
        finished = copy(source, target).expect(1)
        assert finished.out == "" and len(finished.err.splitlines()) == 1, finished.shown()
        for words in said:
            assert words in finished.err, finished.shown()
        made = {path.name for path in tmp_path.iterdir()} - before
        assert all(name.endswith(".lock") for name in made), made

    def test_is_refused_with_what_to_do(self, tmp_path: Path) -> None:
        none, new, text = tmp_path / "none.sqlite", tmp_path / "new.sqlite", tmp_path / "text"
        text.write_text("This is no database, but a text of more than a hundred bytes." * 3)
        empty = cluster().fresh_database()
        with Server(tmp_path).start() as server:
            self.refused(tmp_path, server.database, new, f"{server.database} is in use: stop its server first")
            self.refused(tmp_path, tables(), server.database, f"{server.database} is in use: stop its server first")
            server.stop()
        file = server.database
        self.refused(tmp_path, none, new, f"There is no database at {none}")
        self.refused(tmp_path, none, tables(), f"There is no database at {none}")
        self.refused(tmp_path, file, file, "FROM and TO are the same")
        self.refused(tmp_path, file, empty, "run goals migrate")
        self.refused(tmp_path, empty, new, "run goals migrate")
        self.refused(tmp_path, file, text, f"{text} is not a SQLite database")
        self.refused(tmp_path, text, new, f"{text} is not a SQLite database")
        self.refused(tmp_path, file, tmp_path / "nowhere/new.sqlite", "does not exist", "install -d")
        self.refused(tmp_path, file, "postgresql://me@127.0.0.1:1/goals", "Connection refused")
        self.refused(tmp_path, "postgresql://me@127.0.0.1:1/goals", new, "Connection refused")
        self.refused(tmp_path, file, "postgresql://me:hunter2@127.0.0.1/goals", "PGPASSFILE")

    @pytest.mark.parametrize("arguments", [[], ["a"], ["a", "b", "c"], ["a", "b", "--force"]])
    def test_needs_both_names(self, tmp_path: Path, arguments: list[str]) -> None:
        finished = goals("copy", *arguments, cwd=tmp_path).expect(64)
        assert "copy" in finished.err and list(tmp_path.iterdir()) == []

    def test_a_damaged_account_is_named_and_those_before_it_are_copied(self, tmp_path: Path) -> None:
        with Server(tmp_path).start() as server:
            server.client().add_goal()
            server.new_client("Ann").add_goal()
            server.stop()
        damage = "UPDATE edit SET payload = replace(payload, 'Yoga', 'Toga') WHERE place >> 40 = 2"
        with sqlite3.connect(server.database) as database:
            database.execute(damage)
        database.close()
        url = tables()
        refused = copy(server.database, url).expect(1)
        assert "The copy ended at account Ann. " in refused.err and "chain does not fit" in refused.err
        assert refused.err.endswith(" Accounts that were copied before stay in TO.\n")
        assert [row["name"] for row in goals("account", "list", "--json", database=url).listing()] == ["me"]
        sound(url)
