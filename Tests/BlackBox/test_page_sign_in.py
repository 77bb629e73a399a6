"""Ways in and back on the page at `/`: links that are no link, and views that can be left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from goals_client import Client, until
from goals_server import UNLIMITED, Server, free_port
from page import Page, add, goal

Serve = Callable[..., Server]


def here(page: Page) -> str:
    return page.run("return location.hash")


# Links that are none


@pytest.mark.parametrize(("token", "words"), [("abc%", "not valid"), ("a%zz", "not valid"), ("", "neither"), ("%C3%A4", "neither"), ("a%0Ab", "neither")])
def test_a_broken_link_is_told_and_leaves_the_address(page: Page, server: Server, token: str, words: str) -> None:
    page.open(f"{server.url}/#token={token}")
    page.wait(".fault", words)
    assert "token" not in page.run("return location.href")


def test_a_link_works_in_a_page_that_is_open(page: Page, server: Server, me: Client) -> None:
    page.open(server.url)
    page.wait("label", "Sign-in link or token")
    page.at(f"#token={me.token}")
    page.wait("h1", "What would you like")
    assert "token" not in page.run("return location.href")


# Links that work once


def link(client: Client, name: str = "phone") -> str:
    return client.post("/v1/tokens", {"name": name, "link": True}).expect(201).json()["link"]


def test_a_link_with_a_code_signs_in_once(page: Page, me: Client) -> None:
    made = link(me)
    page.open(made)
    page.wait("h1", "What would you like")
    assert "code" not in page.run("return location.href")
    assert [row["name"] for row in me.get("/v1/tokens").json()["tokens"]][-1] == "phone"
    second = Page()
    try:
        second.open(made)
        second.wait(".fault", "A link works once")
    finally:
        second.close()


def test_a_link_asks_who_is_signed_in_before_it_takes_their_place(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    cookie = page.driver.get_cookies()[0]["value"]
    other = server.new_client("Ana's account")
    made = link(other)
    page.open(made)
    name = me.get("/v1/account").json()["name"]
    page.wait("h1", f"You are signed in to \u201c{name}\u201d")
    assert "code" not in page.run("return location.href")
    page.press("[data-do=keepSignIn]")
    page.wait(".head h1")
    assert page.driver.get_cookies()[0]["value"] == cookie
    # The code was not used up.
    page.open(made)
    page.press("[data-do=replaceSignIn]")
    until(lambda: page.driver.get_cookies()[0]["value"] != cookie, "another session has begun")
    ended = {"Cookie": f"goals_session={cookie}"}
    server.client(None).get("/v1/token", headers=ended).expect(401)


def test_a_link_with_a_token_says_what_to_use(page: Page, server: Server, me: Client) -> None:
    page.open(f"{server.url}/#token={me.token}")
    page.wait("#toast", "goals token add --link")


# Another address than the server's


@pytest.mark.parametrize("url", ["https://goals.example", "http://localhost:{port}"])
def test_a_page_at_another_address_says_which_to_use(page: Page, serve: Serve, url: str) -> None:
    url = url.format(port=free_port())
    server = serve(*UNLIMITED, "--public-url", url)
    me = server.client()
    page.open(f"{server.url}/#token={me.token}")
    page.wait(".notice", f"The address of this server is {url}/. What you do here does not reach it.")
    assert page.run("return document.querySelector('.notice a').href") == f"{url}/#token={me.token}"
    assert "token" not in page.run("return location.href")
    assert not page.all("form")
    assert page.driver.get_cookies() == []


def test_a_page_at_the_servers_address_says_nothing_of_it(page: Page, serve: Serve) -> None:
    port = free_port()
    server = serve(*UNLIMITED, "--listen", f"127.0.0.1:{port}", "--public-url", f"http://localhost:{port}")
    page.sign_in(f"http://localhost:{port}", server.client().token or "")
    assert not page.all(".notice")


# Ways back


@pytest.mark.parametrize("again", [False, True])
def test_who_is_asked_to_sign_in_can_go_on_without(page: Page, server: Server, me: Client, again: bool) -> None:
    id = add(me, "Yoga", frequency=5)
    other = me.post("/v1/tokens", {"name": "page"}).expect(201).json()
    page.sign_in(server.url, other["token"])
    me.request("DELETE", f"/v1/tokens/{other['id']}").expect(204)
    page.tap("Yoga")
    page.press(".notice a[href='#/sign-in']")
    page.wait(".welcome", "Sign in")
    assert page.run("return document.title") == "Sign in · Goals"
    if again:
        page.driver.refresh()
        page.wait(".welcome", "Sign in")
    page.press(".welcome [data-do=leave]")
    page.shows("Yoga", "1")
    assert here(page) == "#/" and page.run("return document.title") == "Goals"
    page.tap("Yoga")
    page.shows("Yoga", "2")
    assert goal(me, id)["progress"] == 0


@pytest.mark.parametrize("linked", [False, True])
def test_a_sheet_that_was_loaded_anew_leads_back_to_its_goal(page: Page, server: Server, me: Client, linked: bool) -> None:
    """However the person came to the goal: by the page's links, or by its address."""
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    if linked:
        page.press("#tabs a[href='#/goals']")
        page.press(f".rows a[href='#/goals/{id}']")
    else:
        page.open(f"{server.url}/#/goals/{id}")
    page.wait(".tiles", "Streak")
    page.press("a[href$=edit]")
    page.wait("dialog[open] h2", "Edit")
    page.driver.refresh()
    page.wait("dialog[open] h2", "Edit")
    page.press("dialog [data-do=leave]")
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    assert here(page) == f"#/goals/{id}" and page.text("h1") == "Yoga"
