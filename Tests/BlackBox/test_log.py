"""A client that follows the log: `GET /v1/edits` and its cursors."""

from __future__ import annotations

from typing import Any

from goals_client import Client, edit, quote


def bumps(me: Client, count: int) -> str:
    goal = me.add_goal()
    while count:
        some = min(count, 1000)
        me.apply(*[edit("bump", goal=goal) for _ in range(some)])
        count -= some
    return goal


def page(me: Client, after: str | None = None, limit: int | None = None) -> dict[str, Any]:
    query = [f"after={quote(after)}"] if after is not None else []
    query += [f"limit={limit}"] if limit is not None else []
    response = me.get("/v1/edits" + ("?" + "&".join(query) if query else "")).expect(200)
    body = response.json()
    assert set(body) == {"edits", "version", "cursor", "more"}, response.shown()
    return body


class TestTheLog:
    def test_comes_in_pages_of_500_unless_asked_and_1000_at_most(self, me: Client) -> None:
        bumps(me, 1100)
        assert len(page(me)["edits"]) == 500
        body = page(me, limit=1000)
        assert len(body["edits"]) == 1000 and body["more"] is True
        rest = page(me, body["cursor"], 1000)
        assert len(rest["edits"]) == 102 and rest["more"] is False


class TestACursor:
    def test_holds_no_secret_of_the_account(self, server: Any) -> None:
        account = server.account("Bartholomew")
        client = server.client(account["token"])
        client.add_goal()
        cursor = client.get("/v1/goals").json()["cursor"]
        assert account["id"] not in cursor and account["id"].replace("-", "") not in cursor
