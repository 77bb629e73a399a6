"""What a person fills in on the page at `/`: it is theirs until it is taken, and never made twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from goals_client import Client, until
from goals_server import Server
from page import Page, add, edits, goal, goals, leave_waiting


def shut(page: Page) -> None:
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")


def value(page: Page, name: str) -> str:
    until(lambda: page.all(f"dialog[open] [name={name}]"), f"{name} is there")
    return page.run(f"return document.querySelector('dialog[open] [name={name}]').value")


def bumps(me: Client) -> list[int]:
    return [one["by"] for one in edits(me) if one["type"] == "bump"]


# Each sheet is opened twice


def test_a_count_is_filled_in_anew_each_time(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    present = datetime.now(UTC).date()
    page.press(".dots")
    page.fill("#amount", "5")
    page.fill("[name=note]", "with Ana")
    page.fill("[name=day]", str(present - timedelta(days=1)))
    page.press("dialog form [type=submit]")
    shut(page)
    page.press(".dots")
    assert [value(page, name) for name in ("by", "note", "day")] == ["1", "", str(present)]
    page.press("dialog form [type=submit]")
    shut(page)
    until(lambda: bumps(me) == [5, 1], "each is counted as it was filled in")


def test_a_new_goal_begins_empty(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    for title in ("Swim", "Ski"):
        page.at("#/goals/new")
        assert value(page, "title") == ""
        page.fill("[name=title]", title)
        page.press("[name=colour][value=red]")
        page.press("dialog form [type=submit]")
        shut(page)
    page.at("#/goals/new")
    assert value(page, "title") == "" and page.run("return document.querySelector('[name=colour]:checked').value") == "green"


def test_what_was_cancelled_is_gone(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}/edit")
    page.fill("[name=title]", "Something else")
    page.press("dialog [data-do=leave]")
    shut(page)
    page.at(f"#/goals/{id}/edit")
    assert value(page, "title") == "Yoga"
    page.press("dialog form [type=submit]")
    shut(page)
    assert goal(me, id)["title"] == "Yoga"


def test_from_one_sheet_to_the_next_the_focus_goes_along(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.press(".dots")
    page.press("dialog a[href$=edit]")
    page.wait("dialog h2", "Edit")
    assert page.focused() == "Edit"


def test_a_second_press_makes_no_second_edit(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.press(".dots")
    page.fill("#amount", "3")
    page.run("const button = document.querySelector('dialog form [type=submit]'); button.click(); button.click()")
    shut(page)
    page.shows("Yoga", "3")
    page.status("Up to date")
    assert bumps(me) == [3]


CLICK = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: arguments[1] }))"


def test_the_second_half_of_a_double_click_counts_nothing(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    # The clock of the page stands still.
    page.run("window.present = Date.now(); Date.now = () => present")
    page.run(CLICK, "[data-name=suggestRead]", 1)
    until(lambda: page.count("Read a little"), "it is added")
    page.run(CLICK, ".card .count", 2)
    page.run(CLICK, ".dots", 2)
    page.run(CLICK, "[data-name=suggestWater]", 2)
    assert page.run("return location.hash") == "#/"
    page.run("present += 500")
    page.run(CLICK, ".card .count", 1)
    page.shows("Read a little", "1")
    page.status("Up to date")
    assert [one["title"] for one in goals(me)] == ["Read a little"]


def test_a_double_click_of_a_mouse_counts_once(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    until(lambda: page.count("Yoga"), "a ring")
    ActionChains(page.driver).double_click(page.find(".card .count")).perform()
    page.shows("Yoga", "1")
    page.status("Up to date")
    assert bumps(me) == [1]


def test_two_quick_taps_of_a_finger_count_two(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    until(lambda: page.count("Yoga"), "a ring")
    box = page.run("const { x, y } = document.querySelector('.card .count').getBoundingClientRect(); return { x: x + 20, y: y + 20 }")
    page.command("Emulation.setTouchEmulationEnabled", enabled=True)
    for _ in range(2):
        page.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[box])
        page.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    page.shows("Yoga", "2")
    page.status("Up to date")
    assert bumps(me) == [1, 1]


# What is wrong is said, and nothing is lost


TOMORROW = str(datetime.now(UTC).date() + timedelta(days=2))


WRONG_COUNTS = [
    ("by", "9999999", "A whole number up to 1,000,000, and not 0."),
    ("by", "1.5", "A whole number"),
    ("by", "0", "A whole number"),
    ("by", "", "A whole number"),
    ("day", TOMORROW, "not after today"),
    ("day", "1500-01-01", "from the year 2000 on"),
]


def test_a_count_that_can_not_be_stays_to_be_mended(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    for field, wrong, words in WRONG_COUNTS:
        page.press(".dots")
        page.fill("[name=note]", "with Ana")
        page.fill(f"[name={field}]", wrong)
        page.press("dialog form [type=submit]")
        page.wait("dialog .fault", words)
        assert value(page, "note") == "with Ana"
        assert page.run("return document.activeElement.name") == field
        assert page.text("#toast") == "" and bumps(me) == []
        page.at("#/")
        until(lambda: not page.all("dialog[open]"), "the sheet is closed")


@pytest.mark.parametrize("wrong", ["1,5", "1.5", "\u0662\u066b\u0665", "1 000", "five"])
def test_what_is_no_whole_number_is_not_read_as_another(page: Page, server: Server, me: Client, wrong: str) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.press(".dots")
    page.type("#amount", wrong)
    page.press("dialog form [type=submit]")
    page.wait("dialog .fault", "A whole number")
    assert value(page, "by") == wrong and bumps(me) == []
    page.type("#amount", "3")
    page.press("dialog form [type=submit]")
    shut(page)
    page.status("Up to date")
    assert bumps(me) == [3]


def test_digits_of_any_script_count(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.at("#/goals/new")
    page.fill("[name=title]", "Swim")
    page.type("[name=frequency]", "\u06f2\u06f0")
    page.press("dialog form [type=submit]")
    shut(page)
    page.at("#/")
    page.press(".dots")
    page.type("#amount", "\u0661\u0665")
    page.press("dialog form [type=submit]")
    shut(page)
    page.status("Up to date")
    assert bumps(me) == [15] and goals(me)[0]["frequency"] == 20


def test_a_text_that_is_too_long_stays_whole_and_says_by_how_much(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.press(".dots")
    page.type("[name=note]", "🏃" * 502)
    page.press("dialog form [type=submit]")
    page.wait("dialog .fault", "Too long by 2: 500 characters fit here.")
    assert len(value(page, "note")) == 502 and bumps(me) == []
    page.type("[name=note]", "🏃" * 500)
    page.press("dialog form [type=submit]")
    shut(page)
    page.status("Up to date")
    assert edits(me)[-1]["note"] == "🏃" * 500
    page.at("#/goals/new")
    page.type("[name=title]", "a" * 201)
    page.press("dialog form [type=submit]")
    page.wait("#title-fault", "Too long by 1: 200 characters fit here.")


@pytest.mark.parametrize("name", ["title", "unit"])
def test_what_only_the_engine_finds_wrong_breaks_nothing(page: Page, server: Server, me: Client, name: str) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}/edit")
    page.fill(f"[name={name}]", "a\u0007b")
    page.press("dialog form [type=submit]")
    until(lambda: "can be seen" in page.text("dialog form"), "it is said")
    assert page.run("return document.activeElement.name") == name
    assert page.text("#toast") == "", "the page is not broken"
    page.fill(f"[name={name}]", "ab")
    page.press("dialog form [type=submit]")
    shut(page)
    until(lambda: "ab" in str(edits(me)[-1]), "it is taken once it is mended")


def test_a_frequency_that_can_not_be_is_explained(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.at("#/goals/new")
    page.fill("[name=title]", "Swim")
    page.fill("[name=frequency]", "0")
    page.press("dialog form [type=submit]")
    page.wait("dialog [data-fault=all]", "A whole number from 1 to 1,000,000.")
    assert goals(me) == []


# What was begun


# A journey


def test_a_traveller_counts_on_the_day_that_the_device_shows(page: Page, server: Server, me: Client) -> None:
    # 25 hours apart: where the device is, it is always the account's tomorrow or later.
    me.request("PATCH", "/v1/account", {"timeZone": "Pacific/Pago_Pago"}).expect(200)
    page.command("Emulation.setTimezoneOverride", timezoneId="Pacific/Kiritimati")
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.press(".dots")
    page.wait("dialog .help", "Your days are counted in Pacific/Pago_Pago. This device is in Pacific/Kiritimati.")
    tomorrow = page.run("return document.querySelector('[name=day]').max")
    assert tomorrow > value(page, "day")
    page.fill("[name=day]", tomorrow)
    page.press("dialog form [type=submit]")
    shut(page)
    page.status("Up to date")
    assert [(one["day"], one["by"]) for one in edits(me) if one["type"] == "bump"] == [(tomorrow, 1)]


def test_a_tap_beside_a_sheet_throws_nothing_away(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.at("#/goals/new")
    page.fill("[name=title]", "Swim")
    page.run("document.getElementById('sheet').click()")
    assert value(page, "title") == "Swim"
    page.keys(Keys.ESCAPE)
    shut(page)
    page.at("#/goals/new")
    assert value(page, "title") == ""
    page.run("document.getElementById('sheet').click()")
    shut(page)


def test_a_form_whose_goal_is_deleted_elsewhere_says_so(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}/edit")
    page.fill("[name=title]", "Yoga at home")
    me.request("DELETE", f"/v1/goals/{id}").expect(204)
    page.wait(".toast", "deleted on another device")
    shut(page)


def test_a_goal_that_is_deleted_here_is_no_news(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.press("#tabs a[href='#/goals']")
    page.press("#tabs a[href='#/']")
    page.press(".dots")
    page.press("dialog a[href$=edit]")
    page.press("dialog [data-do=deleteGoal]")
    page.wait(".toast", "Yoga is deleted")
    shut(page)
    assert page.run("return location.hash") == "#/", "it is one step back"


def test_arranging_waits_for_who_looks_elsewhere(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.at("#/goals")
    page.press("[data-step=edit]")
    page.press(f"input[data-goal='{id}']")
    page.at("#/")
    page.wait(".toast", "not finished arranging")
    assert page.all("a.round"), "a goal can be added here"
    page.at("#/goals")
    page.wait("[role=status]", "0 of 1 active")
    page.at("#/")
    page.wait(".toast", "not finished arranging")
    page.press(".toast [data-do=undo]")
    until(lambda: goal(me, id)["active"] is False, "it is done")
    page.at("#/goals")
    page.wait("h2", "Resting")


def test_cancel_takes_the_order_back_as_well(page: Page, server: Server, me: Client) -> None:
    ids = [add(me, title) for title in ("Three", "Two", "One")]
    page.sign_in(server.url, me.token or "")
    page.at("#/goals")
    page.press("[data-step=edit]")
    until(lambda: page.all(".handle"), "the handles are there")
    before = [one["id"] for one in goals(me)]
    page.run("document.querySelector(arguments[0]).focus()", f".handle[data-goal='{ids[2]}']")
    for turn in (1, 2):
        page.keys(Keys.ARROW_DOWN)
        until(lambda: [one["id"] for one in goals(me)].index(ids[2]) == turn, f"it is moved by {turn}")
    page.press("[data-step=cancel]")
    until(lambda: [one["id"] for one in goals(me)] == before, "the order is as before")


# What can't be taken back


def test_waiting_edits_are_not_lost_by_one_tap(page: Page, server: Server, me: Client) -> None:
    leave_waiting(page, server.url, me)
    page.press("[data-key=out] button")
    page.wait("[data-key=out]", "Sign out and lose it")
    assert page.focused() == "Cancel"
    page.keys(Keys.ENTER)
    until(lambda: page.focused() == "Sign out all the same", "it is not done, and can be")
    page.at("#/")
    page.shows("Yoga", "1")


def test_the_token_of_this_device_is_marked_and_asked_for(page: Page, server: Server, me: Client) -> None:
    mine = me.get("/v1/token").expect(200).json()
    me.post("/v1/tokens", {"name": "Phone"}).expect(201)
    page.sign_in(server.url, me.token or "")
    page.at("#/account")
    row = f"[data-key='{mine['id']}']"
    page.wait(row, "this device")
    assert page.text("[data-key=tokens]").count("this device") == 1
    page.press(f"{row} button")
    until(lambda: page.focused() == "Cancel", "it is asked")
    assert me.get("/v1/token").status == 200
    page.press(f"{row} [data-do=revoke]")
    until(lambda: me.get("/v1/token").status == 401, "it is revoked")
