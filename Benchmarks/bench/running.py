"""A process that was started here, and what it has used."""

from __future__ import annotations

import mmap
import os
import re
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

TICKS = os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """Something that makes the measurement worthless; the message says what."""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 30, step: float = 0.0005) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(f"waited {seconds:g} s in vain: {what}")
        time.sleep(step)


def get(port: int, path: str, token: str, timeout: float = 10, more: str = "") -> tuple[int, dict[str, str], bytes]:
    """One request over a connection of its own: the status, the fields by lower-case name, the body."""
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        connection.sendall(request(path, token, "Connection: close\r\n" + more))
        return read_answer(connection.makefile("rb"))


def request(path: str, token: str, more: str = "", method: str = "GET") -> bytes:
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n{more}\r\n".encode()


def read_answer(stream: BinaryIO) -> tuple[int, dict[str, str], bytes]:
    """The next answer of a connection, which has to say how long it is."""
    status = stream.readline()
    if not status.startswith(b"HTTP/1.1 "):
        raise ConnectionError("no answer")
    fields = {}
    while line := stream.readline().strip():
        name, _, value = line.decode("latin-1").partition(":")
        fields[name.lower()] = value.strip()
    body = stream.read(int(fields["content-length"]))
    return int(status.split()[1]), fields, body


def metric(port: int, name: str) -> int:
    """One that has no labels, as a server tells it where its metrics are read."""
    status, _, body = get(port, "/metrics", "none")
    found = re.search(rf"^{name} (\d+)$", body.decode(), re.MULTILINE)
    if status != 200 or not found:
        raise Failure(f"the metrics do not tell {name}")
    return int(found[1])


def stat(pid: int) -> list[str]:
    """What the kernel tells of a process, from its state on: proc(5), /proc/PID/stat."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


class Process:
    def __init__(self, command: list[str], log: Path, environment: dict[str, str] | None = None):
        log.parent.mkdir(parents=True, exist_ok=True)
        self.log = log
        # What is measured is what is counted: nothing is loaded into it but what the bench says.
        own = {name: value for name, value in os.environ.items() if not name.startswith(("GOALS_", "LD_"))}
        with log.open("wb") as output:
            self.began = time.perf_counter()
            self._process = subprocess.Popen(
                command,
                env={**own, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def check(self) -> None:
        if self._process.poll() is not None:
            raise Failure(f"the server ended with {self._process.returncode}:\n{self.said()[-2000:]}")

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def cpu_seconds(self) -> float:
        """What all its threads have computed, in the kernel too."""
        return sum(map(int, stat(self.pid)[11:13])) / TICKS

    def memory(self, name: str = "VmRSS") -> int:
        """In bytes: VmRSS is what it has now, VmHWM the most it ever had, RssAnon what is no file's."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
        raise Failure(f"/proc says nothing of {name}")

    def stop(self) -> None:
        """Asks it to end well, so that what it wrote is checkpointed, and waits for it."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


class SyncCount:
    """How often a process has called fdatasync or fsync: see count_syncs.c."""

    def __init__(self, path: Path, library: Path):
        path.write_bytes(bytes(8))
        self._file = path.open("r+b")
        self._memory = mmap.mmap(self._file.fileno(), 8)
        self.environment = {"LD_PRELOAD": str(library), "SYNC_COUNT": str(path)}

    def value(self) -> int:
        return struct.unpack("<Q", self._memory[:8])[0]

    def close(self) -> None:
        self._memory.close()
        self._file.close()


Json = dict[str, Any]
