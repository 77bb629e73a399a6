"""Makes a folder, named for a version: `make.py 0.2.0`. It never changes one that is there."""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "BlackBox"))

from goals_client import Client, Response, edit, instant, new_id  # noqa: E402
from goals_server import UNLIMITED, Server  # noqa: E402

STATIC = ("id", "title", "colour", "interval", "frequency", "unit", "active")


def told(client: Client) -> dict[str, Any]:
    """What an account tells that does not depend on the day on which it is asked."""
    log, cursors, after = [], {}, ""
    while True:
        page = client.get(f"/v1/edits?limit=5{after}").expect(200).json()
        log += page["edits"]
        cursors[str(len(log))] = page["cursor"]
        if not page["more"]:
            break
        after = f"&after={page['cursor']}"
    lists: dict[str, Any] = {}  # by the version from which on it is so
    shown: Any = None
    for version in range(len(log) + 1):
        goals = client.get(f"/v1/goals?version={version}").expect(200).json()["goals"]
        before, shown = shown, [{name: goal[name] for name in STATIC} for goal in goals]
        if shown != before:
            lists[str(version)] = shown
    histories = {}
    for goal in shown:
        history = client.get(f"/v1/goals/{goal['id']}/history?from=2026-09-01&to=2026-11-01").expect(200).json()
        histories[goal["id"]] = {name: history[name] for name in ("days", "periods", "total", "completionRate")}
    account = client.get("/v1/account").expect(200).json()
    return {"account": account, "log": log, "cursors": cursors, "lists": lists, "histories": histories}


def fill(client: Client) -> str:
    """Edits of all ten types, from September to October 2026. Answers a goal that is listed."""
    yoga, run, read, old, lost = (new_id() for _ in range(5))

    def do(kind: str, at: str, **fields: Any) -> str:
        change = edit(kind, at=at, **fields)
        outcome = client.outcomes(change)[0]
        assert outcome["status"] == "applied", outcome
        return change["id"]

    do("configure", "2026-09-01T08:00:00Z", weekStart="sunday", dayStart="03:00")
    do("add", "2026-09-01T09:00:00Z", goal={"id": old, "title": "Ex‑goal 🏺", "colour": "red"})
    do("add", "2026-09-01T09:00:01Z", goal={"id": lost, "title": "Lost and found", "interval": "weekly"})
    do("add", "2026-09-01T09:00:02Z", goal={"id": read, "title": "読む", "colour": "#123abc", "unit": "頁", "frequency": 20})
    do("add", "2026-09-01T09:00:03Z", goal={"id": run, "title": "Run", "interval": "weekly", "frequency": 3, "unit": "km"})
    do("add", "2026-09-01T09:00:04Z", goal={"id": yoga, "title": "Yoga", "interval": "monthly", "frequency": 5})
    do("setActivity", "2026-09-01T10:00:00Z", activity={yoga: True, run: True, read: True, lost: True, old: True})
    for day in (3, 4, 5, 11, 12, 13, 20, 27, 28, 29):
        do("bump", f"2026-09-{day:02}T17:30:00Z", goal=run, by=day % 3 + 1)
    note = do("bump", "2026-09-06T01:15:00+02:00", goal=yoga, note="with Ana, \"late\"\n🧘")
    wrong = do("bump", "2026-09-07T12:00:00Z", goal=yoga, by=2, note="taken back")
    undone = do("undo", "2026-09-07T12:01:00Z", edit=wrong)
    redone = do("undo", "2026-09-07T12:02:00Z", edit=undone)
    do("undo", "2026-09-07T12:03:00Z", edit=redone)
    do("bump", "2026-09-08T12:00:00Z", goal=read, by=25)
    do("bump", "2026-09-08T13:00:00Z", goal=read, by=-3)
    do("skip", "2026-09-16T12:00:00Z", goal=run)
    excused = do("skip", "2026-09-09T12:00:00Z", goal=read)
    do("undo", "2026-09-09T12:05:00Z", edit=excused)
    do("alter", "2026-10-01T06:00:00Z", goal=run, changes={"frequency": 4, "colour": "blue"})
    altered = do("alter", "2026-10-01T06:01:00Z", goal=yoga, changes={"title": "Yin yoga", "unit": "×"})
    do("undo", "2026-10-01T06:02:00Z", edit=altered)
    do("update", "2026-10-02T06:00:00Z", goal={"id": read, "title": "Read", "interval": "weekly", "frequency": 100, "unit": "pages"})
    moved = do("move", "2026-10-03T06:00:00Z", goal=yoga, before=None)
    do("move", "2026-10-03T06:00:01Z", goal=read, before=run)
    do("undo", "2026-10-03T06:00:02Z", edit=moved)
    do("delete", "2026-10-04T06:00:00Z", goal=old)
    deleted = do("delete", "2026-10-04T06:00:01Z", goal=lost)
    do("undo", "2026-10-05T06:00:00Z", edit=deleted)
    off = do("setActivity", "2026-10-06T06:00:00Z", activity={lost: False, yoga: False})
    do("undo", "2026-10-08T06:00:00Z", edit=off)
    do("setActivity", "2026-10-09T06:00:00Z", activity={lost: False})
    zone = do("configure", "2026-10-10T06:00:00Z", timeZone="Pacific/Auckland")
    do("bump", "2026-10-10T20:00:00Z", goal=run, by=5)
    do("undo", "2026-10-11T06:00:00Z", edit=zone)
    do("bump", "2026-09-15T12:00:00Z", goal=yoga, note="of a late device")
    do("undo", "2026-10-12T06:00:00Z", edit=note)
    for day in range(12, 31):
        do("bump", f"2026-10-{day}T16:00:00Z", goal=read, by=14 + day % 5)
    # Recorded in one commit.
    together = [edit("bump", at=f"2026-10-31T0{hour}:00:00Z", goal=read) for hour in (6, 7, 8)]
    assert [outcome["status"] for outcome in client.outcomes(*together)] == 3 * ["applied"]
    return yoga


def sign_in(client: Client) -> str:
    """A browser's session: the cookie that it sends."""
    return cookie(client.post("/v1/session").expect(204))


def cookie(response: Response) -> str:
    return (response.header("Set-Cookie") or "").split(";")[0]


def main(version: str) -> None:
    folder = HERE / version
    assert not folder.exists(), f"{folder} is there, and is never changed"
    with tempfile.TemporaryDirectory() as home, Server(home, *UNLIMITED) as server:

        def add(*words: str) -> dict[str, Any]:
            return server.run(*words, "--json").expect(0).json()

        people = {
            "Ana": add("account", "add", "Ana", "--time-zone", "Europe/Berlin"),
            "Ben": add("account", "add", "Ben", "--time-zone", "Asia/Tokyo"),
            "Nobody yet": add("account", "add", "Nobody yet"),
            "Ana, moved here": add("account", "add", "Ana, moved here", "--time-zone", "America/Lima"),
        }
        server.run("account", "remove", "me", "--yes").expect(0)
        clients = {name: server.client(person["token"]) for name, person in people.items()}
        goal = fill(clients["Ana"])
        fill(clients["Ben"])
        export = clients["Ana"].get("/v1/export").expect(200).body
        moved = clients["Ana, moved here"]
        moved.post("/v1/import", export, content_type="application/x-ndjson").expect(201)
        moved.apply(edit("bump", at="2026-11-01T16:00:00Z", goal=goal, note="after the move"))
        soon = instant(time.time() + 2)
        tokens = {
            "write": people["Ana"],
            "read": add("token", "add", "Ana", "--name", "read", "--scope", "read"),
            "count": add("token", "add", "Ana", "--name", "count", "--scope", "count"),
            "made": clients["Ana"].post("/v1/tokens", {"name": "made with a token"}).expect(201).json(),
            "bump": add("token", "add", "Ana", "--name", "button", "--scope", "bump", "--goal", goal),
            "revoked": add("token", "add", "Ana", "--name", "lost phone"),
            "expired": add("token", "add", "Ana", "--name", "guest", "--expires", soon),
        }
        add("token", "add", "Ana", "--name", "not used", "--link")
        opened = instant(time.time())
        sessions = {name: sign_in(clients["Ana"]) for name in ("open", "ended")}
        sessions["of a revoked token"] = sign_in(server.client(tokens["revoked"]["token"]))
        ending = {"Cookie": sessions["ended"], "Origin": server.url}
        server.client(None).delete("/v1/session", headers=ending).expect(204)
        server.run("token", "revoke", tokens["revoked"]["id"]).expect(0)
        telling = {name: told(client) for name, client in clients.items()}
        time.sleep(2)  # until the last token has expired
        folder.mkdir()
        server.run("backup", str(folder / "goals.sqlite")).expect(0)
        server.stop()
    contents = {
        "tokens": {name: token["token"] for name, token in tokens.items()},
        "goalOfBump": goal,
        "sessions": sessions,
        "sessionsOpenedAt": opened,
        "accounts": {name: {"token": people[name]["token"], **told} for name, told in telling.items()},
    }
    (folder / "told.json").write_text(json.dumps(contents, ensure_ascii=False, indent=1) + "\n")
    with (HERE / "SHA256SUMS").open("a") as sums:
        sums.writelines(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {version}/{file.name}\n" for file in sorted(folder.iterdir()))
    print(f"made {folder}; it is never changed from now on")


if __name__ == "__main__":
    main(*sys.argv[1:])
