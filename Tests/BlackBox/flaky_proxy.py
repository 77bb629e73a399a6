"""A TCP proxy that loses, cuts, delays and repeats HTTP requests, as a bad network does.

It takes one request a connection and decides its fate by numbers with a seed, so that a client that
sends one request after the other meets the same fates in each run.
"""

from __future__ import annotations

import contextlib
import random
import re
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Self

LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.I)

FATES = {
    "passed": "nothing happens to it",
    "delayed": "it passes, later",
    "refused": "the connection is reset before the server sees anything",
    "halved": "the server sees half of the request",
    "unanswered": "the server has done it, and nobody is told",
    "cut": "the answer ends in its middle",
    "repeated": "the server sees it twice, one after the other; the second answer counts",
    "doubled": "the server sees it twice at once; the first answer counts",
    "late": "the client is told nothing, and the server sees the request a little later",
}


class Broken(Exception):
    """One of the two sides is gone."""


def read_message(source: socket.socket, end_too: bool = False) -> bytes:
    """Reads a request, or with `end_too` everything there is; the client sends no chunks."""
    data = b""
    while True:
        if not end_too and (head := data.find(b"\r\n\r\n")) >= 0:
            length = LENGTH.search(data[: head + 2])
            if len(data) >= head + 4 + (int(length[1]) if length else 0):
                return data
        try:
            more = source.recv(65536)
        except OSError as error:
            raise Broken from error
        if not more:
            if end_too and data:
                return data
            raise Broken
        data += more


def reset(connection: socket.socket) -> None:
    """Closes without the usual farewell: whoever reads there gets ECONNRESET."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


class FlakyProxy:
    """Listens on a port of its own until it is closed. `upstream` may change while it runs."""

    def __init__(self, upstream: tuple[str, int], seed: int, fates: list[str] | None = None):
        self.upstream = upstream
        self.fates = fates or ["passed"] * 3 + list(FATES)
        self.met: Counter[str] = Counter()
        self.strays: list[bytes] = []  # requests that the server saw once more than the client knows
        self._numbers = random.Random(seed)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._under_way: set[threading.Thread] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def calm(self) -> None:
        """From now on everything passes; returns when what was still on its way has arrived."""
        self.fates = ["passed"]
        while self._under_way:
            for thread in list(self._under_way):
                thread.join(30)

    def close(self) -> None:
        self._listener.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.calm()
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            client.settimeout(30)
            fate, chance = self._numbers.choice(self.fates), self._numbers.random()
            self.met[fate] += 1
            self._aside(self._serve, client, fate, chance)

    def _aside(self, work: Callable[..., None], *arguments: object) -> None:
        def run() -> None:
            work(*arguments)
            with self._lock:
                self._under_way.discard(threading.current_thread())

        thread = threading.Thread(target=run, daemon=True)
        with self._lock:
            self._under_way.add(thread)
        thread.start()

    def _serve(self, client: socket.socket, fate: str, chance: float) -> None:
        try:
            if fate != "refused":
                self._meet(client, read_message(client), fate, chance)
        except (Broken, OSError):
            pass
        reset(client)

    def _meet(self, client: socket.socket, request: bytes, fate: str, chance: float) -> None:
        if fate == "delayed":
            time.sleep(chance * 0.05)
        if fate == "halved":
            with socket.create_connection(self.upstream, 30) as server:
                server.sendall(request[: int(len(request) * chance)])
            return
        if fate == "late":
            self._aside(self._later, request, chance * 0.3)
            return
        if fate == "doubled":
            self._aside(self._later, request, 0)
        answer = self._ask(request)
        if fate == "repeated":
            answer = self._ask(request)
        if fate == "cut":
            answer = answer[: int(len(answer) * chance)]
        if fate != "unanswered":
            client.sendall(answer)
            client.shutdown(socket.SHUT_WR)
            client.recv(1)

    def _later(self, request: bytes, wait: float) -> None:
        self.strays.append(request)
        time.sleep(wait)
        with contextlib.suppress(Broken, OSError):
            self._ask(request)

    def _ask(self, request: bytes) -> bytes:
        """Sends a request (of a client that asks to close) and reads until the server closes."""
        with socket.create_connection(self.upstream, 30) as server:
            server.settimeout(30)
            server.sendall(request)
            return read_message(server, end_too=True)


class Wire:
    """A port that leads to a socket with a path. A cut one is silent; what was sent arrives later."""

    def __init__(self, path: Callable[[], str]):
        self.path = path
        self.passes = {"questions": threading.Event(), "answers": threading.Event()}
        self.connections: set[socket.socket] = set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.mend()
        threading.Thread(target=self.accept, daemon=True).start()

    def cut(self, what: list[str]) -> None:
        for name in what:
            self.passes[name].clear()

    def mend(self) -> None:
        for passes in self.passes.values():
            passes.set()

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def reset(self) -> None:
        for connection in self.connections.copy():
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RD)  # wakes who reads there
                reset(connection)

    def accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        with socket.socket(socket.AF_UNIX) as upstream:
            try:
                upstream.connect(self.path())
            except OSError:
                reset(client)
                return
            self.connections.add(client)
            back = threading.Thread(target=self.pump, args=(upstream, client, "answers"), daemon=True)
            back.start()
            self.pump(client, upstream, "questions")
            back.join()
            self.connections.discard(client)
            client.close()

    def pump(self, source: socket.socket, sink: socket.socket, name: str) -> None:
        data = b"any"
        with contextlib.suppress(OSError):
            while data:
                data = source.recv(65536)
                self.passes[name].wait()
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_WR)
