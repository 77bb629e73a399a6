"""What the rigs share: a disk that fails at will, small file systems, and their reports."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import random
import shutil
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goals_client import PATIENCE, Client, until
from goals_server import Finished, Server
from one_order import Violation

READ, WRITE, SYNC, SIZE, OPEN, NAME = 1, 2, 4, 8, 16, 32
FAIL, SHORT, DROP, KILL, CUT = 1, 2, 3, 4, 5
# The ioctl of `xfs_io -x -c shutdown`; ext4 knows it, too.
SHUT_DOWN = 0x8004587D


class NotHere(Exception):
    """What a rig needs and this machine has not."""


@dataclass
class Report:
    """What a rig tried and saw. A control is what had to go wrong, and did."""

    tried: str
    controls: list[str] = field(default_factory=list)


@dataclass
class Deep:
    """A run: where it works, how long, and its dice."""

    folder: Path
    seed: int
    quick: bool
    soak_minutes: float

    def dice(self, name: str) -> random.Random:
        return random.Random(f"{self.seed} {name}")

    def rounds(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def new_folder(self, name: str) -> Path:
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


def say(text: str) -> None:
    print(f"  {text}", flush=True)


def control(report: Report, what: str, failed: bool, saw: str) -> None:
    """Prints a control and keeps it; a control that does not fail breaks the rig."""
    if not failed:
        raise Violation(f"control: {what}: nothing was noticed, so this rig proves nothing ({saw})")
    report.controls.append(f"{what}: {saw}")
    say(f"control: {what}: {saw}, as it must be")


def compiled(folder: Path) -> Path:
    library = folder / "disk.so"
    if not library.exists():
        compiler = shutil.which("clang") or shutil.which("cc")
        if not compiler:
            raise NotHere("a C compiler")
        source = Path(__file__).with_name("disk.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-o", str(library), str(source)], check=True)
    return library


class Disk:
    """The disk of disk.c under the files whose path begins as said. `env` is for the process."""

    FIELDS = ("calls", "countdown", "times", "action", "error", "seen", "happened", "cut", "lies", "leak")

    def __init__(self, deep: Deep, path: Path | str):
        file = deep.folder / f"disk-{time.monotonic_ns()}"
        file.write_bytes(bytes(8 * len(self.FIELDS) + 64))
        with file.open("r+b") as opened:
            self.memory = mmap.mmap(opened.fileno(), 0)
        self.env = {"LD_PRELOAD": str(compiled(deep.folder)), "DISK_STATE": str(file), "DISK_PATH": str(path)}

    def __getitem__(self, name: str) -> int:
        at = 8 * self.FIELDS.index(name)
        return struct.unpack("<q", self.memory[at : at + 8])[0]

    def __setitem__(self, name: str, value: int) -> None:
        at = 8 * self.FIELDS.index(name)
        self.memory[at : at + 8] = struct.pack("<q", value)

    def arm(self, calls: int, number: int, action: int, error: int = 0, times: int = 1, suffix: str = "") -> None:
        """The so-manieth of these calls from now fails, on files whose path ends so."""
        self.disarm()
        at = 8 * len(self.FIELDS)
        self.memory[at : at + 64] = suffix.encode().ljust(64, b"\0")
        for name, value in {"seen": 0, "happened": 0, "action": action, "error": error, "times": times}.items():
            self[name] = value
        self["countdown"] = number
        self["calls"] = calls

    def disarm(self) -> None:
        self["calls"] = 0


def own_mounts() -> None:
    """Gives this process a mount namespace of its own. What it mounts ends with it, and is in no
    other namespace that somebody makes meanwhile, in which it would live on when it is unmounted
    here."""
    if os.geteuid() == 0 and ctypes.CDLL(None, use_errno=True).unshare(0x20000) == 0:
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)


class FileSystem:
    """A file system of its own on a loop device, whose power can be cut."""

    def __init__(self, deep: Deep, kind: str, megabytes: int):
        if os.geteuid() != 0:
            raise NotHere("root, to mount a file system")
        if not shutil.which(f"mkfs.{kind}"):
            raise NotHere(f"mkfs.{kind} (scripts/setup deep installs it)")
        self.image = deep.folder / f"{kind}.image"
        self.folder = deep.folder / kind
        self.folder.mkdir()
        with self.image.open("wb") as image:
            image.truncate(megabytes << 20)
        subprocess.run([f"mkfs.{kind}", "-q", str(self.image)], check=True, capture_output=True)
        self.mount()

    def mount(self) -> None:
        done = subprocess.run(["mount", "-o", "loop", str(self.image), str(self.folder)], capture_output=True, text=True)
        if done.returncode:
            raise NotHere(f"a loop device and its file system: {done.stderr.strip()}")

    def unmount(self) -> None:
        until(lambda: subprocess.run(["umount", str(self.folder)], capture_output=True).returncode == 0, "it unmounts", 20, 0.05)

    def sync(self) -> None:
        folder = os.open(self.folder, os.O_RDONLY)
        ctypes.CDLL(None, use_errno=True).syncfs(folder)
        os.close(folder)

    def cut(self) -> None:
        folder = os.open(self.folder, os.O_RDONLY)
        with contextlib.suppress(OSError):
            fcntl.ioctl(folder, SHUT_DOWN, struct.pack("I", 2))
        os.close(folder)

    def remove(self) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True)
        self.image.unlink()
        self.folder.rmdir()


@contextlib.contextmanager
def file_system(deep: Deep, kind: str, megabytes: int = 400) -> Iterator[FileSystem]:
    made = FileSystem(deep, kind, megabytes)
    try:
        yield made
    finally:
        made.remove()


def refused_clearly(done: Finished | Server) -> str:
    """Why a command or a server ended by itself: one clear sentence, and neither a trap nor a
    signal."""
    code = done.code if isinstance(done, Finished) else done.wait()
    error = done.err if isinstance(done.err, str) else "".join(done.err)
    if code != 1 or not error.strip() or "Fatal error" in error or "*** Signal" in error:
        raise Violation(f"it ended with {code} and no clear sentence: {error[-2000:]}{done.shown()}")
    return error.strip().splitlines()[-1]


def starts(server: Server, timeout: float = 30 * PATIENCE) -> bool:
    """Starts a server; false where it refused to, with a clear sentence."""
    server.spawn()
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        try:
            found = server._listening(1)
        except AssertionError:  # it has ended
            return False
        if found:
            server.addresses = found
            server._sign_in()
            return True
        time.sleep(0.002)
    raise Violation(f"it neither listens nor ends{server.shown()}")


def sound(server: Server, when: str) -> None:
    done = server.run("verify")
    if done.code != 0:
        raise Violation(f"{when}, verify finds a difference{done.shown()}")


def told(client: Client) -> dict[str, Any]:
    """All that an account says of itself."""
    account = client.get("/v1/account").expect(200).json()
    return {"account": account, "log": client.log(), "goals": client.goals()}


@contextlib.contextmanager
def threaded(*runs: Callable[[], None]) -> Iterator[None]:
    """Lets these run beside the body, and waits for them after it."""
    threads = [threading.Thread(target=run, daemon=True) for run in runs]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.join(60 * PATIENCE)
    if any(thread.is_alive() for thread in threads):
        raise Violation("a client waits for an answer, and none comes")
