"""Opens many streams, sends a bump now and then, and tells when the last stream had it.

    python fanout.py --port 8080 --writer 8080 --token … --goal … --streams 10000 --events 10

A process of its own, on plain sockets and epoll, so that reading costs little beside what the server
does to send. It writes a line when every stream is open and waits for one on standard input, so that
whoever measures can look at the server's memory; then one line with the times.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import select
import socket
import sys
import time
import uuid

from servers import allow_many_files


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--writer", type=int, required=True, help="the port that the bumps are sent to")
    parser.add_argument("--token", required=True)
    parser.add_argument("--goal", required=True)
    parser.add_argument("--streams", type=int, required=True)
    parser.add_argument("--events", type=int, required=True)
    options = parser.parse_args()
    allow_many_files()
    gc.disable()
    streams = Streams(options.port, options.writer, options.token, options.streams)
    print("open", flush=True)
    sys.stdin.readline()
    times = [streams.announce(options.goal) for _ in range(options.events)]
    print(json.dumps(times), flush=True)
    sys.stdin.readline()


class Streams:
    def __init__(self, port: int, writer: int, token: str, count: int):
        self.address, self.writer = ("127.0.0.1", port), ("127.0.0.1", writer)
        self.token = token
        self.poller = select.epoll()
        self.sockets: dict[int, socket.socket] = {}
        request = (
            f"GET /v1/changes HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
            "Accept: text/event-stream\r\n\r\n"
        ).encode()
        # In groups, so that no queue of connections overflows.
        for start in range(0, count, 100):
            self.open(min(100, count - start), request)

    def open(self, count: int, request: bytes) -> None:
        opened = []
        for _ in range(count):
            connection = socket.create_connection(self.address)
            connection.sendall(request)
            opened.append(connection)
        for connection in opened:
            # The first event is empty, and says that the stream is open.
            answer = b""
            while b"data:" not in answer:
                piece = connection.recv(4096)
                if not piece:
                    raise SystemExit(f"a stream was refused: {answer!r}")
                answer += piece
            if not answer.startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"a stream was refused: {answer!r}")
            connection.setblocking(False)
            self.sockets[connection.fileno()] = connection
            self.poller.register(connection.fileno(), select.EPOLLIN)

    def announce(self, goal: str) -> dict[str, float]:
        """Sends a bump, and waits until every stream has told of it."""
        edit = {"id": str(uuid.uuid4()), "type": "bump", "goal": goal}
        body = json.dumps({"edits": [edit]}).encode()
        head = (
            f"POST /v1/edits HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(self.writer) as writer:
            # At any moment between two looks of a server that looks twice a second.
            time.sleep(0.3 + random.random() / 2)
            began = time.perf_counter()
            writer.sendall(head.encode() + body)
            first = None
            waiting = set(self.sockets)
            told: dict[int, bytes] = {}
            # Some write a UUID in large letters.
            small, large = edit["id"].encode(), edit["id"].upper().encode()
            while waiting:
                for number, _ in self.poller.poll(30):
                    piece = self.sockets[number].recv(4096)
                    if not piece:
                        raise SystemExit("a stream ended")
                    if number in told:
                        piece = told[number] + piece
                    # Comments keep a stream alive; they are no event.
                    if small in piece or large in piece:
                        waiting.discard(number)
                        if first is None:
                            first = time.perf_counter() - began
                    else:
                        told[number] = piece
                if time.perf_counter() - began > 60:
                    raise SystemExit(f"{len(waiting)} streams were told nothing")
            last = time.perf_counter() - began
            answer = writer.recv(4096)
            if b'"applied"' not in answer:
                raise SystemExit(f"the bump was not recorded: {answer!r}")
        return {"first": first or last, "last": last}


if __name__ == "__main__":
    main()
