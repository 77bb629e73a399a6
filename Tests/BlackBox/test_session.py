"""Who comes in by other ways than a token of their own: sessions by cookie, sign-up, pages of other origins; and who
has to wait."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from goals_client import Client, Connection, Response, build, new_id, until
from goals_server import UNLIMITED, Server

FLAGS = ("--cors-origin", "https://app.example", "--cors-origin=http://localhost:5173/")
COOKIE = re.compile(r"goals_session=([0-9a-f]{64}); Path=/; Max-Age=7776000; HttpOnly; SameSite=Strict\Z")
WRONG = "goals_" + "0" * 64
Serve = Callable[..., Server]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts servers with flags of the test's own."""
    servers: list[Server] = []

    def start(*flags: str) -> Server:
        folder = tmp_path / str(len(servers))
        folder.mkdir()
        servers.append(Server(folder, *flags).start())
        return servers[-1]

    yield start
    for server in servers:
        alive, shown = server.alive(), server.shown()
        server.kill()
        assert alive, f"the server died{shown}"


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

    def test_does_what_its_token_may(self, server: Server, me: Client) -> None:
        cookie = sign_in(me)
        self.ask(server, "GET", "/v1/goals", cookie).expect(200)
        self.ask(server, "POST", "/v1/goals", cookie, {"title": "x"}, Origin=origin(server)).expect(201)
        assert [goal["title"] for goal in me.goals()] == ["x"]
        reader = server.client(me.post("/v1/tokens", {"name": "r", "scope": "read"}).expect(201).json()["token"])
        cookie = sign_in(reader)
        self.ask(server, "GET", "/v1/goals", cookie).expect(200)
        self.ask(server, "POST", "/v1/goals", cookie, {"title": "x"}, Origin=origin(server)).expect(403, "forbidden")

    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"Origin": "null"},
            {"Origin": "http://evil.example"},
            {"Origin": "https://app.example"},
            {"Sec_Fetch_Site": "same-origin"},
            {"Referer": "{own}/"},
            {"Origin": "{own}", "Sec_Fetch_Site": "cross-site"},
            {"Origin": "{own}.evil.example"},
            {"Origin": "{own}/"},
            {"Origin": "https{own}"},
        ],
        ids=str,
    )
    def test_writes_only_for_a_page_of_the_server(self, server: Server, me: Client, headers: dict[str, str]) -> None:
        cookie, goal = sign_in(me), me.add_goal()
        version = me.version()
        sent = {name: value.replace("https{own}", server.url.replace("http", "https")) for name, value in headers.items()}
        sent = {name: value.replace("{own}", origin(server)) for name, value in sent.items()}
        for method, target, body in [
            ("POST", "/v1/goals", {"title": "x"}),
            ("PUT", f"/v1/goals/{new_id()}", {"title": "x"}),
            ("PATCH", "/v1/account", {"weekStart": "sunday"}),
            ("DELETE", f"/v1/goals/{goal}", None),
            ("POST", f"/v1/goals/{goal}/bump", None),
            ("POST", "/v1/sync", {"after": None, "edits": []}),
            ("POST", "/v1/tokens", {"name": "x"}),
            ("DELETE", "/v1/session", None),
        ]:
            self.ask(server, method, target, cookie, body, **sent).expect(403, "cross-origin")
        self.ask(server, "GET", "/v1/goals", cookie, **sent).expect(200)
        assert me.version() == version

    def test_ends_at_once_with_delete(self, server: Server, me: Client) -> None:
        cookie, other = sign_in(me), sign_in(me)
        with server.connect() as connection:
            connection.send(f"GET /v1/goals HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n".encode())
            connection.read_response().expect(200)
            closed = self.ask(server, "DELETE", "/v1/session", cookie, Origin=origin(server)).expect(204)
            assert (closed.header("Set-Cookie") or "").startswith("goals_session=; Path=/; Max-Age=0; ")
            connection.send(f"GET /v1/goals HTTP/1.1\r\nHost: a\r\nCookie: {cookie}\r\n\r\n".encode())
            connection.read_response().expect(401, "unauthenticated")
        self.ask(server, "GET", "/v1/goals", other).expect(200)

    @pytest.mark.parametrize("by", ["session", "token"])
    def test_that_ends_ends_its_streams(self, server: Server, me: Client, by: str) -> None:
        made = me.post("/v1/tokens", {"name": "page"}).expect(201).json()
        cookie, other = sign_in(server.client(made["token"])), sign_in(me)
        streams = [self.follow(server, cookie), self.follow(server, other)]
        if by == "session":
            self.ask(server, "DELETE", "/v1/session", cookie, Origin=origin(server)).expect(204)
        else:
            me.delete(f"/v1/tokens/{made['id']}").expect(204)
        streams[0].socket.settimeout(5)
        ended = streams[0].buffer
        while not ended.endswith(b"\r\n0\r\n\r\n"):
            ended += streams[0].socket.recv(65536)
        me.add_goal()
        streams[1].socket.settimeout(5)
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

    @pytest.mark.parametrize("how", ["revoked", "expired", "removed"])
    def test_ends_with_its_token(self, server: Server, how: str) -> None:
        account = server.account()
        client = server.client(account["token"])
        expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2)) if how == "expired" else None
        made = client.post("/v1/tokens", {"name": "page", "expiresAt": expires}).expect(201).json()
        cookie = sign_in(server.client(made["token"]))
        if how == "revoked":
            client.delete(f"/v1/tokens/{made['id']}").expect(204)
        elif how == "removed":
            server.run("account", "remove", account["id"], "--yes").expect(0)
        until(lambda: self.ask(server, "GET", "/v1/goals", cookie).status == 401, "the session is over", 5)

    def test_outlives_the_server(self, serve: Serve) -> None:
        server = serve(*UNLIMITED)
        cookie = sign_in(server.client())
        server.stop()
        server.start()
        self.ask(server, "GET", "/v1/goals", cookie).expect(200)

    def test_is_nothing_beside_an_authorization(self, server: Server, me: Client) -> None:
        cookie = sign_in(me)
        for value in ("Bearer x", "", "Basic bWU6bWU=", f"Bearer {WRONG}"):
            self.ask(server, "GET", "/v1/goals", cookie, Authorization=value).expect(401)

    def test_is_known_by_exactly_one_cookie(self, server: Server, me: Client) -> None:
        cookie, other = sign_in(me), sign_in(me)
        key = cookie.split("=")[1]
        for value in (f"a=b; {cookie}", f"{cookie}; a=b", f"{cookie};", f"a;{cookie}"):
            self.ask(server, "GET", "/v1/goals", value).expect(200)
        wrong = [f"{cookie}; {cookie}", f"{cookie}; {other}", f'goals_session="{key}"', f"GOALS_SESSION={key}"]
        wrong += [f"goals_session={key.upper()}", f"goals_session={key[:-1]}", f"goals_session={key}0", f"x{cookie}"]
        for value in wrong:
            self.ask(server, "GET", "/v1/goals", value).expect(401, "unauthenticated")
        for fields, status in ((f"Cookie: a=b\r\nCookie: {cookie}", 200), (f"Cookie: {other}\r\nCookie: {cookie}", 401)):
            with server.connect() as connection:
                connection.send(f"GET /v1/goals HTTP/1.1\r\nHost: a\r\n{fields}\r\n\r\n".encode())
                connection.read_response().expect(status)

    def test_is_opened_with_a_token_only(self, server: Server, me: Client, anyone: Client) -> None:
        cookie = sign_in(me)
        self.ask(server, "POST", "/v1/session", cookie, Origin=origin(server)).expect(401, "unauthenticated")
        anyone.post("/v1/session").expect(401, "unauthenticated")
        anyone.post("/v1/session", token=WRONG).expect(401, "unauthenticated")
        me.post("/v1/session?x=1").expect(422, "invalid")

    def test_is_secure_behind_https(self, serve: Serve) -> None:
        server = serve(*UNLIMITED, "--public-url", "https://goals.example/")
        assert any("Sign in at https://goals.example/#token=" in line for line in server.out), server.shown()
        response = server.client().post("/v1/session").expect(204)
        assert (response.header("Set-Cookie") or "").endswith("; Secure"), response.shown()
        cookie = (response.header("Set-Cookie") or "").split(";")[0]
        for name, status in (("https://goals.example", 201), (server.url, 403)):
            self.ask(server, "POST", "/v1/goals", cookie, {"title": "x"}, Origin=name).expect(status)

    @pytest.mark.parametrize("url", ["goals.example", "ftp://a", "https://a/b", "https://", "https://a?b", "https://u@a"])
    def test_needs_a_right_public_url(self, server: Server, url: str) -> None:
        for flag in ("--public-url", "--cors-origin"):
            server.run("serve", flag, url).expect(64)


class TestSigningUp:
    def test_is_closed_by_default(self, server: Server, anyone: Client) -> None:
        anyone.post("/v1/accounts", {"name": "Eve"}).expect(403, "sign-up-closed")
        anyone.post("/v1/accounts", b"{").expect(403, "sign-up-closed")

    def test_makes_an_account(self, serve: Serve) -> None:
        server = serve(*UNLIMITED, "--sign-up", "open")
        made = server.client(None).post("/v1/accounts", {"name": "Eve", "timeZone": "Asia/Tokyo"}).expect(201).json()
        eve = server.client(made.pop("token"))
        assert eve.get("/v1/account").expect(200).json() == made
        assert (made["name"], made["timeZone"], made["version"]) == ("Eve", "Asia/Tokyo", 0)
        eve.add_goal()
        assert server.client().goals() == []
        assert [token["name"] for token in eve.get("/v1/tokens").json()["tokens"]] == ["first token"]
        refused = server.client(None).post("/v1/accounts", {"timeZone": "Mars/Olympus", "x": 1}).expect(422, "invalid")
        assert refused.pointers == {"/name", "/timeZone", "/x"}

    def test_is_limited(self, serve: Serve) -> None:
        server = serve("--sign-up", "open", "--rate-limit", "1", "--rate-burst", "3")
        anyone = server.client(None)
        answers = [anyone.post("/v1/accounts", {"name": "Eve"}) for _ in range(9)]
        assert [answer.status for answer in answers[:3]] == [201] * 3 and answers[-1].status == 429
        assert answers[-1].header("Retry-After") == "1"

    def test_is_not_limited_by_failed_sign_ins(self, serve: Serve) -> None:
        server = serve("--sign-up", "open", "--failed-sign-ins", "1")
        assert [server.client(WRONG).get("/v1/goals").status for _ in range(2)] == [401, 429]
        for _ in range(20):
            server.client(None).post("/v1/accounts", {"name": "Eve"}).expect(201)


class TestWhoAsksTooOften:
    def test_fails_to_sign_in_and_waits(self, serve: Serve) -> None:
        server = serve("--failed-sign-ins", "3")
        wrong, right = server.client(WRONG), server.client()
        assert [wrong.get("/v1/goals").status for _ in range(3)] == [401] * 3
        for response in (wrong.get("/v1/goals"), wrong.post("/v1/goals", {"title": "x"}), wrong.post("/v1/session")):
            response.expect(429, "too-many-requests")
            assert 1 <= int(response.header("Retry-After") or "0") <= 60
        right.get("/v1/goals").expect(200)
        sign_in(right)
        server.client(None).get("/v1/goals").expect(401)

    def test_is_who_the_proxy_says(self, serve: Serve) -> None:
        trusting, wary = serve("--failed-sign-ins", "1", "--trust-proxy"), serve("--failed-sign-ins", "1")
        for server, statuses in ((trusting, [401, 401, 429, 401]), (wary, [401, 429, 429, 429])):
            forwarded = ["192.0.2.1", "192.0.2.1, 192.0.2.2", "192.0.2.9, 192.0.2.1", "2001:db8::1"]
            client = server.client(WRONG)
            assert [client.get("/v1/goals", headers={"X-Forwarded-For": name}).status for name in forwarded] == statuses

    def test_spends_its_burst_and_goes_on(self, serve: Serve) -> None:
        server = serve("--rate-limit", "5", "--rate-burst", "10")
        client, other = server.client(), server.client(server.account()["token"])
        answers = [client.get("/v1/account") for _ in range(30)]
        assert all(answer.status == 200 for answer in answers[:10])
        late = [answer for answer in answers if answer.status != 200]
        assert len(late) >= 10 and all(answer.status == 429 for answer in late)
        assert late[0].header("Retry-After") == "1"
        other.get("/v1/account").expect(200)
        client.get("/healthz").expect(200)
        until(lambda: client.get("/v1/account").status == 200, "there is a permit again", 5, 0.05)

    @pytest.mark.parametrize("flag", ["--rate-limit=-1", "--rate-burst=0", "--rate-limit=x", "--failed-sign-ins=-1"])
    def test_limits_are_numbers(self, server: Server, flag: str) -> None:
        server.run("serve", flag).expect(64)


class TestAPageOfAnotherOrigin:
    APP = {"Origin": "https://app.example"}

    def permitted(self, response: Response, name: str = "https://app.example") -> Response:
        assert response.header("Access-Control-Allow-Origin") == name, response.shown()
        assert response.header("Access-Control-Allow-Credentials") is None
        return self.varies(response)

    def varies(self, response: Response) -> Response:
        assert response.header("Vary") == "Origin", response.shown()
        return response

    def test_reads_every_answer(self, server: Server, me: Client, anyone: Client) -> None:
        goals = self.permitted(me.get("/v1/goals", headers=self.APP).expect(200))
        assert "ETag" in (goals.header("Access-Control-Expose-Headers") or "")
        self.permitted(me.get("/v1/goals", headers={**self.APP, "If-None-Match": goals.etag}).expect(304))
        self.permitted(me.get("/v1/goals", headers={"Origin": "http://localhost:5173"}).expect(200), "http://localhost:5173")
        self.permitted(anyone.get("/v1/goals", headers=self.APP).expect(401))
        self.permitted(anyone.post("/v1/goals", {"title": "x"}, headers=self.APP).expect(401))
        self.permitted(me.get("/nothing", headers=self.APP).expect(404))
        self.permitted(me.post("/v1/goals", b"{", headers=self.APP).expect(400))
        self.permitted(me.post("/v1/goals", b"{}", headers=self.APP, content_type="text/plain").expect(415))
        self.permitted(me.put("/v1/goals", {}, headers=self.APP).expect(405))
        large = build("POST", "/v1/goals", token=me.token, body=b"", headers={**self.APP, "Content-Length": "4194305"})
        with server.connect() as connection:
            connection.send(large.replace(b"Content-Length: 0\r\n", b""))
            self.permitted(connection.read_response("POST").expect(413))

    @pytest.mark.parametrize("body, code", [(b"400001\r\nx", 413), (b"zz\r\n", 400), (b"5\r\nab", 408)])
    def test_reads_what_comes_of_a_body_that_is_refused(self, serve: Serve, body: bytes, code: int) -> None:
        server = serve(*UNLIMITED, "--cors-origin", "https://app.example", "--body-timeout", "1")
        head = build("POST", "/v1/goals", token=server.token, body=b"", headers={**self.APP, "Transfer-Encoding": "chunked"})
        with server.connect() as connection:
            connection.send(head.replace(b"Content-Length: 0\r\n", b"") + body)
            self.permitted(connection.read_response("POST").expect(code))

    def test_is_asked_for_no_token_beforehand(self, anyone: Client) -> None:
        asked = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "authorization"}
        answer = self.permitted(anyone.request("OPTIONS", f"/v1/goals/{new_id()}", headers={**self.APP, **asked}).expect(204))
        assert "PATCH" in (answer.header("Access-Control-Allow-Methods") or "").split(", ")
        allowed = (answer.header("Access-Control-Allow-Headers") or "").lower().split(", ")
        assert {"authorization", "content-type", "if-match", "if-none-match", "idempotency-key", "last-event-id"} <= set(allowed)
        assert int(answer.header("Access-Control-Max-Age") or "0") > 0

    @pytest.mark.parametrize("name", ["https://evil.example", "null", "http://app.example", "https://app.example:8443", "*"])
    def test_that_is_not_named_reads_none(self, me: Client, anyone: Client, name: str) -> None:
        for response in (
            me.get("/v1/goals", headers={"Origin": name}).expect(200),
            anyone.request("OPTIONS", "/v1/goals", headers={"Origin": name, "Access-Control-Request-Method": "GET"}),
            anyone.get("/v1/goals", headers={"Origin": name}).expect(401),
        ):
            self.varies(response)
            assert not [field for field, _ in response.fields if field.lower().startswith("access-control")], response.shown()

    def test_does_not_ride_on_a_cookie(self, server: Server, me: Client) -> None:
        headers = {**self.APP, "Cookie": sign_in(me)}
        server.client(None).post("/v1/goals", {"title": "x"}, headers=headers).expect(403, "cross-origin")

    def test_is_told_nothing_by_default(self, serve: Serve) -> None:
        response = serve(*UNLIMITED).client().get("/v1/goals", headers=self.APP).expect(200)
        assert response.header("Vary") is None and response.header("Access-Control-Allow-Origin") is None


def test_flags_come_from_the_environment(tmp_path: Path) -> None:
    env = {"GOALS_SIGN_UP": "open", "GOALS_CORS_ORIGIN": "https://a.example,https://b.example", "GOALS_RATE_LIMIT": "0"}
    with Server(tmp_path, env=env).start() as server:
        response = server.client(None).post("/v1/accounts", {"name": "Eve"}, headers={"Origin": "https://b.example"}).expect(201)
        assert response.header("Access-Control-Allow-Origin") == "https://b.example"
        assert not any("has no effect" in line for line in server.err), server.shown()
