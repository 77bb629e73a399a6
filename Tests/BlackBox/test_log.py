"""A client that follows the log: `GET /v1/edits` and its cursors."""

from __future__ import annotations

from typing import Any

import pytest

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
    def test_of_a_fresh_account_is_empty(self, me: Client) -> None:
        body = page(me)
        assert (body["edits"], body["version"], body["more"]) == ([], 0, False)
        assert isinstance(body["cursor"], str) and body["cursor"]

    def test_lists_every_edit_once_oldest_first_without_a_gap(self, me: Client) -> None:
        bumps(me, 30)
        body = page(me)
        assert [e["version"] for e in body["edits"]] == list(range(1, 33))
        assert (body["version"], body["more"]) == (32, False)

    @pytest.mark.parametrize("limit", [1, 2, 7, 31, 32, 33, 1000])
    def test_read_in_pages_is_the_whole_log(self, me: Client, limit: int) -> None:
        bumps(me, 30)
        whole, read, cursor = page(me)["edits"], [], None
        while True:
            body = page(me, cursor, limit)
            assert len(body["edits"]) <= limit and body["version"] == 32, body
            read += body["edits"]
            assert body["more"] == (len(read) < 32), (limit, len(read), body["more"])
            cursor = body["cursor"]
            if not body["more"]:
                break
            assert len(body["edits"]) == limit
        assert read == whole

    def test_comes_in_pages_of_500_unless_asked_and_1000_at_most(self, me: Client) -> None:
        bumps(me, 1100)
        assert len(page(me)["edits"]) == 500
        body = page(me, limit=1000)
        assert len(body["edits"]) == 1000 and body["more"] is True
        rest = page(me, body["cursor"], 1000)
        assert len(rest["edits"]) == 102 and rest["more"] is False

    @pytest.mark.parametrize("limit", ["0", "1001", "-1", "x", "", "1.5", "99999999999999999999", "+5", "01", "00"])
    def test_refuses_another_limit(self, me: Client, limit: str) -> None:
        response = me.get(f"/v1/edits?limit={quote(limit)}").expect(422, "invalid")
        assert any("limit" in pointer for pointer in response.pointers), response.shown()

    def test_refuses_all_faults_in_the_query_at_once(self, me: Client) -> None:
        response = me.get("/v1/edits?limit=0&foo=1&bar=2").expect(422, "invalid")
        for name in ("limit", "foo", "bar"):
            assert any(name in pointer for pointer in response.pointers), response.shown()


class TestACursor:
    def test_of_a_page_is_the_place_after_its_last_edit(self, me: Client) -> None:
        bumps(me, 10)
        first = page(me, limit=4)
        bumps(me, 3)
        assert [e["version"] for e in page(me, first["cursor"])["edits"]] == list(range(5, 18))

    def test_of_an_empty_page_is_where_it_began(self, me: Client) -> None:
        bumps(me, 3)
        cursor = page(me)["cursor"]
        empty = page(me, cursor)
        assert (empty["edits"], empty["more"]) == ([], False)
        me.add_goal()
        assert page(me, empty["cursor"])["edits"] == page(me, cursor)["edits"] != []

    def test_of_the_list_and_of_the_account_is_the_head(self, me: Client) -> None:
        bumps(me, 3)
        cursors = [me.get(target).json()["cursor"] for target in ("/v1/goals", "/v1/goals?active=true", "/v1/account")]
        for cursor in cursors:
            assert page(me, cursor)["edits"] == []
        me.apply(edit("add", goal={"title": "later"}))
        for cursor in cursors:
            assert [e["type"] for e in page(me, cursor)["edits"]] == ["add"]

    def test_of_the_empty_log_reads_everything_that_follows(self, me: Client) -> None:
        cursor = me.get("/v1/goals").json()["cursor"]
        bumps(me, 3)
        assert page(me, cursor)["edits"] == page(me)["edits"]

    def test_of_another_history_is_diverged(self, me: Client, other: Client) -> None:
        bumps(me, 5), bumps(other, 5)
        mine, short = page(me)["cursor"], page(me, limit=2)["cursor"]
        for cursor in (mine, short):
            other.get(f"/v1/edits?after={quote(cursor)}").expect(410, "cursor-diverged")

    def test_beyond_the_end_of_a_shorter_history_is_diverged(self, me: Client, other: Client) -> None:
        bumps(me, 5)
        other.get(f"/v1/edits?after={quote(page(me)['cursor'])}").expect(410, "cursor-diverged")

    @pytest.mark.parametrize("cursor", ["nonsense", "0", "-1", "5", "ü", "a" * 500, "../../etc", "%"])
    def test_that_is_none_is_refused(self, me: Client, cursor: str) -> None:
        me.add_goal()
        response = me.get(f"/v1/edits?after={quote(cursor)}").expect(422, "invalid")
        assert any("after" in pointer for pointer in response.pointers), response.shown()

    def test_that_was_tampered_with_never_reads_as_a_place(self, me: Client) -> None:
        bumps(me, 20)
        cursor = page(me, limit=11)["cursor"]
        for at in range(len(cursor)):
            replaced = "1" if cursor[at] != "1" else "2"
            forged = cursor[:at] + replaced + cursor[at + 1 :]
            response = me.get(f"/v1/edits?after={quote(forged)}").expect((410, 422))
            assert response.json()["code"] in ("cursor-diverged", "invalid"), response.shown()

    def test_holds_no_secret_of_the_account(self, server: Any) -> None:
        account = server.account("Bartholomew")
        client = server.client(account["token"])
        client.add_goal()
        cursor = client.get("/v1/goals").json()["cursor"]
        assert account["id"] not in cursor and account["id"].replace("-", "") not in cursor
