"""A server under strace: its system calls in order, and faults put into them.

strace writes a line when a call begins and completes it when it ends; where other threads come
between, the line is split into "<unfinished ...>" and "<... resumed>". So the order of lines is the
order of begins and ends, and this module numbers them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from goals_client import PATIENCE
from goals_server import binary, environment

STRACE_MISSING = "strace is not installed (apt-get install strace)"
LINE = re.compile(r"(?:\[pid\s+)?(\d+)\]?\s+(\d+\.\d+)\s+(.*)\Z", re.S)
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)\Z", re.S)
CALL = re.compile(r"(\w+)\((.*)\Z", re.S)
RESULT = re.compile(r"\)\s+=\s+(-?\d+|\?)[^=]*\Z")
DESCRIPTOR = re.compile(r"\d+<(.*?)>(?=[,)]|\Z)")


def need_strace() -> str:
    found = shutil.which("strace")
    assert found, STRACE_MISSING
    return found


def need_root(what: str) -> None:
    assert os.geteuid() == 0, f"{what} needs root"


@dataclass
class Call:
    """One system call: where in the trace it began and ended, on which file or peer, and how."""

    name: str
    begin: int
    end: int
    on: str
    text: str
    result: int | None


def calls(trace: str) -> Iterator[Call]:
    """Every call of a `strace -f -ttt -yy` trace that has ended, in order of its end."""
    begun: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(trace.splitlines()):
        parts = LINE.match(line)
        if not parts:
            continue
        thread, text = parts[1], parts[3]
        begin = number
        if resumed := RESUMED.match(text):
            if thread not in begun:
                continue
            begin, start = begun.pop(thread)
            text = start + resumed[2]
        elif text.endswith("<unfinished ...>"):
            begun[thread] = (number, text[: -len("<unfinished ...>")].rstrip())
            continue
        call, result = CALL.match(text), RESULT.search(text)
        if not call or not result:
            continue
        on = DESCRIPTOR.match(call[2])
        value = None if result[1] == "?" else int(result[1])
        yield Call(call[1], begin, number, on[1] if on else "", text, value)


class Injection:
    """Makes calls of a running server fail, as long as the `with` lasts."""

    def __init__(self, pid: int, *what: str, path: Path | str | None = None):
        need_root("to attach strace to a server")
        self.command = [need_strace(), "-f", "-qq", "-p", str(pid)]
        names = sorted({item.split(":")[0] for item in what})
        self.command += ["-e", f"trace={','.join(names)}"]
        for item in what:
            self.command += ["-e", f"inject={item}"]
        if path is not None:
            self.command += ["-P", str(path)]
        self.pid = pid
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 10 * PATIENCE
        while not self._attached():
            if self.process.poll() is not None or time.monotonic() > deadline:
                error = self.process.stderr.read().decode() if self.process.poll() is not None and self.process.stderr else ""
                self.detach()
                raise AssertionError(f"strace did not attach: {' '.join(self.command)}\n{error}")
            time.sleep(0.01)
        return self

    def _attached(self) -> bool:
        """Whether every thread of the server has a tracer."""
        try:
            for thread in os.listdir(f"/proc/{self.pid}/task"):
                status = Path(f"/proc/{self.pid}/task/{thread}/status").read_text()
                if "TracerPid:\t0\n" in status:
                    return False
        except FileNotFoundError:
            return False
        return True

    def detach(self) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        self.process = None

    def __exit__(self, *_: object) -> None:
        self.detach()


def faulty(
    arguments: list[str], *what: str, path: Path | str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command of which the system calls on a path fail as strace's `inject` says."""
    command = [need_strace(), "-f", "-qq", "-e", f"trace={','.join(item.split(':')[0] for item in what)}"]
    for item in what:
        command += ["-e", f"inject={item}"]
    command += ["-P", str(path), "-o", "/dev/null", binary(), *arguments]
    return subprocess.run(
        command, env=environment(env or {}), capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
    )


# What changes a file or a folder, and what makes it last.
CHANGES = ["openat", "write", "pwrite64", "ftruncate", "fsync", "fdatasync", "chmod", "rename", "renameat2", "unlink"]


def interrupted(arguments: list[str], before: Callable[[], None] = lambda: None) -> Iterator[str]:
    """Runs a command again and again, killed just before it makes its first `openat`, its second, and so on,
    then likewise for what else changes a disk; yields after each run, with the name of the step. strace
    counts each call by itself. Of calls that are many, fewer and fewer are tried.

    - before: makes everything ready for a run.
    """
    steps = 0
    for call in CHANGES:
        number, killed = 0, True
        while killed:
            number += 1 + number // 4
            before()
            inject = f"inject={call}:signal=KILL:when={number}"
            command = [need_strace(), "-f", "-qq", "-e", f"trace={call}", "-e", inject, "-o", "/dev/null", binary(), *arguments]
            done = subprocess.run(
                command, env=environment(), capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL
            )
            killed = done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
            assert killed or done.returncode == 0, f"{call} {number}: exit {done.returncode}\n{done.stderr}"
            steps += killed
            yield f"{call} {number}"
    assert steps > 30, "the command was killed at some steps at least"
