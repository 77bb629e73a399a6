"""The time zone that nobody named is the machine's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from goals_client import until
from goals_server import UNLIMITED, Server, goals


def zone(account: dict[str, Any]) -> tuple[str, bool]:
    return account["timeZone"], account["timeZoneChosen"]


@pytest.mark.parametrize(
    ("tz", "taken"), [("Asia/Tokyo", "Asia/Tokyo"), (":/usr/share/zoneinfo/Europe/Berlin", "Europe/Berlin"), ("UTC", "UTC")]
)
def test_the_first_account_is_in_it_and_the_start_says_so(tmp_path: Path, tz: str, taken: str) -> None:
    with Server(tmp_path, *UNLIMITED, env={"TZ": tz}) as server:
        client = server.client()
        assert zone(client.get("/v1/account").expect(200).json()) == (taken, False)
        said = until(lambda: [line for line in list(server.out) if taken in line], "it says which")
        assert len(said) == 1 and "--time-zone" in said[0] and "goals account set me" in said[0], server.shown()
        server.stop()
        server.start()
        assert not [line for line in server.out if taken in line], "it is for the first start"


def test_an_account_is_added_in_it_beside_a_server_and_without_one(tmp_path: Path) -> None:
    with Server(tmp_path, *UNLIMITED, "--sign-up", "open", env={"TZ": "Asia/Tokyo"}) as server:
        # The server's machine counts, not that of the command.
        here = {"TZ": "Europe/Berlin"}
        assert "Asia/Tokyo" in server.run("account", "add", "Ann", env=here).expect(0).err
        signed_up = server.client(None).post("/v1/accounts", {"name": "Cem"}).expect(201).json()
        assert zone(signed_up) == ("Asia/Tokyo", False)
        named = server.client(None).post("/v1/accounts", {"name": "Dora", "timeZone": "UTC"}).expect(201).json()
        assert zone(named) == ("UTC", True)
        server.stop()
        assert "Europe/Berlin" in server.run("account", "add", "Ben", env=here).expect(0).err
        server.run("account", "add", "Eve", "--time-zone", "UTC").expect(0)
        rows = {row["name"]: zone(row) for row in server.run("account", "list", "--json").expect(0).listing()}
    assert rows == {
        "me": ("Asia/Tokyo", False), "Ann": ("Asia/Tokyo", False), "Cem": ("Asia/Tokyo", False), "Dora": ("UTC", True),
        "Ben": ("Europe/Berlin", False), "Eve": ("UTC", True),
    }  # fmt: skip


def test_a_zone_that_is_named_counts_more_and_was_chosen(tmp_path: Path) -> None:
    with Server(tmp_path, *UNLIMITED, "--time-zone", "America/Lima", env={"TZ": "Asia/Tokyo"}) as server:
        assert zone(server.client().get("/v1/account").expect(200).json()) == ("America/Lima", True)


def test_a_bump_counts_on_the_day_where_the_machine_is(tmp_path: Path) -> None:
    """Half past midnight in Berlin is still the day before in UTC."""
    with Server(tmp_path, *UNLIMITED, env={"TZ": "Europe/Berlin"}) as server:
        client = server.client()
        goal = client.add_goal()
        client.post(f"/v1/goals/{goal}/bump", {"at": "2026-01-15T00:30:00+0100"}).expect(200)
        assert client.log()[-1]["day"] == "2026-01-15"


def test_the_choice_is_kept_once_it_was_made(tmp_path: Path) -> None:
    with Server(tmp_path, *UNLIMITED) as server:
        client = server.client()
        answer = client.patch("/v1/account", {"timeZone": "UTC"}).expect(200).json()
        assert zone(answer) == ("UTC", True) and answer["version"] == 0, "nothing is recorded of the same zone"
        export = client.get("/v1/export").expect(200).body
        other = server.new_client()
        assert zone(other.get("/v1/account").json()) == ("UTC", False)
        other.post("/v1/import", export, content_type="application/x-ndjson").expect(201)
        assert zone(other.get("/v1/account").json()) == ("UTC", False), "an export does not say that anybody named UTC"
        server.stop()
        server.start()
        assert zone(server.client().get("/v1/account").json()) == ("UTC", True)
        goals("verify", database=server.database).expect(0)


@pytest.mark.parametrize(
    ("tz", "hint"),
    [
        ("", None), (":", None), ("europe/berlin", "but there is Europe/Berlin"), (":CET-1CEST,M3.5.0", "no time zone CET-1CEST"),
        ("../../etc/passwd", "no time zone"), ("Mars/Olympus", "no time zone Mars/Olympus"), ("a\n\x1b[2J" * 10, "no time zone"),
        ("x" * 10_000, "…"),
    ],
)  # fmt: skip
def test_what_names_no_zone_is_passed_over_with_a_word(tmp_path: Path, tz: str, hint: str | None) -> None:
    with Server(tmp_path, *UNLIMITED, env={"TZ": tz}) as server:
        assert server.client().get("/v1/account").expect(200).json()["timeZoneChosen"] is False
        if hint is not None:
            until(lambda: any("TZ is passed over" in line for line in list(server.err)), "it says so")
        said = [line for line in server.err if "TZ is passed over" in line]
        assert [(hint or "") in line for line in said] == [True] * (hint is not None), server.shown()
        assert not said or ("The machine's zone is" in said[0] and len(said[0]) < 400 and "\x1b" not in said[0])
