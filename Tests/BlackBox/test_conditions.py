"""Conditional requests of a stream, RFC 9110 §13, and the files of the binary: their validators and codings."""

from __future__ import annotations

import gzip

import brotli
import pytest

from goals_client import Client
from goals_server import EVERY_STORE

STORES = EVERY_STORE

# What reads the content of each coding.
CODINGS = {None: bytes, "gzip": gzip.decompress, "br": brotli.decompress}
FILES = ["/", "/docs", "/openapi.yaml"]


class TestARead:
    def test_of_a_stream_holds_to_its_conditions(self, me: Client) -> None:
        me.add_goal()
        for target in ["/v1/export.csv"]:
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
            ("gzip, deflate, br, zstd", "br"),
            ("*", "br"),
            ("x-gzip;q=0.5", "gzip"),
            ("br;q=0.5, gzip", "gzip"),
            ("identity", None),
            ("br", "br"),
            ("gzip;q=0", None),
            ("*;q=0", None),
            ("gzip;q=0.2, identity;q=0.7", None),
            ("", None),
        ]:
            response = anyone.get(target, headers={"Accept-Encoding": accept}).expect(200)
            assert response.header("Content-Encoding") == coding, f"{accept}{response.shown()}"
            assert response.all("Vary") == ["Accept-Encoding"]
            assert response.header("Cache-Control") == "no-cache"
            assert CODINGS[coding](response.body) == plain.body
            assert (response.etag == plain.etag) == (coding is None)
            head = anyone.head(target, headers={"Accept-Encoding": accept}).expect(200)
            assert head.header("Content-Length") == str(len(response.body))

    @pytest.mark.parametrize("target", FILES)
    def test_is_not_sent_twice(self, anyone: Client, target: str) -> None:
        tags = {}
        for accept in ("br", "gzip", "identity"):
            tags[accept] = anyone.get(target, headers={"Accept-Encoding": accept}).expect(200).etag
        for accept, tag in tags.items():
            for known in tags.values():
                fields = {"Accept-Encoding": accept, "If-None-Match": known}
                response = anyone.get(target, headers=fields).expect(304 if known == tag else 200)
                assert response.etag == tag
                assert response.all("Vary") == ["Accept-Encoding"]
                assert response.header("Cache-Control") == "no-cache"
