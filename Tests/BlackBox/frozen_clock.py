"""A clock for a server of a test that stands where the test sets it: `frozen_clock.c`, which is compiled for it."""

from __future__ import annotations

import mmap
import shutil
import struct
import subprocess
from datetime import datetime
from pathlib import Path


class FrozenClock:
    """`env` is for the server. The clock stands at 1970 until it is set."""

    def __init__(self, folder: Path):
        compiler = shutil.which("clang") or shutil.which("cc") or shutil.which("gcc")
        assert compiler, "no C compiler"
        library, file = folder / "frozen_clock.so", folder / "clock"
        source = Path(__file__).with_name("frozen_clock.c")
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(source)], check=True)
        file.write_bytes(bytes(8))
        with file.open("r+b") as opened:
            self._milliseconds = mmap.mmap(opened.fileno(), 8)
        self.env = {"LD_PRELOAD": str(library), "CLOCK_FILE": str(file)}

    def set(self, instant: str) -> None:
        """To an instant with an offset, as RFC 3339 writes it."""
        self._milliseconds[:8] = struct.pack("<q", round(datetime.fromisoformat(instant).timestamp() * 1000))
