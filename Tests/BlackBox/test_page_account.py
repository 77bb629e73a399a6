"""The account on the page at `/`: calendar, tokens, export and import, signing out."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from goals_client import Client, until
from goals_server import Server
from page import Page, add, edits, goal, goals, leave_waiting


def account(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.at("#/account")
    page.wait("h1", "Account")


def test_the_zone_of_the_browser_is_offered_where_none_was_chosen(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga")
    page.command("Emulation.setTimezoneOverride", timezoneId="Asia/Tokyo")
    page.sign_in(server.url, me.token or "")
    page.wait(".notice", "Asia/Tokyo")
    page.press("[data-do=useZone]")
    until(lambda: me.get("/v1/account").json()["timeZone"] == "Asia/Tokyo", "it is chosen")
    until(lambda: not page.all(".notice"), "it is offered once")
    page.driver.refresh()
    page.shows("Yoga", "0")
    assert not page.all(".notice")


def test_the_calendar_is_changed_and_its_faults_are_told(page: Page, server: Server, me: Client) -> None:
    account(page, server, me)
    page.fill("[name=timeZone]", "Mars/Olympus")
    page.press("[data-do=configure] [type=submit]")
    page.wait("[data-do=configure] .fault", "no time zone “Mars/Olympus”")
    page.fill("[name=timeZone]", "Europe/Berlin")
    page.fill("[name=dayStart]", "03:00")
    page.fill("[name=weekStart]", "sunday")
    page.press("[data-do=configure] [type=submit]")
    page.wait(".toast", "Saved")
    calendar = until(lambda: (found := me.get("/v1/account").json())["dayStart"] == "03:00" and found, "it is saved")
    assert (calendar["timeZone"], calendar["weekStart"]) == ("Europe/Berlin", "sunday")


def test_a_day_that_begins_too_late_is_told_in_words(page: Page, server: Server, me: Client) -> None:
    account(page, server, me)
    page.fill("[name=dayStart]", "15:00")
    page.press("[data-do=configure] [type=submit]")
    page.wait("[data-do=configure] .fault", "12:00")
    assert page.run("return document.activeElement.name") == "dayStart"
    assert me.get("/v1/account").json()["dayStart"] == "00:00"


def test_a_token_is_made_for_a_phone_and_revoked(page: Page, server: Server, me: Client) -> None:
    account(page, server, me)
    page.wait("[data-key=tokens]", "Revoke")
    page.fill("[data-do=addToken] [name=name]", "Phone")
    page.press("[data-do=addToken] [type=submit]")
    link = page.wait(".made pre", "#code=")
    assert page.all(".made svg.qr") and link.startswith(f"{server.url}/#code=")
    made = server.client(None).post("/v1/tokens", {"code": link.split("#code=")[1]}).expect(201).json()
    token = made["token"]
    assert server.client(token).get("/v1/token").expect(200).json()["name"] == "Phone"
    page.run("location.reload()")
    page.press("[aria-label='Revoke Phone']")
    page.press("[aria-label='Revoke Phone'][data-do=revoke]")
    until(lambda: server.client(token).get("/v1/token").status == 401, "it is revoked")


def test_the_tokens_are_listed_also_after_a_tap(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.tap("Yoga")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")
    page.status("Up to date")
    page.at("#/account")
    page.wait("[data-key=tokens]", "Revoke")


def test_a_button_gets_a_line_that_counts(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    account(page, server, me)
    page.wait("[data-key=tokens]", "Revoke")
    page.fill("[data-do=addToken] [name=name]", "Button")
    page.press("[data-do=addToken] [value=bump]")
    page.press("[data-do=addToken] [type=submit]")
    line = page.wait(".made pre", "curl")
    subprocess.run(["bash", "-c", line], check=True, capture_output=True, timeout=600)
    assert goal(me, id)["progress"] == 1


def test_what_is_exported_can_be_imported(page: Page, server: Server, me: Client, other: Client, tmp_path: Path) -> None:
    id = add(me, "Yoga", frequency=9)
    me.post(f"/v1/goals/{id}/bump", {"by": 4}).expect(200)
    file = tmp_path / "goals.ndjson"
    file.write_bytes(me.get("/v1/export").expect(200).body)
    account(page, server, other)
    assert page.all("a[href='/v1/export'][download]") and page.all("a[href='/v1/export.csv'][download]")
    page.find("input[type=file]").send_keys(str(file))
    page.wait(".toast", "Imported")
    page.at("#/")
    page.shows("Yoga", "4")
    page.at("#/account")
    page.find("input[type=file]").send_keys(str(file))
    page.wait("#import-fault", "Only an empty one can take an import")
    assert [one["title"] for one in goals(other)] == ["Yoga"] and len(edits(other)) == len(edits(me))


def test_signing_out_forgets_everything_and_warns_of_what_waits(page: Page, server: Server, me: Client) -> None:
    leave_waiting(page, server.url, me)
    page.wait("[data-key=out]", "1 change was not sent")
    page.offline(False)
    page.status("Up to date")
    page.run("localStorage.setItem('goals.zone', 'kept')")
    page.press("[data-do=signOut]")
    page.wait("label", "Sign-in link or token")
    assert not re.search(r"Yoga|isSignedIn|goals\.shown", str(page.kept()))
    assert page.kept()["local"] == {}
    assert page.driver.get_cookies() == []
