"""HTTP/1.1 byte by byte, over plain sockets: what is refused, what is taken, and in which order."""

from __future__ import annotations

import http.client
import json
import socket
import time
from typing import Any

import pytest

from goals_client import Client, Closed, Connection, ProtocolError, Response, build, check, new_id, quote
from goals_server import Server

GOOD = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def head(*lines: bytes, first: bytes = b"GET /healthz HTTP/1.1", host: bytes | None = b"Host: x") -> bytes:
    return b"\r\n".join([first, *([host] if host is not None else []), *lines]) + b"\r\n\r\n"


def answer(server: Server, data: bytes, method: str = "GET") -> Response:
    with server.connect() as connection:
        connection.send(data)
        return check(connection.read_response(method))


def refused(server: Server, data: bytes, status: int | tuple[int, ...], code: str | tuple[str, ...]) -> None:
    """One problem, then the connection closes, and what was sent behind is never answered."""
    with server.connect() as connection:
        connection.send(data + GOOD + GOOD)
        response = check(connection.read_response())
        response.expect(status, code)
        connection.expect_end()


class TestARequestThatBreaksTheGrammar:
    @pytest.mark.parametrize(
        "data",
        [
            b"GET /healthz HTTP/1.1\nHost: x\n\n",
            b"GET /healthz HTTP/1.1\nHost: x\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\nHost: x\n\r\n",
            b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\nC: d\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\nHost: x\r\n\n",
            b"GET /healthz HTTP/1.1\rHost: x\r\n\r\n",
            b"GET /healthz HTTP/1.1\r\r\nHost: x\r\n\r\n",
            head(b"A: b\rc"),
            head(b"A: b\r"),
            head(b"A: b\x00c"),
            head(b"A: b\x01c"),
            head(b"A: b\x0bc"),
            head(b"A: b\x1bc"),
            head(b"A: b\x7fc"),
            head(b"A\x00: b"),
            head(b"A : b"),
            head(b"A\t: b"),
            head(b" A: b"),
            head(b"A: b", b" folded"),
            head(b"A: b", b"\tfolded"),
            head(b"A"),
            head(b": b"),
            head(b"A b: c"),
            head(b"A(: c"),
            head(b"A\xe9: c"),
            head(b"A\": c"),
            b"GET /healthz HTTP/1.1\r\n Host: x\r\n\r\n",
            b"GET  /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /healthz  HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /healthz HTTP/1.1 \r\nHost: x\r\n\r\n",
            b" GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET\t/healthz\tHTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /healthz\r\nHost: x\r\n\r\n",
            b"GET\r\nHost: x\r\n\r\n",
            b"/healthz\r\n\r\n",
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
            b"\x00\r\n\r\n",
            b"G@T /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"G(T /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET healthz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET * HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /heal thz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /healthz#top HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health\x00z HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health\x7fz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health\"z HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health%zz HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health% HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health%2 HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health%00 HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /v1%2Fgoals HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /v1%2fgoals HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /v1%5Cgoals HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health%ff HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health%c0%af HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET /health%ed%a0%80 HTTP/1.1\r\nHost: x\r\n\r\n",
        ],
        ids=lambda data: repr(data)[2:-1][:70],
    )  # fmt: skip
    def test_is_answered_400_and_nothing_behind_it_is(self, server: Server, data: bytes) -> None:
        with server.connect() as connection:
            connection.send(data + GOOD)
            check(connection.read_response()).expect(400, "malformed-request")
            # A target that is well framed but bad leaves the next request readable; anything else ends here.
            if data.count(b"\r\n") != 3 or b"%" not in data:
                connection.expect_end()


def post(me: Client, *lines: bytes, body: bytes = b"", version: bytes = b"HTTP/1.1") -> bytes:
    assert me.token
    fields = [b"POST /v1/goals " + version, b"Host: x", b"Authorization: Bearer " + me.token.encode()]
    return b"\r\n".join([*fields, b"Content-Type: application/json", *lines]) + b"\r\n\r\n" + body


BODY = b'{"title":"x"}'


class TestTheLengthOfABody:
    @pytest.mark.parametrize(
        "lines",
        [
            [b"Content-Length: 13", b"Content-Length: 13"],
            [b"Content-Length: 13", b"content-length: 12"],
            [b"Content-Length: 13", b"Transfer-Encoding: chunked"],
            [b"Transfer-Encoding: chunked", b"Content-Length: 13"],
            [b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"],
            [b"Transfer-Encoding: chunked, chunked"],
        ],
        ids=lambda lines: repr(lines),
    )
    def test_that_is_told_twice_is_refused(self, server: Server, me: Client, lines: list[bytes]) -> None:
        refused(
            server,
            post(me, *lines, body=b"d\r\n" + BODY + b"\r\n0\r\n\r\n"),
            400,
            "malformed-request",
        )
        assert me.version() == 0

    def test_of_zero_is_an_empty_body(self, server: Server, me: Client) -> None:
        with server.connect() as connection:
            connection.send(post(me, b"Content-Length: 0") + GOOD)
            check(connection.read_response()).expect(400, "malformed-json")
            check(connection.read_response()).expect(200)

    def test_on_a_get_is_read_and_not_taken_for_a_request(self, server: Server) -> None:
        inner = b"GET /v1/account HTTP/1.1\r\nHost: x\r\n\r\n"
        with server.connect() as connection:
            connection.send(head(b"Content-Length: %d" % len(inner)) + inner + GOOD)
            first = check(connection.read_response())
            assert first.status != 401, first.shown()
            try:
                second = connection.read_response()
            except Closed:
                return
            second.expect(200)


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

    def test_cannot_bring_fields_in_its_trailer(self, server: Server, anyone: Client, me: Client) -> None:
        assert me.token
        body = b"d\r\n" + BODY + b"\r\n0\r\nAuthorization: Bearer " + me.token.encode() + b"\r\n\r\n"
        data = head(b"Content-Type: application/json", b"Transfer-Encoding: chunked", first=b"POST /v1/goals HTTP/1.1") + body
        answer(server, data).expect((400, 401))
        assert me.version() == 0


class TestAMethod:
    @pytest.mark.parametrize(
        "data", [head(first=b"TRACE /healthz HTTP/1.1"), head(b"A: secret", first=b"TRACE /v1/goals HTTP/1.1")]
    )
    def test_trace_echoes_nothing(self, server: Server, data: bytes) -> None:
        response = answer(server, data).expect((405, 501))
        assert b"secret" not in response.body, response.shown()

    def test_connect_opens_nothing(self, server: Server) -> None:
        response = answer(server, head(first=b"CONNECT example.com:80 HTTP/1.1"))
        assert response.status >= 400, response.shown()

    def test_options_of_the_whole_server_works(self, server: Server) -> None:
        answer(server, head(first=b"OPTIONS * HTTP/1.1")).expect((200, 204))


class TestAnExpectation:
    def data(
        self, me: Client, length: int, value: bytes = b"100-continue", path: bytes = b"/v1/goals", token: str | None = None
    ) -> bytes:
        bearer = (token or me.token or "").encode()
        return head(
            b"Authorization: Bearer " + bearer, b"Content-Type: application/json", b"Content-Length: %d" % length, b"Expect: " + value,
            first=b"POST " + path + b" HTTP/1.1",
        )  # fmt: skip

    @pytest.mark.parametrize("value", [b"100-continue", b"100-Continue", b",100-continue,"])
    def test_to_continue_is_met_before_the_body_is_sent(self, server: Server, me: Client, value: bytes) -> None:
        with server.connect() as connection:
            connection.send(self.data(me, len(BODY), value))
            status, _, fields, _ = connection.read_head()
            assert status == 100, (status, fields)
            connection.send(BODY)
            check(connection.read_response()).expect(201)

    def test_to_continue_is_refused_at_once_where_the_answer_is_known(self, server: Server, me: Client) -> None:
        for data, status in (
            (self.data(me, len(BODY), token="nonsense"), 401),
            (self.data(me, 4_194_305), 413),
            (self.data(me, 10**15), 413),
        ):
            with server.connect() as connection:
                connection.send(data)
                response = check(connection.read_response()).expect(status)
                assert response.interim == [], response.shown()

    @pytest.mark.parametrize("value", [b"nonsense", b"200-ok", b"100-continue, nonsense"])
    def test_of_anything_else_fails(self, server: Server, me: Client, value: bytes) -> None:
        answer(server, self.data(me, len(BODY), value) + BODY).expect(417, "expectation-failed")
        assert me.version() == 0


class TestAConnection:
    def test_stays_open_in_http_1_1(self, server: Server) -> None:
        with server.connect() as connection:
            for _ in range(3):
                connection.send(GOOD)
                assert not connection.read_response().expect(200).closes
            assert connection.is_open()

    def test_closes_when_asked_to(self, server: Server) -> None:
        for line in (b"Connection: close", b"connection: Close", b"Connection: x, close"):
            with server.connect() as connection:
                connection.send(head(line) + GOOD)
                response = connection.read_response().expect(200)
                assert response.closes, response.shown()
                connection.expect_end()

    def test_closes_after_http_1_0(self, server: Server) -> None:
        with server.connect() as connection:
            connection.send(head(first=b"GET /healthz HTTP/1.0"))
            connection.read_response().expect(200)
            connection.expect_end()

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

    def test_reads_a_request_that_comes_byte_by_byte(self, server: Server, me: Client) -> None:
        data = post(
            me, b"Transfer-Encoding: chunked", body=b"6;x=y\r\n" + BODY[:6] + b"\r\n7\r\n" + BODY[6:] + b"\r\n0\r\nT: u\r\n\r\n"
        )
        with server.connect() as connection:
            for byte in data:
                connection.send(bytes([byte]))
                time.sleep(0.0005)
            check(connection.read_response()).expect(201)

    def test_answers_a_client_that_has_closed_its_half(self, server: Server, me: Client) -> None:
        with server.connect() as connection:
            connection.send(post(me, b"Content-Length: 13", body=BODY) + GOOD)
            connection.half_close()
            check(connection.read_response()).expect(201)
            check(connection.read_response()).expect(200)
            connection.expect_end()
        assert me.version() == 1

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

    def test_gets_the_refusal_while_it_still_sends(self, server: Server, me: Client) -> None:
        with server.connect() as connection:
            connection.send(post(me, b"Content-Length: 8000000"))
            sent = 0
            try:
                while sent < 512 * 1024:
                    connection.socket.send(b" " * 16384)
                    sent += 16384
            except OSError:
                pass
            check(connection.read_response()).expect(413, "body-too-large")


class TestAnAnswer:
    def test_without_a_body_has_none(self, server: Server, me: Client) -> None:
        goal = me.add_goal()
        etag = me.get("/v1/goals").etag
        requests = [
            (build("HEAD", "/v1/goals", token=me.token), "HEAD", 200),
            (build("HEAD", "/nothing", token=me.token), "HEAD", 404),
            (build("GET", "/v1/goals", token=me.token, headers={"If-None-Match": etag}), "GET", 304),
            (build("DELETE", f"/v1/goals/{goal}", token=me.token), "DELETE", 204),
            (GOOD, "GET", 200),
        ]
        with server.connect() as connection:
            connection.send(b"".join(data for data, _, _ in requests))
            for _, method, status in requests:
                check(connection.read_response(method)).expect(status)
            assert connection.is_open()

    @pytest.mark.parametrize(
        "data, status",
        [
            (b"HEAD /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", 414),
            (b"HEAD /x HTTP/3.0\r\n\r\n", 505),
            (b"HEAD /a b HTTP/1.1\r\n\r\n", 400),
            (b"HEAD /x\r\n\r\n", 400),
            (b"HEAD /x HTTP/1.1\n", 400),
            (b"HEAD /%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
            (b"HEAD /healthz HTTP/1.1\r\n\r\n", 400),
            (b"HEAD /healthz HTTP/1.1\r\nHost: x\r\nExpect: y\r\n\r\n", 417),
            (b"HEAD /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"b" * 20000 + b"\r\n\r\n", 431),
        ],
        ids=lambda value: repr(value)[:40],
    )
    def test_to_a_head_that_is_refused_has_no_content(self, server: Server, data: bytes, status: int) -> None:
        """RFC 9110 9.3.2: "the server MUST NOT send content in the response"."""
        with server.connect() as connection:
            connection.send(data + GOOD)
            response = check(connection.read_response("HEAD")).expect(status)
            assert response.header("Content-Length") != "0", response.shown()
            connection.expect_end()

    def test_below_v1_is_not_stored_by_caches(self, me: Client) -> None:
        goal = me.add_goal()
        for target in ("/v1/goals", f"/v1/goals/{goal}", "/v1/edits", "/v1/account"):
            control = me.get(target).expect(200).header("Cache-Control") or ""
            assert "no-store" in control or "no-cache" in control or "private" in control, f"{target}: {control}"

    def test_says_json_in_utf_8(self, me: Client) -> None:
        me.add_goal(title="Süß 😀")
        response = me.get("/v1/goals").expect(200)
        assert response.media_type == "application/json", response.shown()
        assert json.loads(response.body.decode("utf-8"))["goals"][0]["title"] == "Süß 😀"

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
