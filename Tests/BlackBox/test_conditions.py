"""Conditional requests, RFC 9110 §13, and the files of the binary: their validators and their codings."""

from __future__ import annotations

import gzip

import pytest

from goals_client import Client, new_id

FILES = ["/", "/docs", "/openapi.yaml"]


class TestAWrite:
    def test_that_wants_nothing_there_makes_a_goal_and_never_replaces_one(self, me: Client) -> None:
        """§13.1.2: "If the field value is "*", the condition is false if the origin server has a current
        representation for the target resource." """
        id, key = new_id(), new_id()
        fields = {"If-None-Match": "*", "Idempotency-Key": key}
        me.put(f"/v1/goals/{id}", {"title": "first"}, headers=fields).expect(201)
        before = me.get("/v1/goals").expect(200)
        for title in ("second", "first"):
            response = me.put(f"/v1/goals/{id}", {"title": title}, headers={"If-None-Match": "*"})
            assert response.expect(412, "version-mismatch").etag == before.etag
        assert me.get("/v1/goals").json() == before.json()
        # Sent again, it is the same request.
        me.put(f"/v1/goals/{id}", {"title": "first"}, headers=fields).expect(201)
        me.post("/v1/goals", {"title": "another"}, headers={"If-None-Match": "*"}).expect(201)

    def test_that_wants_something_there_makes_nothing(self, me: Client) -> None:
        """§13.1.1: "If the field value is "*", the condition is false if the origin server does not have a current
        representation for the target resource." """
        id = new_id()
        me.put(f"/v1/goals/{id}", {"title": "x"}, headers={"If-Match": "*"}).expect(412, "version-mismatch")
        assert me.version() == 0
        # §13.2.1: "A server MUST ignore all received preconditions if its response to the same request without those
        # conditions […] would have been a status code other than a 2xx (Successful) or 412 (Precondition Failed)."
        me.delete(f"/v1/goals/{id}", headers={"If-Match": "*"}).expect(404, "unknown-goal")
        me.patch(f"/v1/goals/{id}", {"title": "x"}, headers={"If-None-Match": "*"}).expect(404, "unknown-goal")
        me.put(f"/v1/goals/{id}", {"title": "x"}).expect(201)
        me.put(f"/v1/goals/{id}", {"title": "y"}, headers={"If-Match": "*"}).expect(200)

    @pytest.mark.parametrize("form", ["{0}", "W/{0}", '"x", {0}'])
    def test_with_a_tag_that_must_not_hold_and_does_is_stopped(self, me: Client, form: str) -> None:
        goal = me.add_goal()
        version = me.version()
        tag = me.get("/v1/goals").etag
        fields = {"If-None-Match": form.format(tag)}
        for method, target, body in [
            ("PUT", f"/v1/goals/{goal}", {"title": "x"}),
            ("PATCH", f"/v1/goals/{goal}", {"title": "x"}),
            ("POST", f"/v1/goals/{goal}/bump", None),
            ("PUT", "/v1/activity", {"activity": {goal: False}}),
            ("PATCH", "/v1/account", {"weekStart": "sunday"}),
            ("DELETE", f"/v1/goals/{goal}", None),
        ]:
            response = me.request(method, target, body, headers=fields).expect(412, "version-mismatch")
            assert response.etag == tag
        assert me.version() == version
        me.post(f"/v1/goals/{goal}/bump").expect(200)
        me.post(f"/v1/goals/{goal}/bump", headers=fields).expect(200)

    def test_of_a_batch_says_the_version_instead(self, me: Client) -> None:
        for target in ("/v1/edits", "/v1/sync"):
            for name in ("If-Match", "If-None-Match"):
                body = {"edits": [], "after": None} if target == "/v1/sync" else {"edits": []}
                response = me.post(target, body, headers={name: "*"}).expect(422, "invalid")
                assert f"/{name}" in response.pointers


class TestARead:
    def test_holds_to_its_conditions(self, me: Client) -> None:
        goal = me.add_goal()
        for target in ["/v1/goals", f"/v1/goals/{goal}", f"/v1/goals/{goal}/history", "/v1/export.csv", *FILES]:
            plain = me.get(target).expect(200)
            tag = plain.etag
            for fields, status in [
                ({"If-Match": tag}, 200),
                ({"If-Match": f'"x", {tag}'}, 200),
                ({"If-Match": "*"}, 200),
                ({"If-Match": f"W/{tag}"}, 412),
                ({"If-Match": '"x"'}, 412),
                ({"If-None-Match": tag}, 304),
                ({"If-None-Match": f'"x", W/{tag}'}, 304),
                ({"If-None-Match": "*"}, 304),
                ({"If-None-Match": '"x"'}, 200),
                ({"If-Match": '"x"', "If-None-Match": tag}, 412),
                ({"If-Match": tag, "If-None-Match": tag}, 304),
            ]:
                response = me.get(target, headers=fields)
                assert response.status == status, f"{target} {fields}{response.shown()}"
                assert response.etag == tag
                assert me.head(target, headers=fields).status == status


class TestAFile:
    @pytest.mark.parametrize("target", FILES)
    def test_is_compressed_for_who_takes_that(self, anyone: Client, target: str) -> None:
        plain = anyone.get(target).expect(200)
        assert plain.header("Content-Encoding") is None
        for accept, coding in [
            ("gzip", "gzip"),
            ("gzip, deflate, br, zstd", "gzip"),
            ("*", "gzip"),
            ("x-gzip;q=0.5", "gzip"),
            ("identity", None),
            ("br", None),
            ("gzip;q=0", None),
            ("*;q=0", None),
            ("gzip;q=0.2, identity;q=0.7", None),
            ("", None),
        ]:
            response = anyone.get(target, headers={"Accept-Encoding": accept}).expect(200)
            assert response.header("Content-Encoding") == coding, f"{accept}{response.shown()}"
            assert response.all("Vary") == ["Accept-Encoding"]
            assert response.header("Cache-Control") == "no-cache"
            body = gzip.decompress(response.body) if coding else response.body
            assert body == plain.body
            assert (response.etag == plain.etag) == (coding is None)
            head = anyone.head(target, headers={"Accept-Encoding": accept}).expect(200)
            assert head.header("Content-Length") == str(len(response.body))

    @pytest.mark.parametrize("target", FILES)
    def test_is_not_sent_twice(self, anyone: Client, target: str) -> None:
        tags = {}
        for accept in ("gzip", "identity"):
            tags[accept] = anyone.get(target, headers={"Accept-Encoding": accept}).expect(200).etag
        for accept, tag in tags.items():
            for known in tags.values():
                fields = {"Accept-Encoding": accept, "If-None-Match": known}
                response = anyone.get(target, headers=fields).expect(304 if known == tag else 200)
                assert response.etag == tag
                assert response.all("Vary") == ["Accept-Encoding"]
                assert response.header("Cache-Control") == "no-cache"
