"""The page at `/` in a browser: signing in, counting, goals and their past, with nothing to complain about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import axe_core_python
import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from goals_client import Client, new_id, until
from goals_server import UNLIMITED, Server
from page import Page, add, edits, goal, goals
from test_operation import metrics
from tier import thoroughly

AXE = (Path(axe_core_python.__file__).parent / "axe.min.js").read_text()


def today() -> str:
    return datetime.now(UTC).date().isoformat()


# Signing in


def test_the_sign_in_link_leads_to_the_goals_and_the_token_leaves_the_page(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.wait("h1", "What would you like")
    assert "token" not in page.run("return location.href")
    kept = str(page.kept())
    assert str(me.token) not in kept and "isSignedIn" in kept
    assert page.run("return document.cookie") == ""
    page.driver.back()
    assert "token" not in page.run("return location.href")


def test_a_stranger_is_asked_for_a_token(page: Page, server: Server, me: Client) -> None:
    page.open(server.url)
    page.wait("label", "Sign-in link or token")
    page.fill("[name=token]", "goals_" + "0" * 64)
    page.press("[type=submit]")
    page.wait(".fault", "not valid")
    page.fill("[name=token]", f"{server.url}/#token={me.token}")
    page.press("[type=submit]")
    page.wait("h1", "What would you like")


def test_a_token_that_was_revoked_keeps_what_was_counted(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=5)
    other = me.post("/v1/tokens", {"name": "page"}).expect(201).json()
    page.sign_in(server.url, other["token"])
    me.request("DELETE", f"/v1/tokens/{other['id']}").expect(204)
    page.tap("Yoga")
    page.wait(".notice", "sign in again")
    page.shows("Yoga", "1")
    page.at("#/sign-in")
    page.fill("[name=token]", str(me.token))
    page.press("[type=submit]")
    page.status("Up to date")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")


# Counting


def test_a_suggestion_becomes_a_goal_that_counts(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.press("[data-name=suggestWater]")
    page.tap("Drink water", 2)
    page.shows("Drink water", "2")
    page.status("Up to date")
    found = until(lambda: [one for one in goals(me) if one["progress"] == 2], "the server counts it")[0]
    assert (found["title"], found["frequency"], found["unit"], found["colour"]) == ("Drink water", 8, "glasses", "blue")


def test_a_tap_can_be_taken_back(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=5)
    page.sign_in(server.url, me.token or "")
    page.tap("Yoga")
    page.shows("Yoga", "1")
    page.wait(".toast", "Yoga: +1")
    page.press(".toast [data-do=undo]")
    page.shows("Yoga", "0")
    until(lambda: [one["type"] for one in edits(me)][-1] == "undo", "the undo is recorded")
    assert goal(me, id)["progress"] == 0


def test_more_than_a_tap_can_say(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Run", frequency=10, interval="monthly", unit="km")
    day = today()
    yesterday = (datetime.fromisoformat(day) - timedelta(days=1)).date().isoformat()
    page.sign_in(server.url, me.token or "")
    page.press(".dots")
    page.fill("#amount", "4")
    page.fill("[name=note]", "with Ana")
    page.fill("[name=day]", yesterday)
    page.press("form [type=submit]")
    until(lambda: goal(me, id)["streak"] and edits(me)[-1]["type"] == "bump", "it is recorded")
    last = edits(me)[-1]
    assert (last["by"], last["note"], last["day"]) == (4, "with Ana", yesterday)
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")


def test_a_period_is_skipped_and_a_goal_rests(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.press(".dots")
    page.press("dialog [data-do=skip]")
    page.wait(".under", "Skipped")
    until(lambda: goal(me, id)["state"] == "excused", "it is excused")
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    page.press(".dots")
    page.press("dialog [data-do=rest]")
    page.wait("h1", "No goal is active")
    until(lambda: goal(me, id)["active"] is False, "it rests")


# Goals


def test_a_goal_has_every_property_and_goes_with_a_way_back(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.press("a[href='#/goals/new']")
    page.press("dialog form [type=submit]")
    page.wait("#title-fault", "needs a title")
    page.fill("[name=title]", "Swim")
    page.fill("[name=frequency]", "3")
    page.fill("[name=unit]", "km")
    page.press("[name=interval][value=weekly]")
    page.press("[name=colour][value=cyan]")
    page.press("dialog form [type=submit]")
    page.shows("Swim", "0")
    found = until(lambda: [one for one in goals(me) if one["active"]], "the server has it")[0]
    wanted = {"title": "Swim", "frequency": 3, "unit": "km", "interval": "weekly", "colour": "cyan"}
    assert {name: found[name] for name in wanted} == wanted
    page.at(f"#/goals/{found['id']}/edit")
    page.fill("[name=title]", "Swim far")
    page.press("[name=colour][value=own]")
    page.press("dialog form [type=submit]")
    page.shows("Swim far", "0")
    until(lambda: goal(me, found["id"])["colour"] == "#b5651d", "the server has the colour")
    assert edits(me)[-1]["changes"].keys() == {"title", "colour"}
    page.at(f"#/goals/{found['id']}/edit")
    page.press("[data-do=deleteGoal]")
    until(lambda: goals(me) == [], "it is deleted")
    page.press(".toast [data-do=undo]")
    page.shows("Swim far", "0")


def test_the_list_is_arranged_and_nothing_is_sent_until_it_is_done(page: Page, server: Server, me: Client) -> None:
    ids = [add(me, title) for title in ("Three", "Two", "One")]
    one, two, three = reversed(ids)
    page.sign_in(server.url, me.token or "")
    page.at("#/goals")
    page.press("[data-do=screen][data-step=edit]")
    before = len(edits(me))
    until(lambda: page.all(".handle"), "the handles are there")
    assert not page.all("a.round"), "nothing is added meanwhile"
    page.press(f"input[data-goal='{one}']")
    page.press(f"input[data-goal='{two}']")
    page.press(f"input[data-goal='{one}']")
    page.wait("[role=status]", "2 of 3 active")
    assert len(edits(me)) == before
    page.press("[data-step=save]")
    until(lambda: len(edits(me)) == before + 1, "one edit")
    assert edits(me)[-1]["activity"] == {two: False}
    page.press("[data-do=screen][data-step=edit]")
    until(lambda: page.all(".handle"), "the handles are there")
    page.run("document.querySelector(arguments[0]).focus()", f".handle[data-goal='{one}']")
    page.keys(Keys.ARROW_DOWN)
    until(lambda: [each["id"] for each in goals(me)] == [two, one, three], "moved by the keyboard")
    until(lambda: page.run("return document.activeElement.dataset.goal") == one, "the handle keeps the focus")
    handle, last = page.find(f".handle[data-goal='{one}']"), page.find(f".handle[data-goal='{three}']")
    ActionChains(page.driver).click_and_hold(handle).move_to_element(last).move_by_offset(0, 20).release().perform()
    until(lambda: [each["id"] for each in goals(me)] == [two, three, one], "moved by dragging")


def test_a_goal_shows_its_past_and_takes_any_edit_back(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=2)
    me.post(f"/v1/goals/{id}/bump", {"by": 2, "note": "early"}).expect(200)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}")
    page.wait(".tiles", "100%")
    page.wait(".periods", "2 / 2")
    page.wait(".feed", "early")
    page.press(f"[data-day='{today()}']")
    page.wait(".heat p", "early")
    bump = next(one for one in edits(me) if one["type"] == "bump")
    page.press(f"[data-edit='{bump['id']}']")
    page.wait(".periods", "0 / 2")
    until(lambda: goal(me, id)["progress"] == 0, "it is taken back")


# Ways to use it


def test_back_closes_a_sheet_and_keeps_the_view(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.press("#tabs a[href='#/goals']")
    page.wait("h1", "Goals")
    page.press("a.round")
    page.wait("dialog[open] h2", "New goal")
    page.driver.back()
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    assert page.text("h1") == "Goals"
    page.driver.back()
    page.wait("h2", "Today")
    page.press(".dots")
    page.wait("dialog[open] h2", "Yoga")
    page.keys(Keys.ESCAPE)
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    assert page.run("return location.hash") in ("", "#/")


def test_the_keyboard_is_enough(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=3)
    page.sign_in(server.url, me.token or "")
    page.tab_to("Yoga: 0")
    page.keys(Keys.ENTER)
    page.shows("Yoga", "1")
    assert "Yoga: 1" in page.focused(), "the ring keeps the focus"
    page.tab_to("More for Yoga")
    page.keys(Keys.ENTER)
    page.wait("dialog[open] h2", "Yoga")
    page.tab_to("Skip this time")
    page.keys(Keys.ENTER)
    until(lambda: goal(me, id)["state"] == "excused", "it is skipped")
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    until(lambda: goal(me, id)["state"] == "open", "it is taken back")


def test_speaks_german(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=12500, interval="weekly")
    page.command("Network.enable")
    agent = page.run("return navigator.userAgent")
    page.command("Network.setUserAgentOverride", userAgent=agent, acceptLanguage="de-DE,de")
    page.url = server.url
    page.open(f"{server.url}/#token={me.token}")
    page.wait(".hint", "Tippe auf einen Ring")
    assert page.run("return document.documentElement.lang") == "de"
    page.at("#/goals")
    page.wait(".what", "12.500-mal in der Woche")


# What it keeps to



def test_a_finger_that_stays_opens_more_and_counts_nothing(page: Page, server: Server, me: Client) -> None:
    """As in Safari of iOS, which tells of no long press: the click that ends it comes all the same."""
    id = add(me, "Yoga", frequency=5)
    page.sign_in(server.url, me.token or "")
    point = """(kind, more) => document.querySelector(".card .count").dispatchEvent(
      new PointerEvent(kind, { bubbles: true, cancelable: true, pointerType: "touch", detail: 1, ...more }))"""
    page.run(f"({point})('pointerdown')")
    until(lambda: page.run("return location.hash") == f"#/count/{id}", "the press is long")
    page.run(f"({point})('pointerup'); ({point})('click')")
    assert page.run("return document.getElementById('sheet').open") and page.count("Yoga") == "0"
    page.at("#/")
    # One that moves on scrolls, and a short one is a tap.
    page.run(f"({point})('pointerdown'); ({point})('pointermove', {{ clientY: 40 }})")
    page.run(f"({point})('pointerdown'); ({point})('pointerup'); ({point})('click')")
    page.shows("Yoga", "1")
    assert page.run("return location.hash") == "#/"


def places(id: str) -> list[str]:
    of_goal = [f"#/goals/{id}", f"#/goals/{id}/edit", "#/goals/new", f"#/count/{id}"]
    return ["#/", "#/goals", *of_goal, "#/status", "#/account", "#/sign-in", "#/history", f"#/goals/{new_id()}"]


@pytest.mark.parametrize("dark", [False, thoroughly(True)])
def test_leaves_nobody_out(page: Page, server: Server, me: Client, dark: bool) -> None:
    """What axe-core finds wrong: names, roles, contrast, order."""
    id = add(me, "Yoga", frequency=2)
    add(me, "Run", colour="yellow", interval="weekly", unit="km", frequency=10)
    me.post(f"/v1/goals/{id}/bump", {"by": 3, "note": "early"}).expect(200)
    page.colours(dark)
    page.command("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}, {"name": "prefers-reduced-motion", "value": "reduce"}])
    page.sign_in(server.url, me.token or "")
    found: dict[str, Any] = {}
    for place in [*places(id), "arranging"]:
        page.at("#/goals" if place == "arranging" else place)
        if place == "arranging":
            page.press("[data-do=screen][data-step=edit]")
        until(lambda: page.run("return document.getAnimations().length") == 0, "nothing moves")
        page.run(AXE)
        result = page.driver.execute_async_script("""const tell = arguments[0];
          axe.run({ resultTypes: ['violations'] })
            .then((all) => tell(all.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html.slice(0, 200))])))""")
        if result:
            found[place] = result
    assert found == {}


def test_can_be_installed(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.controlled()
    assert page.command("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    assert page.command("Page.getAppManifest")["errors"] == []


def test_says_everything_on_a_narrow_screen(page: Page, server: Server, me: Client) -> None:
    """In the language with the longer words: nothing sticks out, and the page does not scroll sideways."""
    id = add(me, "Yoga", frequency=2)
    page.resize(320, 640)
    page.command("Network.enable")
    page.command("Network.setUserAgentOverride", userAgent=page.run("return navigator.userAgent"), acceptLanguage="de-DE,de")
    page.open(f"{server.url}/#token={me.token}")
    page.wait(".hint", "Tippe auf einen Ring")
    page.status("Aktuell")
    page.offline()
    page.tap("Yoga", 12)
    page.status("Offline · 12 warten")
    for place in [*places(id), "arranging"]:
        page.at("#/goals" if place == "arranging" else place)
        if place == "arranging":
            page.press("[data-do=screen][data-step=edit]")
        script = """return [...document.querySelectorAll("header, main, dialog[open], button, a, input, h1, h2")]
          .filter((one) => one.checkVisibility() && !one.closest(".scroll, .unseen, #skip") && one.id !== "skip")
          .map((one) => [one, one.getBoundingClientRect()])
          .filter(([, box]) => box.width && (box.left < -1 || box.right > innerWidth + 1))
          .map(([one]) => one.outerHTML.slice(0, 120))"""
        until(lambda: page.run("return document.getAnimations().length") == 0, "nothing moves")
        assert page.run(script) == [], place


def test_loads_nothing_but_one_version_of_itself(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    loaded = page.run("return performance.getEntriesByType('resource').map(({ name }) => name)")
    files = [name.removeprefix(server.url) for name in loaded if "/client/" in name and not name.endswith("worker.js")]
    assert all(name.startswith(server.url) for name in loaded)
    assert len({name.split("/")[2] for name in files}) == 1 and any(name.endswith("goals.wasm") for name in files)


def test_a_first_visit_is_small(page: Page, tmp_path: Path) -> None:
    """All that the server sends until the page can start without it, heads included. The budget of 220 kB is for an
    account of 20 goals, of which the first answer has 1 kB more."""
    server = Server(tmp_path, *UNLIMITED, "--metrics-listen", "127.0.0.1:0").start()
    me = server.new_client()
    add(me, "Yoga")
    before = metrics(server)["goals_sent_bytes_total"]
    page.sign_in(server.url, me.token or "")
    page.controlled()
    assert metrics(server)["goals_sent_bytes_total"] - before <= 215_000
    server.stop()
    page.driver.refresh()
    page.shows("Yoga", "0")
    server.kill()


def test_a_page_of_ones_own_has_the_shell(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    script = """const tell = arguments[0];
    import("/client/goals.js").then(async ({ Goals, newID }) => {
      const goals = new Goals();
      await new Promise((done) => goals.addEventListener("show", () => goals.state.account && done()));
      tell([goals.state.goals.length, newID().length]);
    }).catch((error) => tell(String(error)));"""
    assert page.driver.execute_async_script(script) == [0, 36]
