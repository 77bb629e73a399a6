"""Tokens, sessions and sign-up where servers share one log: what was taken away on one of them is gone on all."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from flaky_proxy import Wire
from goals_client import Client, Response, until
from goals_server import UNLIMITED, Server, goals, suspend
from shared_server import PORT, Cluster, Follower, Pair, SharedServer, cluster
from test_session import sign_in
from tier import THOROUGH

pytestmark = THOROUGH

# Seconds, of a server that is paused or cut off, or of a commit that waits: twice `Authenticator.maximumSilence`.
LONG = 4
SOON = 2


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedServer]:
    with SharedServer(tmp_path_factory.mktemp("s"), *UNLIMITED, servers=2).start() as server:
        yield server


def by_cookie(server: Server, cookie: str, method: str, target: str, body: object = None) -> Response:
    return Client(server.address, None).request(
        method, target, body, headers={"Cookie": cookie, "Origin": server.url}
    )


class TestWhatWasRevokedOnOneServer:
    """Is used at once on another, which still has it in memory."""

    def revoked(self, two: SharedServer) -> tuple[Client, Client, str]:
        """The owner on the first server, the revoked token on the second, and a token of the owner's."""
        first, second = two.all
        account = two.account()
        owner = Client(first.address, account["token"])
        kept = owner.post("/v1/tokens", {"name": "kept"}).expect(201).json()["id"]
        made = owner.post("/v1/tokens", {"name": "stolen"}).expect(201).json()
        thief = Client(second.address, made["token"])
        thief.get("/v1/goals").expect(200)
        owner.delete(f"/v1/tokens/{made['id']}").expect(204)
        return owner, thief, kept

    def test_makes_no_token(self, two: SharedServer) -> None:
        owner, thief, _ = self.revoked(two)
        thief.post("/v1/tokens", {"name": "new"}).expect(401, "unauthenticated")
        assert [token["name"] for token in owner.get("/v1/tokens").json()["tokens"]] == ["first token", "kept"]

    def test_revokes_none(self, two: SharedServer) -> None:
        owner, thief, kept = self.revoked(two)
        thief.delete(f"/v1/tokens/{kept}").expect(401, "unauthenticated")
        assert [token["name"] for token in owner.get("/v1/tokens").json()["tokens"]] == ["first token", "kept"]

    def test_opens_no_session(self, two: SharedServer) -> None:
        _, thief, _ = self.revoked(two)
        thief.post("/v1/session").expect(401, "unauthenticated")

    def test_imports_nothing(self, two: SharedServer) -> None:
        source = two.new_client()
        source.add_goal()
        export = source.get("/v1/export").expect(200).body
        owner, thief, _ = self.revoked(two)
        taken = thief.post("/v1/import", export, content_type="application/x-ndjson")
        taken.expect(401, "unauthenticated")
        assert owner.version() == 0

    def test_changes_no_calendar(self, two: SharedServer) -> None:
        for zone in ("Asia/Tokyo", "UTC"):
            owner, thief, _ = self.revoked(two)
            patch = {"content_type": "application/merge-patch+json"}
            thief.patch("/v1/account", {"timeZone": zone}, **patch).expect(401, "unauthenticated")
            assert owner.get("/v1/account").json()["timeZone"] == "UTC"

    def test_nor_does_a_session_that_has_ended(self, two: SharedServer) -> None:
        first, second = two.all
        owner = Client(first.address, two.account()["token"])
        cookie = sign_in(owner)
        by_cookie(second, cookie, "GET", "/v1/goals").expect(200)
        by_cookie(first, cookie, "DELETE", "/v1/session").expect(204)
        assert by_cookie(second, cookie, "POST", "/v1/tokens", {"name": "new"}).status == 401
        assert len(owner.get("/v1/tokens").json()["tokens"]) == 1


def pass_time(database: Cluster, seconds: int) -> None:
    """By the clock of the database."""
    begun = float(database.sql("SELECT extract(epoch FROM clock_timestamp())"))
    until(
        lambda: float(database.sql("SELECT extract(epoch FROM clock_timestamp())")) > begun + seconds,
        f"{seconds} s are over", seconds + 30, 0.5,
    )  # fmt: skip


def is_never_let_in(ask: Callable[[], int], seconds: float) -> None:
    """Refused soon, and answered at no time before."""
    seen = []

    def refused() -> bool:
        seen.append(ask())
        return seen[-1] == 401

    until(refused, "it is refused", seconds)
    assert 200 not in seen, seen


def test_a_server_that_heard_nothing_for_long_lets_nobody_in_from_memory(tmp_path: Path) -> None:
    servers = SharedServer(tmp_path, *UNLIMITED, servers=3)
    wire = Wire(lambda: f"{cluster().folder}/.s.PGSQL.{PORT}")
    first, paused, cut = servers.all
    name = servers.database.split("/")[3].split("?")[0]
    cut.database = f"postgresql://postgres@127.0.0.1:{wire.listener.getsockname()[1]}/{name}"
    with servers.start():
        owner = Client(first.address, servers.token)
        goal = owner.add_goal()
        tokens = [owner.post("/v1/tokens", {"name": "phone"}).expect(201).json() for _ in range(2)]
        text = tokens[0]["token"]
        cookie = sign_in(Client(first.address, tokens[1]["token"]))
        streams = []
        for server in (paused, cut):
            Client(server.address, text).get("/v1/goals").expect(200)
            by_cookie(server, cookie, "GET", "/v1/goals").expect(200)
            streams += [Follower(server, token=text), Follower(server, token=None, headers={"Cookie": cookie})]
        assert paused.process is not None
        suspend(paused.process.pid)
        wire.cut(["questions", "answers"])
        for token in tokens:
            owner.delete(f"/v1/tokens/{token['id']}").expect(204)
        pass_time(cluster(), LONG)
        paused.process.send_signal(signal.SIGCONT)
        wire.reset()
        wire.mend()
        owner.post(f"/v1/goals/{goal}/bump", {"note": "secret"}).expect(200)
        for server, soon in ((paused, SOON), (cut, 15)):
            is_never_let_in(lambda: Client(server.address, text).get("/v1/goals").status, soon)
            is_never_let_in(lambda: by_cookie(server, cookie, "GET", "/v1/goals").status, soon)
        for stream in streams:
            assert stream.ended.wait(15), "the stream goes on"
            assert b"secret" not in stream.told
        for server in (paused, cut):  # which hear of each other again
            Client(server.address, text).get("/v1/goals").expect(401)
            by_cookie(server, cookie, "GET", "/v1/goals").expect(401)
    wire.close()


def test_a_revocation_that_waited_long_for_a_standby_holds_everywhere(tmp_path: Path) -> None:
    pair = Pair()
    url = pair.primary.fresh_database()
    goals("migrate", url).expect(0)
    servers = SharedServer(tmp_path, *UNLIMITED, servers=2, url=url)
    servers.token = servers.account("me")["token"]
    with servers.start():
        owner = Client(servers.all[0].address, servers.token)
        made = owner.post("/v1/tokens", {"name": "phone"}).expect(201).json()
        phones = [Client(server.address, made["token"]) for server in servers.all]
        for phone in phones:
            phone.get("/v1/goals").expect(200)
        pair.standby.kill()
        owner.delete(f"/v1/tokens/{made['id']}").expect(503)
        pass_time(pair.primary, LONG)
        pair.standby.start_again()
        revoked = "SELECT count(*) FROM token WHERE revoked_at IS NOT NULL"
        until(lambda: pair.primary.sql(revoked, url) == "1\n", "the commit is over", 30)
        for phone in phones:
            until(lambda: phone.get("/v1/goals").status == 401, "the token is refused")
    pair.end()


def test_sign_up_makes_no_more_accounts_than_it_may_on_all_servers_together(tmp_path: Path) -> None:
    flags = ("--sign-up", "open", "--max-accounts", "12")
    with SharedServer(tmp_path, *UNLIMITED, *flags, servers=2).start() as servers:

        def sign_up(number: int) -> int:
            body = {"name": f"a{number}", "timeZone": "UTC"}
            return Client(servers.all[number % 2].address, None).post("/v1/accounts", body).status

        with ThreadPoolExecutor(20) as pool:
            answers = list(pool.map(sign_up, range(20)))
        assert sorted(answers) == [201] * 11 + [403] * 9
        assert len(servers.run("account", "list", "--json").listing()) == 12
