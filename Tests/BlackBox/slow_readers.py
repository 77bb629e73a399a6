"""Clients that ask without end and read little or nothing of the answers, and how an ordinary one fares beside them.

`python slow_readers.py --readers 1000 --seconds 10` prints the longest that an ordinary client waited, and what the server
and the system held.
"""

from __future__ import annotations

import argparse
import re
import socket
import tempfile
import threading
import time
from pathlib import Path
from typing import Self

from goals_client import build
from goals_server import UNLIMITED, Server

REQUEST = b"GET /docs HTTP/1.1\r\nHost: x\r\n\r\n"


def held_by_the_system(server: Server) -> int:
    """Bytes that the system holds of the server's answers: tx_queue of its sockets in /proc/net/tcp (proc(5))."""
    port = f":{server.address[1]:04X}"
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(int(fields[4].split(":")[0], 16) for fields in lines if fields[1].endswith(port))


def resident(server: Server) -> int:
    """Bytes of the server's memory."""
    match = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{server.pid}/status").read_text())
    assert match
    return int(match[1]) * 1024


class SlowReaders:
    """Connections that always have more requests on their way than are answered, and read `rate` bytes a second each."""

    def __init__(self, server: Server, count: int, rate: int = 0):
        self.rate = rate
        self.sockets: list[socket.socket] = []
        for _ in range(count):
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
            one.connect(server.address)
            one.setblocking(False)
            self.sockets.append(one)
        self.rounds = 0
        self.taken = 0
        self.lost = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended.is_set():
            for one in self.sockets:
                try:
                    one.send(REQUEST * 1500)
                except BlockingIOError:
                    pass
                except OSError:
                    self.lost += 1
                try:
                    if self.rate:
                        self.taken += len(one.recv(max(1, self.rate // 5)))
                except OSError:
                    pass
            self.rounds += 1
            self._ended.wait(0.2)

    def still_open(self) -> int:
        """How many connections the server has not ended."""
        states = [one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] for one in self.sockets]
        return states.count(1)  # TCP_ESTABLISHED

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        for one in self.sockets:
            one.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readers", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=1000, help="bytes a second that each reads")
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Server(folder, *UNLIMITED) as server, SlowReaders(server, options.readers, options.rate) as readers:
        worst, asked, memory, system = 0.0, 0, 0, 0
        end = time.monotonic() + options.seconds
        while time.monotonic() < end:
            begun = time.monotonic()
            with server.connect() as ordinary:
                for _ in range(5):
                    ordinary.send(build("GET", "/v1/goals", token=server.token))
                    ordinary.read_response().expect(200)
                    worst = max(worst, time.monotonic() - begun)
                    begun = time.monotonic()
                    asked += 1
            memory, system = max(memory, resident(server)), max(system, held_by_the_system(server))
            time.sleep(0.05)
        print(f"{options.readers} readers, {readers.still_open()} of them still there, {readers.taken} bytes read")
        print(f"an ordinary client asked {asked} times and waited {worst * 1000:.1f} ms at most")
        print(f"memory {memory / 2**20:.1f} MiB, held by the system {system / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
