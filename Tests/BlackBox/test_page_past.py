"""The past on the page at `/`: the list of what happened, goals that are gone, earlier years, days by the keyboard."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from selenium.webdriver.common.keys import Keys

from goals_client import Client, new_id, until
from goals_server import Server
from page import Page, add, edits, goal, goals


def today() -> date:
    return datetime.now(UTC).date()


def count(me: Client, id: str, days: list[date], **more: Any) -> list[str]:
    """Counts one on each of the days, at noon but not later than now, and answers the ids of the edits."""
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    made = [{"type": "bump", "id": new_id(), "goal": id, "at": min(f"{day}T12:00:00Z", now), **more} for day in days]
    me.apply(*made)
    return [one["id"] for one in made]


def rows(page: Page) -> list[str]:
    return page.run("return [...document.querySelectorAll('.feed li')].map((one) => one.dataset.key)")


def open_goal(page: Page, id: str) -> None:
    page.at(f"#/goals/{id}")
    page.wait(".feed li")


# What happened


def test_the_list_of_what_happened_goes_on_to_its_beginning(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2)
    count(me, id, [today() - timedelta(days=back) for back in range(70)])
    page.sign_in(server.url, me.token or "")
    open_goal(page, id)
    assert len(rows(page)) == 30
    page.press(".feed ~ [data-do=moreEdits]")
    until(lambda: len(rows(page)) == 60, "the next page is there")
    me.post(f"/v1/goals/{id}/bump", {"note": "new"}).expect(200)
    page.wait(".feed li:first-child", "new")
    assert len(rows(page)) == 61, "what was read stays"
    page.press(".feed ~ [data-do=moreEdits]")
    wanted = [one["id"] for one in reversed(edits(me))]
    until(lambda: rows(page) == wanted, "all of it, newest first")
    assert not page.all(".feed ~ [data-do=moreEdits]")
    page.press(f"[data-edit='{wanted[-3]}']")
    until(lambda: edits(me)[-1].get("edit") == wanted[-3], "the first count is taken back")


def test_what_was_taken_back_and_counts_again_can_be_taken_back_again(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2)
    [bump] = count(me, id, [today()])
    page.sign_in(server.url, me.token or "")
    open_goal(page, id)
    page.press(f"[data-edit='{bump}']")
    page.wait(".feed li:first-child", "Taken back: Yoga +1")
    assert page.all(f"[data-key='{bump}'][data-undone]") and not page.all(f"[data-edit='{bump}']")
    undo = edits(me)[-1]["id"]
    page.press(f"[data-edit='{undo}']")
    until(lambda: page.all(f"[data-edit='{bump}']"), "it counts again")
    assert not page.all(f"[data-key='{bump}'][data-undone]") and page.all(f"[data-key='{undo}'][data-undone]")
    page.press(f"[data-edit='{bump}']")
    until(lambda: goal(me, id)["progress"] == 0, "it is taken back again")


def test_a_goal_that_is_gone_comes_back_with_its_past(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2)
    me.request("PATCH", f"/v1/goals/{id}", {"title": "Yoga at home"}).expect(200)
    count(me, id, [today() - timedelta(days=back) for back in range(35)])
    me.request("DELETE", f"/v1/goals/{id}").expect(204)
    page.sign_in(server.url, me.token or "")
    open_goal(page, id)
    page.wait("h1", "This goal is gone")
    page.wait(".lead", "Yoga at home")
    page.press(".head [data-do=undoEdit]")
    page.wait("h1", "Yoga at home")
    page.wait(".periods", "1 / 2")
    until(lambda: [one["title"] for one in goals(me)] == ["Yoga at home"], "the server has it")


def test_all_that_happened_in_the_account_can_be_taken_back(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2)
    add(me, "Run")
    me.request("PATCH", "/v1/account", {"weekStart": "sunday"}).expect(200)
    me.request("DELETE", f"/v1/goals/{id}").expect(204)
    page.sign_in(server.url, me.token or "")
    page.press("#tabs a[href='#/goals']")
    page.press("main a[href='#/history']")
    page.wait("h1", "What happened")
    page.wait(".feed", "Yoga deleted")
    page.wait(".feed", "Run added")
    deletion, calendar = [one["id"] for one in reversed(edits(me))][:2]
    page.press(f"[data-edit='{deletion}']")
    until(lambda: {one["title"] for one in goals(me)} == {"Yoga", "Run"}, "the goal is back")
    page.press(f"[data-edit='{calendar}']")
    until(lambda: me.get("/v1/account").json()["weekStart"] == "monday", "the calendar is as before")


def test_one_less_is_taken_from_the_last_day_that_has_one(page: Page, server: Server, me: Client) -> None:
    day = today()
    # The week began three days ago.
    me.request("PATCH", "/v1/account", {"weekStart": (day - timedelta(days=3)).strftime("%A").lower()}).expect(200)
    id = add(me, "Run", frequency=9, interval="weekly")
    days = [day - timedelta(days=back) for back in (3, 1, 0)]
    count(me, id, days[:2])
    me.post(f"/v1/goals/{id}/bump").expect(200)
    page.sign_in(server.url, me.token or "")
    page.shows("Run", "3")
    for left in (2, 1, 0):
        page.press(".dots")
        page.press("dialog [data-do=less]")
        page.shows("Run", str(left))
        page.status("Up to date")
        until(lambda left=left: goal(me, id)["progress"] == left, "it is taken")
        until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    page.press(".dots")
    page.wait("dialog h2", "Run")
    assert not page.all("dialog .choices [data-do=less]"), "there is nothing to take"
    assert not page.all(".notice"), "nothing was refused"


# Earlier years


def test_earlier_years_are_there_with_their_notes_and_periods(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2)
    old = today() - timedelta(days=900)
    count(me, id, [old], note="long ago")
    count(me, id, [today()])
    page.sign_in(server.url, me.token or "")
    open_goal(page, id)
    page.wait(".turns")
    for back in (1, 2):
        page.press(f"[aria-label=Earlier][data-back='{back}']")
        until(lambda back=back: page.all(f"[aria-label=Earlier][data-back='{back + 1}'], [aria-label=Later][data-back='{back - 1}']"), "the year before")
    page.press(f"[data-day='{old}']")
    page.wait(".told p", "long ago")
    until(lambda: page.all("[aria-label=Earlier][aria-disabled=true]"), "nothing is before it")
    page.wait(".tiles", "In the last year1")
    page.press("[aria-label=Later]")
    until(lambda: not page.all(f"[data-day='{old}']"), "a later year")
    # By its date, from anywhere.
    page.fill("#day", str(old))
    page.wait(".told p", "long ago")
    assert page.all(f"[data-day='{old}'][aria-selected=true]")
    page.fill("#day", str(today()))
    until(lambda: page.all(f"[data-day='{today()}'][aria-selected=true]"), "the present year")


def test_an_earlier_year_is_there_once_something_is_in_it(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Run", frequency=9)
    page.sign_in(server.url, me.token or "")
    open_goal(page, id)
    page.wait(".heat")
    me.post(f"/v1/goals/{id}/bump").expect(200)
    page.wait(".tiles", "In the last year1")
    assert not page.all(".turns")
    old = today() - timedelta(days=500)
    count(me, id, [old])
    page.press("[aria-label=Earlier]")
    until(lambda: page.all(f"[data-day='{old}'][data-level='1']"), "it is there")


# Without a pointer


def test_each_day_is_told_to_a_keyboard_and_a_screen_reader(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2, unit="rounds")
    day = today()
    count(me, id, [day - timedelta(days=7)], note="early")
    page.sign_in(server.url, me.token or "")
    open_goal(page, id)
    page.wait(".heat")
    assert len(page.all(".heat [tabindex='0']")) == 1, "one stop for the tab key"
    page.run("document.querySelector(\".heat [tabindex='0']\").focus()")
    page.keys(Keys.ENTER)
    until(lambda: page.all(f"[data-day='{day}'][aria-selected=true]"), "today is chosen")
    page.keys(Keys.ARROW_LEFT)
    page.wait(".told p", "early")
    name = page.run("return document.activeElement.ariaLabel")
    assert "1 rounds" in name and "early" in name and str((day - timedelta(days=7)).year) in name
    page.keys(Keys.ARROW_UP)
    before = day - timedelta(days=8)
    until(lambda: page.run("return document.activeElement.dataset.day") == str(before), "the day before")
    until(lambda: page.run("return document.activeElement.tabIndex") == 0, "the stop comes along")


def test_days_are_large_enough_for_a_finger(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    open_goal(page, id)
    page.wait(".heat [data-day]")
    box = page.run("const { width, height } = document.querySelector('.heat [data-day]').getBoundingClientRect(); return [width, height]")
    assert min(box) >= 24, "WCAG 2.2, 2.5.8"


def focus(page: Page) -> str:
    return page.run("const one = document.activeElement; return one === document.body ? 'nothing' : one.closest('[data-key]')?.dataset.key ?? one.id")


def test_the_focus_stays_near_when_something_is_taken_back(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=3)
    page.sign_in(server.url, me.token or "")
    page.tab_to("Yoga: 0")
    page.keys(Keys.ENTER)
    page.shows("Yoga", "1")
    page.wait(".toast", "Yoga")
    page.run("document.querySelector('.toast [data-do=undo]').focus()")
    page.keys(Keys.ENTER)
    page.shows("Yoga", "0")
    assert "Yoga: 0" in page.focused(), "the focus is where it was before the toast"
    until(lambda: edits(me)[-1]["type"] == "undo", "it is sent")
    open_goal(page, id)
    newest = edits(me)[-1]["id"]
    page.run("document.querySelector(arguments[0]).focus()", f"[data-edit='{newest}']")
    page.keys(Keys.ENTER)
    until(lambda: page.all(f"[data-key='{newest}'][data-undone]"), "it is taken back")
    assert focus(page) == newest
