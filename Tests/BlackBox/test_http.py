"""HTTP/1.1 over plain sockets, as the whole program shows it. What is refused and taken of every byte is said by the tests in
Swift: `RequestLineTests`, `FieldLineTests`, `TargetTests`, `FramingTests`, `RFC9112ReadingTests`, `RFCConnectionTests`."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any

import pytest

from goals_client import Client, Closed, Connection, ProtocolError, build, check
from goals_server import Server

GOOD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def head(*lines: bytes, first: bytes = b"GET /healthz HTTP/1.1") -> bytes:
    return b"\r\n".join([first, b"Host: x", *lines]) + b"\r\n\r\n"


def post(me: Client, *lines: bytes, body: bytes = b"") -> bytes:
    assert me.token
    fields = [b"Authorization: Bearer " + me.token.encode(), b"Content-Type: application/json", *lines]
    return head(*fields, first=b"POST /v1/goals HTTP/1.1") + body


BODY = b'{"title":"x"}'


class TestAConnection:
    def test_answers_pipelined_requests_in_order(self, server: Server, me: Client) -> None:
        goal = me.add_goal(frequency=1_000_000)
        bump = build("POST", f"/v1/goals/{goal}/bump", token=me.token)
        read = build("GET", f"/v1/goals/{goal}", token=me.token)
        requests = [(GOOD, 200), (bump, 200), (head(first=b"GET /nothing HTTP/1.1"), 404), (read, 200)] * 50
        with server.connect() as connection:
            connection.send(b"".join(data for data, _ in requests))
            seen = 0
            for number, (_, status) in enumerate(requests):
                response = check(connection.read_response()).expect(status)
                if number % 4 == 1:
                    seen += 1
                if number % 4 in (1, 3):
                    assert response.json()["progress"] == seen, response.shown()

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
