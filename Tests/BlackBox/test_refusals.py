"""A client that asks wrongly: what is refused, how, and that nothing came of it."""

from __future__ import annotations

from typing import Any

import pytest

from goals_client import Client, new_id, quote

ID = "0199a4c0-0000-7000-8000-00000000000a"


class TestABodyThatIsNoJSON:
    @pytest.mark.parametrize(
        "body",
        [
            b"", b" ", b"{", b"}", b"nonsense", b"{'title':'x'}", b'{"title":"x",}', b'{"title":"x"}}', b'{"title":"x"} x',
            b'{"title" "x"}', b'{title:"x"}', b"[1,]", b'["",]', b'{"title":"x","frequency":01}', b'{"title":"x","frequency":+1}',
            b'{"title":"x","frequency":.5}', b'{"title":"x","frequency":1.}', b'{"title":"x","frequency":1e}',
            b'{"title":"x","frequency":-}', b'{"title":"x","frequency":NaN}', b'{"title":"x","frequency":Infinity}',
            b'{"title":"x","frequency":0x1}', b'{"title":"a\nb"}', b'{"title":"a\tb"}', b'{"title":"a\x00b"}', b'{"title":"\\x41"}',
            b'{"title":"\\u12"}', b'{"title":"\\u12g4"}', b'{"title":"x', b'{"title":tru}', b'{"title":True}', b"// x\n{}",
            b'{"title":"\xff"}', b'{"title":"\xc0\xaf"}', b'{"title":"\xed\xa0\x80"}', b'{"title":"\xf4\x90\x80\x80"}', b'{"title":"\xe2\x82"}',
            b"[" * 70 + b"]" * 70, b"[" * 100_000, b'{"a":' * 100_000, b"[" * 100_000 + b"]" * 100_000,
        ],
        ids=lambda body: repr(body[:40]),
    )  # fmt: skip
    def test_is_malformed_json(self, me: Client, body: bytes) -> None:
        for method, target in (("POST", "/v1/goals"), ("POST", "/v1/edits"), ("PATCH", f"/v1/goals/{ID}")):
            me.request(method, target, body).expect(400, "malformed-json")
        assert me.version() == 0

    @pytest.mark.parametrize("body", [b'{"title":"\\ud800"}', b'{"title":"\\udc00\\ud800"}', b'\xef\xbb\xbf{"title":"x"}'])
    def test_but_nearly_is_refused_too(self, me: Client, body: bytes) -> None:
        me.post("/v1/goals", body).expect((400, 422))
        assert me.version() == 0

    def test_however_deep_within_the_limit_is_json(self, me: Client) -> None:
        response = me.post("/v1/goals", b'{"title":"x","deep":' + b"[" * 60 + b"]" * 60 + b"}").expect(422, "invalid")
        assert response.pointers == {"/deep"}, response.shown()

    @pytest.mark.parametrize(
        "body, title",
        [
            (b' \t\r\n{ "title" : "x" }\n', "x"),
            (b'{"title":"\\u0041\\u00e9\\ud83d\\ude00\\/\\"\\\\"}', 'Aé😀/"\\'),
            (b'{"\\u0074itle":"x"}', "x"),
            ('{"title":"é😀"}'.encode(), "é😀"),
        ],
    )
    def test_and_everything_that_is_json_is_read(self, me: Client, body: bytes, title: str) -> None:
        response = me.post("/v1/goals", body).expect(201)
        assert response.json()["title"] == title, response.shown()


class TestAMediaType:
    WRITES = [
        ("POST", "/v1/goals", {"title": "x"}),
        ("PUT", f"/v1/goals/{ID}", {"title": "x"}),
        ("PATCH", f"/v1/goals/{ID}", {"title": "x"}),
        ("POST", f"/v1/goals/{ID}/bump", {"by": 2}),
        ("POST", f"/v1/goals/{ID}/skip", {"at": "2026-11-01T00:00:00Z"}),
        ("POST", f"/v1/goals/{ID}/move", {"before": None}),
        ("PUT", "/v1/activity", {"activity": {}}),
        ("POST", f"/v1/edits/{ID}/undo", {"at": "2026-11-01T00:00:00Z"}),
        ("PATCH", "/v1/account", {"weekStart": "sunday"}),
        ("POST", "/v1/edits", {"edits": [{"id": ID, "type": "add", "goal": {"title": "x"}}]}),
    ]

    @pytest.mark.parametrize("method, target, body", WRITES)
    @pytest.mark.parametrize(
        "kind",
        [
            None,
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/jsonx",
            "application/xml",
            "json",
            "application/x-ndjson",
            "application/json; charset=utf-16",
            'application/json; charset="latin1"',
        ],
    )
    def test_other_than_json_is_unsupported(self, me: Client, method: str, target: str, body: Any, kind: str | None) -> None:
        me.request(method, target, body, content_type=kind).expect(415, "unsupported-media-type")
        assert me.version() == 0

    @pytest.mark.parametrize("method, target, body", WRITES)
    def test_of_a_body_that_is_encoded_is_unsupported(self, me: Client, method: str, target: str, body: Any) -> None:
        """RFC 9110 15.5.16: it is told apart from a wrong type, and what would be accepted is said."""
        response = me.request(method, target, body, headers={"Content-Encoding": "gzip"}).expect(415, "unsupported-media-type")
        assert "Content-Encoding" in response.json()["detail"], response.shown()
        assert response.header("Accept-Encoding") == "identity", response.shown()
        me.request(method, target, body, content_type="text/plain").expect(415)
        assert me.version() == 0

    @pytest.mark.parametrize("method, target, body", WRITES)
    def test_of_a_part_is_refused_with_put(self, me: Client, method: str, target: str, body: Any) -> None:
        """RFC 9110 14.5 wants 400 of a server without partial PUT; with other methods the field says nothing."""
        response = me.request(method, target, body, headers={"Content-Range": "bytes 0-1/9"})
        if method == "PUT":
            response.expect(400, "malformed-request")
            assert me.version() == 0
        else:
            assert response.status != 400, response.shown()

    @pytest.mark.parametrize("method, target, body", [write for write in WRITES if write[0] != "PATCH"])
    def test_merge_patch_is_for_patch_only(self, me: Client, method: str, target: str, body: Any) -> None:
        me.request(method, target, body, content_type="application/merge-patch+json").expect(415, "unsupported-media-type")

    @pytest.mark.parametrize("kind", ["application/json", "application/json;charset=utf-8", "Application/JSON; charset=UTF-8", 'application/json; a=b; Charset="utf-8"'])
    def test_json_is_taken_in_any_case_with_parameters(self, me: Client, kind: str) -> None:
        me.post("/v1/goals", {"title": "x"}, content_type=kind).expect(201)


class TestAPath:
    @pytest.mark.parametrize(
        "target",
        ["/v1", "/v1/", "/v1/nothing", "/v1/goal", "/v1/goals/", "/v1/Goals", "/V1/goals", "/v2/goals", f"/v1/goals/{ID}/nothing",
         f"/v1/goals/{ID}/bump/x", "/v1/edits/", "/healthz/", "/nothing", "/v1//goals", "/openapi.json", "/.git/config"],
    )  # fmt: skip
    def test_that_leads_nowhere_is_not_found(self, me: Client, target: str) -> None:
        codes = {"/v1/goals/": "unknown-goal", "/v1/edits/": "unknown-edit"}
        me.get(target).expect(404, ("not-found", codes.get(target, "not-found")))

    @pytest.mark.parametrize(
        "target, allowed",
        [
            ("/v1/goals", "GET HEAD POST"),
            (f"/v1/goals/{ID}", "GET HEAD PUT PATCH DELETE"),
            (f"/v1/goals/{ID}/bump", "POST"),
            (f"/v1/goals/{ID}/skip", "POST"),
            (f"/v1/goals/{ID}/move", "POST"),
            ("/v1/activity", "PUT"),
            ("/v1/edits", "GET HEAD POST"),
            (f"/v1/edits/{ID}", "GET HEAD"),
            (f"/v1/edits/{ID}/undo", "POST"),
            ("/v1/account", "GET HEAD PATCH"),
            ("/", "GET HEAD"),
            ("/healthz", "GET HEAD"),
            ("/readyz", "GET HEAD"),
            ("/openapi.yaml", "GET HEAD"),
        ],
    )
    def test_answers_405_with_exactly_what_it_allows(self, me: Client, target: str, allowed: str) -> None:
        methods = set(allowed.split())
        for method in {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} - methods:
            response = me.request(method, target).expect(405)
            if method != "HEAD":
                response.expect(405, "method-not-allowed")
            allow = [name.strip() for name in (response.header("Allow") or "").split(",")]
            assert len(set(allow)) == len(allow), response.shown()
            assert set(allow) - {"OPTIONS"} == methods, response.shown()

    def test_is_decoded_before_it_is_matched(self, me: Client) -> None:
        me.get("/v1/g%6Fals").expect(200)
        me.get("/%76%31/goals").expect(200)
        me.get("/v1/g%256Fals").expect(404, "not-found")

    def test_with_dot_segments_is_resolved_before_any_decision(self, me: Client, anyone: Client) -> None:
        me.get("/v1/./goals").expect(200)
        me.get("/v1/x/../goals").expect(200)
        me.get("/v1/%2e%2E/v1/goals").expect(200)
        anyone.get("/healthz/../v1/goals").expect(401, "unauthenticated")
        anyone.get("/healthz/%2e%2e/v1/goals").expect(401, "unauthenticated")
        anyone.get("/v1/../healthz").expect(200)
        me.get("/../../../../etc/passwd").expect(404, "not-found")
        me.get("/openapi.yaml/../../etc/passwd").expect(404, "not-found")


class TestAQuery:
    @pytest.mark.parametrize(
        "method, target, body",
        [
            ("GET", "/v1/goals", None),
            ("GET", f"/v1/goals/{ID}", None),
            ("GET", "/v1/edits", None),
            ("GET", f"/v1/edits/{ID}", None),
            ("GET", "/v1/account", None),
            ("POST", "/v1/goals", {"title": "x"}),
            ("PUT", f"/v1/goals/{new_id()}", {"title": "x"}),
            ("PATCH", f"/v1/goals/{ID}", {"title": "x"}),
            ("DELETE", f"/v1/goals/{ID}", None),
            ("POST", f"/v1/goals/{ID}/bump", None),
            ("POST", f"/v1/goals/{ID}/skip", None),
            ("POST", f"/v1/goals/{ID}/move", {"before": None}),
            ("PUT", "/v1/activity", {"activity": {}}),
            ("POST", f"/v1/edits/{ID}/undo", None),
            ("PATCH", "/v1/account", {"weekStart": "sunday"}),
            ("GET", "/", None),
        ],
    )
    def test_with_an_unknown_parameter_is_refused_everywhere(self, me: Client, method: str, target: str, body: Any) -> None:
        goal = me.add_goal(id=ID)
        me.apply({"id": ID, "type": "bump", "goal": goal})
        version = me.version()
        response = me.request(method, f"{target}?surprise=1", body).expect(422, "invalid")
        assert any("surprise" in pointer for pointer in response.pointers), response.shown()
        assert me.version() == version


class TestAProblem:
    def test_never_shows_what_is_inside(self, me: Client) -> None:
        """`check_problem` looks at every problem; here are those most likely to leak."""
        for text in ("'; DROP TABLE edits; --", "%s%n", "\\u0000", "../../x", "\u202e", "x" * 5000):
            me.get(f"/v1/goals?active={quote(text)}").expect(422, "invalid")
            me.get(f"/v1/edits?after={quote(text)}").expect(422, "invalid")
            # An encoded slash or backslash in a path is refused before it is looked at.
            hidden = "%2F" in quote(text) or "%5C" in quote(text)
            me.get(f"/v1/edits/{quote(text)}").expect(400 if hidden else 404, "malformed-request" if hidden else "unknown-edit")
            me.post("/v1/goals", {"title": "x", text: 1}).expect(422, "invalid")
            me.post("/v1/goals", {"title": "x", "colour": text}).expect(422, "invalid")

    def test_tells_a_person_what_is_wrong(self, me: Client) -> None:
        response = me.post("/v1/goals", {"title": ""}).expect(422, "invalid")
        body = response.json()
        assert body["title"].strip() and body["detail"].strip() and body["errors"][0]["detail"].strip(), response.shown()
