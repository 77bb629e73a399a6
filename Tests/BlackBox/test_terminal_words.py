"""What the terminal client says: what it took back, how old the list is, which goal is meant, and what helps."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import shutil
import signal
import socket
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Self

import pytest

import test_terminal
from goals_client import PATIENCE, Client, until
from goals_server import Server, binary, environment
from test_terminal import Person, cells, on_a_terminal, progress
from test_terminal_trouble import Portal

NOWHERE = "http://127.0.0.1:1"


@pytest.fixture
def person(tmp_path: Path, server: Server, me: Client) -> Person:
    home = tmp_path / "home"
    home.mkdir()
    return Person(home).login(server, me)


@pytest.fixture
def other(tmp_path: Path, server: Server, me: Client) -> Person:
    home = tmp_path / "other"
    home.mkdir()
    return Person(home).login(server, me)


@pytest.fixture
def proxy() -> Iterator[str]:
    """A proxy that answers in place of the server, with `Portal.status`."""
    Portal.status, Portal.fields = 502, {}
    listener = ThreadingHTTPServer(("127.0.0.1", 0), Portal)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{listener.server_address[1]}"
    listener.shutdown()
    listener.server_close()


class TestAnUndo:
    def test_is_told_before_the_server_has_answered(self, person: Person, server: Server, me: Client) -> None:
        person.run("add", "Yoga", "--times", "9").expect(0)
        for _ in range(3):
            person.run("bump", "yoga").expect(0)
        with socket.create_server(("127.0.0.1", 0)) as silence:
            person.find(f"http://127.0.0.1:{silence.getsockname()[1]}")
            person.env["GOALS_PATIENCE"] = "100"
            process = person.spawn("undo")
            assert process.stdout and process.stdout.readline() == "Took back: Yoga +1\n"
            assert process.poll() is None, "it waits for the server"
            process.kill()
        del person.env["GOALS_PATIENCE"]
        person.find(server.url)
        person.run("list").expect(0)
        assert progress(me) == {"Yoga": 2}

    @pytest.mark.parametrize("patience", ["x", "0", "nan", "1e9"])
    def test_waits_as_long_as_a_number_says_and_nothing_else(self, person: Person, patience: str) -> None:
        said = person.run("list", env={"GOALS_PATIENCE": patience}).expect(64)
        assert said.err == "goals: GOALS_PATIENCE is a number from 0.1 to 1000.\n"

    @pytest.mark.parametrize("options", [[], ["--earlier"]])
    @pytest.mark.parametrize("counted", ["bump", "skip"])
    def test_deletes_no_goal_in_which_others_have_counted(self, person: Person, other: Person, me: Client, options: list[str], counted: str) -> None:
        person.run("add", "Yoga", "--times", "9").expect(0)
        other.run(counted, "yoga").expect(0)
        said = person.run("undo", *options).expect(1)
        assert said.out == "" and "Yoga" in progress(me)
        if not options:
            assert said.err.startswith("goals: This can't be taken back: adding Yoga. Its counts and skipped days would be lost")
            assert "delete the goal on the page" in said.err
        if counted == "bump":
            other.run("undo").expect(0)
            assert person.run("undo").expect(0).out == "Took back: adding Yoga\n"

    def test_deletes_no_goal_of_which_nobody_knows_whether_others_have_counted(self, person: Person, server: Server, me: Client) -> None:
        person.run("add", "Yoga").expect(0)
        person.find(NOWHERE)
        said = person.run("undo").expect(1).err
        assert "adding Yoga. Another device may have counted in it." in said and said.endswith(f" Not up to date: {NOWHERE} can't be reached.\n")
        person.run("add", "Rob").expect(0)
        assert person.run("undo").expect(0).out.startswith("Took back: adding Rob\n")
        person.find(server.url)
        assert set(person.goals()) == {"Yoga"} == set(progress(me))

    def test_says_in_json_what_it_took_back(self, person: Person) -> None:
        person.run("add", "Yoga").expect(0)
        made = person.run("bump", "yoga", "--json").expect(0).json()["edit"]
        assert person.run("undo", "--json").expect(0).json()["undone"] == {"edit": made, "words": "Yoga +1"}


class TestWhatIsOld:
    def test_is_called_so(self, person: Person, proxy: str) -> None:
        person.run("add", "Yoga").expect(0)
        for command in (["list"], ["history", "yoga"]):
            assert person.run(*command).expect(0).err == ""
            assert person.run(*command, "--json").expect(0).json()["upToDate"] is True
        for url, status, why in (
            (NOWHERE, 0, f"{NOWHERE} can't be reached."), (proxy, 500, f"{proxy} answered 500."), (proxy, 503, f"{proxy} answered 503."),
            (proxy, 401, f"something between here and {proxy} refused (401)."),
        ):  # fmt: skip
            person.find(url)
            Portal.status = status
            for command in (["list"], ["history", "yoga"]):
                said = person.run(*command).expect(0)
                assert "Yoga" in said.out and said.err == f"goals: Not up to date: {why}\n"
                said = person.run(*command, "--json").expect(0)
                assert said.json()["upToDate"] is False and said.err == f"goals: Not up to date: {why}\n"

    def test_is_not_called_nothing_where_nothing_was_read(self, person: Person, server: Server) -> None:
        person.run("add", "Yoga").expect(0)
        person.find(NOWHERE)
        shutil.rmtree(person.state)
        for command in (["list"], ["bump", "yoga"], ["history", "yoga"]):
            said = person.run(*command)
            assert "Nothing was read from the server yet." in said.err and "no goals yet" not in (said.out + said.err).lower()
            assert f"Not up to date: {NOWHERE} can't be reached." in said.err
        person.find(server.url)
        assert person.goals() == {"Yoga": 0}


class TestANameOfAGoal:
    def test_is_not_empty_and_no_short_start_of_an_id(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga").expect(0)
        goal = me.goals()[0]["id"]
        for name in ("", " "):
            for command in ("bump", "skip", "history"):
                assert "empty name" in person.run(command, name).expect(64).err
        for name in ("0", goal[:7]):
            assert person.run("bump", name).expect(1).err == f"goals: No goal begins with {name}. `goals list` shows them.\n"
        assert progress(me) == {"Yoga": 0}
        assert "1 of 1" in person.run("bump", goal[:8]).expect(0).out

    def test_that_several_have_is_told_by_ids(self, person: Person) -> None:
        for period in ("day", "week"):
            person.run("add", "Yoga", "--every", period, "--times", "5").expect(0)
        said = person.run("bump", "yo").expect(1).err
        found = re.fullmatch(
            r"goals: Several goals begin with yo: Yoga \(([0-9a-f-]{8,})\) 0 of 5 this week, Yoga \(([0-9a-f-]{8,})\) 0 of 5 today\."
            r" The id in brackets will do\.\n",
            said,
        )
        assert found, said
        assert "1 of 5 today" in person.run("bump", found[2]).expect(0).out

    @pytest.mark.parametrize(
        "words", [["-dash"], ["yoga", "-2h"], ["yoga", "-h"], ["yoga", "2"], ["yoga", "+2km"], ["yoga", "+1.5"], ["yoga", "-1.5"], ["my", "yoga"]]
    )
    def test_is_not_followed_by_anything_else(self, person: Person, me: Client, words: list[str]) -> None:
        person.run("add", "Yoga", "--times", "9").expect(0)
        said = person.run("bump", *words).expect(64)
        assert said.out == "" and progress(me) == {"Yoga": 0}
        if len(words) == 2 and words[1] != "-h":
            assert f"'{words[1]}'" in said.err and "A number is whole and has a sign, as in `goals bump yoga +2`" in said.err

    def test_with_a_dash_is_not_completed_as_an_option(self, person: Person) -> None:
        person.run("add", "--", "-dash").expect(0)
        person.run("add", "Yoga").expect(0)
        assert test_terminal.TestCompletions().completed(person, "bump", "") == ["Yoga"]

    @pytest.mark.parametrize(("day", "shown"), [("", "''"), ("-1", "-1")])
    def test_is_not_counted_on_a_day_that_is_none(self, person: Person, day: str, shown: str) -> None:
        person.run("add", "Yoga").expect(0)
        for command in ("bump", "skip"):
            said = person.run(command, "yoga", "--on", day).expect(1).err
            assert said.startswith(f"goals: {shown} is no day: say today, yesterday, a weekday, or a date such as ")


class Terminal:
    """A command on a terminal, for as long as it is looked at."""

    def __init__(self, person: Person, *arguments: str, rows: int = 24, columns: int = 80) -> None:
        self.near, self.far = pty.openpty()
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        env = environment({**person.env, "TERM": "xterm", "NO_COLOR": "1"})
        self.process = subprocess.Popen([binary(), *arguments], env=env, stdin=self.far, stdout=self.far, stderr=self.far)
        os.set_blocking(self.near, False)
        self.shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.near)
        os.close(self.far)

    def see(self, text: str) -> None:
        def shown() -> bool:
            with contextlib.suppress(BlockingIOError):
                self.shown += os.read(self.near, 65536).decode(errors="replace")
            return text in self.shown

        until(shown, f"the terminal shows {text}: {self.shown}", 20)

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.far)[3] & termios.ECHO)


class TestSigningIn:
    @pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
    def test_that_is_interrupted_leaves_the_terminal_as_it_was(self, person: Person, server: Server, end: signal.Signals) -> None:
        with Terminal(person, "login", server.url) as terminal:
            terminal.see("Token: ")
            until(lambda: not terminal.echoes, "the terminal shows no token", 20)
            terminal.process.send_signal(end)
            assert terminal.process.wait(20 * PATIENCE) == -end
            assert terminal.echoes

    def test_that_is_stopped_leaves_the_terminal_as_it_was_until_it_goes_on(self, person: Person, server: Server, me: Client) -> None:
        with Terminal(person, "login", server.url) as terminal:
            for _ in range(2):
                terminal.see("Token: ")
                until(lambda: not terminal.echoes, "the terminal shows no token", 20)
                terminal.shown = ""
                terminal.process.send_signal(signal.SIGTSTP)
                stat = Path(f"/proc/{terminal.process.pid}/stat")
                until(lambda: stat.read_text().rsplit(")", 1)[1].split()[0] == "T", "it has stopped", 20)
                assert terminal.echoes
                terminal.process.send_signal(signal.SIGCONT)
            terminal.see("Token: ")
            until(lambda: not terminal.echoes, "the terminal shows no token", 20)
            os.write(terminal.near, f"{me.token}\n".encode())
            assert terminal.process.wait(20 * PATIENCE) == 0
            assert terminal.echoes

    def test_needs_an_address(self, tmp_path: Path) -> None:
        said = Person(tmp_path).run("login", "goals_" + "7" * 64).expect(1).err
        assert "That is a token" in said and "`goals login https://goals.example`" in said and "777" not in said

    @pytest.mark.parametrize("status", [502, 503, 504])
    def test_through_a_proxy_is_to_be_tried_again(self, tmp_path: Path, proxy: str, status: int) -> None:
        Portal.status = status
        said = Person(tmp_path).run("login", f"{proxy}/#token=x").expect(1).err
        assert said == f"goals: The server behind {proxy} does not answer ({status}): try again later.\n"

    def test_with_a_token_that_may_only_read_says_so(self, person: Person, server: Server, me: Client) -> None:
        account = me.get("/v1/token").expect(200).json()["account"]
        token = server.run("token", "add", account, "--name", "one", "--scope", "read", "--json").expect(0).json()["token"]
        person.run("add", "Yoga").expect(0)
        assert "This token may only read." in person.run("login", f"{server.url}/#token={token}").expect(0).out
        said = person.run("bump", "yoga").expect(0)
        assert said.err == "" and said.out.endswith("\n1 edit waits to be sent: this token may only read. `goals login` with one that may write.\n")
        kept = person.run("logout").expect(1).err
        assert "1 edit was not sent" in kept and "`goals login` with a token that may write, or `goals logout --discard`" in kept
        assert "in reach" not in kept
        assert "may only read" not in person.run("login", f"{server.url}/#token={me.token}").expect(0).out

    def test_again_is_asked_for_once(self, person: Person, server: Server, me: Client) -> None:
        account = me.get("/v1/token").expect(200).json()["account"]
        person.run("add", "Yoga", "--times", "9").expect(0)
        token = server.run("token", "add", account, "--name", "one", "--json").expect(0).json()
        person.run("login", f"{server.url}/#token={token['token']}").expect(0)
        server.run("token", "revoke", token["id"]).expect(0)
        for command in (["list"], ["history", "yoga"], ["bump", "yoga"], ["list"], ["undo"], ["bump", "yoga"]):
            said = person.run(*command).expect(0)
            assert (said.out + said.err).count("does not take the token") == 1, said
        kept = person.run("logout").expect(1).err
        assert "`goals login` with a token that may write, or `goals logout --discard`" in kept and "in reach" not in kept


class TestWhatIsDrawn:
    def test_of_a_list_that_is_piped_stands_in_columns_and_is_whole(self, person: Person, me: Client) -> None:
        long = "A title that goes on and on and on until nobody reads it"
        for title in (long, "Run", "日本"):
            me.add_goal(title=title, frequency=9)
        lines = person.run("list").expect(0).out.splitlines()
        assert lines == [f"日本{' ' * 36}  ░░░░░░░░░░  0 of 9 today", f"Run{' ' * 37}  ░░░░░░░░░░  0 of 9 today", f"{long}  ░░░░░░░░░░  0 of 9 today"]

    def test_of_a_watch_fits_the_terminal(self, person: Person, me: Client) -> None:
        for number in range(30):
            me.add_goal(title=f"Goal {number}")
        with Terminal(person, "watch", rows=10) as terminal:
            terminal.see("and 22 more\r\n")
            drawn = next(frame for frame in terminal.shown.split("\x1b[J") if "and 22 more\r\n" in frame)
            assert "Goal 29 " in drawn and "Goal 22 " in drawn and "Goal 21 " not in drawn
            assert drawn.count("\n") == 9
            person.find(NOWHERE)
            terminal.process.kill()
        with Terminal(person, "watch", rows=10) as terminal:
            terminal.see("can't be reached")
            drawn = terminal.shown.split("\x1b[J")[-1]
            assert drawn.count("\n") <= 9 and "and 24 more" in drawn

    def test_of_a_list_has_its_numbers_on_a_narrow_terminal(self, person: Person) -> None:
        for title in ("Yoga in the morning", "Water"):
            person.run("add", title, "--every", "week", "--times", "5").expect(0)
        lines = on_a_terminal(person, "list", width=20, NO_COLOR="1").splitlines()
        assert len(lines) == 2 and all("0 of 5" in line and cells(line) <= 20 for line in lines), lines

    def test_of_a_history_ends_somewhere(self, person: Person, me: Client) -> None:
        person.run("add", "Yoga", "--every", "month", "--times", "90").expect(0)
        goal = me.goals()[0]["id"]
        for number in range(25):
            me.post(f"/v1/goals/{goal}/bump", {"note": f"note\n{number}."}).expect(200)
        shown = person.run("history", "yoga").expect(0).out
        assert len(re.findall(r"note \d+\.", shown)) == 20 and "note 24." in shown and "note 4." not in shown
        assert "5 more notes" in shown and "\ufffd" not in shown
        # So many days are of two years.
        assert len(re.findall(r"\b20\d\d\b", person.run("history", "yoga", "--days", "370").expect(0).out.splitlines()[1])) == 2

    def test_of_one_period_is_told_as_one(self, person: Person) -> None:
        person.run("add", "Yoga", "--every", "month").expect(0)
        person.run("bump", "yoga").expect(0)
        assert "1 of 1 month met" in person.run("history", "yoga").expect(0).out

    def test_of_a_skipped_day_is_a_sentence(self, person: Person) -> None:
        person.run("add", "yoga").expect(0)
        person.run("bump", "yoga").expect(0)
        assert person.run("skip", "yoga").expect(0).out.endswith("1 of 1 today, done   streak 1\nSkipping yoga\n")
        assert re.search("\nSkipping yoga on ", person.run("skip", "yoga", "--on", "yesterday").expect(0).out)


def test_the_client_knows_its_version(person: Person) -> None:
    client = Path(binary()).parent / "goals-client"
    told = person.run("--version").expect(0).out
    assert subprocess.run([client, "--version"], capture_output=True, text=True).stdout == told != ""


def test_help_is_completed_with_commands(person: Person) -> None:
    assert test_terminal.TestCompletions().completed(person, "help", "bu") == ["bump"]
