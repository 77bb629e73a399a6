"""How many instructions a bump takes: a count that other work on the machine leaves as it is.

valgrind's callgrind runs the server on a processor of its own making, one thread at a time, so that its
times mean nothing; what it counts is what the program does in user space, not in the kernel."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import load
import places
from fixtures import Fixture
from load import Load
from running import Failure, Json
from servers import Goals


class CountedGoals(Goals):
    """Counts nothing until it is told to: see callgrind_control(1)."""

    @property
    def counts(self) -> Path:
        return self.folder / "callgrind.out"

    def command(self) -> list[str]:
        return [
            "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={self.counts}",
            *super().command(),
        ]  # fmt: skip

    def count(self, on: bool) -> None:
        command = ["callgrind_control", "--instr=" + ("on" if on else "off"), str(self.running.pid)]
        subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)

    def total(self) -> int:
        """Of all threads; when it is stopped."""
        match = re.search(r"^totals: (\d+)", self.counts.read_text(errors="replace"), re.MULTILINE)
        if not match:
            raise Failure("callgrind has counted nothing")
        return int(match[1])


def measure() -> Json:
    server = CountedGoals(places.WORK / "run" / "instructions", Fixture())
    try:
        server.start()
        warm_up = load.run(server, Load(), 4)
        server.count(on=True)
        counted = load.run(server, Load(), 10)
        server.count(on=False)
        server.stop()
        load.check_recorded("goals under callgrind", Load(), [warm_up, counted], server.recorded())
        # The server has done what was sent, also where wrk was gone before the answer.
        return {"bumps": counted.sent, "perBump": server.total() / counted.sent}
    finally:
        server.kill()
