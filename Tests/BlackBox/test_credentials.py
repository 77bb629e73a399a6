"""What a request shows of who makes it: the session's cookie and its name, and what a refusal says of a token."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from goals_client import Client, Response, new_id
from goals_server import Server

NOBODY = "0" * 64
INVALID = 'Bearer error="invalid_token"'


@pytest.fixture(scope="module", params=["https://goals.example", "http://goals.example"])
def reached(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """A server with a public URL, where three failed sign-ins a minute are heard; and the name of its cookie."""
    flags = ("--rate-limit", "0", "--failed-sign-ins", "3", "--public-url", request.param)
    with Server(tmp_path_factory.mktemp("s"), *flags) as server:
        yield server, "__Host-goals_session" if request.param.startswith("https") else "goals_session"


def ask(server: Server, cookie: str) -> Response:
    return server.client(None).get("/v1/goals", headers={"Cookie": cookie})


class TestTheCookie:
    def test_is_this_hosts_alone_where_people_come_by_https(self, reached: tuple[Server, str]) -> None:
        server, name = reached
        response = server.client().post("/v1/session").expect(204)
        (cookie,) = response.all("Set-Cookie")
        assert cookie.startswith(f"{name}="), response.shown()
        attributes = cookie.split("; ")[1:]
        assert ("Secure" in attributes) == name.startswith("__Host-"), response.shown()
        assert "Path=/" in attributes and not any(part.lower().startswith("domain") for part in attributes)
        ask(server, cookie.split(";")[0]).expect(200)

    def test_of_which_there_are_two_is_refused_and_counts_as_no_failed_sign_in(self, reached: tuple[Server, str]) -> None:
        server, name = reached
        cookie = (server.client().post("/v1/session").expect(204).header("Set-Cookie") or "").split(";")[0]
        other = "goals_session" if name.startswith("__Host-") else "__Host-goals_session"
        for _ in range(3):
            for value in (f"{cookie}; {cookie}", f"{name}={NOBODY}; {cookie}", f"{cookie}; {other}={NOBODY}"):
                response = ask(server, value).expect(401, "unauthenticated")
                assert response.all("WWW-Authenticate") == ["Bearer"], response.shown()
            # Under the other name it opens nothing.
            ask(server, f"{other}={cookie.split('=')[1]}").expect(401, "unauthenticated")
        ask(server, cookie).expect(200)
        for status in (401, 401, 401, 429):
            ask(server, f"{name}={NOBODY}").expect(status)


class TestTheChallenge:
    """RFC 6750 §3.1."""

    @pytest.mark.parametrize(
        "headers, challenge",
        [
            ({}, "Bearer"),
            ({"Cookie": f"goals_session={NOBODY}"}, "Bearer"),
            ({"Authorization": "Basic bWU6bWU="}, "Bearer"),
            ({"Authorization": "Bearer x"}, INVALID),
            ({"Authorization": "bearer"}, INVALID),
            ({"Authorization": f"Bearer goals_{NOBODY}"}, INVALID),
        ],
        ids=str,
    )
    def test_says_what_is_wrong_with_a_token(self, anyone: Client, headers: dict[str, str], challenge: str) -> None:
        for method, target in (("GET", "/v1/goals"), ("POST", "/v1/goals"), ("DELETE", "/v1/tokens/x")):
            response = anyone.request(method, target, headers=headers).expect(401, "unauthenticated")
            assert response.all("WWW-Authenticate") == [challenge], response.shown()

    def test_says_that_the_scope_is_too_small(self, server: Server, me: Client) -> None:
        reader = server.client(me.post("/v1/tokens", {"name": "r", "scope": "read"}).expect(201).json()["token"])
        for response in (reader.post("/v1/goals", {"title": "x"}), reader.get("/v1/tokens")):
            response.expect(403, "forbidden")
            assert response.all("WWW-Authenticate") == ['Bearer error="insufficient_scope", scope="write"'], response.shown()
            assert response.json()["detail"].endswith(" write."), response.shown()
        goal = me.add_goal()
        made = me.post("/v1/tokens", {"name": "b", "scope": "bump", "goal": goal}).expect(201).json()
        for target in ("/v1/goals", "/v1/account", f"/v1/goals/{new_id()}"):
            response = server.client(made["token"]).get(target).expect(403, "forbidden")
            assert response.all("WWW-Authenticate") == ['Bearer error="insufficient_scope", scope="read"'], response.shown()

    def test_of_a_revoked_token_is_that_of_an_unknown_one(self, server: Server, me: Client) -> None:
        made = me.post("/v1/tokens", {"name": "old"}).expect(201).json()
        me.delete(f"/v1/tokens/{made['id']}").expect(204)
        answers = [server.client(token).get("/v1/goals").expect(401) for token in (made["token"], f"goals_{NOBODY}")]
        assert [answer.all("WWW-Authenticate") for answer in answers] == [[INVALID]] * 2
        assert answers[0].body == answers[1].body
