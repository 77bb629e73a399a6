"""The account on the page at `/`: calendar, tokens, export and import, signing out."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import qrcode

from goals_client import Client, until
from goals_server import Server
from page import Page, add, edits, goal, goals, leave_waiting

MATRIX = """
const tell = arguments[arguments.length - 1];
const path = new URL("qr.js", document.querySelector("script[type=module]").src);
import(path).then(({ qrCode }) => tell(qrCode(arguments[0])?.map((row) => row.map(Number).join("")) ?? null));
"""


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


@pytest.mark.parametrize("typed, zone", [
    ("europe/london", "Europe/London"),
    (" Europe/Berlin ", "Europe/Berlin"),
    ("america/new york", "America/New_York"),
    ("us/pacific", "America/Los_Angeles"),
    ("US/Eastern", "US/Eastern"),
])
def test_a_time_zone_is_taken_as_the_server_spells_it(page: Page, server: Server, me: Client, typed: str, zone: str) -> None:
    account(page, server, me)
    page.fill("[name=timeZone]", typed)
    page.press("[data-do=configure] [type=submit]")
    page.wait(".toast", "Saved")
    until(lambda: me.get("/v1/account").json()["timeZone"] == zone, "it is taken")
    until(lambda: page.run("return document.querySelector('[name=timeZone]')?.value") == zone, "it is shown as it is")
    page.press(".toast [data-do=undo]")
    until(lambda: me.get("/v1/account").json()["timeZone"] == "UTC", "it is taken back")


@pytest.mark.parametrize("typed, fault", [("+01:00", "no time zone “+01:00”"), ("  ", "no time zone “”. Such a name is Europe/Berlin.")])
def test_a_distance_is_no_time_zone_nor_is_nothing(page: Page, server: Server, me: Client, typed: str, fault: str) -> None:
    account(page, server, me)
    page.fill("[name=timeZone]", typed)
    page.press("[data-do=configure] [type=submit]")
    page.wait("[data-do=configure] .fault", fault)


def test_a_calendar_that_is_as_it_was_is_not_sent(page: Page, server: Server, me: Client) -> None:
    account(page, server, me)
    before = edits(me)
    for zone in ("UTC", " utc "):
        page.fill("[name=timeZone]", zone)
        page.press("[data-do=configure] [type=submit]")
        page.wait(".toast", "Nothing was changed")
        assert not page.all(".toast [data-do=undo]")
        page.press(".toast [data-do=hush]")
    page.status("Up to date")
    assert edits(me) == before


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
    link = page.wait(".made pre", "#token=")
    assert page.all(".made svg.qr")
    token = link.split("#token=")[1]
    assert server.client(token).get("/v1/token").expect(200).json()["name"] == "Phone"
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
    subprocess.run(["bash", "-c", line], check=True, capture_output=True, timeout=20)
    assert goal(me, id)["progress"] == 1


def test_a_button_is_not_offered_without_a_goal(page: Page, server: Server, me: Client) -> None:
    account(page, server, me)
    page.wait("[data-key=tokens]", "Revoke")
    scopes = "return [...document.querySelectorAll('[name=scope]')].map((one) => one.value)"
    assert page.run(scopes) == ["write", "read"]
    add(me, "Yoga")
    until(lambda: page.run(scopes) == ["write", "read", "bump"], "it is offered")


def test_a_token_that_can_not_be_copied_is_copied_by_hand(page: Page, server: Server, me: Client) -> None:
    account(page, server, me)
    page.wait("[data-key=tokens]", "Revoke")
    page.fill("[data-do=addToken] [name=name]", "Phone")
    page.press("[data-do=addToken] [type=submit]")
    page.wait(".made pre", "#token=")
    page.run("navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))")
    page.press("[data-do=copy]")
    page.wait(".toast", "Copy it by hand")
    assert page.all(".made pre"), "it is still shown"
    page.run("navigator.clipboard.writeText = () => Promise.resolve()")
    page.press("[data-do=copy]")
    page.wait(".toast", "Copied")


@pytest.mark.parametrize("text", ["a", "https://goals.example/#token=goals_" + "5e" * 32, "ä€😀", "q" * 400, "q" * 666])
def test_the_picture_is_what_other_encoders_draw(page: Page, server: Server, me: Client, text: str) -> None:
    page.open(server.url)
    page.wait("label", "Sign-in link")
    page.driver.set_script_timeout(20)
    drawn = page.driver.execute_async_script(MATRIX, text)

    def reference(mask: int) -> list[str]:
        code = qrcode.QRCode(version=(len(drawn) - 17) // 4, error_correction=qrcode.ERROR_CORRECT_M, border=0, mask_pattern=mask)
        code.add_data(qrcode.util.QRData(text.encode(), mode=qrcode.util.MODE_8BIT_BYTE), optimize=0)
        code.make(fit=False)
        return ["".join(str(int(dark)) for dark in row) for row in code.get_matrix()]

    assert drawn in [reference(mask) for mask in range(8)]


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
