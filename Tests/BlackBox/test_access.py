"""Who may do what: tokens, scopes, and that one account never learns of another."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from goals_client import Client, edit, instant, new_id, quote, until
from goals_server import Server

ID = "0199a4c0-0000-7000-8000-00000000000a"
OPERATIONS = [
    ("GET", "/v1/goals", None),
    ("HEAD", "/v1/goals", None),
    ("POST", "/v1/goals", {"title": "x"}),
    ("GET", f"/v1/goals/{ID}", None),
    ("PUT", f"/v1/goals/{ID}", {"title": "x"}),
    ("PATCH", f"/v1/goals/{ID}", {"title": "x"}),
    ("DELETE", f"/v1/goals/{ID}", None),
    ("POST", f"/v1/goals/{ID}/bump", None),
    ("POST", f"/v1/goals/{ID}/skip", None),
    ("POST", f"/v1/goals/{ID}/move", {"before": None}),
    ("PUT", "/v1/activity", {"activity": {}}),
    ("GET", "/v1/edits", None),
    ("POST", "/v1/edits", {"edits": [{"id": ID, "type": "delete", "goal": ID}]}),
    ("GET", f"/v1/edits/{ID}", None),
    ("POST", f"/v1/edits/{ID}/undo", None),
    ("GET", "/v1/account", None),
    ("PATCH", "/v1/account", {"weekStart": "sunday"}),
    ("GET", "/v1/token", None),
    ("GET", "/v1/tokens", None),
    ("POST", "/v1/tokens", {"name": "x"}),
    ("DELETE", f"/v1/tokens/{ID}", None),
    ("POST", "/v1/edits?dryRun=true", {"edits": [{"id": ID, "type": "delete", "goal": ID}]}),
]


class TestWithoutAValidToken:
    @pytest.mark.parametrize("method, target, body", OPERATIONS)
    def test_every_operation_is_unauthenticated(self, anyone: Client, method: str, target: str, body: Any) -> None:
        for headers in ({}, {"Authorization": "Bearer nonsense"}):
            response = anyone.request(method, target, body, headers=headers).expect(401)
            if method != "HEAD":
                response.expect(401, "unauthenticated")
            assert (response.header("WWW-Authenticate") or "").startswith("Bearer"), response.shown()

    @pytest.mark.parametrize(
        "value",
        [
            "",
            "Bearer",
            "Bearer ",
            "Basic bWU6bWU=",
            "bearer",
            "Token x",
            "Bearer a b",
            "Bearer " + "x" * 5000,
            "Bearer ../..",
            "Bearer \xe9",
        ],
    )
    def test_any_other_authorization_is_unauthenticated(self, anyone: Client, value: str) -> None:
        anyone.get("/v1/goals", headers={"Authorization": value}).expect((400, 401) if value.endswith("\xe9") else 401)

    def test_a_token_changed_in_one_place_is_unauthenticated(self, server: Server, anyone: Client) -> None:
        token = server.account()["token"]
        for at in {0, len(token) // 2, len(token) - 1}:
            forged = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
            anyone.get("/v1/goals", token=forged).expect(401, "unauthenticated")
        for forged in (token[:-1], token + "A", token.swapcase(), token + " ", " " + token):
            if forged.strip() != token:
                anyone.get("/v1/goals", token=forged).expect(401, "unauthenticated")

    def test_two_authorizations_are_refused(self, server: Server, anyone: Client) -> None:
        token = server.account()["token"]
        with server.connect() as connection:
            connection.send(
                f"GET /v1/goals HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nonsense\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            )
            connection.read_response().expect((400, 401))

    def test_nothing_is_looked_at_before_the_token(self, anyone: Client) -> None:
        anyone.post("/v1/goals", b"{", content_type="text/plain").expect(401, "unauthenticated")
        anyone.get("/v1/goals?foo=1").expect(401, "unauthenticated")

    @pytest.mark.parametrize("target", ["/", "/healthz", "/readyz", "/openapi.yaml"])
    def test_what_is_public_is_public(self, anyone: Client, target: str) -> None:
        anyone.get(target).expect(200)
        anyone.get(target, headers={"Authorization": "Bearer nonsense"}).expect(200)

    def test_the_scheme_is_read_in_any_case(self, server: Server, anyone: Client) -> None:
        token = server.account()["token"]
        for scheme in ("Bearer", "bearer", "BEARER"):
            anyone.get("/v1/goals", headers={"Authorization": f"{scheme} {token}"}).expect(200)


class TestAnotherAccount:
    def test_answers_the_same_whether_a_goal_or_edit_exists_elsewhere(self, me: Client, other: Client) -> None:
        """Byte for byte, but for what differs between any two answers."""
        goal, bump, own = new_id(), new_id(), other.add_goal()
        token = me.post("/v1/tokens", {"name": "mine"}).expect(201).json()["id"]

        def operations(goal: str, bump: str, token: str) -> list[tuple[str, str, Any]]:
            one = f"/v1/goals/{goal}"
            changes = [
                {"id": bump, "type": "bump", "goal": goal},
                {"id": new_id(), "type": "skip", "goal": goal},
                {"id": new_id(), "type": "delete", "goal": goal},
                {"id": new_id(), "type": "alter", "goal": goal, "changes": {"title": "x"}},
                {"id": new_id(), "type": "update", "goal": {"id": goal, "title": "x"}},
                {"id": new_id(), "type": "move", "goal": goal, "before": None},
                {"id": new_id(), "type": "move", "goal": own, "before": goal},
                {"id": new_id(), "type": "setActivity", "activity": {own: True, goal: True}},
                {"id": new_id(), "type": "undo", "edit": bump},
            ]
            return [
                *((method, f"{one}{rest}", None) for method in ("GET", "HEAD") for rest in ("", "/history", "/history.svg")),
                ("PATCH", one, {"title": "x"}),
                ("PATCH", one, {"active": True, "colour": "red"}),
                ("DELETE", one, None),
                *(("POST", f"{one}/{act}", body) for act, body in (("bump", None), ("skip", None), ("move", {"before": None}))),
                ("POST", f"/v1/goals/{own}/move", {"before": goal}),
                ("PUT", "/v1/activity", {"activity": {goal: True}}),
                ("GET", f"/v1/edits/{bump}", None),
                ("POST", f"/v1/edits/{bump}/undo", None),
                ("POST", "/v1/edits", {"edits": changes}),
                ("POST", "/v1/edits", {"edits": changes, "atomic": True}),
                ("POST", "/v1/edits?dryRun=true", {"edits": [{"id": new_id(), "type": "add", "goal": {"id": goal, "title": "x"}}]}),
                ("POST", "/v1/sync", {"after": None, "edits": changes, "limit": 1}),
                ("POST", "/v1/tokens", {"name": "x", "scope": "bump", "goal": goal}),
                ("DELETE", f"/v1/tokens/{token}", None),
                ("GET", "/v1/tokens", None),
                ("GET", "/v1/goals", None),
                ("GET", "/v1/export", None),
                ("GET", "/v1/export.csv", None),
            ]

        def answers(goal: str, bump: str, token: str) -> list[Any]:
            found = []
            for method, target, body in operations(goal, bump, token):
                response = other.request(method, target, body)
                fields = sorted(name.lower() for name, _ in response.fields)
                found.append((method, target, response.status, fields, re.sub(rb'"(id|lastUsedAt)":"[^"]*"', b"", response.body)))
            return found

        before = answers(goal, bump, new_id())
        me.add_goal(id=goal)
        me.apply(edit("bump", id=bump, goal=goal))
        after = answers(goal, bump, token)
        for then, now in zip(before, after, strict=True):
            # What names the token itself is told apart by nothing else.
            assert [*now[2:]] == [*then[2:]], (then, now)
        assert all(status in (404, 409, 422, 200) for _, _, status, *_ in before), before
        assert me.goal(goal)["title"] and token in {one["id"] for one in me.get("/v1/tokens").json()["tokens"]}

    def test_may_use_the_same_ids(self, me: Client, other: Client) -> None:
        goal = new_id()
        add, bump = new_id(), new_id()
        for client, title in ((me, "mine"), (other, "theirs")):
            client.apply(
                edit("add", id=add, goal={"id": goal, "title": title}),
                edit("setActivity", activity={goal: True}),
                edit("bump", id=bump, goal=goal, note=title),
            )
        for client, title in ((me, "mine"), (other, "theirs")):
            assert client.goal(goal)["title"] == title
            assert client.get(f"/v1/edits/{bump}").expect(200).json()["note"] == title
        other.delete(f"/v1/goals/{goal}").expect(204)
        assert me.goal(goal)["title"] == "mine" and other.goals() == []

    def test_has_versions_of_its_own(self, me: Client, other: Client) -> None:
        me.add_goal(), me.add_goal()
        assert other.version() == 0
        assert other.apply(edit("add", goal={"title": "x"})) == [1]
        assert [e["version"] for e in me.log()] == [1, 2, 3, 4]

    def test_sees_nothing_of_this_one(self, me: Client, other: Client) -> None:
        me.add_goal(title="Secret")
        for target in ("/v1/goals", "/v1/edits", "/v1/account"):
            assert b"Secret" not in other.get(target).expect(200).body
        assert other.goals() == [] and other.log() == []


class TestAToken:
    def add(self, server: Server, account: str, *options: str) -> dict[str, Any]:
        return server.run("token", "add", account, *options, "--json").expect(0).json()

    def test_to_read_reads_everything_and_writes_nothing(self, server: Server) -> None:
        account = server.account()
        writer = server.client(account["token"])
        goal = writer.add_goal(id=ID)
        writer.apply(edit("bump", id=ID, goal=goal))
        reader = server.client(self.add(server, account["id"], "--name", "r", "--scope", "read")["token"])
        version = writer.version()
        for method, target, body in OPERATIONS:
            response = reader.request(method, target, body)
            if method in ("GET", "HEAD") and target != "/v1/tokens":
                response.expect(200)
            else:
                response.expect(403, "forbidden")
        assert writer.version() == version

    def test_to_bump_bumps_its_goal_up_and_does_nothing_else(self, server: Server) -> None:
        account = server.account()
        writer = server.client(account["token"])
        goal, second = writer.add_goal(id=ID), writer.add_goal()
        token = self.add(server, account["id"], "--name", "b", "--scope", "bump", "--goal", goal)["token"]
        button = server.client(token)
        button.post(f"/v1/goals/{goal}/bump").expect(200)
        button.post(f"/v1/goals/{goal}/bump", {"by": 3}).expect(200)
        version = writer.version()
        button.post(f"/v1/goals/{goal}/bump", {"by": -1}).expect(403, "forbidden")
        button.post(f"/v1/goals/{second}/bump").expect(403, "forbidden")
        button.post(f"/v1/goals/{new_id()}/bump").expect(403, "forbidden")
        own = (f"/v1/goals/{goal}/bump", f"/v1/goals/{goal}", f"/v1/goals/{goal}/history.svg", "/v1/token")
        for method, target, body in OPERATIONS:
            if target not in own or method not in ("GET", "HEAD") and target != own[0]:
                button.request(method, target, body).expect(403)
        assert writer.version() == version

    def test_to_bump_reads_its_goal_its_picture_and_itself(self, server: Server) -> None:
        account = server.account()
        writer = server.client(account["token"])
        goal, second = writer.add_goal(frequency=3), writer.add_goal()
        button = server.client(self.add(server, account["id"], "--name", "b", "--scope", "bump", "--goal", goal)["token"])
        button.post(f"/v1/goals/{goal}/bump").expect(200)
        shown = button.get(f"/v1/goals/{goal.upper()}").expect(200)
        assert shown.json() == writer.goal(goal) and shown.json()["today"] in (0, 1), shown.shown()
        button.get(f"/v1/goals/{goal}", headers={"If-None-Match": shown.etag}).expect(304)
        assert button.get(f"/v1/goals/{goal}/history.svg").expect(200).body.startswith(b"<svg")
        refused = [button.get(f"/v1/goals/{id}{rest}").expect(403, "forbidden") for id in (second, new_id(), "x") for rest in ("", "/history.svg")]
        assert len({answer.body for answer in refused}) == 1
        for target in (f"/v1/goals/{goal}/history", "/v1/goals", "/v1/goals?active=true", "/v1/edits", "/v1/changes", "/v1/export"):
            button.get(target).expect(403, "forbidden")

    def test_says_what_it_may_do(self, server: Server) -> None:
        account = server.account()
        writer = server.client(account["token"])
        goal, until_then = writer.add_goal(), instant(time.time() + 3600)
        for scope, options in (("read", ()), ("write", ("--expires", until_then)), ("bump", ("--goal", goal))):
            added = self.add(server, account["id"], "--name", "Kitchen", "--scope", scope, *options)
            body = server.client(added["token"]).get("/v1/token").expect(200).json()
            assert body == {
                "id": added["id"], "name": "Kitchen", "scope": scope, "goal": goal if scope == "bump" else None,
                "expiresAt": until_then if scope == "write" else None, "account": account["id"],
            }  # fmt: skip

    def test_that_is_revoked_is_refused_within_a_second(self, server: Server) -> None:
        account = server.account()
        added = self.add(server, account["id"], "--name", "lost phone")
        phone, writer = server.client(added["token"]), server.client(account["token"])
        phone.add_goal()
        server.run("token", "revoke", added["id"]).expect(0)
        until(lambda: phone.get("/v1/goals").status == 401, "the revoked token is refused", 1)
        phone.post("/v1/goals", {"title": "x"}).expect(401, "unauthenticated")
        writer.get("/v1/goals").expect(200)

    def test_that_expires_is_refused_from_then_on(self, server: Server) -> None:
        account = server.account()
        expires = time.time() + 2
        added = self.add(server, account["id"], "--name", "guest", "--expires", instant(expires))
        guest = server.client(added["token"])
        first = guest.get("/v1/goals")
        assert first.status == 200 or time.time() > expires, first.shown()
        until(lambda: guest.get("/v1/goals").status == 401, "the expired token is refused", 5)
        assert time.time() >= expires - 0.05, "it expired too early"

    def test_of_a_removed_account_is_refused_within_a_second(self, server: Server, me: Client) -> None:
        account = server.account()
        gone = server.client(account["token"])
        gone.add_goal()
        server.run("account", "remove", account["id"], "--yes").expect(0)
        until(lambda: gone.get("/v1/goals").status == 401, "the removed account's token is refused", 1)
        gone.post("/v1/goals", {"title": "x"}).expect(401, "unauthenticated")
        me.get("/v1/goals").expect(200)

    def test_of_the_sign_in_link_is_a_bearer_token(self, server: Server) -> None:
        me = server.client()
        me.get("/v1/goals").expect(200)
        me.add_goal()


def test_a_cursor_of_another_account_tells_nothing(me: Client, other: Client) -> None:
    me.add_goal(), other.add_goal()
    cursor = me.get("/v1/goals").json()["cursor"]
    response = other.get(f"/v1/edits?after={quote(cursor)}").expect(410, "cursor-diverged")
    assert set(response.json()) <= {"type", "title", "status", "detail", "code", "instance"}, response.shown()


class TestTokensOverHTTP:
    """`GET` and `POST /v1/tokens`, `DELETE /v1/tokens/{id}`."""

    def make(self, client: Client, **token: Any) -> dict[str, Any]:
        return client.post("/v1/tokens", {"name": "phone", **token}).expect(201).json()

    def test_a_token_is_shown_once(self, server: Server, me: Client) -> None:
        made = self.make(me, name=" Ann's phone ", scope="read")
        assert set(made) == {"id", "name", "scope", "goal", "createdAt", "lastUsedAt", "expiresAt", "token"}
        assert (made["name"], made["scope"], made["goal"], made["expiresAt"]) == ("Ann's phone", "read", None, None)
        listed = me.get("/v1/tokens").expect(200)
        assert made["token"].encode() not in listed.body and b"goals_" not in listed.body
        assert [token["id"] for token in listed.json()["tokens"]][-1] == made["id"]
        server.client(made["token"]).get("/v1/goals").expect(200)
        last = me.get("/v1/tokens").json()["tokens"][-1]
        assert last["lastUsedAt"] is not None

    def test_it_names_the_device_of_its_edits(self, server: Server, me: Client) -> None:
        made = self.make(me, name="Kitchen")
        server.client(made["token"]).add_goal()
        assert {edit["device"] for edit in me.log()} == {"Kitchen"}

    def test_only_who_may_write_manages_them(self, server: Server, me: Client) -> None:
        goal = me.add_goal()
        for token in (self.make(me, scope="read"), self.make(me, scope="bump", goal=goal)):
            client = server.client(token["token"])
            client.get("/v1/tokens").expect(403, "forbidden")
            client.post("/v1/tokens", {"name": "x"}).expect(403, "forbidden")
            client.delete(f"/v1/tokens/{token['id']}").expect(403, "forbidden")
            assert client.request("HEAD", "/v1/tokens").status == 403

    def test_a_revoked_one_is_refused_at_once_on_the_same_connection(self, server: Server, me: Client) -> None:
        made = self.make(me)
        phone = server.client(made["token"])
        phone.add_goal()
        me.delete(f"/v1/tokens/{made['id'].upper()}").expect(204)
        phone.get("/v1/goals").expect(401, "unauthenticated")
        phone.post("/v1/goals", {"title": "x"}).expect(401, "unauthenticated")
        me.delete(f"/v1/tokens/{made['id']}").expect(404, "not-found")
        me.get("/v1/goals").expect(200)

    def test_it_may_revoke_itself(self, server: Server, me: Client) -> None:
        made = self.make(me)
        phone = server.client(made["token"])
        phone.delete(f"/v1/tokens/{made['id']}").expect(204)
        phone.delete(f"/v1/tokens/{made['id']}").expect(401)

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

    def test_another_account_learns_nothing(self, server: Server, me: Client, other: Client) -> None:
        made = self.make(me)
        theirs = other.delete(f"/v1/tokens/{made['id']}").expect(404, "not-found")
        nobodys = other.delete(f"/v1/tokens/{new_id()}").expect(404, "not-found")
        assert theirs.body == nobodys.body
        assert made["id"].encode() not in other.get("/v1/tokens").expect(200).body
        goal = me.add_goal()
        refused = [
            other.post("/v1/tokens", {"name": "x", "scope": "bump", "goal": id}).expect(422).json()["errors"][0]["pointer"]
            for id in (goal, new_id())
        ]
        assert refused == ["/goal", "/goal"]
        server.client(made["token"]).get("/v1/goals").expect(200)

    def test_every_fault_is_told(self, me: Client) -> None:
        body = {"name": "\x00", "scope": "all", "goal": 1, "expiresAt": "2020-01-01T00:00:00Z", "more": 1}
        refused = me.post("/v1/tokens", body).expect(422, "invalid")
        assert refused.pointers == {"/name", "/scope", "/goal", "/expiresAt", "/more"}

    def test_it_expires(self, server: Server, me: Client) -> None:
        expires = time.time() + 1.5
        made = self.make(me, expiresAt=instant(expires))
        guest = server.client(made["token"])
        assert guest.get("/v1/goals").status == 200 or time.time() > expires
        until(lambda: guest.get("/v1/goals").status == 401, "the expired token is refused", 5)
        assert time.time() >= expires - 0.05
        assert made["id"] in [token["id"] for token in me.get("/v1/tokens").json()["tokens"]]
