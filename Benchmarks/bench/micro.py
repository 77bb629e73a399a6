"""What the parts of a request cost in process, and the list that takes longest: Benchmarks/Micro."""

from __future__ import annotations

import json
import subprocess

import places
from running import Failure, Json


def measure(*words: str) -> list[Json]:
    result = subprocess.run([str(places.MICRO), *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if result.returncode != 0:
        raise Failure(f"{places.MICRO}: {result.stderr}")
    return [json.loads(line) for line in result.stdout.splitlines()]
