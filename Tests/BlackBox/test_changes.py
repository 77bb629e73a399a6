"""Streams of changes over real sockets: what they tell, and that nothing is missed or told twice."""

from __future__ import annotations

import json
import random
import select
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tier
from goals_client import PATIENCE, Client, new_id, until
from goals_server import UNLIMITED, Server
from tier import EVERY_STORE

STORES = EVERY_STORE


class Event:
    def __init__(self, block: str):
        self.type, self.data, self.id, self.comments = "", None, None, 0
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "":
                self.comments += 1
            elif name == "data":
                assert self.data is None, f"two lines of data: {block!r}"
                self.data = value
            elif name == "id":
                self.id = value
            elif name == "event":
                self.type = value
            else:
                raise AssertionError(f"no such field: {block!r}")

    def __repr__(self) -> str:
        return f"Event({self.type!r}, {self.data!r}, id={self.id!r})"

    @property
    def text(self) -> str:
        """The data of one that is no comment."""
        assert self.data is not None, self
        return self.data

    @property
    def is_comment(self) -> bool:
        return self.comments > 0 and self.data is None


class Stream:
    """A client of a stream on a plain socket, which reads as much as it is told to."""

    def __init__(
        self,
        address: tuple[str, int],
        token: str | None,
        query: str = "",
        last: str | None = None,
        buffer: int | None = None,
    ):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(20 * PATIENCE)
        self.socket.connect(address)
        fields = f"Authorization: Bearer {token}\r\n" + (f"Last-Event-ID: {last}\r\n" if last else "")
        self.socket.sendall(f"GET /v1/changes{query} HTTP/1.1\r\nHost: goals.example\r\n{fields}\r\n".encode())
        self.raw, self.text, self.ended = b"", "", False
        while b"\r\n\r\n" not in self.raw:
            self.raw += self._receive()
        head, _, self.raw = self.raw.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])
        lines = [line.decode().partition(": ") for line in head.split(b"\r\n")[1:]]
        self.fields = {name.lower(): value for name, _, value in lines}

    def _receive(self) -> bytes:
        try:
            data = self.socket.recv(65536)
        except ConnectionError:
            data = b""
        if not data:
            raise EOFError
        return data

    def next(self) -> Event:
        """The next block; EOFError where the stream is over."""
        while "\n\n" not in self.text:
            self._chunk()
        block, _, self.text = self.text.partition("\n\n")
        return Event(block)

    def event(self) -> Event:
        """The next that is no comment."""
        while (event := self.next()).is_comment:
            pass
        return event

    def _chunk(self) -> None:
        if self.ended:
            raise EOFError
        while b"\r\n" not in self.raw:
            self.raw += self._receive()
        size_text, _, rest = self.raw.partition(b"\r\n")
        size = int(size_text, 16)
        while len(rest) < size + 2:
            rest += self._receive()
        assert rest[size : size + 2] == b"\r\n"
        self.text += rest[:size].decode()
        self.raw = rest[size + 2 :]
        self.ended = size == 0

    def is_cut(self) -> bool:
        """Whether the other end is gone, without taking what it has sent."""
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP)
        return bool(poll.poll(0))

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def opened() -> Iterator[list[Stream]]:
    streams: list[Stream] = []
    yield streams
    for stream in streams:
        stream.close()


def listen(opened: list[Stream], server: Server, me: Client, query: str = "", **more: Any) -> Stream:
    stream = Stream(server.address, me.token, query, **more)
    opened.append(stream)
    return stream


def bumped_goal(me: Client) -> str:
    goal = new_id()
    me.put(f"/v1/goals/{goal}", {"title": "Streamed"}).expect(201)
    me.patch(f"/v1/goals/{goal}", {"active": True}).expect(200)
    return goal


def test_a_stream_tells_its_place_and_then_every_edit(server: Server, me: Client, opened: list[Stream]) -> None:
    goal = bumped_goal(me)
    stream = listen(opened, server, me)
    assert stream.status == 200
    assert stream.fields["content-type"] == "text/event-stream"
    assert stream.fields["cache-control"] == "no-store"
    assert stream.fields["x-accel-buffering"] == "no"
    start = stream.next()
    assert (start.data, start.type, start.id) == ("", "", me.get("/v1/goals").json()["cursor"])
    me.post(f"/v1/goals/{goal}/bump", {"note": "line\nend"}).expect(200)
    event = stream.event()
    assert event.type == "edit"
    page = me.get(f"/v1/edits?after={start.id}").json()
    assert json.loads(event.text) == page["edits"][0]
    assert event.id == page["cursor"]


def test_a_stream_cut_many_times_misses_nothing_and_repeats_nothing(server: Server, me: Client) -> None:
    dice = random.Random(tier.seed())
    goal = bumped_goal(me)
    last = me.get("/v1/goals").json()["cursor"]
    told: list[int] = []
    stop = threading.Event()

    def write() -> None:
        writer = server.client(me.token)
        while not stop.is_set():
            edits = [{"id": new_id(), "type": "bump", "goal": goal} for _ in range(dice.choice([1, 1, 1, 5, 60]))]
            writer.post("/v1/edits", {"edits": edits}).expect(200)
            stop.wait(dice.random() / 100)
        writer.close()

    writing = threading.Thread(target=write)
    writing.start()
    try:
        for cut in range(1000 if tier.IS_ALL else 100):
            stream = Stream(server.address, me.token, **({"last": last} if cut % 2 else {"query": f"?after={last}"}))
            assert stream.next().id == last
            for _ in range(dice.choice([0, 1, 1, 2, 3, 10, 200])):
                event = stream.event()
                assert event.type == "edit"
                told.append(json.loads(event.text)["version"])
                last = event.id
            stream.close()
    finally:
        stop.set()
        writing.join()
    first = told[0]
    assert told == list(range(first, first + len(told)))
    assert first == 3


def test_a_stream_goes_on_over_kill_9_and_a_restored_copy(tmp_path: Path) -> None:
    server = Server(tmp_path, *UNLIMITED).start()
    try:
        me = server.client(server.token)
        goal = bumped_goal(me)
        stream = Stream(server.address, server.token)
        last = stream.next().id
        me.post(f"/v1/goals/{goal}/bump").expect(200)
        last = stream.event().id
        server.kill()
        with pytest.raises(EOFError):
            stream.event()
        kept = {name: shutil.copy(name, f"{name}.kept") for name in map(str, tmp_path.glob("goals.sqlite*")) if not name.endswith((".lock", ".sock"))}
        server.start()
        me = server.client(server.token)
        stream = Stream(server.address, server.token, last=last)
        assert stream.next().id == last
        me.post(f"/v1/goals/{goal}/bump", {"note": "lost"}).expect(200)
        event = stream.event()
        assert json.loads(event.text)["note"] == "lost"
        server.kill()
        for name in map(str, tmp_path.glob("goals.sqlite*")):
            if not name.endswith(".kept"):
                Path(name).unlink()
        for name, copy in kept.items():
            shutil.copy(copy, name)
        server.start()
        me = server.client(server.token)
        stream = Stream(server.address, server.token, last=event.id)
        reset = stream.next()
        assert (reset.type, reset.data, reset.id) == ("reset", "{}", me.get("/v1/goals").json()["cursor"])
        me.post(f"/v1/goals/{goal}/bump").expect(200)
        assert json.loads(stream.event().text)["version"] == 4
    finally:
        server.kill()


def test_a_slow_reader_is_cut_off_and_goes_on_from_where_it_was(tmp_path: Path) -> None:
    server = Server(tmp_path, *UNLIMITED, "--stream-buffer", "65536").start()
    try:
        me = server.client(server.token)
        goal = bumped_goal(me)
        stream = Stream(server.address, server.token, buffer=4096)
        last = stream.next().id
        note = "n" * 500
        count = 2
        edits = [{"type": "bump", "goal": goal, "note": note} for _ in range(100)]

        def is_cut() -> bool:
            nonlocal count
            me.post("/v1/edits", {"edits": [{"id": new_id(), **edit} for edit in edits]}).expect(200)
            count += len(edits)
            assert count < 100_000, "it was never cut off"
            return stream.is_cut()

        until(is_cut, "the slow reader is cut off", 60, 0)
        told = []
        with pytest.raises((EOFError, OSError)):
            while True:
                event = stream.event()
                told.append(json.loads(event.text)["version"])
                last = event.id
        assert len(told) < count - 2
        stream = Stream(server.address, server.token, last=last)
        assert stream.next().id == last
        while len(told) < count - 2:
            told.append(json.loads(stream.event().text)["version"])
        assert told == list(range(3, count + 1))
    finally:
        server.kill()


def test_a_stopping_server_ends_its_streams(tmp_path: Path) -> None:
    server = Server(tmp_path, *UNLIMITED).start()
    try:
        stream = Stream(server.address, server.token)
        stream.next()
        server.stop()
        with pytest.raises(EOFError):
            stream.event()
        assert stream.ended, "it was cut off once the time for answers was over"
    finally:
        server.kill()
