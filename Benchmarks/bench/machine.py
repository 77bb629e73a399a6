"""Where and with what it was measured."""

from __future__ import annotations

import ctypes
import datetime
import importlib.metadata
import json
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

import places
from fixtures import binary_digest
from running import Failure, Json

# As Debian has it; /usr/sbin is not on everybody's path.
NGINX = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
# Beside the newest server, which cluster.sh starts.
PGBENCH = max(Path("/usr/lib/postgresql").glob("*/bin/pgbench"), key=lambda path: int(path.parts[4]), default=None)


def require_tools() -> None:
    """Fails where something is missing that is only used after minutes."""
    missing = [name for name in ("wrk", "strip", "clang", "valgrind", "psql") if shutil.which(name) is None]
    missing += [] if NGINX else ["nginx"]
    missing += [] if PGBENCH else ["pgbench"]
    missing += [str(path) for path in (places.GOALS, places.HUMMINGBIRD, places.UVICORN) if not path.exists()]
    if missing:
        raise Failure(f"missing: {', '.join(missing)}; `make bench` installs and builds what it needs")


def said(*command: str) -> str:
    try:
        result = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError:
        return ""
    return (result.stdout + result.stderr).strip()


def first(pattern: str, text: str) -> str:
    match = re.search(pattern, text, re.MULTILINE)
    return match[1].strip() if match else "unknown"


def machine() -> Json:
    memory = first(r"^MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text())
    return {
        "processor": first(r"^model name\s*:\s*(.*)$", Path("/proc/cpuinfo").read_text()),
        "cores": os.cpu_count(),
        "memoryGB": round(int(memory) / 1e6) if memory.isdigit() else None,
        "system": first(r'^PRETTY_NAME="(.*)"', Path("/etc/os-release").read_text()),
        "kernel": platform.release(),
        "fileSystem": said("df", "--output=fstype", str(places.BENCHMARKS)).split()[-1],
    }


def versions() -> Json:
    return {
        "goals": said(str(places.GOALS), "--version"),
        "binary": binary_digest(),
        "commit": commit(),
        "swift": first(r"Swift version (\S+)", said("swift", "--version")),
        "sqlite": linked_sqlite(),
        "hummingbird": resolved("hummingbird"),
        "grdb": resolved("grdb.swift"),
        "fastapi": importlib.metadata.version("fastapi"),
        "uvicorn": importlib.metadata.version("uvicorn"),
        "python": platform.python_version(),
        "pythonSQLite": sqlite3.sqlite_version,
        "nginx": first(r"nginx/(\S+)", said(NGINX or "nginx", "-v")),
        "postgresql": first(r"^pgbench \(PostgreSQL\) (\S+)", said(str(PGBENCH), "--version")),
        "wrk": first(r"^wrk (?:debian/)?(\S+)", said("wrk", "--version")),
    }


def resolved(package: str) -> str:
    """The version that the peers were built with, as the package manager wrote it down."""
    pins = json.loads((places.BENCHMARKS / "Package.resolved").read_text())["pins"]
    return next(pin["state"]["version"] for pin in pins if pin["identity"] == package)


def linked_sqlite() -> str:
    """Of the library that the system gives Goals, and the Hummingbird peer."""
    path = first(r"libsqlite3\S* => (\S+)", said("ldd", str(places.GOALS)))
    if not Path(path).exists():
        return "unknown"
    library = ctypes.CDLL(path)
    library.sqlite3_libversion.restype = ctypes.c_char_p
    return library.sqlite3_libversion().decode()


def commit() -> str:
    """Of the sources; what the bench itself writes does not make them others."""
    git = ("git", "-C", str(places.ROOT))
    measured = ("Package.swift", "Sources", "Migrations", "Benchmarks")
    written = (f":(exclude)Benchmarks/{name}" for name in (places.RESULTS, places.PAGE, places.CHART))
    changed = said(*git, "status", "--porcelain", "--", *measured, *written)
    commit = first(r"^([0-9a-f]{10,})$", said(*git, "rev-parse", "--short=10", "HEAD"))
    return commit + ("-dirty" if changed else "")


def today() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")


class Watch:
    """What else the machine does: before anything is measured, and what a hypervisor takes meanwhile."""

    def __init__(self) -> None:
        began = Watch.times()
        time.sleep(2)
        self._began = Watch.times()
        busy, stolen, all = (now - before for now, before in zip(self._began, began, strict=True))
        self._before = (busy + stolen) / all

    def seen(self) -> Json:
        _, stolen, all = (now - before for now, before in zip(Watch.times(), self._began, strict=True))
        return {"busyBefore": self._before, "stolen": stolen / max(1, all)}

    @staticmethod
    def times() -> tuple[int, int, int]:
        """What all cores have computed, what was stolen from them, and all there was: proc(5), /proc/stat."""
        user, nice, system, idle, waiting, hard, soft, stolen = map(
            int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
        )
        busy = user + nice + system + hard + soft
        return busy, stolen, busy + stolen + idle + waiting


def doubts(results: Json) -> list[str]:
    """Why the figures may be worth little, or not be those of this project's sources."""
    lines, meanwhile = [], results["meanwhile"]
    if os.environ.get("GOALS_BINARY"):
        lines.append("GOALS_BINARY names the binary")
    if not re.fullmatch(r"[0-9a-f]{10,}", results["versions"]["commit"]):
        lines.append("what was measured is not committed")
    if meanwhile["busyBefore"] > 0.05:
        lines.append(f"the machine was {meanwhile['busyBefore']:.0%} busy before anything was measured")
    if meanwhile["stolen"] > 0.1:
        lines.append(f"{meanwhile['stolen']:.0%} of the machine's time was stolen by its host meanwhile")
    return lines
