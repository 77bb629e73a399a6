"""The server and the command line as a user runs them: one binary, real processes, real files."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from goals_client import PATIENCE, Client, Connection, new_id, until

ROOT = Path(__file__).resolve().parents[2]
# As a line of text, or of JSON.
LISTENING = re.compile(r'(?:\{.*"message":")?Listening on http://([0-9.]+):([0-9]+)(?:"\})?\s*\Z')
LINK = re.compile(r"https?://\S*/#code=(\w+)")

# Tests send as fast as they can, and many wrong tokens; the limits have tests of their own.
UNLIMITED = ("--rate-limit", "0", "--failed-sign-ins", "1000000")


def binary() -> str:
    """The path of the binary under test: GOALS_BINARY, or the debug build, which the Swift tests made. Never absent."""
    path = Path(os.environ.get("GOALS_BINARY") or ".build/debug/goals")
    path = path if path.is_absolute() else ROOT / path
    if not path.is_file() or not os.access(path, os.X_OK):
        raise RuntimeError(f"no binary at {path}: build it (swift build) or set GOALS_BINARY")
    return str(path)


def environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment without what the person who runs the tests has set for Goals, of their language and of colours,
    on a machine in UTC."""
    personal = ("GOALS_", "LC_", "LANG", "NO_COLOR")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(personal)}
    return {**clean, "TZ": "UTC", "LANG": "C.UTF-8", **(extra or {})}


# Below what a system gives to those who ask for any port (from 32768 on Linux), and each test process has its own.
PORTS = itertools.count(20_000 + 500 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]))


def free_port() -> int:
    """A port that nobody else takes, also while the server of a test that listens there is down."""
    for port in PORTS:
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("not reached")


def suspend(pid: int) -> None:
    """Stops a process, and returns once each of its threads stands or is dead; the signal alone returns before that."""
    os.kill(pid, signal.SIGSTOP)

    def stands() -> bool:
        try:
            states = [(thread / "status").read_text().partition("\nState:\t")[2][0] for thread in Path(f"/proc/{pid}/task").iterdir()]
            return all(state in "TZ" for state in states)
        except (FileNotFoundError, ProcessLookupError):
            return False  # A thread has just ended.

    until(stands, f"process {pid} stands")


@dataclass
class Finished:
    """A command that has ended."""

    arguments: list[str]
    code: int
    out: str
    err: str

    def shown(self) -> str:
        return (
            f"\n--- ran\n{' '.join(self.arguments)}\n--- exit {self.code}"
            f"\n--- standard output\n{self.out}\n--- standard error\n{self.err}\n---"
        )

    def expect(self, code: int) -> Finished:
        assert self.code == code, f"expected exit {code}, got {self.code}{self.shown()}"
        if code == 0:
            return self
        assert self.err.strip(), f"a failure says why on standard error{self.shown()}"
        assert "Fatal error" not in self.err and "Crash" not in self.err, f"it crashed{self.shown()}"
        return self

    def json(self) -> Any:
        try:
            return json.loads(self.out)
        except ValueError as error:
            raise AssertionError(f"standard output is no JSON: {error}{self.shown()}") from error

    def listing(self) -> list[dict[str, Any]]:
        """The rows of a `--json` listing: an array, or an object around one."""
        value = self.json()
        if isinstance(value, dict):
            arrays = [item for item in value.values() if isinstance(item, list)]
            assert len(arrays) == 1, f"no listing{self.shown()}"
            value = arrays[0]
        assert isinstance(value, list), f"no listing{self.shown()}"
        return value


def goals(
    *arguments: str,
    database: Path | str | None = None,
    env: dict[str, str] | None = None,
    cwd: Path | str | None = None,
    user: int | None = None,
    program: str | None = None,
    timeout: float = 60 * PATIENCE,
) -> Finished:
    """Runs `goals …` to its end."""
    command = [program or binary(), *arguments]
    if database is not None:
        command += ["--database", str(database)]
    result = subprocess.run(
        command,
        env=environment(env),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        user=user,
        group=user,
        extra_groups=None if user is None else [],
    )
    return Finished(command, result.returncode, result.stdout, result.stderr)


class Server:
    """A `goals serve` of its own on a folder of its own. `start` returns when it listens."""

    # Those that run, for what is told of a test that fails.
    running: ClassVar[list[Server]] = []

    def __init__(
        self,
        folder: Path | str,
        *flags: str,
        env: dict[str, str] | None = None,
        wrapper: list[str] | None = None,
        user: int | None = None,
        program: str | None = None,
        bare: bool = False,
    ):
        self.folder = Path(folder)
        self.database: Any = self.folder / "goals.sqlite"  # a path; where servers share one, its URL
        self.flags = list(flags)
        self.env = env
        self.wrapper = wrapper or []
        self.user = user
        self.program = program
        self.bare = bare  # without --listen and --database: they come from `env` or `flags`
        self.process: subprocess.Popen[str] | None = None
        self.token: str | None = None
        # Of the link that the first start printed; it was used for the token.
        self.code = ""
        self.addresses: list[tuple[str, int]] = []
        self.out: list[str] = []
        self.err: list[str] = []
        self._readers: list[threading.Thread] = []

    def command(self) -> list[str]:
        own = [] if self.bare else ["--listen", "127.0.0.1:0", "--database", str(self.database)]
        return [*self.wrapper, self.program or binary(), "serve", *own, *self.flags]

    def spawn(self) -> Self:
        """Starts the process without waiting for it to listen."""
        self.out, self.err, self.addresses = [], [], []
        self.process = subprocess.Popen(
            self.command(),
            env=environment(self.env),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
        )
        self.running.append(self)
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stdout, self.out), daemon=True),
            threading.Thread(target=self._read, args=(self.process.stderr, self.err), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        return self

    @staticmethod
    def _read(stream: Any, lines: list[str]) -> None:
        for line in stream:
            lines.append(line)  # noqa: PERF402 - each as it comes

    def start(self, listeners: int = 1, timeout: float = 30) -> Self:
        first = self.makes_account()
        self.spawn()
        try:
            self.addresses = until(lambda: self._listening(listeners), f"the server listens{self.shown()}", timeout, 0.005)
            if first:
                until(self._sign_in, "the first start prints a sign-in link", 10, 0.005)
        except AssertionError as error:
            self.kill()
            raise AssertionError(f"{error}{self.shown()}") from None
        self._sign_in()
        return self

    def makes_account(self) -> bool:
        """Whether this start makes an account, and prints its link."""
        return not self.bare and not self.database.exists()

    def _listening(self, listeners: int) -> list[tuple[str, int]]:
        assert self.process is not None
        if self.process.poll() is not None:
            for reader in self._readers:
                reader.join(5)
            raise AssertionError(f"the server ended with {self.process.returncode}{self.shown()}")
        found = [LISTENING.match(line) for line in list(self.out)]
        hosts = [(match[1], int(match[2])) for match in found if match]
        return hosts if len(hosts) >= listeners else []

    def _sign_in(self) -> str | None:
        for line in list(self.out) + list(self.err):
            if (match := LINK.search(line)) and match[1] != self.code:
                self.code = match[1]
                made = self.client(None).post("/v1/tokens", {"code": self.code}).expect(201)
                self.token = made.json()["token"]
        return self.token

    @property
    def address(self) -> tuple[str, int]:
        return self.addresses[0]

    @property
    def url(self) -> str:
        return f"http://{self.address[0]}:{self.address[1]}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def shown(self) -> str:
        return (
            f"\n--- ran\n{' '.join(self.command())}\n--- standard output\n{''.join(self.out)}"
            f"\n--- standard error\n{''.join(self.err)[-4000:]}\n---"
        )

    def client(self, token: str | None = "", timeout: float = 20 * PATIENCE) -> Client:
        return Client(self.address, self.token if token == "" else token, timeout)

    def connect(self, timeout: float = 20 * PATIENCE) -> Connection:
        return Connection(self.address, timeout)

    def run(self, *arguments: str, **options: Any) -> Finished:
        """Runs an administration command on this server's database."""
        return goals(*arguments, database=self.database, user=self.user, program=self.program, **options)

    def account(self, name: str | None = None) -> dict[str, str]:
        """Makes another account beside the running server."""
        return self.run("account", "add", name or f"a-{new_id()[:8]}", "--json").expect(0).json()

    def new_client(self, name: str | None = None) -> Client:
        return self.client(self.account(name)["token"])

    def wait(self, timeout: float = 20 * PATIENCE) -> int:
        assert self.process is not None
        try:
            code = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the server did not end in {timeout} s{self.shown()}") from None
        for reader in self._readers:
            reader.join(5)
        if self in self.running:
            self.running.remove(self)
        return code

    def stop(self, number: int = signal.SIGTERM, timeout: float = 20 * PATIENCE) -> None:
        """Asks the server to end and asserts that it did so well."""
        assert self.process is not None
        self.process.send_signal(number)
        code = self.wait(timeout)
        assert code == 0, f"{signal.Signals(number).name} ended with {code}{self.shown()}"

    def copied(self) -> Path:
        """A backup: the database file after a clean stop, which needs no WAL beside it."""
        self.stop()
        copy = Path(shutil.copy(self.database, self.folder / "copy.sqlite"))
        self.start()
        return copy

    def put_back(self, copy: Path) -> None:
        """What restoring a backup comes to: the file of then, and nothing else of the database."""
        self.stop()
        for file in self.folder.glob("goals.sqlite*"):
            file.unlink()
        shutil.copy(copy, self.database)
        self.start()

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.wait()

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def __enter__(self) -> Self:
        return self if self.process else self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()
