"""HTTP/1.1 over plain sockets, as the whole program shows it. What is refused and taken of every byte is said by the tests in
Swift: `RequestLineTests`, `FieldLineTests`, `TargetTests`, `FramingTests`, `RFC9112ReadingTests`, `RFCConnectionTests`."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any

import pytest

from goals_client import Client, Closed, Connection, ProtocolError, build, check, new_id, quote
from goals_server import Server

GOOD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def head(*lines: bytes, first: bytes = b"GET /healthz HTTP/1.1") -> bytes:
    return b"\r\n".join([first, b"Host: x", *lines]) + b"\r\n\r\n"


class TestARequestThatBreaksTheGrammar:
    @pytest.mark.parametrize(
        "data",
        [
            b"GET /healthz HTTP/1.1\nHost: x\n\n",
            b"GET /healthz HTTP/1.1\r\nHost: x\n\r\n",
            b"GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
            head(b"A: b\x00c"),
            head(b"A : b"),
            head(b"A: b", b" folded"),
            head(b"Content-Length: 3", b"Content-Length: 3"),
            head(b"Content-Length: 3", b"Transfer-Encoding: chunked"),
        ],
        ids=lambda data: repr(data)[2:-1][:70],
    )
    def test_is_answered_400_and_nothing_behind_it_is(self, server: Server, data: bytes) -> None:
        with server.connect() as connection:
            connection.send(data + GOOD + GOOD)
            check(connection.read_response()).expect(400, "malformed-request")
            connection.expect_end()


def post(me: Client, *lines: bytes, body: bytes = b"") -> bytes:
    assert me.token
    fields = [b"Authorization: Bearer " + me.token.encode(), b"Content-Type: application/json", *lines]
    return head(*fields, first=b"POST /v1/goals HTTP/1.1") + body


BODY = b'{"title":"x"}'


class TestAChunkedBody:
    def test_counts_towards_the_limit_of_a_body(self, server: Server, me: Client) -> None:
        chunk = b"100000\r\n" + b" " * 0x100000 + b"\r\n"
        with server.connect() as connection:
            connection.send(post(me, b"Transfer-Encoding: chunked", body=chunk * 4))
            try:
                connection.send(b"1\r\n \r\n" + chunk)
            except OSError:
                pass
            check(connection.read_response()).expect(413, "body-too-large")
            connection.expect_end()


def test_options_of_the_whole_server_works(server: Server) -> None:
    with server.connect() as connection:
        connection.send(head(first=b"OPTIONS * HTTP/1.1"))
        check(connection.read_response()).expect((200, 204))


class TestAnExpectation:
    def data(self, me: Client, length: int) -> bytes:
        return post(me, b"Content-Length: %d" % length, b"Expect: 100-continue")

    def test_to_continue_is_met_before_the_body_is_sent(self, server: Server, me: Client) -> None:
        with server.connect() as connection:
            connection.send(self.data(me, len(BODY)))
            status, _, fields, _ = connection.read_head()
            assert status == 100, (status, fields)
            connection.send(BODY)
            check(connection.read_response()).expect(201)

    def test_to_continue_is_refused_at_once_where_the_answer_is_known(self, server: Server, me: Client) -> None:
        for data, status in (
            (self.data(server.client("nonsense"), len(BODY)), 401),
            (self.data(me, 4_194_305), 413),
            (self.data(me, 10**15), 413),
        ):
            with server.connect() as connection:
                connection.send(data)
                response = check(connection.read_response()).expect(status)
                assert response.interim == [], response.shown()


class TestAConnection:
    def test_answers_pipelined_requests_in_order(self, server: Server, me: Client) -> None:
        goal = me.add_goal(frequency=1_000_000)
        bump = build("POST", f"/v1/goals/{goal}/bump", token=me.token)
        requests: list[tuple[bytes, int]] = []
        for number in range(200):
            requests.append(
                [(GOOD, 200), (bump, 200), (head(first=b"GET /nothing HTTP/1.1"), 404), (build("GET", f"/v1/goals/{goal}", token=me.token), 200)][
                    number % 4
                ]
            )  # fmt: skip
        with server.connect() as connection:
            connection.send(b"".join(data for data, _ in requests))
            seen = 0
            for number, (_, status) in enumerate(requests):
                response = check(connection.read_response()).expect(status)
                if number % 4 == 1:
                    seen += 1
                if number % 4 in (1, 3):
                    assert response.json()["progress"] == seen, response.shown()

    def test_that_ends_within_a_request_records_nothing(self, server: Server, me: Client) -> None:
        whole = post(me, b"Content-Length: 13", body=BODY)
        for cut in (1, 20, len(whole) - 13, len(whole) - 1):
            with server.connect() as connection:
                connection.send(whole[:cut])
                connection.half_close()
                try:
                    check(connection.read_response()).expect(400)
                except Closed:
                    pass
        assert me.version() == 0

    def test_that_resets_harms_nobody(self, server: Server, me: Client) -> None:
        for data in (GOOD, GOOD * 500, post(me, b"Content-Length: 100", body=BODY)):
            with server.connect() as connection:
                connection.send(data)
                connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
        assert me.get("/v1/goals").status == 200


class TestAnAnswer:
    def test_below_v1_is_not_stored_by_caches(self, me: Client) -> None:
        goal = me.add_goal()
        for target in ("/v1/goals", f"/v1/goals/{goal}", "/v1/edits", "/v1/account"):
            control = me.get(target).expect(200).header("Cache-Control") or ""
            assert "no-store" in control or "no-cache" in control or "private" in control, f"{target}: {control}"

    @pytest.mark.parametrize("text", ["a\r\nX-Evil: 1", "%0d%0aX-Evil:%201", "\u2028"])
    def test_cannot_be_split_by_what_a_client_sends(self, server: Server, me: Client, text: str) -> None:
        response = me.get(f"/v1/goals/{quote(text)}").expect((400, 404))
        assert response.header("X-Evil") is None
        me.put(f"/v1/goals/{new_id()}", {"title": "x", text: 1}).expect(422)

    def test_is_understood_by_pythons_own_client(self, server: Server, me: Client) -> None:
        connection = http.client.HTTPConnection(*server.address, timeout=10)
        headers = {"Authorization": f"Bearer {me.token}", "Content-Type": "application/json"}
        for status in (201, 201):
            connection.request("POST", "/v1/goals", json.dumps({"title": "x"}), headers)
            response = connection.getresponse()
            body: Any = json.load(response)
            assert response.status == status and body["title"] == "x"
        connection.request("POST", "/v1/goals", iter([b'{"title"', b':"y"}']), headers, encode_chunked=True)
        assert connection.getresponse().read().count(b'"y"') == 1
        connection.close()


def test_the_client_of_these_tests_refuses_a_sloppy_answer() -> None:
    """A test that cannot fail is a defect: what the strict reader must not take."""
    for raw in (
        b"HTTP/1.1 200\r\n\r\n",
        b"HTTP/1.1 200 OK\n\n",
        b"HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx",
        b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\nbody until the end",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n",
    ):
        ours, theirs = socket.socketpair()
        connection = object.__new__(Connection)
        connection.socket, connection.buffer, connection.ended, connection.log = ours, b"", False, b""
        theirs.sendall(raw)
        theirs.close()
        with pytest.raises((ProtocolError, Closed)):
            connection.read_response()
        ours.close()
