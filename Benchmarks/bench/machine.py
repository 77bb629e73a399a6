"""Where and with what it was measured."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import platform
import re
import sqlite3
import subprocess
from pathlib import Path

import places
from fixtures import binary_digest
from running import Json


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
    manifest = (places.BENCHMARKS / "Package.swift").read_text()
    return {
        "goals": said(str(places.GOALS), "--version"),
        "binary": binary_digest(),
        "commit": commit(),
        "swift": first(r"Swift version (\S+)", said("swift", "--version")),
        "sqlite": sqlite3.sqlite_version,
        "hummingbird": first(r'/hummingbird", from: "([^"]+)"', manifest),
        "grdb": first(r'/GRDB\.swift", from: "([^"]+)"', manifest),
        "fastapi": importlib.metadata.version("fastapi"),
        "uvicorn": importlib.metadata.version("uvicorn"),
        "python": platform.python_version(),
        "nginx": first(r"nginx/(\S+)", said("/usr/sbin/nginx", "-v") or said("nginx", "-v")),
        "wrk": first(r"^wrk (?:debian/)?(\S+)", said("wrk", "--version")),
    }


def commit() -> str:
    """Of the sources; what the bench itself writes does not make them others."""
    git = ("git", "-C", str(places.ROOT))
    changed = said(*git, "status", "--porcelain", "--", "Package.swift", "Sources", "Migrations")
    return said(*git, "rev-parse", "--short=10", "HEAD") + ("-dirty" if changed else "")


def today() -> str:
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC")
