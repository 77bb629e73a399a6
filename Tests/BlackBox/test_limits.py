"""Limits as an operator sets them, and those that take a whole server. Each one at its default, and one past it, is in the
tests in Swift: `SplitTests`, `BodyTests`, `BatchTests`, `FullAccountTests`, `MemoryLimitTests`."""

from __future__ import annotations

import json
import select
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from goals_client import Client, Connection, Response, build, check, edit, new_id
from goals_server import UNLIMITED, Server


def answer(server: Server, data: bytes) -> Response:
    with server.connect() as connection:
        connection.send(data)
        return check(connection.read_response())


def request_line(length: int) -> bytes:
    start, end = b"GET /healthz?", b" HTTP/1.1"
    return start + b"x" * (length - len(start) - len(end)) + end + b"\r\nHost: x\r\n\r\n"


def fields(total: int, name: bytes = b"A") -> bytes:
    """A request whose field lines, each with its CRLF, take `total` bytes."""
    host = b"Host: x\r\n"
    return b"GET /healthz HTTP/1.1\r\n" + host + name + b": " + b"y" * (total - len(host) - len(name) - 4) + b"\r\n\r\n"


def padded(edits: list[dict[str, Any]], length: int) -> bytes:
    body = json.dumps({"edits": edits}).encode()
    return body + b" " * (length - len(body))


class TestTheGoalsEverMade:
    def test_in_an_account_are_10000(self, me: Client) -> None:
        for _ in range(20):
            ids = [new_id() for _ in range(500)]
            edits: list[dict[str, Any]] = []
            for id in ids:
                edits += [edit("add", goal={"id": id, "title": "x"}), edit("delete", goal=id)]
            me.apply(*edits)
        me.post("/v1/goals", {"title": "x"}).expect(409, "limit-reached")
        assert me.version() == 20_000 and me.goals() == []


class TestALimitOfOnesOwn:
    def test_of_sizes_holds(self, serve: Callable[..., Server]) -> None:
        server = serve(
            *UNLIMITED, "--max-request-line", "200", "--max-header-bytes", "1000", "--max-header-fields", "10",
            "--max-body", "500", "--max-edits", "3", "--max-goals", "2",
        )  # fmt: skip
        assert answer(server, request_line(200)).status != 414
        answer(server, request_line(201)).expect(414, "target-too-long")
        answer(server, fields(900)).expect(200)
        answer(server, fields(1100)).expect(431, "headers-too-large")
        answer(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 9 + b"\r\n").expect(200)
        answer(server, b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + b"A: b\r\n" * 10 + b"\r\n").expect(431)
        me = server.client()
        me.post("/v1/edits", padded([edit("delete", goal=new_id())], 500)).expect(200)
        me.post("/v1/edits", padded([edit("delete", goal=new_id())], 501)).expect(413, "body-too-large")
        wide = {"edits": [{"id": "1", "type": "x"}] * 3}
        me.post("/v1/edits", wide).expect(200)
        wide["edits"].append(wide["edits"][0])
        me.post("/v1/edits", wide).expect(422, "invalid")
        me.add_goal(), me.add_goal()
        me.post("/v1/goals", {"title": "x"}).expect(409, "limit-reached")


class TestTime:
    @pytest.fixture(scope="class")
    @classmethod
    def hasty(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
        flags = ("--header-timeout", "3", "--body-timeout", "3", "--idle-timeout", "4")
        with Server(tmp_path_factory.mktemp("s"), *UNLIMITED, *flags) as server:
            yield server

    def drip(self, connection: Connection, data: bytes) -> Response:
        """A byte every tenth of a second, until there is an answer. The last of them would come long after the limit."""
        for byte in data:
            if select.select([connection.socket], [], [], 0.1)[0]:
                return connection.read_response()
            connection.send(bytes([byte]))
        raise AssertionError("the server waits for all of it")

    def test_for_the_head_of_a_request_ends_however_it_drips(self, hasty: Server) -> None:
        with hasty.connect() as connection:
            response = self.drip(connection, b"GET /healthz HTTP/1.1\r\nHost: x\r\nA: " + b"x" * 1000)
            check(response).expect(408, "request-timeout")
            connection.expect_end()

    def test_for_a_body_ends_however_it_drips(self, hasty: Server) -> None:
        me = hasty.client()
        data = build("POST", "/v1/goals", token=me.token, body=b" " * 1000)[:-1000]
        with hasty.connect() as connection:
            connection.send(data)
            response = self.drip(connection, b" " * 1000)
            check(response).expect(408, "request-timeout")
            connection.expect_end()
        assert me.version() == 0

    def test_between_requests_ends_quietly(self, hasty: Server) -> None:
        with hasty.connect() as connection:
            connection.send(build("GET", "/healthz"))
            connection.read_response().expect(200)
            connection.expect_end()

    def test_spent_by_one_client_is_not_taken_from_another(self, hasty: Server) -> None:
        slow = [hasty.connect() for _ in range(50)]
        for connection in slow:
            connection.send(b"GET /hea")
        answer(hasty, build("GET", "/healthz")).expect(200)
        for connection in slow:
            connection.close()


class TestTheGoalsNamedByABatch:
    def test_are_50000(self, server: Server) -> None:
        me = server.client()
        goal = me.add_goal()
        many = edit("setActivity", activity={new_id(): True for _ in range(1000)})
        edits = [{**many, "id": new_id()} for _ in range(50)]
        assert {outcome["code"] for outcome in me.outcomes(*edits)} == {"unknown-goal"}
        version = me.get("/v1/account").json()["version"]
        for path in ("/v1/edits", "/v1/sync"):
            me.post(path, {"edits": [edit("bump", goal=goal), *edits]}).expect(413, "body-too-large")
        assert me.get("/v1/account").json()["version"] == version


class TestTheQuotaOfAnAccount:
    @pytest.fixture
    def small(self, serve: Callable[..., Server]) -> Server:
        return serve(*UNLIMITED, "--max-account-bytes", "3000")

    @staticmethod
    def fill(me: Client) -> tuple[str, dict[str, Any]]:
        """Bumps a goal until the account is full: the goal, and the last edit that was recorded."""
        goal = me.add_goal()
        while (response := me.edits(bump := edit("bump", goal=goal))).status == 200:
            last = bump
        full = response.expect(507, "account-full").json()
        assert full["outcomes"] == [] and full["version"] == me.get("/v1/account").json()["version"]
        return goal, last

    def test_ends_what_is_recorded_and_nothing_else(self, small: Server) -> None:
        me = small.client()
        goal, last = self.fill(me)
        version = me.get("/v1/account").json()["version"]
        writes = [
            ("POST", "/v1/goals", {"title": "x"}), ("PUT", f"/v1/goals/{new_id()}", {"title": "x"}),
            ("PATCH", f"/v1/goals/{goal}", {"title": "x"}), ("DELETE", f"/v1/goals/{goal}", None),
            ("POST", f"/v1/goals/{goal}/bump", None), ("POST", f"/v1/goals/{goal}/skip", None),
            ("PUT", "/v1/activity", {"activity": {goal: False}}), ("PATCH", "/v1/account", {"dayStart": "03:00"}),
            ("POST", f"/v1/edits/{last['id']}/undo", None), ("POST", "/v1/edits?dryRun=true", {"edits": [edit("bump", goal=goal)]}),
        ]  # fmt: skip
        for method, path, body in writes:
            me.request(method, path, body).expect(507, "account-full")
        assert me.get("/v1/account").json()["version"] == version
        mixed = me.post("/v1/sync", {"after": None, "edits": [last, edit("bump", goal=goal)]}).expect(507, "account-full")
        assert [outcome["status"] for outcome in mixed.json()["outcomes"]] == ["duplicate"]
        # What would record nothing is answered as ever, and everything is read.
        nothing = [last, edit("alter", goal=goal, changes={}), edit("bump", goal=new_id())]
        assert [o["status"] for o in me.outcomes(*nothing)] == ["duplicate", "unchanged", "rejected"]
        me.get("/v1/export").expect(200)
        assert len(me.log()) == version
        small.run("verify").expect(0)
        assert not [line for line in small.err if "507" in line]

    def test_is_shown_and_can_be_raised(self, small: Server) -> None:
        me = small.client()
        goal, _ = self.fill(me)
        listed = small.run("account", "list", "--json").expect(0).listing()
        assert [3000 <= row["logBytes"] < 3500 for row in listed] == [True]
        assert f"{listed[0]['logBytes']} bytes" in small.run("account", "list").expect(0).out
        small.stop()
        small.flags = ["--max-account-bytes", "4000"]
        small.start()
        small.client().post(f"/v1/goals/{goal}/bump").expect(200)

    def test_is_met_by_an_import(self, small: Server) -> None:
        me = small.client()
        goal = me.add_goal()
        for _ in range(6):
            me.post(f"/v1/goals/{goal}/bump", {"note": "n" * 40}).expect(200)
        export = me.get("/v1/export").expect(200).body
        other = small.run("account", "add", "Ann", "--json").expect(0).json()["token"]
        large = small.run("account", "add", "Bob", "--json").expect(0).json()["token"]
        small.client(other).post("/v1/import", export, content_type="application/x-ndjson").expect(201)
        small.stop()
        small.flags = [*UNLIMITED, "--max-account-bytes", "1000"]
        small.start()
        small.client(large).post("/v1/import", export, content_type="application/x-ndjson").expect(507, "account-full")
        assert small.client(large).get("/v1/account").json()["version"] == 0

    @pytest.mark.parametrize("flag", ["--max-account-bytes", "--max-accounts"])
    def test_is_a_number(self, server: Server, flag: str) -> None:
        for value in ("0", "-1", "x", str(1 << 41)):
            server.run("serve", flag, value).expect(64)


SIGN_UP = ("POST", "/v1/accounts", {"name": "Ann"})


@pytest.mark.parametrize(
    ("flags", "token", "ask", "statuses"),
    [
        (("--sign-up", "open", "--sign-ups", "2"), None, SIGN_UP, [201, 201, 429]),
        ((*UNLIMITED, "--sign-up", "open", "--max-accounts", "3"), None, SIGN_UP, [201, 201, 403]),
        (("--failed-sign-ins", "2"), "goals_" + "0" * 64, ("GET", "/v1/goals", None), [401, 401, 429]),
    ],
    ids=["sign-ups", "accounts", "failed-sign-ins"],
)
def test_flags_set_limits(
    serve: Callable[..., Server], flags: tuple[str, ...], token: str | None, ask: Any, statuses: list[int]
) -> None:
    """The limits themselves are in the tests in Swift: `SignUpTests`, `FailedSignInTests`."""
    asker = serve(*flags).client(token)
    assert [asker.request(*ask).status for _ in statuses] == statuses
