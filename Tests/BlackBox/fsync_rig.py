"""Shows from a trace of system calls that no write is answered before it is on the disk.

    python Tests/BlackBox/fsync_rig.py

For every 2xx answer to a write: the request was read, then the WAL was written, then an fdatasync
on the WAL began and succeeded, and only then the answer left. Afterwards, without the slow tracing:
how many edits share one fdatasync when 64 connections post one bump at a time (group commit).
"""

from __future__ import annotations

import argparse
import re
import select
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from goals_client import Closed, Connection, build, edit, new_id, until
from goals_server import UNLIMITED, Server
from tracing import Call, calls, need_strace

READS = {"read", "readv", "recvfrom", "recvmsg"}
WRITES = {"write", "writev", "sendto", "sendmsg"}
FILE_WRITES = {"pwrite64", "pwritev", "pwritev2", "write", "writev"}
SYNCS = {"fdatasync", "fsync"}
WRITE_REQUEST = re.compile(r'"(POST|PUT|PATCH|DELETE) ')
ANSWER = re.compile(r'"HTTP/1\.1 (\d{3})')


def traced(file: Path) -> list[str]:
    names = ",".join(sorted(READS | FILE_WRITES | WRITES | SYNCS))
    return [need_strace(), "-D", "-f", "-q", "-ttt", "-yy", "-s", "24", "-e", f"trace={names}", "-o", str(file)]


@dataclass
class Verdict:
    answers: int = 0
    syncs: int = 0
    writes: int = 0
    early: list[str] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)

    def shown(self) -> str:
        return (
            f"{self.answers} answers to writes {dict(self.statuses)}, {self.writes} writes and {self.syncs} syncs of the WAL, "
            f"{len(self.early)} answers too early"
        )


def judge(trace: str) -> Verdict:
    """Looks at every 2xx answer to a write: read < WAL written < sync begins < sync ends < answer."""
    verdict = Verdict()
    open_requests: dict[str, Call] = {}
    written: list[Call] = []
    synced: list[Call] = []
    # By begin: an answer is judged where it starts to leave.
    everything = sorted(calls(trace), key=lambda call: call.begin)
    for call in everything:
        if call.on.endswith("-wal"):
            if call.name in FILE_WRITES and (call.result or 0) > 0:
                written.append(call)
                verdict.writes += 1
            elif call.name in SYNCS and call.result == 0:
                synced.append(call)
                verdict.syncs += 1
        elif call.name in READS and (call.result or 0) > 0 and WRITE_REQUEST.search(call.text):
            open_requests[call.on] = call
        elif call.name in WRITES and (found := ANSWER.search(call.text)) and call.on in open_requests:
            request = open_requests.pop(call.on)
            verdict.statuses[found[1]] += 1
            verdict.answers += 1
            if found[1].startswith("2") and not durable(request, call, written, synced):
                verdict.early.append(f"{request.text}\n    answered by {call.text}")
    return verdict


def durable(request: Call, answer: Call, written: list[Call], synced: list[Call]) -> bool:
    for sync in reversed(synced):
        is_between = sync.end < answer.begin and sync.begin > request.end
        if is_between and any(request.end < write.begin and write.end < sync.begin for write in reversed(written)):
            return True
        if sync.end < request.end:
            return False
    return False


def write_concurrently(server: Server, goal: str, connections: int, each: int) -> int:
    """Every kind of write on many connections at once; answers how many were sent."""
    failed: list[str] = []

    def run(number: int) -> None:
        client = server.client()
        for turn in range(each):
            if turn % 5 == 4:
                response = client.edits(edit("bump", goal=goal), edit("bump", goal=goal))
            elif turn % 5 == 3:
                response = client.put(f"/v1/goals/{new_id()}", {"title": f"{number} {turn}"})
            else:
                response = client.post(f"/v1/goals/{goal}/bump", {"by": 1})
            if response.status not in (200, 201):
                failed.append(response.shown())
        client.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed[0]
    return connections * each


def order(folder: Path, connections: int, each: int) -> tuple[Verdict, int]:
    trace = folder / "trace"
    with Server(folder, *UNLIMITED, wrapper=traced(trace)) as server:
        goal = server.client().add_goal()
        sent = write_concurrently(server, goal, connections, each) + 1
        server.stop()
    until(lambda: "exited with 0" in trace.read_text()[-2000:], "the trace is whole", 10, 0.1)
    return judge(trace.read_text()), sent


class Burst:
    """64 connections, each with one bump under way, driven from one thread without a pause."""

    def __init__(self, server: Server, goal: str, connections: int):
        self.request = build("POST", f"/v1/goals/{goal}/bump", token=server.token)
        self.poll = select.epoll()
        self.sockets: dict[int, socket.socket] = {}
        for _ in range(connections):
            each = Connection(server.address).socket
            each.setblocking(False)
            self.sockets[each.fileno()] = each
            self.poll.register(each.fileno(), select.EPOLLIN)
        self.answered = 0

    def run(self, seconds: float) -> int:
        """Posts until the time is up and everything is answered; answers how many bumps were."""
        buffers = dict.fromkeys(self.sockets, b"")
        for each in self.sockets.values():
            each.sendall(self.request)
        waiting, end = len(self.sockets), time.monotonic() + seconds
        while waiting:
            ready = self.poll.poll(20)
            assert ready, "the server answers nothing any more"
            done = [number for number, _ in ready if self._receive(number, buffers)]
            self.answered += len(done)
            if time.monotonic() < end:
                for number in done:
                    self.sockets[number].sendall(self.request)
            else:
                waiting -= len(done)
        return self.answered

    def _receive(self, number: int, buffers: dict[int, bytes]) -> bool:
        data = self.sockets[number].recv(65536)
        if not data:
            raise Closed("the server closed a connection")
        buffer = buffers[number] + data
        at = buffer.find(b"\r\n\r\n")
        length = re.search(rb"\r\ncontent-length: *(\d+)", buffer[: at + 2], re.I) if at >= 0 else None
        if at < 0 or not length or len(buffer) < at + 4 + int(length[1]):
            buffers[number] = buffer
            return False
        assert buffer.startswith(b"HTTP/1.1 200"), buffer.decode("utf-8", "replace")
        buffers[number] = b""
        return True

    def close(self) -> None:
        for each in self.sockets.values():
            each.close()
        self.poll.close()


def sharing(folder: Path, connections: int, seconds: float, slow_disk: float = 0) -> tuple[int, int]:
    """How many bumps were answered, and how many syncs of the WAL that took. `slow_disk` adds
    seconds to every sync, so that the count depends on no machine's speed."""
    trace = folder / "syncs"
    wrapper = [need_strace(), "-D", "-f", "-qq", "--seccomp-bpf", "-ttt", "-yy", "-e", "trace=fdatasync,fsync", "-o", str(trace)]
    if slow_disk:
        wrapper += ["-e", f"inject=fdatasync,fsync:delay_enter={int(slow_disk * 1_000_000)}"]
    with Server(folder, *UNLIMITED, wrapper=wrapper) as server:
        goal = server.client().add_goal()
        before = count_syncs(trace)
        burst = Burst(server, goal, connections)
        answered = burst.run(seconds)
        burst.close()
        after = count_syncs(trace)
        log = server.client().version()
        server.stop()
    assert log == answered + 2, f"{answered} answered, {log - 2} recorded"
    return answered, after - before


def count_syncs(trace: Path) -> int:
    return sum(call.on.endswith("-wal") and call.name in SYNCS for call in calls(trace.read_text()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--each", type=int, default=30, help="writes on each connection while traced")
    parser.add_argument("--seconds", type=float, default=5)
    # The tracer stops each sync on its own, which hides how many a fast disk shares.
    parser.add_argument("--slow-disk", type=float, default=0.005, help="seconds added to each sync while counting")
    parser.add_argument("--target", type=float, default=4, help="edits that must share one fdatasync")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="goals-fsync-") as folder:
        home = Path(folder) / "order"
        home.mkdir()
        verdict, sent = order(home, options.connections, options.each)
        print(verdict.shown())
        for early in verdict.early[:5]:
            print("  too early:", early)
        home = Path(folder) / "sharing"
        home.mkdir()
        answered, syncs = sharing(home, options.connections, options.seconds, options.slow_disk)
    shared = answered / max(syncs, 1)
    print(
        f"{options.connections} connections, one bump at a time: {answered} bumps in {options.seconds} s "
        f"({answered / options.seconds:.0f}/s), {syncs} fdatasync, {shared:.1f} edits each"
    )
    good = not verdict.early and verdict.answers >= sent and shared >= options.target
    print("good" if good else f"FAILED: {sent} writes sent, target {options.target} edits a sync")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
