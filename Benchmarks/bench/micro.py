"""What the parts of a request cost in process: Benchmarks/Micro."""

from __future__ import annotations

import json
import subprocess

import places
from running import Failure, Json


def measure() -> list[Json]:
    result = subprocess.run([str(places.MICRO)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise Failure(f"{places.MICRO}: {result.stderr}")
    return [json.loads(line) for line in result.stdout.splitlines()]
