"""The terminal client where something is wrong: between here and the server, with the token, or in what was edited."""

from __future__ import annotations

import contextlib
import datetime
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import socket
import socketserver
import struct
import subprocess
import termios
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, Self

import pytest

from frozen_clock import FrozenClock
from goals_client import PATIENCE, Client, until
from goals_server import Server, binary, environment, suspend
from test_terminal import Person, progress
from tier import THOROUGH


@pytest.fixture
def person(tmp_path: Path, server: Server, me: Client) -> Person:
    home = tmp_path / "home"
    home.mkdir()
    return Person(home).login(server, me)


class Watch:
    """A `goals watch` into pipes."""

    def __init__(self, person: Person) -> None:
        self.process = person.spawn("watch")
        self.out: list[str] = []
        self.err: list[str] = []
        for stream, lines in ((self.process.stdout, self.out), (self.process.stderr, self.err)):
            threading.Thread(target=lambda stream=stream, lines=lines: lines.extend(stream), daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def says(self, words: str) -> None:
        until(lambda: any(words in line for line in self.err), f"the watch says {words}: {self.err}", 20)

    def shows(self, words: str) -> None:
        until(lambda: any(words in line for line in self.out), f"the watch shows {words}: {self.out}", 20)


class TestAWatch:
    def test_says_that_the_server_is_gone_and_goes_on_when_it_is_back(self, tmp_path: Path) -> None:
        (tmp_path / "s").mkdir()
        person = Person(tmp_path / "home")
        person.home.mkdir()
        with Server(tmp_path / "s", "--listen", "127.0.0.1:0").start() as server:
            person.login(server, server.client())
            person.run("add", "Yoga", "--times", "9").expect(0)
            with Watch(person) as watch:
                watch.shows("0 of 9")
                server.kill()
                watch.says("Not up to date: http://")
                watch.says("can't be reached.")
                assert "1 of 9" in person.run("bump", "yoga").expect(0).out
                watch.shows("1 of 9")
                watch.says("1 edit waits to be sent: http://")
                # It was tried again meanwhile, and is said once.
                assert sum("Not up to date" in line for line in watch.err) == 1

    def test_says_that_the_token_is_refused_and_goes_on_with_another(self, person: Person, server: Server, me: Client) -> None:
        person.run("add", "Yoga", "--times", "9").expect(0)
        account = me.get("/v1/token").expect(200).json()["account"]
        first, second = (server.run("token", "add", account, "--name", name, "--json").expect(0).json() for name in ("one", "two"))
        person.run("login", f"{server.url}/#token={first['token']}").expect(0)
        with Watch(person) as watch:
            watch.shows("0 of 9")
            server.run("token", "revoke", first["id"]).expect(0)
            watch.says("Not up to date: the server does not take the token. `goals login` again.")
            person.run("bump", "yoga").expect(0)
            person.run("login", f"{server.url}/#token={second['token']}").expect(0)
            until(lambda: progress(me) == {"Yoga": 1}, "the edit is sent", 20)
            me.post(f"/v1/goals/{me.goals()[0]['id']}/bump").expect(200)
            watch.shows("2 of 9")

    def test_says_what_was_not_recorded(self, person: Person, server: Server, me: Client) -> None:
        person.run("add", "Yoga", "--times", "9").expect(0)
        url = server.url
        person.find("http://127.0.0.1:1")
        assert "1 of 9" in person.run("bump", "yoga").expect(0).out
        goal = me.goals()[0]["id"]
        me.delete(f"/v1/goals/{goal}").expect(204)
        person.find(url)
        with Watch(person) as watch:
            watch.says("Not recorded: Yoga +1. ")
            assert not any(goal in line for line in watch.err)
            watch.shows("No goals yet")
        # It was shown, but nobody knows whether it was seen.
        assert "Not recorded" in person.run("list").expect(1).err
        person.run("list").expect(0)


def test_watches_end_when_the_person_signs_out(person: Person) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    with Watch(person) as first, Watch(person) as second:
        for watch in (first, second):
            watch.shows("0 of 9")
        person.run("logout").expect(0)
        for watch in (first, second):
            watch.says("goals: You have signed out, so the watch ends.")
            assert watch.process.wait(20 * PATIENCE) == 1
    assert list((person.home / ".local/state/goals").iterdir()) == []


def test_a_watch_is_drawn_anew_for_another_width(person: Person) -> None:
    person.run("add", "A title of many words that goes on and on").expect(0)
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    env = environment({**person.env, "TERM": "xterm", "NO_COLOR": "1"})
    process = subprocess.Popen([binary(), "watch"], env=env, stdin=far, stdout=far, stderr=far)
    os.set_blocking(near, False)
    shown = ""

    def shows(text: str) -> bool:
        nonlocal shown
        with contextlib.suppress(BlockingIOError):
            shown += os.read(near, 65536).decode()
        return text in shown

    try:
        until(lambda: shows("on and on  ░░░░░░░░░░  0 of 1 today"), "the watch shows all of the title", 20)
        fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        process.send_signal(signal.SIGWINCH)
        until(lambda: shows("A title of many wo…  ░░░░░  0 of 1 today"), f"the watch cuts the title: {shown}", 20)
    finally:
        process.kill()
        process.wait()
        os.close(near)
        os.close(far)


class Portal(BaseHTTPRequestHandler):
    """A network that wants a sign-in of its own."""

    status = 401
    fields: ClassVar[dict[str, str]] = {}

    def do_GET(self) -> None:
        body = b"<h1>Welcome to the hotel</h1>"
        self.send_response(self.status)
        self.send_header("Content-Type", "text/html")
        for name, value in self.fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(params=[(401, {}), (401, {"WWW-Authenticate": 'Basic realm="hotel"'}), (403, {})])
def portal(request: pytest.FixtureRequest) -> Iterator[str]:
    Portal.status, Portal.fields = request.param
    server = ThreadingHTTPServer(("127.0.0.1", 0), Portal)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_a_network_that_refuses_says_nothing_of_the_token(person: Person, server: Server, me: Client, portal: str) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    person.find(portal)
    said = person.run("bump", "yoga").expect(0)
    assert f"1 edit waits to be sent: something between here and {portal} refused ({Portal.status})." in said.out
    assert "login" not in said.out + said.err
    assert person.run("login", f"{portal}/#token={me.token}").expect(1).err == f"goals: Something between here and {portal} refused ({Portal.status}).\n"
    person.find(server.url)
    person.run("list").expect(0)
    assert progress(me) == {"Yoga": 1}


@pytest.fixture
def silence() -> Iterator[str]:
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_silent_server_holds_up_no_answer(person: Person, silence: str, options: list[str]) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    person.find(silence)
    other = Person(Path(shutil.copytree(person.home, f"{person.home}-2", ignore=shutil.ignore_patterns("wake"))))
    # Who wants to see the list gives the server two seconds.
    with other.spawn("list") as reading:
        said = person.run("bump", "yoga", *options).expect(0).out
        assert reading.poll() is None
    if options:
        assert json.loads(said)["sent"] is False and json.loads(said)["goal"]["progress"] == 1
    else:
        assert "1 of 9" in said and said.endswith(f"\n1 edit waits to be sent: {silence} did not answer yet.\n")


def test_a_watch_of_a_silent_server_holds_up_nobody(person: Person, silence: str) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    person.find(silence)
    with Watch(person) as watch:
        watch.shows("0 of 9")
        other = Person(Path(shutil.copytree(person.home, f"{person.home}-2", ignore=shutil.ignore_patterns("wake"))))
        with other.spawn("list") as reading:
            said = person.run("bump", "yoga").expect(0).out
            assert reading.poll() is None
        assert "1 of 9" in said and said.endswith("\n1 edit waits to be sent.\n")
        watch.shows("1 of 9")


@pytest.fixture(params=[b"", b"HTTP/1.1 200 OK\r\nContent-Le", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"])
def cutter(request: pytest.FixtureRequest) -> Iterator[str]:
    """A server whose connections end within its answers."""

    class Cutter(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(65536)
            self.request.sendall(request.param)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Cutter) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_server_that_cuts_its_answers_off_is_one_that_can_t_be_reached(person: Person, server: Server, me: Client, cutter: str) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    person.find(cutter)
    said = person.run("bump", "yoga", "--json").expect(0)
    assert said.json()["sent"] is False and said.json()["goal"]["progress"] == 1
    assert person.run("bump", "yoga").expect(0).out.endswith(f"\n2 edits wait to be sent: {cutter} can't be reached.\n")
    for command in (["list"], ["history", "yoga"]):
        said = person.run(*command, "--json").expect(0)
        assert said.json()["upToDate"] is False and f"{cutter} can't be reached." in said.err
    person.find(server.url)
    person.run("list").expect(0)
    assert progress(me) == {"Yoga": 2}


@pytest.mark.parametrize("descriptors", [11, 12, 13])
def test_without_descriptors_nobody_is_waited_for(person: Person, server: Server, descriptors: int) -> None:
    # libcurl has nothing by which its thread could be woken then, and does not say so.
    person.run("add", "Yoga", "--times", "9").expect(0)
    few = ["sh", "-c", f'ulimit -n {descriptors}; exec "$0" list', binary()]
    done = subprocess.run(few, env=environment(person.env), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "0 of 9" in done.stdout and done.stderr in ("", f"goals: Not up to date: {server.url} can't be reached.\n")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_suspended_watch_makes_no_edit_look_sent(person: Person, me: Client, options: list[str]) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    with Watch(person) as watch:
        watch.shows("0 of 9")
        suspend(watch.process.pid)
        for count in range(1, 5):
            said = person.run("bump", "yoga", *options).expect(0).out
            if options:
                assert json.loads(said)["sent"] is False and json.loads(said)["goal"]["progress"] == count
            else:
                assert f"{count} of 9" in said and said.endswith(f"{'1 edit waits' if count == 1 else f'{count} edits wait'} to be sent.\n")
        watch.process.send_signal(signal.SIGCONT)
        watch.shows("4 of 9")
        until(lambda: progress(me) == {"Yoga": 4}, "the edits are sent", 20)


def test_an_edit_that_was_altered_on_the_disk_is_never_counted_twice(person: Person, me: Client) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    person.run("bump", "yoga").expect(0)
    journal = person.state / "journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    (due,) = (index for index, line in enumerate(lines) if b'"bump"' in line and b'"due"' in line)
    one = bytearray(lines[due])
    place = re.search(rb'"id":"[0-9a-f-]{36}', one)
    assert place
    digit = one[place.end() - 1]
    one[place.end() - 1] ^= next(bit for bit in (1, 2) if digit ^ bit in b"0123456789abcdef")
    two = one.replace(b'"by":1', b'"by":9')
    for line in (one, two):
        journal.write_bytes(b"".join([*lines[:due], line, *lines[due + 1 :]]))
        (person.state / "snapshot").unlink(missing_ok=True)
        person.run("list").expect(0)
        person.run("list").expect(0)
        assert progress(me) == {"Yoga": 1}


def test_a_killed_process_leaves_nothing_behind_for_ever(person: Person) -> None:
    person.run("add", "Yoga", "--times", "99").expect(0)
    (person.state / "inbox" / "left.new").write_bytes(b"{")
    person.run("list").expect(0)
    assert list((person.state / "inbox").iterdir()) == []


def test_who_has_not_read_all_of_the_log_says_so(person: Person, server: Server) -> None:
    person.run("add", "Yoga").expect(0)
    journal = person.state / "journal"
    # The log begins anew, as where the server was restored, and the network is gone before the first page.
    begin = next(line for line in journal.read_text().splitlines() if line.startswith('{"format":1,"restart"'))
    with journal.open("a") as file:
        file.write(begin + "\n")
    person.find("http://127.0.0.1:1")
    reading, state = "Nothing was read from the server yet.", "Not up to date: http://127.0.0.1:1 can't be reached."
    said = person.run("list").expect(0)
    assert (said.out, said.err) == ("", f"goals: {state}\ngoals: {reading}\n")
    assert person.run("bump", "yoga").expect(1).err == f"goals: {reading} {state}\n"
    person.find(server.url)
    assert person.goals() == {"Yoga": 0}


def test_a_damaged_journal_is_told_of_and_what_can_be_read_is_shown(person: Person, server: Server, me: Client) -> None:
    person.run("add", "Yoga", "--times", "9").expect(0)
    person.run("bump", "yoga").expect(0)
    journal = person.state / "journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    # The page that has brought the bump.
    (place,) = (index for index, line in enumerate(lines) if b'"bump"' in line and b'"recorded"' in line)
    damaged = b"".join([*lines[:place], lines[place].replace(b'"recorded"', b'"recorded'), *lines[place + 1 :]])
    journal.write_bytes(damaged)
    person.find("http://127.0.0.1:1")
    told = f"goals: What this machine kept was damaged. What could be read of it is used; all of it is in {journal}.damaged.\n"
    said = person.run("list").expect(0)
    assert "1 of 9" in said.out and told in said.err
    assert Path(f"{journal}.damaged").read_bytes() == damaged
    assert "2 of 9" in person.run("bump", "yoga").expect(0).out
    assert "damaged" not in person.run("list").expect(0).err
    person.find(server.url)
    person.run("list").expect(0)
    assert [person.run("undo").expect(0).out for _ in range(2)] == ["Took back: Yoga +1\n"] * 2
    assert progress(me) == {"Yoga": 0}


class TestAClockThatIsOff:
    HOURS = datetime.timedelta(hours=-3), datetime.timedelta(hours=3)

    @staticmethod
    def error(me: Client) -> datetime.timedelta:
        """How far from now the last edit is dated."""
        return abs(datetime.datetime.fromisoformat(me.log()[-1]["at"]) - datetime.datetime.now(datetime.UTC))

    @pytest.fixture
    def clock(self, tmp_path: Path, person: Person) -> Iterator[FrozenClock]:
        """A clock of the terminal's alone."""
        clock = FrozenClock(tmp_path)
        env = person.env
        person.env = {**env, **clock.env}
        yield clock
        person.env = env

    @pytest.mark.parametrize("off", HOURS)
    def test_counts_right_with_a_server_and_then_without(self, person: Person, server: Server, me: Client, clock: FrozenClock, off: datetime.timedelta) -> None:
        clock.set(str(datetime.datetime.now(datetime.UTC) + off))
        person.run("add", "Yoga", "--times", "9").expect(0)
        # It is known by the answer to what is asked before anything is sent.
        said = person.run("bump", "yoga").expect(0).err
        assert re.fullmatch(rf"goals: This machine's clock is [23] hours {'behind' if off < datetime.timedelta(0) else 'ahead'}\.\n", said)
        assert self.error(me) < datetime.timedelta(hours=1)
        person.find("http://127.0.0.1:1")
        person.run("bump", "yoga").expect(0)
        person.find(server.url)
        person.run("list").expect(0)
        assert progress(me) == {"Yoga": 2} and self.error(me) < datetime.timedelta(hours=1)

    @pytest.mark.parametrize("off", [datetime.timedelta(days=-3), datetime.timedelta(days=3)])
    def test_counts_right_what_was_made_before_the_server_was_first_heard(
        self, person: Person, server: Server, me: Client, clock: FrozenClock, off: datetime.timedelta
    ) -> None:
        clock.set(str(datetime.datetime.now(datetime.UTC)))
        person.run("add", "Yoga", "--times", "9").expect(0)
        clock.set(str(datetime.datetime.now(datetime.UTC) + off))
        person.find("http://127.0.0.1:1")
        for _ in range(2):
            person.run("bump", "yoga").expect(0)
        person.find(server.url)
        person.run("bump", "yoga").expect(0)
        now = datetime.datetime.now(datetime.UTC)
        ats = [datetime.datetime.fromisoformat(edit["at"]) for edit in me.log() if edit["type"] == "bump"]
        assert len(ats) == 3 and all(abs(at - now) < datetime.timedelta(hours=1) for at in ats)

    @pytest.mark.parametrize("off", HOURS)
    def test_is_believed_once_it_was_set(self, person: Person, server: Server, me: Client, clock: FrozenClock, off: datetime.timedelta) -> None:
        clock.set(str(datetime.datetime.now(datetime.UTC) + off))
        person.run("add", "Yoga", "--times", "9").expect(0)
        person.find("http://127.0.0.1:1")
        clock.set(str(datetime.datetime.now(datetime.UTC)))
        person.run("bump", "yoga").expect(0)
        person.find(server.url)
        person.run("list").expect(0)
        assert progress(me) == {"Yoga": 1} and self.error(me) < datetime.timedelta(hours=1)


class Bash:
    """What a bash at a terminal makes of a line that is typed up to a tab."""

    def __init__(self, person: Person):
        self.near, far = pty.openpty()
        env = environment({**person.env, "TERM": "dumb", "PATH": f"{Path(binary()).parent}:{os.environ['PATH']}", "INPUTRC": "/dev/null"})
        self.process = subprocess.Popen(
            ["bash", "--norc", "-i"], env=env, cwd=person.home, stdin=far, stdout=far, stderr=far, start_new_session=True
        )
        os.close(far)
        os.set_blocking(self.near, False)
        self.seen = ""

    def __enter__(self) -> Self:
        self.type("source <(goals completions bash); PS1=rea''dy:; given() { printf '<%s>' \"$@\"; }; bind 'set enable-bracketed-paste off'\n")
        self.see("ready:")
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.near)

    def type(self, text: str) -> None:
        self.seen = ""
        os.write(self.near, text.encode())

    def see(self, text: str) -> None:
        def is_there() -> bool:
            with contextlib.suppress(BlockingIOError):
                self.seen += os.read(self.near, 65536).decode(errors="replace")
            return text in self.seen

        until(is_there, f"bash shows {text}: {self.seen}")

    def completed(self, typed: str) -> str:
        # The line is not run: what it came to is given to a function that shows it.
        self.type(f"{typed}\t\x01given \x05 end\n")
        self.see("<end>")
        self.see("ready:")
        return self.seen[self.seen.rindex("<goals>") : self.seen.rindex("<end>")]


class TestCompletionsOfTitles:
    WORDS: ClassVar = [
        ("goals bump yo", "<Yoga at home>"), ("goals bump Yoga\\ at", "<Yoga at home>"), ('goals bump "yo', "<Yoga at home>"),
        ("goals bump 'yo", "<Yoga at home>"), ("goals bump rub", "<Rubik's \"cube\">"), ('goals bump "rub', "<Rubik's \"cube\">"),
        ("goals bump 'rub", "<Rubik's \"cube\">"), ("goals bump 'for", "<For the boys'>"), ("goals bump run", "<Run: 5 km & $1>"),
        ('goals bump "run', "<Run: 5 km & $1>"),
        ("goals bump --on yesterday yo", "<--on><yesterday><Yoga at home>"), ("goals history --days 5 yo", "<--days><5><Yoga at home>"),
        ("goals bump x --on wed", "<x><--on><wednesday>"), ("goals bump x --on=wed", "<x><--on=wednesday>"),
        ("goals add x --col", "<x><--colour>"), ("goals add x --colour pur", "<x><--colour><purple>"),
    ]  # fmt: skip

    def test_are_whole_words_in_bash(self, person: Person) -> None:
        for title in ("Yoga at home", "Rubik's \"cube\"", "Run: 5 km & $1", "For the boys'"):
            person.run("add", title).expect(0)
        with Bash(person) as bash:
            for typed, words in self.WORDS:
                command = typed.split()[1]
                assert bash.completed(typed) == f"<goals><{command}>{words}", typed

    @THOROUGH
    def test_in_fish_come_where_a_title_is_missing(self, person: Person) -> None:
        for title in ("Yoga at home", "Rubik's \"cube\""):
            person.run("add", title).expect(0)
        file = person.home / ".config/fish/completions/goals.fish"
        file.parent.mkdir(parents=True)
        file.write_text(person.run("completions", "fish").expect(0).out)

        def completed(line: str) -> list[str]:
            env = environment({**person.env, "PATH": f"{Path(binary()).parent}:{os.environ['PATH']}", "LINE": line})
            done = subprocess.run(["fish", "-c", 'complete -C "$LINE"'], env=env, capture_output=True, text=True)
            assert done.returncode == 0 and not done.stderr, done.stderr
            return [line.split("\t")[0] for line in done.stdout.splitlines()]

        assert completed("goals bump rub") == ["Rubik's \"cube\""]
        assert completed("goals bump --on yesterday yo") == ["Yoga at home"]
        assert completed("goals bump 'Yoga at home' yo") == []
        assert completed("goals bump x --on wed") == ["wednesday"] and completed("goals bump x --on=wed") == ["--on=wednesday"]
        assert completed("goals add x --colour pur") == ["purple"] and "--discard" in completed("goals logout --")
