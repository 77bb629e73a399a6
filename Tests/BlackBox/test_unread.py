"""Clients that do not read their answers, or say nothing at all, and those beside them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from goals_client import Closed, build, check, until
from goals_server import UNLIMITED, Server
from slow_readers import SlowReaders, held_by_the_system, resident

# SO_SNDBUF of a connection, doubled by Linux for its bookkeeping (socket(7)).
SEND_BUFFER = 131_072
# The page that is asked for, of 330 KB, and what else a connection may take in the server.
CONNECTION = 400_000
# So many that the bound of all together, 128 MiB, is not reached.
READERS = 200


def settled(readers: SlowReaders, server: Server) -> None:
    """Waits until the readers have asked several times more, and the system holds no more than before."""
    held = -1

    def stands() -> bool:
        nonlocal held
        before, held = held, held_by_the_system(server)
        begun = readers.rounds
        until(lambda: readers.rounds >= begun + 3, "the readers ask again", 60)
        return 0 < held <= before

    until(stands, "no more is held", 120)


class TestThoseWhoDoNotRead:
    def test_make_the_server_and_the_system_hold_a_bounded_number_of_bytes(self, serve: Callable[..., Server]) -> None:
        server = serve(*UNLIMITED)
        server.client().get("/docs").expect(200)
        before = resident(server)
        with SlowReaders(server, READERS) as readers:
            settled(readers, server)
            assert held_by_the_system(server) <= READERS * SEND_BUFFER
            assert resident(server) - before <= READERS * CONNECTION
            me = server.client()
            for _ in range(50):
                me.get("/v1/goals").expect(200)
            assert readers.still_open() == READERS

    def test_leave_nothing_behind_when_they_are_too_many(self, serve: Callable[..., Server]) -> None:
        server = serve(*UNLIMITED)
        with SlowReaders(server, 2500) as readers:
            settled(readers, server)
            # Of those who have taken nothing for the longest some are cut off, and what waited for them is dropped.
            until(lambda: held_by_the_system(server) <= 134_217_728, "there is no more than is allowed in all", 60)
            until(lambda: readers.still_open() < 2500, "some are cut off", 60)
            me = server.client()
            for _ in range(50):
                me.get("/v1/goals").expect(200)
        until(lambda: held_by_the_system(server) == 0, "nothing is left once they are gone", 60)

    def test_keep_no_ordinary_client_waiting_however_slowly_they_read(self, serve: Callable[..., Server]) -> None:
        server = serve(*UNLIMITED)
        with SlowReaders(server, 1000, rate=1000) as readers:
            until(lambda: readers.taken > 1_000_000, "all have begun to read", 60)
            me = server.client()
            for _ in range(200):
                me.get("/v1/goals").expect(200)
            goal = me.add_goal()
            for _ in range(50):
                me.post(f"/v1/goals/{goal}/bump").expect(200)
            assert readers.still_open() > 0


class TestThoseWhoSayNothing:

    def test_or_little_by_little_shut_nobody_out(self, serve: Callable[..., Server]) -> None:
        server = serve(*UNLIMITED, "--max-connections", "50", "--sign-up", "open", "--body-timeout", "600")
        for begun in (build("GET", "/healthz", body={}), build("POST", "/v1/accounts", body={"name": "x"})):
            slow = [server.connect() for _ in range(60)]
            for connection in slow:
                with contextlib.suppress(OSError):  # It came beyond the limit.
                    connection.send(begun[:-1])

            def served() -> bool:
                try:
                    with server.connect() as one:
                        one.send(build("GET", "/v1/goals", token=server.client().token))
                        return check(one.read_response()).status == 200
                except (Closed, OSError):
                    return False

            until(served, "those who come are served", 30)
            for connection in slow:
                connection.close()

    def test_shut_nobody_out_however_many_they_are(self, serve: Callable[..., Server]) -> None:
        server = serve(*UNLIMITED, "--max-connections", "50")
        silent = [server.connect() for _ in range(200)]
        for _ in range(20):
            with server.connect() as one:
                one.send(build("GET", "/healthz"))
                check(one.read_response()).expect(200)
        for connection in silent:
            connection.close()
