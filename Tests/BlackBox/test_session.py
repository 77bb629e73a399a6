"""Who comes in by other ways than a token of their own: sessions by cookie, sign-up, pages of other origins; and who
has to wait."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from goals_client import Client, Connection, Response, build
from goals_server import UNLIMITED, Server
from tier import EVERY_STORE

STORES = EVERY_STORE

FLAGS = ("--cors-origin", "https://app.example", "--cors-origin=http://localhost:5173/")
COOKIE = re.compile(r"goals_session=([0-9a-f]{64}); Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict\Z")
Serve = Callable[..., Server]


def sign_in(client: Client) -> str:
    """The cookie of a new session, as a browser sends it."""
    response = client.post("/v1/session").expect(204)
    match = COOKIE.match(response.header("Set-Cookie") or "")
    assert match, response.shown()
    return f"goals_session={match[1]}"


def origin(server: Server) -> str:
    return server.url


class TestASession:
    def ask(self, server: Server, method: str, target: str, cookie: str, body: Any = None, **headers: str) -> Response:
        fields = {"Cookie": cookie, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return server.client(None).request(method, target, body, headers=fields)

    @pytest.mark.parametrize("by", ["session", "token"])
    def test_that_ends_ends_its_streams(self, server: Server, me: Client, by: str) -> None:
        made = me.post("/v1/tokens", {"name": "page"}).expect(201).json()
        cookie, other = sign_in(server.client(made["token"])), sign_in(me)
        streams = [self.follow(server, cookie), self.follow(server, other)]
        if by == "session":
            self.ask(server, "DELETE", "/v1/session", cookie, Origin=origin(server)).expect(204)
        else:
            me.delete(f"/v1/tokens/{made['id']}").expect(204)
        ended = streams[0].buffer
        while not ended.endswith(b"\r\n0\r\n\r\n"):
            ended += streams[0].socket.recv(65536)
        me.add_goal()
        received = streams[1].buffer
        while b"event: edit" not in received:
            received += streams[1].socket.recv(65536)
        for stream in streams:
            stream.close()

    def follow(self, server: Server, cookie: str) -> Connection:
        connection = server.connect()
        connection.send(f"GET /v1/changes HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n".encode())
        status, _, _, _ = connection.read_head()
        assert status == 200
        return connection

    def test_is_secure_behind_https(self, serve: Serve) -> None:
        server = serve(*UNLIMITED, "--public-url", "https://goals.example/")
        assert any("Sign in at https://goals.example/#code=" in line for line in server.out), server.shown()
        response = server.client().post("/v1/session").expect(204)
        assert (response.header("Set-Cookie") or "").endswith("; Secure"), response.shown()
        cookie = (response.header("Set-Cookie") or "").split(";")[0]
        for name, status in (("https://goals.example", 201), (server.url, 403)):
            self.ask(server, "POST", "/v1/goals", cookie, {"title": "x"}, Origin=name).expect(status)


class TestAPageOfAnotherOrigin:
    APP: ClassVar = {"Origin": "https://app.example"}

    def permitted(self, response: Response, name: str = "https://app.example") -> Response:
        assert response.header("Access-Control-Allow-Origin") == name, response.shown()
        assert response.header("Access-Control-Allow-Credentials") is None
        return self.varies(response)

    def varies(self, response: Response) -> Response:
        assert response.header("Vary") == "Origin", response.shown()
        return response

    @pytest.mark.parametrize(("body", "code"), [(b"400001\r\nx", 413), (b"zz\r\n", 400), (b"5\r\nab", 408)])
    def test_reads_what_comes_of_a_body_that_is_refused(self, serve: Serve, body: bytes, code: int) -> None:
        server = serve(*UNLIMITED, "--cors-origin", "https://app.example", "--body-timeout", "1")
        head = build("POST", "/v1/goals", token=server.token, body=b"", headers={**self.APP, "Transfer-Encoding": "chunked"})
        with server.connect() as connection:
            connection.send(head.replace(b"Content-Length: 0\r\n", b"") + body)
            self.permitted(connection.read_response("POST").expect(code))


def test_flags_come_from_the_environment(tmp_path: Path) -> None:
    env = {"GOALS_SIGN_UP": "open", "GOALS_CORS_ORIGIN": "https://a.example,https://b.example", "GOALS_RATE_LIMIT": "0"}
    with Server(tmp_path, env=env).start() as server:
        response = server.client(None).post("/v1/accounts", {"name": "Eve"}, headers={"Origin": "https://b.example"}).expect(201)
        assert response.header("Access-Control-Allow-Origin") == "https://b.example"
        assert not any("has no effect" in line for line in server.err), server.shown()
