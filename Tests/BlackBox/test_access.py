"""Tokens as the command line makes and takes them away beside a running server."""

from __future__ import annotations

from typing import Any

from goals_client import Client, until
from goals_server import Server
from tier import EVERY_STORE

STORES = EVERY_STORE


def soon(server: Server) -> float:
    """In seconds. On PostgreSQL a command that ends a token tells no server: each looks once a second or so."""
    return 3 if str(server.database).startswith("postgresql") else 1


class TestAToken:
    def add(self, server: Server, account: str, *options: str) -> dict[str, Any]:
        return server.run("token", "add", account, *options, "--json").expect(0).json()

    def test_that_is_revoked_is_refused_soon(self, server: Server) -> None:
        account = server.account()
        added = self.add(server, account["id"], "--name", "lost phone")
        phone, writer = server.client(added["token"]), server.client(account["token"])
        phone.add_goal()
        server.run("token", "revoke", added["id"]).expect(0)
        until(lambda: phone.get("/v1/goals").status == 401, "the revoked token is refused", soon(server))
        phone.post("/v1/goals", {"title": "x"}).expect(401, "unauthenticated")
        writer.get("/v1/goals").expect(200)

    def test_of_a_removed_account_is_refused_soon(self, server: Server, me: Client) -> None:
        account = server.account()
        gone = server.client(account["token"])
        gone.add_goal()
        server.run("account", "remove", account["id"], "--yes").expect(0)
        until(lambda: gone.get("/v1/goals").status == 401, "the removed account's token is refused", soon(server))
        gone.post("/v1/goals", {"title": "x"}).expect(401, "unauthenticated")
        me.get("/v1/goals").expect(200)


class TestTokensOverHTTP:
    """`GET` and `POST /v1/tokens`, `DELETE /v1/tokens/{id}`."""

    def make(self, client: Client, **token: Any) -> dict[str, Any]:
        return client.post("/v1/tokens", {"name": "phone", **token}).expect(201).json()

    def test_the_command_line_and_http_manage_the_same(self, server: Server) -> None:
        account = server.account()
        client = server.client(account["token"])
        made = self.make(client, name="over HTTP")
        listed = server.run("token", "list", account["id"], "--json").expect(0).listing()
        assert made["id"] in [token["id"] for token in listed]
        server.run("token", "revoke", made["id"]).expect(0)
        client.delete(f"/v1/tokens/{made['id']}").expect(404)
        added = server.run("token", "add", account["id"], "--name", "by hand", "--json").expect(0).json()
        client.delete(f"/v1/tokens/{added['id']}").expect(204)
        server.run("token", "revoke", added["id"]).expect(1)
