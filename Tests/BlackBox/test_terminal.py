"""The terminal client as people use it: real processes beside a real server, and without one."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import json
import os
import pty
import random
import re
import resource
import socket
import struct
import subprocess
import termios
import threading
import unicodedata
import urllib.request
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

from goals_client import PATIENCE, Client, until
from goals_server import Finished, Server, binary, environment, goals
from tier import THOROUGH
from tracing import faulty, need_root


class Person:
    """Somebody at a terminal: a home of their own, in which they are signed in or not."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.env = {"HOME": str(home), "LANG": "C.UTF-8", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": ""}

    def run(self, *arguments: str, env: dict[str, str] | None = None, **options: Any) -> Finished:
        return goals(*arguments, env={**self.env, **(env or {})}, cwd=self.home, **options)

    def spawn(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [binary(), *arguments],
            env=environment(self.env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def login(self, server: Server, client: Client) -> Person:
        self.run("login", f"{server.url}/#token={client.token}").expect(0)
        return self

    def goals(self) -> dict[str, int]:
        return {goal["title"]: goal["progress"] for goal in self.run("list", "--json").expect(0).json()["goals"]}

    def find(self, url: str) -> None:
        """The server has another address now."""
        file = self.home / ".config/goals/sign-in.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), "server": url}))

    @property
    def state(self) -> Path:
        (folder,) = (self.home / ".local/state/goals").iterdir()
        return folder


@pytest.fixture
def person(tmp_path: Path, server: Server, me: Client) -> Person:
    home = tmp_path / "home"
    home.mkdir()
    return Person(home).login(server, me)


def progress(client: Client) -> dict[str, int]:
    return {goal["title"]: goal["progress"] for goal in client.get("/v1/goals").expect(200).json()["goals"]}


class TestCounting:
    def test_adds_counts_and_takes_back(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga", "--every", "month", "--times", "5").expect(0)
        assert "1 of 5 this month" in person.run("bump", "yo").expect(0).out
        assert "3 of 5 this month" in person.run("bump", "YOGA", "+2", "--note", "with Ana").expect(0).out
        assert "2 of 5 this month" in person.run("bump", "Yoga", "-1").expect(0).out
        assert progress(me) == {"Yoga": 2}
        assert person.run("undo").expect(0).out == "Took back: Yoga −1\n"
        assert person.run("undo").expect(0).out == "Took back: Yoga +2\n"
        assert progress(me) == {"Yoga": 1}
        assert person.run("list").expect(0).out == "Yoga  ██░░░░░░░░  1 of 5 this month   1 today\n"
        said = [person.run("undo").expect(0).out for _ in range(2)]
        assert said == ["Took back: Yoga +1\n", "Took back: adding Yoga\n"]
        assert progress(me) == {}
        assert person.run("undo").expect(1).err.startswith("goals: Nothing of the last 30 days")

    def test_counts_on_the_day_that_is_said(self, person: Person, me: Client) -> None:
        person.run("add", "Water", "--times", "8", "--unit", "glasses").expect(0)
        person.run("bump", "wat", "--on", "yesterday").expect(0)
        told = person.run("bump", "wat", "+3", "--on", "2025-01-05").expect(0).out
        assert told.endswith("0 of 8 glasses today\nWater +3 on Sun 5 Jan 2025\n")
        assert person.run("undo").expect(0).out == "Took back: Water +3 on Sun 5 Jan 2025\n"
        person.run("bump", "wat", "+3", "--on", "2026-01-05").expect(0)
        days = {e["day"]: e["by"] for e in me.log() if e["type"] == "bump"}
        assert days["2026-01-05"] == 3 and sum(days.values()) == 7
        assert person.goals() == {"Water": 0}
        refused = person.run("bump", "wat", "--on", "2999-01-01").expect(1)
        assert refused.err.startswith("goals: 2999-01-01 has not come yet: today is 20")
        refused = person.run("bump", "wat", "--on", "1999-12-31").expect(1)
        assert refused.err == "goals: 1999-12-31 is too long ago: the first day that counts is 2000-01-01.\n"
        assert person.run("bump", "wat", "--on", "2026-02-30").expect(1).err.startswith("goals: 2026-02-30 is no day: say today, ")
        assert person.run("bump", "wat", "--on", "someday").expect(1).err.startswith("goals: someday is no day")

    def test_counts_on_a_journey_on_the_day_that_the_machine_shows(self, person: Person, me: Client) -> None:
        me.request("PATCH", "/v1/account", {"timeZone": "UTC"}).expect(200)
        person.run("add", "Yoga", "--times", "9").expect(0)
        present = datetime.datetime.now(datetime.UTC).date()
        tomorrow, later = (str(present + datetime.timedelta(days)) for days in (1, 2))
        refused = person.run("bump", "yoga", "--on", tomorrow).expect(1).err
        assert refused.startswith(f"goals: {tomorrow} has not come yet: today is {present} in UTC.")
        # A machine that is a day ahead.
        person.env["TZ"] = "DAY-24"
        assert "Yoga +1 on " in person.run("bump", "yoga", "--on", tomorrow).expect(0).out
        refused = person.run("bump", "yoga", "--on", later).expect(1).err
        assert refused.startswith(f"goals: {later} has not come yet")
        told = person.run("bump", "yoga").expect(0).out
        assert told.endswith(
            f"This is for {present}, the present day in UTC, where your days are counted. "
            f"For the day of this machine say --on {tomorrow}.\n"
        )
        person.env["TZ"] = "UTC"
        assert "This is for" not in person.run("bump", "yoga").expect(0).out
        assert [edit["day"] for edit in me.log() if edit["type"] == "bump"] == [tomorrow, str(present), str(present)]

    def test_leaves_a_note_with_a_sign_alone(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga", "--times", "9").expect(0)
        for note in ("+2", "-3", "--json"):
            person.run("bump", "yoga", "+2", "--note", note).expect(0)
        assert [(edit["note"], edit["by"]) for edit in me.log() if edit["type"] == "bump"] == [("+2", 2), ("-3", 2), ("--json", 2)]

    def test_finds_a_goal_by_the_start_of_its_title(self, person: Person) -> None:
        for title in ("Run", "Running shoes", "Read"):
            person.run("add", title).expect(0)
        assert "Run  " in person.run("bump", "run").expect(0).out
        said = person.run("bump", "r").expect(1).err
        found = re.fullmatch(r"goals: Several goals begin with r: Read \((.+)\), Running shoes \((.+)\), Run \((.+)\)\. More of .*\n", said)
        assert found and "Read  " in person.run("bump", found[1]).expect(0).out, said
        person.run("add", "run").expect(0)
        said = person.run("bump", "RUN").expect(1).err
        assert len(set(re.findall(r"\(([0-9a-f-]{8,})\)", said))) == 2, said
        ids = [goal["id"] for goal in person.run("list", "--json").expect(0).json()["goals"]]
        assert "1 of 1" in person.run("bump", ids[0]).expect(0).out
        assert person.run("bump", "x").expect(1).err == "goals: No goal begins with x. `goals list` shows them.\n"
        assert person.run("bump", "Run", "0x").code == 64

    def test_takes_one_number(self, person: Person, me: Client) -> None:
        person.run("add", "Run", "--times", "9").expect(0)
        said = person.run("bump", "run", "+2", "+3").expect(64).err
        assert said == "goals: A bump counts one number: say it once, as in `goals bump yoga +2`.\n"
        said = person.run("bump", "run", "--", "-2").expect(64).err
        assert "'-2'" in said and "--by" not in said
        assert progress(me) == {"Run": 0}
        tomorrow = str(datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(1))
        assert person.run("bump", "run", "--on", tomorrow).expect(1).err.startswith(f"goals: {tomorrow} has not come yet: today is 20")

    def test_cuts_no_streak_of_a_history(self, person: Person) -> None:
        person.run("add", "Run", "--every", "month", "--times", "100", "--unit", "kilometres").expect(0)
        person.run("bump", "run", "+12", "--on", "2020-01-05").expect(0)
        lines = on_a_terminal(person, "history", "run", "--days", "3000", width=40, NO_COLOR="1").splitlines()
        assert "12 kilometres in this time" in lines[-2] and lines[-1].endswith("streak 0, longest 0"), lines[-3:]
        assert all(cells(line) <= 40 for line in lines)

    def test_shows_what_became_of_a_goal(self, person: Person) -> None:
        person.run("add", "Yoga").expect(0)
        person.run("bump", "yoga", "--note", "with Ana").expect(0)
        shown = person.run("history", "yoga").expect(0).out
        assert shown.startswith("Yoga\n") and "█" in shown and "with Ana" in shown and "1 in this time" in shown
        assert person.run("history", "yoga", "--json").expect(0).json()["total"] == 1

    def test_names_the_command_that_was_probably_meant(self, person: Person) -> None:
        assert person.run("bmup", "yoga").expect(64).err == "goals: bmup is no command: did you mean bump? `goals --help` shows them all.\n"

    def test_explains_all_that_a_bump_takes(self, person: Person) -> None:
        told = person.run("bump", "--help").expect(0).out
        assert all(word in told for word in ("[+N|-N]", "--on <day>", "--note <text>", "--json", "yesterday", "weekday", "goals bump yoga +2"))

    @pytest.mark.parametrize("command", ["bump", "login", "history"])
    def test_explains_a_command_to_who_asks_for_help(self, person: Person, command: str) -> None:
        assert person.run("help", command).expect(0).out == person.run(command, "--help").expect(0).out
        assert "--listen" in person.run("help", "serve").expect(0).out

    def test_leaves_nothing_in_other_folders(self, person: Person) -> None:
        person.run("add", "Yoga").expect(0)
        person.run("bump", "yoga").expect(0)
        folders = [str(path.relative_to(person.home)) for path in person.home.rglob("*") if "goals" not in path.relative_to(person.home).parts]
        assert sorted(folders) == [".config", ".local", ".local/state"]

    def test_is_quiet_where_nobody_reads(self, person: Person) -> None:
        person.run("add", "Yoga").expect(0)
        for command in (["list"], ["bump", "yoga"], ["history", "yoga"], ["watch"]):
            reading, writing = os.pipe()
            os.close(reading)
            done = subprocess.run([binary(), *command], env=environment(person.env), stdout=writing, stderr=subprocess.PIPE, text=True)
            os.close(writing)
            assert done.stderr == "" and done.returncode != 0
        assert person.goals() == {"Yoga": 1}

    def test_says_that_an_edit_is_kept_of_which_it_can_say_nothing_else(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga").expect(0)
        with Path("/dev/full").open("w") as full:
            done = subprocess.run([binary(), "bump", "yoga"], env=environment(person.env), stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 1 and done.stderr == "goals: The edit is kept. Standard output can't be written: No space left on device.\n"
        assert progress(me) == {"Yoga": 1}

    @pytest.mark.parametrize("width", [40, 80, 160])
    def test_keeps_to_the_width_of_a_terminal(self, person: Person, width: int) -> None:
        titles = ["🧘🏽‍♀️ 日本語 " * 5, "Yoga", "A title of many words that goes on and on and then somewhat further, to its end"]
        for title in titles:
            person.run("add", title.strip(), "--every", "month", "--times", "100", "--unit", "kilometres").expect(0)
            person.run("bump", title[0], "+12").expect(0)
        lines = on_a_terminal(person, "list", width=width, NO_COLOR="1").splitlines()
        assert len(lines) == 3 and all(cells(line) <= width for line in lines), lines
        bars = {cells(line[: re.search("[█░]", line).start()]) for line in lines}  # type: ignore[union-attr]
        assert len(bars) == 1 and ("…" in lines[0] + lines[2]) is (width < 160)
        assert ("…" in person.run("list").out) is False
        shown = on_a_terminal(person, "history", "yoga", width=width, NO_COLOR="1").splitlines()
        assert all(cells(line) <= width for line in shown), shown
        assert max(map(cells, shown[2:9])) > min(width, 105) - 16, shown
        shown = on_a_terminal(person, "history", "yoga", "--days", "365", width=width, NO_COLOR="1").splitlines()
        # So many weeks stand side by side; the others are above them.
        rows = -(-53 // ((width - 5) // 2))
        assert sum(line.startswith("Mon") for line in shown) == rows and all(cells(line) <= width for line in shown), shown

    def test_is_plain_where_it_is_asked_to_be(self, person: Person) -> None:
        person.run("add", "Yoga").expect(0)
        assert "#" not in person.run("list").out and "--" in person.run("list", env={"LANG": "C"}).out
        assert "\x1b[" in on_a_terminal(person, "list")
        assert "\x1b[" not in on_a_terminal(person, "list", NO_COLOR="1")


def cells(text: str) -> int:
    """How many cells of a terminal it takes, for the letters that are used here."""
    text = text.replace("🧘🏽‍♀️", "日")
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def on_a_terminal(person: Person, *arguments: str, width: int = 80, **env: str) -> str:
    """What a command shows on a terminal."""
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    with subprocess.Popen(
        [binary(), *arguments], env=environment({**person.env, "TERM": "xterm", **env}), stdin=far, stdout=far, stderr=far
    ) as process:
        os.close(far)
        shown = b""
        while True:
            try:
                piece = os.read(near, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert process.wait(20 * PATIENCE) == 0
    os.close(near)
    return shown.decode()


class Zsh:
    """A zsh at a terminal, without anybody's settings."""

    def __init__(self, person: Person) -> None:
        self.near, far = pty.openpty()
        env = environment({**person.env, "TERM": "dumb", "PATH": f"{Path(binary()).parent}:{os.environ['PATH']}"})
        self.process = subprocess.Popen(["zsh", "-f", "-i"], env=env, cwd=person.home, stdin=far, stdout=far, stderr=far, start_new_session=True)
        os.close(far)
        os.set_blocking(self.near, False)
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.near)

    def type(self, text: str) -> None:
        os.write(self.near, text.encode())

    def see(self, text: str) -> None:
        def shown() -> bool:
            with contextlib.suppress(BlockingIOError):
                self.shown += os.read(self.near, 65536).decode(errors="replace")
            return text in self.shown

        until(shown, f"zsh shows {text}: {self.shown}")


class TestSigningIn:
    def test_needs_a_server_that_is_one_and_a_token_that_it_knows(self, tmp_path: Path, server: Server) -> None:
        person = Person(tmp_path)
        assert person.run("list").expect(1).err.startswith("goals: You are not signed in")
        wrong = person.run("login", f"{server.url}/#token=goals_{'0' * 64}").expect(1)
        assert wrong.err == "goals: The server does not know this token.\n"
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            nowhere = f"http://127.0.0.1:{unused.getsockname()[1]}"
            refused = f"goals: No server answers at {nowhere}: the host refuses the connection.\n"
            assert person.run("login", f"{nowhere}/#token=x").expect(1).err == refused
        assert person.run("login", "ftp://x").expect(1).err.startswith("goals: ftp://x is no address")
        assert not (tmp_path / ".config").exists()

    def test_asks_for_the_token(self, tmp_path: Path, server: Server, me: Client) -> None:
        done = subprocess.run(
            [binary(), "login", server.url], input=f"{me.token}\n", env=environment(Person(tmp_path).env), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        file = tmp_path / ".config/goals/sign-in.json"
        assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700

    @pytest.mark.parametrize("address", ["htp://host/#token=goals_SECRET", "http://me:goals_SECRET@127.0.0.1:1/", "htp://me:goals_SECRET@host", "htp://me:goals_SEC#RET@host"])
    def test_repeats_no_secret_of_an_address(self, tmp_path: Path, address: str) -> None:
        said = Person(tmp_path).run("login", address).expect(1)
        assert "address" in said.err and "SEC" not in said.out + said.err

    @pytest.mark.parametrize("more", ["%0d%0aX-Evil:%20y", "%00abc", "%20", "%C3%A9"])
    def test_takes_nothing_for_a_token_that_is_none(self, tmp_path: Path, server: Server, me: Client, more: str) -> None:
        said = Person(tmp_path).run("login", f"{server.url}/#token={me.token}{more}").expect(1)
        assert said.err.startswith("goals: That is no token: ") and (me.token or "") not in said.err
        assert not (tmp_path / ".config").exists()

    def test_says_what_waits_of_another_account(self, person: Person, server: Server, me: Client, tmp_path: Path) -> None:
        person.run("add", "Yoga").expect(0)
        person.find("http://127.0.0.1:1")
        person.run("bump", "yoga").expect(0)
        assert "other account" not in person.run("login", f"{server.url}/#token={me.token}").expect(0).err
        person.find("http://127.0.0.1:1")
        for _ in range(2):
            person.run("bump", "yoga").expect(0)
        (tmp_path / "s").mkdir()
        with Server(tmp_path / "s").start() as other:
            said = person.run("login", f"{other.url}/#token={other.token}").expect(0)
        assert said.err.endswith("\ngoals: 2 edits of the other account still wait on this machine.\n")

    def test_fails_where_nothing_can_be_kept(self, tmp_path: Path, server: Server, me: Client) -> None:
        for number in range(20):
            me.add_goal(title=f"Goal {number}")
        process = Person(tmp_path).spawn(
            "login", f"{server.url}/#token={me.token}", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))
        )
        out, err = process.communicate(timeout=60 * PATIENCE)
        assert process.returncode == 1 and not out and "goals: I can't write" in err, out + err

    def test_ends_with_logout_after_the_token_was_revoked(self, person: Person, server: Server, me: Client) -> None:
        account = me.get("/v1/token").expect(200).json()["account"]
        token = server.run("token", "add", account, "--name", "one", "--json").expect(0).json()
        person.run("login", f"{server.url}/#token={token['token']}").expect(0)
        server.run("token", "revoke", token["id"]).expect(0)
        assert person.run("logout").expect(0).out == "Signed out. The server does not take the token any more.\n"

    def test_ends_with_logout_unless_edits_would_be_lost(self, tmp_path: Path) -> None:
        (tmp_path / "s").mkdir()
        person = Person(tmp_path / "home")
        person.home.mkdir()
        with Server(tmp_path / "s").start() as server:
            person.login(server, server.client())
            person.run("add", "Yoga").expect(0)
            server.stop()
            assert "can't be reached" in person.run("bump", "yoga").expect(0).out
            assert "still signed in: 1 edit was not sent" in person.run("logout").expect(1).err
            person.find(server.start().url)
            person.run("logout").expect(0)
            assert progress(server.client()) == {"Yoga": 1}
        assert not list(person.home.rglob("journal")) and not list(person.home.rglob("sign-in.json"))


class TestWithoutAServer:
    def test_counts_and_sends_later(self, tmp_path: Path) -> None:
        (tmp_path / "s").mkdir()
        person = Person(tmp_path / "home")
        person.home.mkdir()
        with Server(tmp_path / "s").start() as server:
            person.login(server, server.client())
            person.run("add", "Yoga", "--times", "9").expect(0)
            server.kill()
            for count in (1, 2, 3):
                said = person.run("bump", "yoga").expect(0).out
                assert f"{count} of 9" in said and f"{count} edit{'s wait' if count > 1 else ' waits'} to be sent" in said
            assert "3 to be sent" in person.run("list").expect(0).out
            assert person.run("bump", "yoga", "--json").expect(0).json()["sent"] is False
            person.find(server.start().url)
            person.run("bump", "yoga").expect(0)
            # What is known of an edit after a moment is printed, so a slow machine may need another one.
            until(lambda: person.run("bump", "yoga", "--json").expect(0).json()["sent"], "an edit is sent at once", 20)
            assert progress(server.client()) == person.goals()
            assert person.goals()["Yoga"] >= 6

    def test_says_so_where_the_disk_is_full(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga").expect(0)
        size = (person.state / "journal").stat().st_size

        def full() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, size + 20))

        process = person.spawn("bump", "yoga", preexec_fn=full)
        out, err = process.communicate(timeout=20 * PATIENCE)
        assert process.returncode == 1 and not out, out + err
        assert "Nothing was counted: this machine could not keep it: I can't write" in err
        out, err = person.spawn("add", "Rob", preexec_fn=full).communicate(timeout=20 * PATIENCE)
        assert not out and "Nothing was added: this machine could not keep it: I can't write" in err
        assert (person.state / "journal").stat().st_size == size
        assert "1 of 1" in person.run("bump", "yoga").expect(0).out
        assert progress(me) == {"Yoga": 1}

    def test_says_so_where_the_journal_keeps_what_could_not_be_synced(self, person: Person) -> None:
        need_root("to make a disk fail")
        person.run("add", "Yoga", "--times", "9").expect(0)
        journal = person.state / "journal"
        done = faulty(["bump", "yoga"], "fsync:error=EIO", "ftruncate:error=EIO", path=journal, env=person.env)
        assert done.returncode == 1 and done.stderr.startswith("goals: It may be counted all the same: I can't sync"), done
        assert person.goals() == {"Yoga": 1}
        # What could be cut off is not.
        done = faulty(["bump", "yoga"], "fsync:error=EIO", path=journal, env=person.env)
        assert done.returncode == 1 and done.stderr.startswith("goals: Nothing was counted: "), done
        assert person.goals() == {"Yoga": 1}

    def test_says_so_where_another_process_may_count_it(self, person: Person) -> None:
        need_root("to make a disk fail")
        person.run("add", "Yoga", "--times", "9").expect(0)
        watch = person.spawn("watch")
        try:
            assert watch.stdout and "Yoga" in watch.stdout.readline()
            done = faulty(["bump", "yoga"], "fsync:error=EIO", path=person.state / "inbox", env=person.env)
        finally:
            watch.kill()
            watch.communicate()
        assert done.returncode == 1 and done.stderr.startswith("goals: It may be counted all the same: I can't sync"), done
        assert person.goals() == {"Yoga": 1}

    def test_shows_what_is_kept_where_nothing_can_be_written(self, person: Person) -> None:
        need_root("to mount a folder read-only")
        person.run("add", "Yoga").expect(0)
        state = str(person.state)
        subprocess.run(["mount", "--bind", state, state], check=True)
        try:
            subprocess.run(["mount", "-o", "remount,bind,ro", state], check=True)
            shown = person.run("list").expect(0)
            assert "Yoga" in shown.out and shown.err.startswith("goals: Not up to date: I can't "), shown.shown()
            assert "Read-only" in shown.err and person.run("history", "yoga").expect(0).out
            refused = person.run("bump", "yoga").expect(1)
            assert refused.err.startswith("goals: Nothing was counted: "), refused.shown()
        finally:
            subprocess.run(["umount", "-l", state], check=True)
        assert person.goals() == {"Yoga": 0}

    @pytest.mark.parametrize("seed", range(3))
    def test_loses_nothing_and_counts_nothing_twice_when_it_is_killed(self, person: Person, me: Client, seed: int) -> None:
        print("seed", seed)
        dice = random.Random(seed)
        person.run("add", "Yoga", "--times", "900").expect(0)
        answered, made = 0, 12
        for _ in range(made):
            process = person.spawn("bump", "yoga")
            try:
                out, _ = process.communicate(timeout=dice.uniform(0, 0.25))
            except subprocess.TimeoutExpired:
                process.kill()
                out, _ = process.communicate()
            answered += "of 900" in out
        person.run("list").expect(0)
        bumps = [edit for edit in me.log() if edit["type"] == "bump"]
        assert answered <= len(bumps) <= made
        assert progress(me)["Yoga"] == len(bumps) == person.goals()["Yoga"]


class TestTogether:
    def test_a_bump_beside_a_watch_is_sent_and_shown(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga", "--times", "9").expect(0)
        watch = person.spawn("watch")
        lines: list[str] = []
        reader = threading.Thread(target=lambda: lines.extend(watch.stdout or []), daemon=True)
        reader.start()
        try:
            until(lambda: lines, "the watch shows the list", 20)
            assert person.run("bump", "yoga", "--json").expect(0).json()["goal"]["progress"] == 1
            until(lambda: any("1 of 9" in line for line in lines), "the watch shows the bump", 20)
            me.post(f"/v1/goals/{me.get('/v1/goals').json()['goals'][0]['id']}/bump").expect(200)
            until(lambda: any("2 of 9" in line for line in lines), "the watch shows another's bump", 20)
            assert "2 of 9" in person.run("list").expect(0).out
        finally:
            watch.kill()
            watch.wait()
        assert progress(me) == {"Yoga": 2}

    def test_many_at_once_lose_nothing(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga", "--times", "99").expect(0)
        processes = [person.spawn("bump", "yoga") for _ in range(8)]
        for process in processes:
            out, err = process.communicate(timeout=60 * PATIENCE)
            assert process.returncode == 0, out + err
        person.run("list").expect(0)
        assert progress(me) == {"Yoga": 8}


class Nonsense(BaseHTTPRequestHandler):
    """Answers each request with something else that makes no sense."""

    answers: ClassVar[list[tuple[int, dict[str, str], bytes]]] = [
        (200, {"Content-Type": "application/json"}, b"{"),
        (200, {"Content-Type": "text/html"}, b"<h1>Welcome to the hotel's network</h1>"),
        (204, {}, b""),
        (302, {"Location": "http://127.0.0.1:1/steal"}, b""),
        (200, {"Content-Type": "application/json"}, b'{"id": 7, "timeZone": null}'),
        (418, {}, b"\xff\xfe"),
        (500, {"Retry-After": "-3"}, b"null"),
        (200, {"Content-Type": "application/json"}, b"[" * 5000),
    ]
    asked = 0

    def do_GET(self) -> None:
        status, fields, body = self.answers[Nonsense.asked % len(self.answers)]
        Nonsense.asked += 1
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def nonsense() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Nonsense)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


class TestAServerThatMakesNoSense:
    def test_loses_nothing(self, person: Person, server: Server, me: Client, nonsense: str) -> None:
        person.run("add", "Yoga", "--times", "99").expect(0)
        person.find(nonsense)
        for count in range(1, 2 + len(Nonsense.answers)):
            said = person.run("bump", "yoga").expect(0).out
            assert f"{count} of 99" in said and "to be sent" in said and "can't be reached" not in said
        person.find(server.url)
        person.run("list").expect(0)
        assert progress(me) == {"Yoga": 1 + len(Nonsense.answers)}

    def test_is_no_server_to_sign_in_to(self, tmp_path: Path, nonsense: str) -> None:
        for _ in Nonsense.answers:
            assert "no Goals server" in Person(tmp_path).run("login", f"{nonsense}/#token=x").expect(1).err


class Refusing(BaseHTTPRequestHandler):
    """The server, but for edits: each is refused with a sentence that would clear the screen."""

    real = ""

    def forward(self, body: bytes | None) -> tuple[int, bytes]:
        asked = urllib.request.Request(self.real + self.path, data=body)
        for name in ("Authorization", "Content-Type"):
            if self.headers[name]:
                asked.add_header(name, self.headers[name])
        with urllib.request.urlopen(asked) as answer:
            return answer.status, answer.read()

    def do_GET(self) -> None:
        self.answer(*(404, b"{}") if self.path.startswith("/v1/changes") else self.forward(None))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        sends = json.loads(body)["edits"]
        problem = {"code": "invalid", "detail": "No\x1b[2J.", "errors": [{"pointer": "/edits/0/note", "detail": "Never\x1b[2J."}]}
        self.answer(*(422, json.dumps(problem).encode()) if sends else self.forward(body))

    def answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Excusing(BaseHTTPRequestHandler):
    """A Goals server that has something against every request."""

    answers: ClassVar[list[tuple[int, str, str]]] = [
        (429, "rate-limited", "The server at {url} asks for time (429): try again in 7 s."),
        (503, "unavailable", "The server at {url} asks for time (503): try again in 7 s."),
        (500, "internal", "The server at {url} has failed (500): its log says why."),
    ]
    answer = answers[0]

    def do_GET(self) -> None:
        status, code, _ = Excusing.answer
        body = json.dumps({"code": code, "detail": "No."}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/problem+json")
        self.send_header("Retry-After", "7")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_sign_in_says_what_a_server_has_against_it(tmp_path: Path) -> None:
    excusing = ThreadingHTTPServer(("127.0.0.1", 0), Excusing)
    threading.Thread(target=excusing.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{excusing.server_address[1]}"
    for answer in Excusing.answers:
        Excusing.answer = answer
        said = Person(tmp_path).run("login", f"{url}/#token=x").expect(1).err
        assert said == f"goals: {answer[2].format(url=url)}\n"
    excusing.shutdown()
    excusing.server_close()


def test_a_sign_in_names_what_was_probably_meant(tmp_path: Path, server: Server, me: Client) -> None:
    account = me.get("/v1/token").expect(200).json()["account"]
    goal = me.add_goal()
    token = server.run("token", "add", account, "--name", "one", "--goal", goal, "--json").expect(0).json()["token"]
    said = Person(tmp_path).run("login", f"{server.url}/#token={token}").expect(1).err
    assert said == "goals: This token may only count one goal: make one with `goals token add` that has no --goal.\n"
    host = server.url.removeprefix("http://")
    said = Person(tmp_path).run("login", f"{host}/#token={me.token}").expect(1).err
    assert said == f"goals: No server answers at https://{host}. Is it http://{host}, without TLS?\n"


def test_a_server_does_not_control_the_terminal(person: Person, server: Server) -> None:
    person.run("add", "Yoga").expect(0)
    Refusing.real = server.url
    refusing = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=refusing.serve_forever, daemon=True).start()
    person.find(f"http://127.0.0.1:{refusing.server_address[1]}")
    said = person.run("bump", "yoga").expect(1)
    told = person.run("bump", "yoga", "--json").expect(1)
    refusing.shutdown()
    refusing.server_close()
    assert "[2J" in said.err and "\x1b" not in said.out + said.err
    # What was refused was not sent, and a program hears why.
    answer = told.json()
    assert answer["sent"] is False and answer["rejected"] == {"code": "invalid", "detail": "No\x1b[2J."}
    person.find(server.url)
    assert person.goals() == {"Yoga": 0}


class TestCompletions:
    def completed(self, person: Person, *words: str) -> list[str]:
        script = f"""
            PATH={Path(binary()).parent}:$PATH
            source <(goals completions bash)
            COMP_WORDS=(goals {" ".join(f"'{word}'" for word in words)})
            COMP_CWORD={len(words)}
            _goals
            printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        done = subprocess.run(["bash", "-c", script], env=environment(person.env), capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
        return done.stdout.splitlines()

    def test_complete_commands_titles_and_days(self, person: Person) -> None:
        person.run("add", "Yoga at home").expect(0)
        person.run("add", "Water").expect(0)
        assert self.completed(person, "bu") == ["bump"]
        assert self.completed(person, "bump", "yo") == ["Yoga\\ at\\ home"]
        assert sorted(self.completed(person, "bump", "")) == ["Water", "Yoga\\ at\\ home"]
        assert self.completed(person, "bump", "Water", "--on", "y") == ["yesterday"]
        assert self.completed(person, "add", "X", "--e") == ["--every"]

    @THOROUGH
    def test_are_loaded_by_fish(self, person: Person) -> None:
        person.run("add", "Yoga at home").expect(0)
        file = person.home / ".config/fish/completions/goals.fish"
        file.parent.mkdir(parents=True)
        file.write_text(person.run("completions", "fish").expect(0).out)

        def completed(line: str) -> list[str]:
            env = environment({**person.env, "PATH": f"{Path(binary()).parent}:{os.environ['PATH']}"})
            done = subprocess.run(["fish", "-c", f"complete -C '{line}'"], env=env, cwd=person.home, capture_output=True, text=True)
            assert done.returncode == 0 and not done.stderr, done.stderr
            return [line.removesuffix("\tThe day") for line in done.stdout.splitlines()]

        assert completed("goals bu") == ["bump\tCount progress"]
        assert completed("goals bump yo") == ["Yoga at home"] and completed("goals help bu") == ["bump"]
        assert completed("goals bump Yoga --on y") == ["yesterday"]
        assert "--every" in [line.split("\t")[0] for line in completed("goals add X --")]
        (person.home / "backup.sqlite").touch()
        assert completed("goals serve --li") == ["--listen"] and completed("goals restore back") == ["backup.sqlite"]
        assert completed("goals account a") == ["add"] and completed("goals token add x --sc") == ["--scope"]

    def test_know_what_the_servers_commands_take(self, person: Person) -> None:
        for command in ("serve", "backup", "copy", "account set", "token add"):
            told = set(re.findall("^  (--[a-z-]+)", person.run(*command.split(), "--help").expect(0).out, re.MULTILINE))
            assert set(self.completed(person, *command.split(), "--")) == told
        assert set(self.completed(person, "account", "")) >= {"add", "set", "list", "remove"}

    @THOROUGH
    @pytest.mark.parametrize(
        ("typed", "completed"),
        [
            ("goals bum", "goals bump "), ("goals help bum", "goals help bump "), ("goals bump yo", "Yoga\\ at\\ home"),
            ("goals bump X --on y", "yesterday"), ("goals add X --e", "--every"), ("goals bump --on wed", "wednesday"),
            ("goals bump X --on=wed", "--on=wednesday"), ("goals bump --on today yo", "Yoga\\ at\\ home"),
            ("goals bump rub", "Rubik\\'s\\ \\\"cube\\\":\\ 3"), ('goals bump "rub', 'Rubik\'s \\"cube\\": 3"'), ("goals add X --colour pur", "purple"),
            ("goals serve --li", "--listen"), ("goals account rem", "remove"), ("goals token add x --sc", "--scope"), ("goals restore backu", "backup.sqlite"),
        ],
    )  # fmt: skip
    def test_are_loaded_by_zsh(self, person: Person, typed: str, completed: str) -> None:
        """The first time that a shell needs them, in a file of its own or sourced."""
        for title in ("Yoga at home", "Rubik's \"cube\": 3"):
            person.run("add", title).expect(0)
        folder = person.home / "functions"
        folder.mkdir()
        (person.home / "backup.sqlite").touch()
        (folder / "_goals").write_text(person.run("completions", "zsh").expect(0).out)
        for load in (f"fpath=({folder} $fpath); compinit -u -D", "compinit -u -D; source <(goals completions zsh)"):
            with Zsh(person) as shell:
                shell.type(f"autoload -Uz compinit; {load}; PS1=rea''dy:\n")
                shell.see("ready:")
                shell.type(f"{typed}\t")
                shell.see(completed)

    def test_name_every_command(self, person: Person) -> None:
        listed = set(re.findall(r"^  ([a-z]+) ", person.run("--help").expect(0).out.split("SUBCOMMANDS")[1], re.MULTILINE))
        assert listed - {"help"} == set(self.completed(person, ""))
