"""Measures how long large batches take, and how long they keep everybody else waiting.

    GOALS_BINARY=.build/release/goals python Tests/BlackBox/batch_rig.py --repeat 5

One connection posts batches of 1000 bumps, one after the other (they should be answered within 50 ms
each). Then 64 connections post such a batch each at the same moment, of 64 accounts and of one, while
another client of an account of its own posts single bumps (it should never wait for a second). Last, 64
connections of 64 accounts post batches of each kind over and over for some seconds beside such a client:
good ones, goals until the list is full, and edits that are wrong in one place and in many. A quiet machine
is needed for figures that mean something; the lowest of several repetitions is the nearest to it.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).resolve().parent))

from goals_client import Client, build, edit, new_id
from goals_server import UNLIMITED, Server

EDITS = 1000
CROWD = 64


def batch(client: Client, goal: str) -> bytes:
    """The bytes of a request with 1000 bumps, made before any clock runs."""
    edits = [edit("bump", goal=goal) for _ in range(EDITS)]
    return build("POST", "/v1/edits", token=client.token, body={"edits": edits})


def post(client: Client, data: bytes) -> float:
    """Sends, and answers how many milliseconds passed until the whole answer was there."""
    if client.connection is None:
        client.get("/healthz").expect(200)
    assert client.connection is not None
    began = time.perf_counter()
    client.connection.send(data)
    response = client.connection.read_response("POST", data)
    took = (time.perf_counter() - began) * 1000
    response.expect(200)
    assert b'"rejected"' not in response.body, response.shown()
    return took


def shown(times: list[float]) -> str:
    times = sorted(times)
    return (
        f"{len(times)} times: lowest {times[0]:.1f}, median {statistics.median(times):.1f}, "
        f"95 % {times[int(len(times) * 0.95)]:.1f}, longest {times[-1]:.1f} ms"
    )


def processor_time(server: Server) -> float:
    """The milliseconds that the server's threads have computed; no other program adds to them."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def one_after_the_other(server: Server, count: int) -> tuple[list[float], float]:
    """The times of so many batches, and the processor time of one."""
    client = server.client()
    goal = client.add_goal(interval="monthly")
    post(client, batch(client, goal))
    requests = [batch(client, goal) for _ in range(count)]
    before = processor_time(server)
    times = [post(client, data) for data in requests]
    return times, (processor_time(server) - before) / count


class Bystander:
    """Posts single bumps until it is told to stop, and keeps how long each took."""

    def __init__(self, server: Server):
        self.client = server.new_client()
        self.goal = self.client.add_goal(interval="monthly")
        self.waits: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        data = build("POST", f"/v1/goals/{self.goal}/bump", token=self.client.token)
        while not self._over.is_set():
            self.waits.append(post(self.client, data))

    def __enter__(self) -> Self:
        self._thread.start()
        while len(self.waits) < 50:
            time.sleep(0.001)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()


def at_once(server: Server, clients: list[Client], goals: list[str]) -> tuple[list[float], list[float], float]:
    """Posts a batch of every client at the same moment; the times of these, of a bystander, and of all."""
    requests = [batch(client, goal) for client, goal in zip(clients, goals, strict=True)]
    for client in clients:
        client.get("/healthz").expect(200)
    times: list[float] = []
    gate = threading.Barrier(len(clients) + 1)

    def run(client: Client, data: bytes) -> None:
        gate.wait()
        times.append(post(client, data))

    threads = [threading.Thread(target=run, args=pair) for pair in zip(clients, requests, strict=True)]
    for thread in threads:
        thread.start()
    with Bystander(server) as bystander:
        before = len(bystander.waits)
        gate.wait()
        began = time.perf_counter()
        for thread in threads:
            thread.join()
        took = (time.perf_counter() - began) * 1000
        waits_until = len(bystander.waits) + 1
    for client in clients:
        client.close()
    assert len(times) == len(clients), "a batch was not answered"
    return times, bystander.waits[max(0, before - 1) : waits_until], took


KINDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "bumps": lambda goal: edit("bump", goal=goal),
    "goals": lambda _: edit("add", goal={"id": new_id(), "title": "Yoga"}),
    "edits with one fault": lambda _: edit("bump"),
    "edits with 40 faults": lambda goal: {**edit("bump", goal=goal), **{f"a{number}": 1 for number in range(40)}},
}


class Poster:
    """Posts requests over and over on one connection, the next as soon as one is answered."""

    def __init__(self, address: tuple[str, int], requests: list[bytes]):
        self.socket = socket.create_connection(address)
        self.socket.setblocking(False)
        self.requests = requests
        self.answered = 0
        self.unsent = memoryview(requests[0])
        self.head = b""
        self.unread: int | None = None

    def turn(self) -> None:
        try:
            while self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent) :]
            while data := self.socket.recv(1 << 18):
                self.took(data)
        except BlockingIOError:
            pass

    def took(self, data: bytes) -> None:
        if self.unread is None:
            self.head += data
            head, end, data = self.head.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 200"), head
            self.unread = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        self.unread -= len(data)
        if self.unread == 0:
            self.answered += 1
            self.head, self.unread = b"", None
            self.unsent = memoryview(self.requests[self.answered % len(self.requests)])
            self.turn()


def post_over_and_over(address: tuple[str, int], requests: list[list[bytes]], seconds: float, answered: Any) -> None:
    posters = [Poster(address, each) for each in requests]
    with selectors.DefaultSelector() as selector:
        for poster in posters:
            selector.register(poster.socket, selectors.EVENT_READ, poster)
        for poster in posters:
            poster.turn()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in selector.select(0.01):
                key.data.turn()
            for poster in posters:
                if poster.unsent:
                    poster.turn()
    answered.value = sum(poster.answered for poster in posters)


def beside_a_crowd(server: Server, kind: str, seconds: float) -> None:
    """A program of its own posts batches, so that the bystander here is not slowed by making them."""
    requests = []
    for _ in range(CROWD):
        client = server.new_client()
        goal = client.add_goal(interval="monthly")
        # Encoded without white space: as many edits as a body holds.
        bodies = [{"edits": [KINDS[kind](goal) for _ in range(EDITS - 1)]} for _ in range(2)]
        requests.append(
            [
                build("POST", "/v1/edits", token=client.token, body=json.dumps(body, separators=(",", ":")).encode())
                for body in bodies
            ]
        )
        client.close()
    answered = multiprocessing.Value("i", 0)
    crowd = multiprocessing.Process(target=post_over_and_over, args=(server.address, requests, seconds, answered))
    with Bystander(server) as bystander:
        before, computed = len(bystander.waits), processor_time(server)
        crowd.start()
        crowd.join()
        computed = processor_time(server) - computed
    assert crowd.exitcode == 0
    each = computed / max(1, answered.value)
    print(
        f"\n{CROWD} connections with batches of {EDITS - 1} {kind}: {answered.value} answered in {seconds:.0f} s, "
        f"{each:.1f} ms of processor time each (load {os.getloadavg()[0]:.1f})"
    )
    print(f"  single bumps beside them, {shown(bystander.waits[before:])}", flush=True)


def measure(folder: Path, repeat: int) -> None:
    with Server(folder, *UNLIMITED).start() as server:
        times, computed = one_after_the_other(server, 40)
        print(f"1000 bumps in a batch, alone, {shown(times)}; {computed:.1f} ms of processor time each")
        for _ in range(repeat):
            accounts = [server.new_client() for _ in range(CROWD)]
            goals = [client.add_goal(interval="monthly") for client in accounts]
            report(f"{CROWD} batches of {CROWD} accounts", *at_once(server, accounts, goals))
            one = server.new_client()
            goal = one.add_goal(interval="monthly")
            clients = [server.client(one.token) for _ in range(CROWD)]
            report(f"{CROWD} batches of one account", *at_once(server, clients, [goal] * CROWD))
            assert one.goal(goal)["progress"] == CROWD * EDITS
        server.stop()


def report(what: str, batches: list[float], waits: list[float], took: float) -> None:
    print(f"\n{what}, {took:.0f} ms in all (load {os.getloadavg()[0]:.1f})")
    print(f"  the batches, {shown(batches)}")
    print(f"  single bumps beside them, {shown(waits)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="of the batches at one moment; 0 leaves them out")
    parser.add_argument("--seconds", type=float, default=5, help="of each kind over and over; 0 leaves them out")
    parser.add_argument("--kind", choices=KINDS, action="append", help="only this kind of batch over and over")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="goals-batch-") as folder:
        if options.repeat:
            measure(Path(folder), options.repeat)
    with tempfile.TemporaryDirectory(prefix="goals-batch-") as folder, Server(Path(folder), *UNLIMITED).start() as server:
        if options.seconds:
            for kind in options.kind or KINDS:
                beside_a_crowd(server, kind, options.seconds)
        server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
