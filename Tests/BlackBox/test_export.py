"""History in and out: export, import, the table and the picture, over HTTP and on the command line."""

from __future__ import annotations

import csv
import io
import random
import uuid
import xml.etree.ElementTree
from pathlib import Path
from typing import Any

import pytest

from batch_rig import processor_time
from goals_client import Client, Response, build, edit, new_id
from goals_server import UNLIMITED, Server
from tier import EVERY_STORE, THOROUGH

STORES = EVERY_STORE

LINES = "application/x-ndjson"
SVG = "{http://www.w3.org/2000/svg}"


def take(client: Client, export: bytes) -> Response:
    return client.exchange("POST", build("POST", "/v1/import", token=client.token, body=export, content_type=LINES))


def live(client: Client, seed: int = 1) -> list[str]:
    """A history of every type of edit. Answers the goals that are left."""
    dice = random.Random(seed)
    client.patch("/v1/account", {"timeZone": "America/New_York", "weekStart": "sunday"}).expect(200)
    goals = [str(uuid.UUID(int=dice.getrandbits(128))) for _ in range(5)]
    edits: list[dict[str, Any]] = []
    for place, goal in enumerate(goals):
        interval = ["daily", "weekly", "monthly"][place % 3]
        made = {"id": goal, "title": f"Goal {place}", "interval": interval, "frequency": 1 + place}
        edits.append({"type": "add", "goal": made, "at": "2026-01-02T12:00:00Z"})
        edits.append({"type": "setActivity", "activity": {goal: True}, "at": "2026-01-02T12:00:00Z"})
    for number in range(300):
        goal = dice.choice(goals)
        at = f"2026-{dice.randint(1, 10):02d}-{dice.randint(1, 28):02d}T12:00:00Z"
        edits.append(
            dice.choice(
                [
                    {"type": "bump", "goal": goal, "by": dice.randint(1, 9), "at": at},
                    {"type": "bump", "goal": goal, "note": f"<note> {number} \u20ac", "at": at},
                    {"type": "skip", "goal": goal, "at": at},
                    {"type": "alter", "goal": goal, "changes": {"title": f"Renamed {number}"}},
                    {"type": "move", "goal": goal, "before": dice.choice([*goals, None])},
                    {"type": "undo", "edit": dice.choice(edits)["id"] if number else str(uuid.uuid4())},
                ]
            )
        )
        for each in edits:
            each.setdefault("id", str(uuid.UUID(int=dice.getrandbits(128))))
    edits.append({"id": str(uuid.uuid4()), "type": "delete", "goal": goals[4]})
    client.post("/v1/edits", {"edits": edits}).expect(200)
    return [goal["id"] for goal in client.goals()]


def test_an_imported_account_reads_like_the_original(server: Server, me: Client, other: Client) -> None:
    goals = live(me)
    export = me.get("/v1/export").expect(200)
    assert export.media_type == LINES
    answer = take(other, export.body).expect(201).json()
    version = me.version()
    assert answer == {"version": version, "cursor": me.get("/v1/goals").json()["cursor"]}
    paths = ["/v1/goals", f"/v1/goals?version={version // 2}", "/v1/edits?limit=1000", "/v1/export", "/v1/export.csv"]
    for path in paths + [f"/v1/goals/{goal}/{kind}" for goal in goals for kind in ("history", "history.svg")]:
        mine, theirs = me.get(path).expect(200), other.get(path).expect(200)
        assert mine.body == theirs.body, path
        assert mine.header("ETag") == theirs.header("ETag"), path
    # What was a cursor there is one here, and the same goes on from it.
    cursor = me.get("/v1/edits?limit=9").json()["cursor"]
    after = f"/v1/edits?after={cursor}"
    assert me.get(after).json() == other.get(after).json()
    server.run("verify").expect(0)


@THOROUGH
def test_a_body_of_many_megabytes_is_taken_in_and_one_of_more_is_not(tmp_path: Path) -> None:
    with Server(tmp_path, "--max-import", "20000000").start() as server:
        client, other = server.new_client(), server.new_client()
        goal = str(uuid.uuid4())
        client.put(f"/v1/goals/{goal}", {"title": "Goal"}).expect(201)
        client.patch(f"/v1/goals/{goal}", {"active": True}).expect(200)
        for _ in range(10):
            note = "n" * 500
            bumps = [{"id": str(uuid.uuid4()), "type": "bump", "goal": goal, "note": note} for _ in range(1000)]
            client.post("/v1/edits", {"edits": bumps}).expect(200)
        export = client.get("/v1/export").expect(200).body
        assert 5_000_000 < len(export) < 20_000_000
        take(other, export).expect(201)
        assert other.get("/v1/export").expect(200).body == export
        take(server.new_client(), export * 4).expect(413, "body-too-large")
        server.run("verify").expect(0)


def test_the_command_line_exports_beside_a_server_and_imports_without(tmp_path: Path) -> None:
    with Server(tmp_path).start() as server:
        account = server.account("Ann")
        client = server.client(account["token"])
        live(client)
        export = client.get("/v1/export").expect(200).body
        csv_before = client.get("/v1/export.csv").expect(200).body
        assert server.run("export", "Ann").expect(0).out.encode() == export
        (tmp_path / "ann.ndjson").write_bytes(export)
        second = server.account("Second")
        refused = server.run("import", "Second", str(tmp_path / "ann.ndjson")).expect(1)
        assert "stop the server" in refused.err and refused.out == ""
        assert server.run("export", "Nobody").expect(1).out == ""
    assert server.run("export", "Ann").expect(0).out.encode() == export
    server.run("export").expect(64)
    imported = server.run("import", "Second", str(tmp_path / "ann.ndjson"), "--json").expect(0).json()
    assert imported["name"] == "Second" and imported["version"] == len(export.splitlines()) - 2
    again = server.run("import", "Second", str(tmp_path / "ann.ndjson")).expect(1)
    assert "already" in again.err and again.out == ""
    assert "no such file" in server.run("import", "Second", "/nowhere/x").expect(1).err.lower()
    (tmp_path / "bad").write_bytes(export.replace(b"Goal 1", b"Gaol 1"))
    server.run("account", "add", "Third").expect(0)
    lines = len(export.splitlines())
    assert f"Line {lines}:" in server.run("import", "Third", str(tmp_path / "bad")).expect(1).err
    server.run("verify").expect(0)
    with server.start():
        copy = server.client(second["token"])
        assert copy.get("/v1/export.csv").expect(200).body == csv_before


def test_the_table_is_the_counts_of_the_histories(me: Client) -> None:
    goals = live(me)
    answer = me.get("/v1/export.csv").expect(200)
    rows = list(csv.DictReader(io.StringIO(answer.body.decode(), newline="")))
    assert [row["date"] for row in rows] == sorted(row["date"] for row in rows)
    for goal in goals:
        history = me.get(f"/v1/goals/{goal}/history?from=2026-01-01&to=2027-01-01").expect(200).json()
        counted = [(row["date"], int(row["count"])) for row in rows if row["goal"] == goal]
        assert counted == [(day["date"], day["count"]) for day in history["days"]]
    assert not answer.body.replace(b"\r\n", b"").count(b"\n")


def test_a_table_that_its_reader_has_costs_no_work_that_grows_with_the_goals(tmp_path: Path) -> None:
    """It was begun on the thread that serves everybody, and one token held up all others with answers of 304."""
    with Server(tmp_path, *UNLIMITED).start() as server:
        few, many = server.new_client(), server.new_client()

        def cost(client: Client, goals: int) -> float:
            new = ({"id": new_id(), "title": "t" * 200, "colour": "blue", "interval": "daily", "frequency": 1} for _ in range(goals))
            client.apply(*(edit("add", goal=goal) for goal in new))
            tag = client.get("/v1/export.csv").expect(200).etag
            before = processor_time(server)
            for _ in range(200):
                client.get("/v1/export.csv", headers={"If-None-Match": tag}).expect(304)
            return processor_time(server) - before

        # A tick of the clock by which processors are charged is 10 ms.
        assert cost(many, 1000) < 5 * cost(few, 1) + 100


@pytest.mark.parametrize("title", ["<b>&'\"", "]]>", "\ufffe", "\u202eright", "=1+1", "x" * 200])
def test_the_picture_is_well_formed_xml(me: Client, title: str) -> None:
    goal = str(uuid.uuid4())
    me.put(f"/v1/goals/{goal}", {"title": title, "unit": "<&>"}).expect(201)
    picture = me.get(f"/v1/goals/{goal}/history.svg").expect(200)
    assert picture.media_type == "image/svg+xml"
    root = xml.etree.ElementTree.fromstring(picture.body)
    assert root.tag == f"{SVG}svg" and root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == title.replace("\ufffe", "\ufffd")
    labels = root.attrib["aria-labelledby"].split()
    assert labels == [child.get("id") for name in ("title", "desc") for child in root.findall(f"{SVG}{name}")]
    assert len(picture.body) < 60_000
