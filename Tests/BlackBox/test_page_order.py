"""Goals are put in order on the page at `/`: by taps, by keys, and by dragging in a list longer than the window."""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from goals_client import Client, new_id, until
from goals_server import Server
from page import Page, add, edits, goals


def order(me: Client) -> list[str]:
    return [each["id"] for each in goals(me)]


def test_a_goal_is_moved_by_taps_alone(page: Page, server: Server, me: Client) -> None:
    three, two, one = [add(me, title) for title in ("Three", "Two", "One")]
    page.sign_in(server.url, me.token or "")
    page.at("#/goals")
    page.press("[data-do=screen][data-step=edit]")
    for label, wanted in (("Move One down", [two, one, three]), ("Move One down", [two, three, one]), ("Move Three up", [three, two, one])):
        page.run("document.querySelector(arguments[0]).focus()", f"[aria-label='{label}']")
        page.press(f"[aria-label='{label}']")
        until(lambda wanted=wanted: order(me) == wanted, label)
        until(lambda wanted=wanted: page.run("return [...document.querySelectorAll('.arranging li')].map((one) => one.dataset.goal)") == wanted, "it is drawn")
        assert page.focused() == label, "the button keeps the focus"
    moves = len(edits(me))
    page.press("[aria-label='Move Three up']")
    page.press("[aria-label='Move One down']")
    page.press("[aria-label='Move One up']")
    until(lambda: len(edits(me)) == moves + 1, "the ends are ends")


@pytest.fixture
def many(page: Page, server: Server, me: Client) -> list[str]:
    """A list of several windows that is being arranged: its goals, in order."""
    made = [{"type": "add", "id": new_id(), "goal": {"id": new_id(), "title": f"Goal {number}"}} for number in range(60)]
    me.post("/v1/edits", {"edits": made}).expect(200)
    page.sign_in(server.url, me.token or "")
    page.at("#/goals")
    page.press("[data-do=screen][data-step=edit]")
    until(lambda: len(page.all(".handle")) == 60, "the handles are there")
    return order(me)


def test_keys_move_a_goal_to_either_end(page: Page, me: Client, many: list[str]) -> None:
    page.run("document.querySelector(arguments[0]).focus()", f".handle[data-goal='{many[30]}']")
    page.keys(Keys.HOME)
    until(lambda: order(me) == [many[30], *many[:30], *many[31:]], "it is the first")
    until(lambda: page.run("return document.activeElement.dataset.goal") == many[30], "the handle keeps the focus")
    page.keys(Keys.END)
    until(lambda: order(me) == [*many[:30], *many[31:], many[30]], "it is the last")
    moves = len(edits(me))
    page.keys(Keys.END)
    page.keys(Keys.HOME)
    until(lambda: order(me)[0] == many[30], "it is the first again")
    assert len(edits(me)) == moves + 1


def test_an_arrow_that_is_held_moves_a_goal_to_the_end(page: Page, me: Client, many: list[str]) -> None:
    button = f"[data-way=up][data-goal='{many[40]}']"
    page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", button)
    ActionChains(page.driver).context_click(page.find(button)).perform()
    until(lambda: order(me) == [many[40], *many[:40], *many[41:]], "it is the first")


def test_an_arrow_that_is_held_by_a_mouse_moves_a_goal_to_the_end(page: Page, me: Client, many: list[str]) -> None:
    button = f"[data-way=down][data-goal='{many[20]}']"
    page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", button)
    moves = len(edits(me))
    ActionChains(page.driver).click_and_hold(page.find(button)).perform()
    until(lambda: order(me) == [*many[:20], *many[21:], many[20]], "it is the last")
    ActionChains(page.driver).release().perform()
    page.press(f"[data-way=up][data-goal='{many[20]}']")
    until(lambda: len(edits(me)) == moves + 2, "the click that ends it moves nothing")
    assert order(me) == [*many[:20], *many[21:-1], many[20], many[-1]]


def test_what_is_dragged_to_the_edge_scrolls_the_list(page: Page, me: Client, many: list[str]) -> None:
    handle = page.find(f".handle[data-goal='{many[0]}']")
    bottom = page.run("return innerHeight - arguments[0].getBoundingClientRect().bottom", handle)
    ActionChains(page.driver).click_and_hold(handle).move_by_offset(0, int(bottom) - 5).perform()
    until(lambda: page.run("return scrollY + innerHeight >= document.documentElement.scrollHeight - 1"), "the end of the list")
    ActionChains(page.driver).release().perform()
    until(lambda: order(me) == [*many[1:], many[0]], "it is the last")
