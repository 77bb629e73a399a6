"""What the page at `/` says of itself is true, in the person's language, and stays until they have seen it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from goals_client import Client, new_id, until
from goals_server import ROOT, Server
from page import Page, add, edits, goal


def german(page: Page) -> None:
    page.command("Network.enable")
    page.command("Network.setUserAgentOverride", userAgent=page.run("return navigator.userAgent"), acceptLanguage="de-DE,de")


def weaker(me: Client, scope: str) -> str:
    return me.post("/v1/tokens", {"name": scope, "scope": scope}).expect(201).json()["token"]


def rows(page: Page, selector: str) -> list[str]:
    return page.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)


# While the log is being read


# Answers of the log wait at its second page until `window.go` is called.
SLOW_LOG = """
const ask = fetch;
let pages = 0;
const gate = new Promise((resolve) => { window.go = resolve; });
window.fetch = async (target, ...more) => {
  if (String(target).startsWith("/v1/sync") && (pages += 1) > 1) await gate;
  return ask(target, ...more);
};
"""


def test_no_number_is_shown_before_all_that_it_follows_from_was_read(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=1)
    for _ in range(3):
        made = [{"id": new_id(), "type": "bump", "goal": id, "by": 1} for _ in range(1000)]
        me.post("/v1/edits", {"edits": made}).expect(200)
    page.command("Page.addScriptToEvaluateOnNewDocument", source=SLOW_LOG)
    page.open(f"{server.url}/#token={me.token}")
    page.wait(".status", "Fetching your history")
    until(lambda: page.count("Yoga"), "the goal is there")
    assert "day" not in page.text(".card .under")
    page.at(f"#/goals/{id}")
    page.wait(".panel", "Fetching your history")
    assert rows(page, ".tile dd") == ["…"] * 4 and not page.all(".periods")
    page.at("#/status")
    page.wait("dialog .lead", "Fetching your history")
    page.run("window.go()")
    page.status("Up to date")
    page.at(f"#/goals/{id}")
    page.wait(".tiles", "3,000")
    assert rows(page, ".tile dd")[0] == "1 day"


# A sign-in that may only read


def test_a_sign_in_that_may_only_read_is_told_so_at_once(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    page.sign_in(server.url, weaker(me, "read"))
    page.wait(".notice", "may only read")
    page.tap("Yoga")
    page.status("1 waiting")
    page.at("#/status")
    page.wait("dialog .lead", "may only read")
    page.at("#/account")
    page.wait("[data-key=tokens]", "may only read")
    assert "can't be reached" not in page.text("main")


# What was refused


def test_all_that_was_refused_is_shown_by_goal_and_with_its_notes(page: Page, server: Server, me: Client) -> None:
    titles = [f"Goal {letter}" for letter in "ABCDEFG"]
    ids = {title: add(me, title, frequency=9) for title in titles}
    page.sign_in(server.url, me.token or "")
    page.offline()
    for title in titles:
        page.tap(title)
    page.tap("Goal A", 7)
    page.at(f"#/count/{ids['Goal B']}")
    page.fill("[name=note]", "with Ana")
    page.press("dialog form [type=submit]")
    page.status("15 waiting")
    for id in ids.values():
        me.request("DELETE", f"/v1/goals/{id}").expect(204)
    page.offline(False)
    page.status("15 were refused")
    shown = rows(page, "main .notice.bad li")
    assert len(shown) == len(titles)
    assert "Goal A +8: The goal was deleted on another device." in shown
    assert "Goal B +2: The goal was deleted on another device.with Ana" in shown
    page.driver.refresh()
    until(lambda: rows(page, "main .notice.bad li") == shown, "the titles are kept")


UNREACHED = {"activity-mismatch", "goal-exists", "id-conflict", "too-old", "version-required"}


def test_every_code_of_the_contract_has_its_words() -> None:
    """All codes of a rejection, but for those that nothing on the page leads to."""
    contract = yaml.safe_load((ROOT / "openapi.yaml").read_text())
    codes = set(contract["components"]["schemas"]["RejectionCode"]["enum"]) - UNREACHED
    texts = (ROOT / "Sources/PageFiles/texts.js").read_text()
    assert [code for code in sorted(codes) if not re.search(rf'^  "?reason_{code}"?: ', texts, re.MULTILINE)] == []


# What was taken back


def test_what_was_taken_back_and_then_not_stands_again(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    me.post(f"/v1/goals/{id}/bump", {}).expect(200)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}")
    page.wait(".feed", "Yoga +1")
    bump = next(one for one in edits(me) if one["type"] == "bump")["id"]
    page.press(f"[data-edit='{bump}']")
    page.wait(f"[data-key='{bump}'][data-undone]", "Yoga")
    undo = until(lambda: [one for one in edits(me) if one["type"] == "undo"], "it is recorded")[0]["id"]
    page.press(f"[data-edit='{undo}']")
    page.wait(f"[data-key='{undo}'][data-undone]", "Taken back")
    assert not page.all(f"[data-key='{bump}'][data-undone]") and page.all(f"[data-edit='{bump}']")
    assert goal(me, id)["progress"] == 1


def test_the_list_of_edits_says_that_it_needs_the_server(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.offline()
    page.at(f"#/goals/{id}")
    page.wait("[data-key=feed]", "which can't be reached")
    page.offline(False)
    page.wait(".feed", "Yoga added")


# Ends of a sign-in


def test_a_sign_in_that_ended_says_what_may_have_happened(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga", frequency=9)
    other = me.post("/v1/tokens", {"name": "page"}).expect(201).json()
    page.sign_in(server.url, other["token"])
    me.request("DELETE", f"/v1/tokens/{other['id']}").expect(204)
    page.tap("Yoga")
    page.wait(".notice", "the account was removed")
    page.at("#/sign-in")
    page.fill("[name=token]", other["token"])
    page.press("[type=submit]")
    page.wait(".fault", "a token can be revoked")


# Smaller words


@pytest.mark.parametrize("waits", [False, True])
def test_a_skipped_day_is_not_praised_and_can_count_after_all(page: Page, server: Server, me: Client, waits: bool) -> None:
    id = add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.offline(waits)
    page.press(".dots")
    page.press("dialog [data-do=skip]")
    page.wait(".tally", "Nothing is left for now.")
    if not waits:
        until(lambda: goal(me, id)["state"] == "excused", "it is skipped")
        page.status("Up to date")
    until(lambda: not page.all("dialog[open]"), "the sheet is closed")
    page.press(".dots")
    page.press("dialog [data-do=unskip]")
    page.wait(".tally", "0 of 1 done")
    page.offline(False)
    page.status("Up to date")
    assert goal(me, id)["state"] == "open"
    page.tap("Yoga")
    page.wait(".tally", "All done. Well done!")


def test_an_export_that_can_not_be_had_is_told(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.at("#/account")
    page.offline()
    page.press("a[href='/v1/export']")
    page.wait("#import-fault", "can't be reached")


def test_a_file_that_is_no_export_is_told_in_german(page: Page, server: Server, me: Client, tmp_path: Path) -> None:
    file = tmp_path / "photo.ndjson"
    file.write_text("no export\n")
    german(page)
    page.open(f"{server.url}/#token={me.token}")
    page.status("Aktuell")
    page.at("#/account")
    page.wait("h1", "Konto")
    page.find("input[type=file]").send_keys(str(file))
    page.wait("#import-fault", "Das ist kein ganzer Export von Goals: siehe Zeile 1. Nichts wurde importiert.")
