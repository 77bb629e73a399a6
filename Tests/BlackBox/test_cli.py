"""A person at the command line: `account`, `token`, `verify`, `health`, beside a running server and without one."""

from __future__ import annotations

import json
import os
import pty
import re
import socket
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from goals_client import LOWER_UUID, Client, edit, new_id
from goals_server import UNLIMITED, Finished, Server, binary, environment, goals
from tracing import need_root

Run = Callable[..., Finished]


@pytest.fixture(params=["beside a running server", "without a server"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Run]:
    """Runs commands on a database that has the account `me`, with its server up or down."""
    server = Server(tmp_path, *UNLIMITED).start()
    try:
        if request.param == "without a server":
            server.stop()
        yield server.run
        if request.param != "without a server":
            assert server.alive(), server.shown()
            server.stop()
    finally:
        server.kill()


class TestAResultThatNobodyGets:
    def test_is_a_failure_with_one_line(self, tmp_path: Path) -> None:
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [binary(), "account", "add", "Ann", "--json", "--database", str(tmp_path / "goals.sqlite")],
                env=environment(),
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=600,
            )
        assert done.returncode == 1, done
        assert len(done.stderr.splitlines()) == 1, done.stderr


class TestAccounts:
    def test_are_added_with_a_token_and_listed(self, run: Run) -> None:
        added = run("account", "add", "Ann", "--json").expect(0).json()
        assert set(added) == {"id", "name", "token"} and added["name"] == "Ann", added
        assert LOWER_UUID.match(added["id"]) and len(added["token"]) >= 20, added
        listed = run("account", "list", "--json").expect(0)
        assert {row["name"] for row in listed.listing()} == {"me", "Ann"}, listed.shown()
        assert added["id"] in [row["id"] for row in listed.listing()], listed.shown()
        assert added["token"] not in listed.out, listed.shown()

    def test_are_shown_to_a_person_too(self, run: Run) -> None:
        added = run("account", "add", "Ann").expect(0)
        assert re.search(r"\S{20,}", added.out), f"it shows the token{added.shown()}"
        listed = run("account", "list").expect(0)
        assert "Ann" in listed.out and "me" in listed.out, listed.shown()

    def test_are_listed_in_columns_under_headings(self, run: Run) -> None:
        run("account", "add", "A person of a long name", "--time-zone", "Europe/Berlin").expect(0)
        lines = run("account", "list").expect(0).out.splitlines()
        assert lines[0].split("  ")[0] == "ACCOUNT" and len(lines) == 3, lines
        for heading, text in [("TIME ZONE", "Europe/Berlin"), ("LAST ACTIVE", "never"), ("HISTORY", "0 bytes")]:
            assert lines[2].index(text) == lines[0].index(heading), lines

    def test_of_any_name_leave_the_columns_where_they_are(self, run: Run) -> None:
        names = ["会計の帳簿", "a\u202egnirts", "x" * 200]
        for name in names:
            run("account", "add", name).expect(0)
        lines = run("account", "list").expect(0).out.splitlines()
        cells = [sum(2 if "\u3000" < character < "\ua000" else 1 for character in line[: line.index("UTC")]) for line in lines[1:]]
        assert len(set(cells)) == 1 and cells[0] <= 42, lines
        assert "\u202e" not in "".join(lines) and "x" * 39 + "…" in lines[4], lines

    def test_are_removed_by_id_or_by_name(self, run: Run) -> None:
        first = run("account", "add", "Ann", "--json").expect(0).json()
        run("account", "add", "Ben").expect(0)
        run("account", "remove", first["id"], "--yes").expect(0)
        run("account", "remove", "Ben", "--yes").expect(0)
        names = [row["name"] for row in run("account", "list", "--json").expect(0).listing()]
        assert names == ["me"]
        run("account", "remove", first["id"], "--yes").expect(1)
        run("account", "remove", "Nobody").expect(1)

    def test_have_a_name_each(self, run: Run) -> None:
        run("account", "add", "Ann").expect(0)
        for arguments in (["add", "Ann"], ["add", " Ann "], ["set", "me", "--name", "Ann"]):
            refused = run("account", *arguments).expect(1)
            assert "Ann already" in refused.err and refused.out == "", refused.shown()
        run("account", "set", "Ann", "--name", "Ann").expect(0)
        assert len(run("account", "list", "--json").expect(0).listing()) == 2

    def test_are_not_removed_where_nobody_can_be_asked(self, run: Run) -> None:
        refused = run("account", "remove", "me").expect(64)
        first = refused.err.splitlines()[0]
        assert "account me" in first and "0 goals" in first and "--yes" in first, refused.shown()
        assert refused.err.splitlines()[1].startswith("Usage: goals account remove "), refused.shown()
        assert len(run("account", "list", "--json").expect(0).listing()) == 1

    def test_are_set_by_name(self, run: Run) -> None:
        told = run(
            "account", "set", "me", "--name", "Ann", "--time-zone", "Asia/Tokyo", "--week-start", "sunday",
            "--day-start", "03:00", "--json",
        ).expect(0).json()  # fmt: skip
        assert {**told, "id": ""} == {
            "id": "", "name": "Ann", "timeZone": "Asia/Tokyo", "timeZoneChosen": True, "weekStart": "sunday", "dayStart": "03:00",
        }  # fmt: skip
        assert "Asia/Tokyo" in run("account", "set", "Ann", "--day-start", "00:00").expect(0).out
        row = run("account", "list", "--json").expect(0).listing()[0]
        assert set(row) == {"id", "name", "timeZone", "timeZoneChosen", "createdAt", "lastActiveAt", "logBytes"}, row
        assert (row["name"], row["timeZone"], row["timeZoneChosen"]) == ("Ann", "Asia/Tokyo", True), row
        for wrong in (["--time-zone", "Mars/X"], ["--week-start", "Sunday"], ["--day-start", "13:00"], ["--name", ""]):
            refused = run("account", "set", "Ann", *wrong).expect(1)
            assert len(refused.err.splitlines()) == 1, refused.shown()
        run("verify").expect(0)


class TestARefusedAccount:
    @pytest.mark.parametrize("arguments", [[""], ["a\nb"], ["x" * 201], ["Ann", "--time-zone", "Mars/Olympus"]], ids=repr)
    def test_makes_no_database(self, tmp_path: Path, arguments: list[str]) -> None:
        refused = goals("account", "add", *arguments, database=tmp_path / "goals.sqlite").expect(1)
        assert len(refused.err.splitlines()) == 1 and os.listdir(tmp_path) == [], refused.shown()


class TestTokens:
    def test_are_added_listed_and_revoked(self, run: Run) -> None:
        added = run("token", "add", "me", "--name", "phone", "--json").expect(0).json()
        assert {"id", "token"} <= set(added) and LOWER_UUID.match(added["id"]), added
        listed = run("token", "list", "me", "--json").expect(0)
        row = next(row for row in listed.listing() if row["id"] == added["id"])
        assert set(row) == {"id", "name", "scope", "goal", "madeBy", "createdAt", "lastUsedAt", "expiresAt"}, listed.shown()
        assert (row["name"], row["scope"], row["goal"], row["lastUsedAt"], row["expiresAt"]) == (
            "phone", "write", None, None, None,
        ), listed.shown()  # fmt: skip
        assert added["token"] not in listed.out, listed.shown()
        run("token", "revoke", added["id"]).expect(0)
        assert added["id"] not in [row["id"] for row in run("token", "list", "me", "--json").expect(0).listing()]

    def test_come_as_links_that_work_once(self, run: Run) -> None:
        asked = ("token", "add", "me", "--name", "phone", "--scope", "count", "--link")
        made = run(*asked, "--json").expect(0).json()
        assert set(made) == {"name", "scope", "goal", "expiresAt", "link", "linkExpiresAt"}, made
        assert (made["name"], made["scope"]) == ("phone", "count") and "phone" not in run("token", "list", "me").expect(0).out
        shown = run(*asked, "--public-url", "https://goals.example/").expect(0)
        assert re.fullmatch(r"https://goals\.example/#code=[0-9a-f]{32}\n", shown.out), shown.shown()
        assert "Link for phone, scope count\nIt works once, until " in shown.err, shown.shown()

    def test_of_an_account_that_is_added_have_no_expiry_of_a_link(self, run: Run) -> None:
        run("account", "add", "Ann", "--json", "--expires", "2099-01-02T03:04:05Z").expect(64)
        until_then = run("account", "add", "Ann", "--expires", "2099-01-02T03:04:05Z").expect(0)
        assert "until 2099-01-02 03:04 UTC" in until_then.err, until_then.shown()

    def test_are_revoked_by_a_name_that_only_one_has(self, run: Run) -> None:
        run("account", "add", "Ann").expect(0)
        for account in ("me", "Ann"):
            run("token", "add", account, "--name", "phone").expect(0)
        refused = run("token", "revoke", "phone").expect(1)
        assert "2 tokens are called phone" in refused.err, refused.shown()
        assert "phone" in run("token", "revoke", "phone", "--account", "Ann").expect(0).out
        run("token", "revoke", "phone").expect(0)
        run("token", "revoke", "phone").expect(1)

    def test_are_listed_in_columns_under_headings(self, run: Run) -> None:
        run("token", "add", "me", "--name", "the tablet in the kitchen", "--scope", "read", "--expires", "2099-01-02T03:04:05Z").expect(0)
        lines = run("token", "list", "me").expect(0).out.splitlines()
        for heading, text in [("SCOPE", "read"), ("LAST USED", "never"), ("EXPIRES", "2099-01-02 03:04 UTC")]:
            assert lines[2].index(text) == lines[0].index(heading), lines

    def test_of_another_scope_or_account_are_refused(self, run: Run) -> None:
        assert run("token", "add", "me", "--name", "x", "--scope", "everything").code in (1, 64)
        assert run("token", "add", "me", "--name", "x", "--expires", "tomorrow").code in (1, 64)
        assert run("token", "add", "me", "--name", "x", "--scope", "bump").code in (1, 64)
        run("token", "add", "Nobody", "--name", "x").expect(1)
        run("token", "list", "Nobody").expect(1)
        run("token", "revoke", new_id()).expect(1)


class TestGoals:
    def test_are_listed_with_their_progress_in_words(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            me = server.client()
            server.run("goal", "list", "me").expect(0)
            water = me.add_goal(title="Glasses of water", frequency=8, unit="glasses")
            yoga = me.add_goal(title="Yoga", interval="weekly")
            me.patch(f"/v1/goals/{me.add_goal(title='Old')}", {"active": False}).expect(200)
            me.post(f"/v1/goals/{water}/bump", {"by": 3}).expect(200)
            me.post(f"/v1/goals/{yoga}/bump").expect(200)
            for _ in range(2):
                shown = server.run("goal", "list", "me").expect(0).out
                for words in ("3 of 8 glasses today", "1 of 1 this week, done", "off", water, yoga):
                    assert words in shown, shown
                rows = {row["title"]: row for row in server.run("goal", "list", "me", "--json").expect(0).listing()}
                assert list(rows) == ["Old", "Yoga", "Glasses of water"]
                assert rows["Glasses of water"] == {
                    "id": water, "title": "Glasses of water", "interval": "daily", "frequency": 8, "unit": "glasses",
                    "active": True, "progress": 3, "today": 3, "state": "open", "streak": 0,
                }  # fmt: skip
                assert rows["Old"]["active"] is False
                assert [rows["Old"][name] for name in ("progress", "today", "state", "unit")] == [None] * 4
                assert rows["Yoga"]["state"] == "met"
                if server.alive():
                    server.stop()

    def test_are_named_by_their_titles_for_a_button(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            me = server.client()
            water = me.add_goal(title="Glasses of water")
            button = ("token", "add", "me", "--name", "button", "--goal")
            made = server.run(*button, "glasses of WATER", "--json").expect(0).json()
            assert (made["scope"], made["goal"]) == ("bump", water)
            added = server.run(*button, "Glasses of water").expect(0)
            assert "scope bump of Glasses of water." in added.err and re.fullmatch(r"goals_[0-9a-f]{64}\n", added.out), added.shown()
            server.run(*button, water, "--scope", "write").expect(1)
            server.client(made["token"]).post(f"/v1/goals/{water}/bump").expect(200)
            assert "bump Glasses of water" in server.run("token", "list", "me").expect(0).out
            second = me.add_goal(title="Glasses of Water")
            refused = server.run(*button, "Glasses of water").expect(1)
            assert water in refused.err and second in refused.err and refused.out == "", refused.shown()
            server.run(*button, second).expect(0)
            server.run(*button, "Glasses").expect(1)


class TestARemovalOnATerminal:
    @staticmethod
    def remove(server: Server, typed: bytes) -> tuple[int, str]:
        """Runs `account remove me` with a terminal of its own, on which something is typed."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [binary(), "account", "remove", "me", "--database", str(server.database)],
            env=environment(), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        os.close(theirs)
        os.write(ours, typed)
        out, _ = process.communicate(timeout=600)
        os.close(ours)
        return process.returncode, out

    def test_asks_and_names_what_goes(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            fill(server.client())
            for typed in (b"\n", b"n\n", b"me\n", b"\x04"):
                code, out = self.remove(server, typed)
                assert code == 1 and "Nothing was removed" in out, out
                assert "account me" in out and "1 goal, 26 edits" in out, out
            assert len(server.run("account", "list", "--json").expect(0).listing()) == 1
            code, out = self.remove(server, b"y\n")
            assert code == 0 and "Removed account me" in out, out
            assert server.run("account", "list", "--json").expect(0).listing() == []


class TestVerify:
    def test_finds_nothing_wrong_with_a_good_database(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            for client in (server.client(), server.new_client()):
                fill(client)
            server.run("verify").expect(0)
            server.stop()
            server.run("verify").expect(0)

    def test_of_no_database_fails_and_makes_none(self, tmp_path: Path) -> None:
        goals("verify", database=tmp_path / "none.sqlite").expect(1)
        assert not (tmp_path / "none.sqlite").exists()


def fill(client: Client) -> None:
    goal = client.add_goal(title="Zanzibar")
    client.apply(edit("bump", goal=goal, note="a note of Zanzibar"), *[edit("bump", goal=goal) for _ in range(20)])
    client.apply(edit("delete", goal=client.add_goal()))


class TestHealth:
    def test_is_0_while_the_server_is_ready_and_1_when_it_is_not(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            goals("health", server.url, cwd=tmp_path).expect(0)
            goals("health", server.url + "/", cwd=tmp_path).expect(0)
            goals("health", server.url.removeprefix("http://"), cwd=tmp_path).expect(0)
            server.stop()
            goals("health", server.url, cwd=tmp_path).expect(1)

    def test_looks_at_a_socket_by_its_path(self, tmp_path: Path) -> None:
        path = tmp_path / "web"
        with Server(tmp_path, *UNLIMITED, "--listen", f"unix:{path}"):
            for place in (f"unix:{path}", str(path)):
                assert goals("health", place, cwd=tmp_path).expect(0).out == "ready\n"

    @pytest.mark.parametrize(("flags", "mode"), [((), 0o660), (("--socket-mode", "0600"), 0o600), (("--socket-mode", "666"), 0o666)])
    def test_a_socket_has_the_mode_that_it_is_given(self, tmp_path: Path, flags: tuple[str, ...], mode: int) -> None:
        web, metrics = tmp_path / "web", tmp_path / "metrics"
        with Server(tmp_path, *UNLIMITED, "--listen", f"unix:{web}", "--metrics-listen", f"unix:{metrics}", *flags):
            assert [stat.S_IMODE(path.stat().st_mode) for path in (web, metrics)] == [mode, mode]
            assert stat.S_IMODE((tmp_path / "goals.sqlite.sock").stat().st_mode) == 0o600

    @pytest.mark.parametrize("mode", ["rw-rw----", "0888", "1777", "00660", ""])
    def test_a_socket_has_no_other_mode(self, tmp_path: Path, mode: str) -> None:
        assert "--socket-mode" in goals("serve", "--socket-mode", mode, cwd=tmp_path).expect(64).err

    @pytest.mark.parametrize("place", ["https://127.0.0.1:8080", "127.0.0.1", "unix:", "http://", "ftp://x:1", ""])
    def test_is_asked_of_no_other_place(self, tmp_path: Path, place: str) -> None:
        assert "HOST:PORT" in goals("health", place, cwd=tmp_path).expect(64).err

    def test_is_1_where_something_else_listens(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:

            def answer() -> None:
                connection, _ = silent.accept()
                connection.recv(1000)
                connection.sendall(b"HTTP/1.1 503 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                connection.close()

            thread = threading.Thread(target=answer, daemon=True)
            thread.start()
            goals("health", f"http://127.0.0.1:{silent.getsockname()[1]}", cwd=tmp_path).expect(1)
            thread.join(5)


class TestASize:
    @pytest.mark.parametrize(("size", "bytes"), [("1100", 1100), ("1100B", 1100), ("2kB", 2000), ("2 KiB", 2048), ("2kib", 2048)])
    def test_is_plain_bytes_or_has_a_unit(self, tmp_path: Path, size: str, bytes: int) -> None:
        with Server(tmp_path, *UNLIMITED, "--max-body", size) as server:
            me = server.client()
            body = json.dumps({"title": "a"}).encode()
            me.post("/v1/goals", body.ljust(bytes)).expect(201)
            me.post("/v1/goals", body.ljust(bytes + 1)).expect(413)

    @pytest.mark.parametrize(
        "flag", ["max-request-line", "max-header-bytes", "max-body", "max-import", "max-account-bytes", "sign-up-bytes", "stream-buffer"]
    )
    def test_is_taken_by_every_flag_of_one(self, tmp_path: Path, flag: str) -> None:
        # What is refused is the other flag, once this one was read.
        for size in ("1GB", "1GiB", "512 MiB", "4096"):
            assert "--rate-burst" in goals("serve", f"--{flag}", size, "--rate-burst", "0", cwd=tmp_path).expect(64).err
        for wrong in ("5 apples", "GB", "1.5GB", "-1", "1EB", "99999999TiB", "5GB5", ""):
            assert f"--{flag}" in goals("serve", f"--{flag}={wrong}", cwd=tmp_path).expect(64).err
        for size in ("0", "0MB", "2TiB"):
            assert "a size from 1 byte to" in goals("serve", f"--{flag}", size, cwd=tmp_path).expect(64).err


class TestTheSettingsOfTheInstalledService:
    SCRIPT = """
      mount -t tmpfs none "$ROOM" && mkdir "$ROOM/upper" "$ROOM/work"
      mount -t overlay none -o "lowerdir=/etc,upperdir=$ROOM/upper,workdir=$ROOM/work" /etc
      printf %s "$SETTINGS" > /etc/goals.env
      exec "$@"
    """

    def run(self, tmp_path: Path, settings: str, *command: str, env: dict[str, str] | None = None) -> Finished:
        """Runs a command where /etc/goals.env is this."""
        need_root("a file in /etc")
        room = tmp_path / "room"
        room.mkdir(exist_ok=True)
        ran = subprocess.run(
            ["unshare", "--mount", "sh", "-euc", self.SCRIPT, "sh", binary(), *command],
            env=environment({"ROOM": str(room), "SETTINGS": settings, **(env or {})}),
            cwd=tmp_path, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        return Finished([*command], ran.returncode, ran.stdout, ran.stderr)

    def test_are_read_by_the_commands_of_root(self, tmp_path: Path) -> None:
        folder = tmp_path / "served"
        folder.mkdir()
        with Server(folder, *UNLIMITED) as server:
            settings = f"# ours\n; theirs\nGOALS_LISTEN={server.url.removeprefix('http://')}\n GOALS_DATABASE = '{server.database}' \n"
            assert self.run(tmp_path, settings, "health").expect(0).out == "ready\n"
            assert self.run(tmp_path, settings, "token", "list", "me", "--json").expect(0).listing()[0]["scope"] == "write"
            elsewhere = str(tmp_path / "none.sqlite")
            for given, env in (((), {"GOALS_DATABASE": elsewhere}), (("--database", elsewhere), {})):
                assert elsewhere in self.run(tmp_path, settings, "account", "list", *given, env=env).expect(1).err

    def test_are_checked_as_those_of_the_environment_are(self, tmp_path: Path) -> None:
        assert "Did you mean GOALS_LISTEN?" in self.run(tmp_path, "GOALS_LISTN=x\n", "account", "list").expect(64).err

    def test_are_not_those_of_a_server_that_is_started_by_hand(self, tmp_path: Path) -> None:
        assert "--rate-burst" in self.run(tmp_path, "GOALS_RATE_LIMIT=-1\n", "serve", "--rate-burst", "0").expect(64).err


class TestUsage:
    def test_version_prints_the_version(self, tmp_path: Path) -> None:
        finished = goals("--version", cwd=tmp_path).expect(0)
        assert re.fullmatch(r"(goals )?\d+\.\d+\.\d+\S*\n", finished.out), finished.shown()
        assert finished.err == "" and os.listdir(tmp_path) == [], finished.shown()

    @pytest.mark.parametrize(
        "arguments",
        [
            ["nonsense"], ["--nonsense"], ["serve", "--nonsense"], ["serve", "surplus"], ["serve", "--listen"],
            ["serve", "--listen", "nonsense"], ["serve", "--listen", "127.0.0.1:99999"], ["serve", "--max-edits", "many"],
            ["serve", "--max-edits", "-1"], ["serve", "--rate-limit", ""], ["serve", "--sign-up", "maybe"],
            ["serve", "--time-zone", "Mars/X"],
            ["account"], ["account", "nonsense"], ["account", "add"], ["account", "add", "a", "b"], ["account", "remove"],
            ["account", "list", "--nonsense"], ["token"], ["token", "add"], ["token", "add", "me"], ["token", "list"], ["token", "revoke"],
            ["backup"], ["backup", "a", "b"], ["restore"], ["restore", "a", "b"], ["restore", "--nonsense"],
            ["account", "set"], ["account", "set", "me"], ["goal"], ["goal", "list"], ["goal", "list", "a", "b"],
            ["verify", "surplus"], ["health", "a", "b"],
        ],
        ids=" ".join,
    )  # fmt: skip
    def test_that_is_wrong_exits_64_and_touches_nothing(self, tmp_path: Path, arguments: list[str]) -> None:
        finished = goals(*arguments, cwd=tmp_path).expect(64)
        assert finished.out == "", finished.shown()
        assert os.listdir(tmp_path) == [], finished.shown()

    def test_that_is_wrong_in_the_environment_exits_64_too(self, tmp_path: Path) -> None:
        finished = goals("serve", cwd=tmp_path, env={"GOALS_TIME_ZONE": "Mars/X"}).expect(64)
        assert "--time-zone" in finished.err.splitlines()[0] and "Mars/X" in finished.err, finished.shown()
        assert finished.out == "" and os.listdir(tmp_path) == [], finished.shown()

    @pytest.mark.parametrize("command", ["serve", "account list", "goal list me", "token list me", "backup x", "verify", "health"])
    @pytest.mark.parametrize(
        ("name", "nearest"),
        [
            ("GOALS_LISTN", "GOALS_LISTEN"), ("GOALS_DATA_BASE", "GOALS_DATABASE"), ("GOALS_MAX_ACCOUNT", "GOALS_MAX_ACCOUNTS"),
            ("GOALS_METRICS", "GOALS_METRICS_LISTEN"), ("GOALS_URL", "GOALS_PUBLIC_URL"), ("GOALS_CORS", "GOALS_CORS_ORIGIN"),
            ("GOALS_PROXY", "GOALS_TRUST_PROXY"),
        ],
    )  # fmt: skip
    def test_a_variable_that_nobody_knows_exits_64(self, tmp_path: Path, command: str, name: str, nearest: str) -> None:
        finished = goals(*command.split(), cwd=tmp_path, env={name: ""}).expect(64)
        first = finished.err.splitlines()[0]
        assert name in first and f"{nearest}?" in first, finished.shown()
        assert finished.out == "" and os.listdir(tmp_path) == [], finished.shown()

    def test_every_flag_of_serve_is_a_variable(self, tmp_path: Path) -> None:
        shown = goals("serve", "--help-hidden").expect(0).out
        flags = set(re.findall(r"^ +--([a-z-]+)", shown, re.MULTILINE)) - {"version", "help", "help-hidden"}
        assert {"max-accounts", "max-account-bytes", "sign-ups"} <= flags, flags
        paths = {"database", "admin-socket"}
        for flag in flags:
            env = {"GOALS_" + flag.upper().replace("-", "_"): ["no such value", "/nowhere/x"][flag in paths]}
            refused = goals("serve", *(["--listen", "127.0.0.1:0"] if flag != "listen" else []), cwd=tmp_path, env=env)
            assert refused.code in (1, 64) and "Listening" not in refused.out, refused.shown()
            assert ("/nowhere" if flag in paths else f"--{flag}") in refused.err, refused.shown()

    def test_a_failure_is_one_clear_line(self, tmp_path: Path) -> None:
        finished = goals("account", "list", database=tmp_path / "none.sqlite").expect(1)
        assert finished.out == "" and len(finished.err.strip().splitlines()) == 1, finished.shown()

    def test_the_database_can_come_from_the_environment(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED) as server:
            goals("account", "add", "Ann", env={"GOALS_DATABASE": str(server.database)}).expect(0)
            listed = goals("account", "list", "--json", cwd=tmp_path).expect(0).listing()
            assert {row["name"] for row in listed} == {"me", "Ann"}, "goals.sqlite in the working folder is the default"
