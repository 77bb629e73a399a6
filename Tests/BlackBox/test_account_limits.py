"""What one account may hold of the server: requests, streams, waiting requests and connections. And what strangers may
write into its log."""

from __future__ import annotations

import contextlib
import json
import select
import struct
from collections.abc import Iterator
from pathlib import Path
from socket import SO_LINGER, SOL_SOCKET
from typing import Any

import pytest

from goals_client import Connection, Response, build, edit, new_id, until
from goals_server import UNLIMITED, Server
from test_changes import Stream
from test_operation import metrics

STREAMS, CONNECTIONS = 5, 8
# How many of an account's connections may be ending.
ENDING = 64


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    flags = ("--max-account-streams", str(STREAMS), "--max-account-connections", str(CONNECTIONS))
    with Server(tmp_path_factory.mktemp("s"), *UNLIMITED, *flags) as server:
        yield server


def is_over(stream: Stream) -> bool:
    try:
        while True:
            stream.next()
    except EOFError:
        return True


class TestStreams:
    def test_of_an_account_give_way_to_a_new_one(self, small: Server) -> None:
        me, other = small.new_client(), small.new_client()
        away = Stream(small.address, other.token)
        streams = [Stream(small.address, me.token) for _ in range(STREAMS)]
        for stream in streams:
            stream.next()
        newest = Stream(small.address, me.token)
        last = newest.next().id
        assert is_over(streams[0])
        goal = me.add_goal()
        for stream in [*streams[1:], newest]:
            assert goal in stream.event().text
        # Who gave way goes on from where it was.
        again = Stream(small.address, me.token, last=last)
        assert again.next().id == last
        assert goal in again.event().text
        assert is_over(streams[1])
        assert other.add_goal() in [away.next(), away.event()][1].text
        for stream in [*streams, newest, again, away]:
            stream.close()

    def test_of_the_token_that_has_most_give_way(self, small: Server) -> None:
        me = small.new_client()
        laptop = me.post("/v1/tokens", {"name": "laptop"}).expect(201).json()["token"]
        quiet = Stream(small.address, laptop)
        quiet.next()
        restless: list[Stream] = []
        for _ in range(3 * STREAMS):
            restless.append(Stream(small.address, me.token))
            restless[-1].next()
        goal = me.add_goal()
        assert goal in quiet.event().text
        for stream in restless[-(STREAMS - 1) :]:
            assert goal in stream.event().text
        assert all(is_over(stream) for stream in restless[: -(STREAMS - 1)])
        for stream in [quiet, *restless]:
            stream.close()

    def test_and_requests_that_wait_are_counted_together(self, small: Server) -> None:
        me = small.new_client()
        cursor = me.get("/v1/edits").expect(200).json()["cursor"]
        waiting = [small.connect(40) for _ in range(STREAMS + 2)]
        for connection in waiting:
            connection.send(build("GET", f"/v1/edits?after={cursor}&wait=30", token=me.token))
        # Two of them give way, and are answered with what there is: nothing, at the place where they were.
        early: set[Any] = set()
        while len(early) < 2:
            early.update(select.select([c.socket for c in waiting if c.socket not in early], [], [], 20)[0])
        for connection in waiting:
            if connection.socket in early:
                page = connection.read_response().expect(200).json()
                assert (page["edits"], page["cursor"]) == ([], cursor)
        goal = me.add_goal()
        for connection in waiting:
            if connection.socket not in early:
                page = connection.read_response().expect(200).json()
                assert page["edits"][0]["goal"]["id"] == goal
            connection.close()


class TestConnections:
    def ask(self, connection: Connection, token: str | None) -> Response:
        connection.send(build("GET", "/v1/account", token=token))
        return connection.read_response()

    def test_of_an_account_give_way_to_a_new_one_the_longest_unused_first(self, small: Server) -> None:
        me, other = small.account(), small.account()
        strangers = [small.connect() for _ in range(2)]
        self.ask(strangers[0], other["token"]).expect(200)
        self.ask(strangers[1], None).expect(401)
        mine = [small.connect() for _ in range(CONNECTIONS)]
        for connection in mine:
            self.ask(connection, me["token"]).expect(200)
        # It was used just now, so that the second is the one that was used longest ago.
        self.ask(mine[0], me["token"]).expect(200)
        for _ in range(3):
            mine.append(small.connect())
            self.ask(mine[-1], me["token"]).expect(200)
        for connection in mine[1:4]:
            connection.expect_end()
        for connection in [mine[0], *mine[4:]]:
            self.ask(connection, me["token"]).expect(200)
        self.ask(strangers[0], other["token"]).expect(200)
        self.ask(strangers[1], None).expect(401)
        for connection in [*mine, *strangers]:
            connection.close()

    def test_give_way_after_the_answer_that_they_wait_for(self, small: Server) -> None:
        me = small.new_client()
        cursor = me.get("/v1/edits").expect(200).json()["cursor"]
        with small.connect(40) as waiting:
            waiting.send(build("GET", f"/v1/edits?after={cursor}&wait=30", token=me.token))
            more = [small.connect() for _ in range(2 * CONNECTIONS)]
            for connection in more:
                self.ask(connection, me.token).expect(200)
            small.client(me.token).post("/v1/goals", {"title": "x"}).expect(201)
            assert len(waiting.read_response().expect(200).json()["edits"]) == 1
            waiting.expect_end()
            for connection in more:
                connection.close()


    def test_give_way_also_where_they_wait_for_a_body(self, small: Server) -> None:
        me, other = small.new_client(), small.new_client()
        begun = build("POST", "/v1/goals", token=me.token, body={"title": "x"})
        waiting = [small.connect(40) for _ in range(CONNECTIONS + 4)]
        for connection in waiting:
            connection.send(begun[:-1])
        refused: set[Any] = set()
        while len(refused) < 4:
            refused.update(select.select([c.socket for c in waiting if c.socket not in refused], [], [], 20)[0])
        for connection in waiting:
            if connection.socket in refused:
                connection.read_response().expect(503, "too-many-connections")
                connection.expect_end()
        other.get("/v1/goals").expect(200)
        for connection in waiting:
            if connection.socket not in refused:
                connection.send(begun[-1:])
                connection.read_response().expect(201)
            connection.close()
        assert len(me.goals()) == CONNECTIONS

    @pytest.mark.parametrize("is_reset", [False, True], ids=["closed", "reset"])
    def test_count_until_their_requests_are_answered(self, tmp_path: Path, is_reset: bool) -> None:
        flags = ("--max-account-streams", "200", "--max-account-connections", str(CONNECTIONS))
        with Server(tmp_path, *UNLIMITED, *flags, "--metrics-listen", "127.0.0.1:0") as server:
            me, other = server.account(), server.account()
            cursor = server.client(me["token"]).get("/v1/edits").expect(200).json()["cursor"]
            mine, probe = server.connect(), server.connect()
            gone: list[Connection] = []

            def is_full() -> bool:
                """Whether another connection is refused. This one is the account's no longer than that."""
                answer = self.ask(probe, me["token"])
                self.ask(probe, other["token"]).expect(200)
                if answer.status == 429:
                    answer.expect(429, "too-many-requests")
                    assert answer.header("Retry-After") == "1"
                return answer.status == 429

            def fill() -> bool:
                # What was used just now does not give way.
                self.ask(mine, me["token"]).expect(200)
                gone.append(server.connect())
                gone[-1].send(build("GET", f"/v1/edits?after={cursor}&wait=30", token=me["token"]))
                return is_full()

            until(fill, "as many wait as may")
            assert len(gone) > ENDING
            for connection in gone:
                if is_reset:
                    connection.socket.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
            if is_reset:
                until(lambda: metrics(server)["goals_connections_open"] < CONNECTIONS, "the server knows that they are gone")
            assert is_full()
            mine.send(build("POST", "/v1/goals", token=me["token"], body={"title": "x"}))
            mine.read_response().expect(201)
            until(lambda: not is_full(), "their requests are answered")
            mine.close()
            probe.close()


class TestBodies:
    LARGE = b" " * 4_000_000

    def begin(self, server: Server, head: bytes) -> Connection:
        """Sends a body but for its end, as far as the server takes it."""
        connection = server.connect()
        with contextlib.suppress(OSError):
            connection.send(head + self.LARGE)
        return connection

    def test_of_an_account_leave_room_for_those_of_others(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED, "--body-timeout", "600") as server:
            me, other = server.new_client(), server.new_client()
            head = build("POST", "/v1/edits", token=me.token, body=self.LARGE + b" ")[: -len(self.LARGE) - 1]
            held = [self.begin(server, head) for _ in range(72)]
            until(
                lambda: len(select.select([c.socket for c in held], [], [], 20)[0]) >= 5, "those beyond are refused", 30
            )
            body = json.dumps({"edits": [edit("add", goal={"title": "x"})]}).encode()
            large = body.ljust(3_000_000)
            other.post("/v1/edits", large).expect(200)
            until(lambda: me.post("/v1/edits", large).status == 503, "the account has its share")
            me.post("/v1/edits", body.ljust(60_000)).expect(200)
            for connection in held:
                connection.close()
            until(lambda: me.post("/v1/edits", large).status == 200, "there is room again")

    def test_of_strangers_are_small(self, tmp_path: Path) -> None:
        with Server(tmp_path, *UNLIMITED, "--sign-up", "open") as server:
            for head in (
                build("GET", "/healthz", body=b" " * 1025),
                build("POST", "/v1/accounts", body=b" " * 16_385),
                build("DELETE", f"/v1/goals/{new_id()}", token=server.client().token, body=b" " * 1025),
            ):
                with server.connect() as connection:
                    connection.send(head.split(b"\r\n\r\n")[0] + b"\r\n\r\n")
                    connection.read_response().expect(413, "body-too-large")
                    connection.expect_end()


def test_strangers_write_no_lines_into_the_log(tmp_path: Path) -> None:
    with Server(tmp_path, *UNLIMITED, "--max-connections", "4") as server:
        for request in (
            b"BREW /v1/goals HTTP/1.1\r\nHost: a\r\n\r\n",
            b"GET / HTTP/2.0\r\nHost: a\r\n\r\n",
            b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: zip, chunked\r\n\r\n",
            b"GET /v1/goals HTTP/1.1\r\nHost: a\r\n\r\n",
            b"GET /v1/goals HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\n\r\n",
            b"GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n",
            b"GET / nonsense\r\n\r\n",
        ):
            for _ in range(5):
                with server.connect() as connection:
                    connection.send(request)
                    assert connection.read_response().status >= 400
        held = [server.connect() for _ in range(4)]
        for path in ("/healthz", "/v1/goals") * 5:
            # One that said nothing for a second would give its place to another.
            for connection in held:
                connection.send(build("GET", "/healthz"))
                connection.read_response().expect(200)
            with server.connect() as connection:
                connection.send(build("GET", path))
                connection.read_response().expect(503, "too-many-connections")
        for connection in held:
            connection.close()
        server.stop()
        assert not [line for line in server.err if "answered" in line or "warning" in line], server.shown()
