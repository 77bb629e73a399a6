"""What a person has begun on the page at `/`, while another device changes the same: neither undoes the other."""

from __future__ import annotations

from typing import Any

from goals_client import Client, until
from goals_server import Server
from page import Page, add, edits, goal


def alter(me: Client, id: str, **changes: Any) -> None:
    me.request("PATCH", f"/v1/goals/{id}", changes).expect(200)


def test_a_form_sends_only_what_was_changed_in_it(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}/edit")
    page.fill("dialog [name=unit]", "km")
    alter(me, id, title="Yoga at home", frequency=7, colour="#112233", interval="weekly", active=False)
    page.wait("main h1", "No goal is active")
    page.press("dialog form [type=submit]")
    until(lambda: goal(me, id)["unit"] == "km", "it is changed")
    found = goal(me, id)
    assert [found[name] for name in ("title", "frequency", "colour", "interval", "active")] == ["Yoga at home", 7, "#112233", "weekly", False]
    assert edits(me)[-1]["changes"] == {"unit": "km"}


def test_a_form_turns_a_goal_back_on_that_was_turned_off_in_it(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    for is_on in (False, True):
        page.at(f"#/goals/{id}/edit")
        page.press("dialog [name=active]")
        page.press("dialog form [type=submit]")
        until(lambda is_on=is_on: goal(me, id)["active"] is is_on, "it is turned")
        until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    assert [one["type"] for one in edits(me)][-2:] == ["setActivity", "setActivity"]


def test_a_goal_that_comes_while_goals_are_arranged_is_as_it_is(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.at("#/goals")
    page.press("[data-step=edit]")
    page.wait("[role=status]", "1 of 1 active")
    id = add(me, "Run")
    page.wait("[role=status]", "2 of 2 active")
    switch = f".switch input[data-goal='{id}']"
    assert page.run("return document.querySelector(arguments[0]).checked", switch)
    page.press(switch)
    page.wait("[role=status]", "1 of 2 active")
    page.press("[data-step=save]")
    until(lambda: goal(me, id)["active"] is False, "it is turned off")


def test_a_calendar_that_is_being_changed_is_left_alone(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.at("#/account")
    page.fill("[name=timeZone]", "Europe/B")
    me.request("PATCH", "/v1/account", {"weekStart": "sunday"}).expect(200)
    until(lambda: "sunday" in page.run("return localStorage['goals.shown'] ?? ''"), "it is here")
    filled = "return ['timeZone', 'weekStart'].map((name) => document.querySelector(`[name=${name}]`)?.value)"
    assert page.run(filled)[0] == "Europe/B"
    page.fill("[name=timeZone]", "Europe/Berlin")
    page.press("[data-do=configure] [type=submit]")
    page.wait(".toast", "Saved")
    until(lambda: me.get("/v1/account").json()["timeZone"] == "Europe/Berlin", "it is saved")
    assert me.get("/v1/account").json()["weekStart"] == "sunday"
    until(lambda: page.run(filled) == ["Europe/Berlin", "sunday"], "the form shows both")
    me.request("PATCH", "/v1/account", {"weekStart": "friday"}).expect(200)
    until(lambda: page.run(filled) == ["Europe/Berlin", "friday"], "nothing is being changed, so it follows")
