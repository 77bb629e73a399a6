"""The page where things go wrong: offline, killed, in two tabs, beside a server that restarts or was restored."""

from __future__ import annotations

import http.server
import random
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest

import tier
from goals_client import Client, until
from goals_server import UNLIMITED, Server, binary, free_port
from page import Page, add, edits, goal


@pytest.fixture
def lasting(tmp_path: Path) -> Iterator[Server]:
    """A server that has the same address after a restart: a page is of one origin."""
    listen = f"127.0.0.1:{free_port()}"
    server = Server(tmp_path, *UNLIMITED, "--listen", listen, "--database", str(tmp_path / "goals.sqlite"), bare=True)
    server.start()
    yield server
    server.kill()


# Offline


def test_counts_without_the_server_also_after_a_reload_and_sends_each_once(lasting: Server, page: Page) -> None:
    me = lasting.new_client()
    id = add(me, "Yoga", frequency=5)
    page.sign_in(lasting.url, me.token or "")
    page.controlled()
    lasting.stop()
    page.tap("Yoga", 2)
    page.shows("Yoga", "2")
    page.status("2 waiting")
    page.at("#/status")
    page.wait("dialog .edits", "Yoga +1")
    page.at("#/")
    page.driver.refresh()
    page.shows("Yoga", "2")
    page.tap("Yoga")
    page.shows("Yoga", "3")
    lasting.start()
    me = lasting.client(me.token)
    until(lambda: goal(me, id)["progress"] == 3, "all are sent")
    page.status("Up to date")
    assert [one["type"] for one in edits(me)].count("bump") == 3


# Time zones come from the disk after everything else.
LATE_ZONES = """
const get = IDBObjectStore.prototype.get;
IDBObjectStore.prototype.get = function (key) {
  const request = get.call(this, key);
  if (this.name !== "zones") return request;
  const late = {};
  request.onsuccess = () => setTimeout(() => { late.result = request.result; window.zone = true; late.onsuccess(); }, 1500);
  return late;
};
window.seen = new Set();
const look = () => { seen.add(document.querySelector(".card b")?.textContent ?? "none"); if (!window.zone) requestAnimationFrame(look); };
addEventListener("DOMContentLoaded", () => requestAnimationFrame(look));
"""


def test_shows_what_it_showed_until_the_zone_is_there(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=5)
    me.request("PATCH", "/v1/account", {"timeZone": "Europe/Berlin"}).expect(200)
    page.sign_in(server.url, me.token or "")
    page.tap("Yoga")
    page.shows("Yoga", "1")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")
    page.command("Page.addScriptToEvaluateOnNewDocument", source=LATE_ZONES)
    page.driver.refresh()
    until(lambda: page.run("return window.zone"), "the zone is there")
    assert page.run("return [...seen]") == ["1"]
    page.tap("Yoga")
    page.shows("Yoga", "2")


def test_starts_without_the_server(lasting: Server, page: Page) -> None:
    me = lasting.new_client()
    add(me, "Yoga", frequency=5)
    page.sign_in(lasting.url, me.token or "")
    page.controlled()
    lasting.stop()
    page.open(lasting.url)
    page.shows("Yoga", "0")
    page.tap("Yoga")
    page.shows("Yoga", "1")
    page.status("Offline · 1 waiting")
    lasting.start()
    page.status("Up to date")


class OtherProgram(http.server.BaseHTTPRequestHandler):
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<h1>Something else</h1>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize("waits", [False, True])
def test_gives_way_to_another_program_at_its_address_once_nothing_waits(lasting: Server, page: Page, waits: bool) -> None:
    me = lasting.new_client()
    add(me, "Yoga", frequency=5)
    page.sign_in(lasting.url, me.token or "")
    page.controlled()
    lasting.stop()
    if waits:
        page.tap("Yoga")
        page.status("1 waiting")
    OtherProgram.asked.clear()
    other = http.server.ThreadingHTTPServer(("127.0.0.1", int(lasting.url.rsplit(":", 1)[1])), OtherProgram)
    threading.Thread(target=other.serve_forever).start()
    try:
        page.open(lasting.url)
        page.shows("Yoga", str(int(waits)))
        if waits:
            # By the browser's update, and by the page, which then looks what answers.
            until(lambda: OtherProgram.asked.count("/client/worker.js") >= 2, "the page has looked")
        else:
            registrations = "const tell = arguments[0]; navigator.serviceWorker.getRegistrations().then((all) => tell(all.length))"
            until(lambda: page.driver.execute_async_script(registrations) == 0, "the worker is gone")
        page.open(lasting.url)
        page.wait("h1" if not waits else ".card .title", "Yoga" if waits else "Something else")
    finally:
        other.shutdown()
        other.server_close()


def test_what_was_tapped_before_a_tab_is_killed_is_kept(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=5)
    page.sign_in(server.url, me.token or "")
    first = page.driver.current_window_handle
    page.offline()
    page.tap("Yoga")
    page.shows("Yoga", "1")
    until(lambda: "bump" in str(page.kept().get("changes")), "it is durable")
    killer = page.open_tab()
    page.driver.switch_to.window(first)
    page.driver.close()
    page.driver.switch_to.window(killer)
    page.driver.get(server.url)
    page.shows("Yoga", "1")
    page.status("Up to date")
    assert goal(me, id)["progress"] == 1


def test_a_refusal_is_shown_with_its_reason_until_it_is_dismissed(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=5)
    page.sign_in(server.url, me.token or "")
    page.offline()
    page.tap("Yoga")
    page.status("1 waiting")
    me.request("DELETE", f"/v1/goals/{id}").expect(204)
    page.offline(False)
    page.wait(".notice.bad", "Yoga +1: The goal was deleted on another device.")
    page.status("1 was refused")
    page.at("#/status")
    page.wait("dialog .lead", "Everything else is on the server.")
    page.at("#/")
    page.press("[data-do=dismiss]")
    until(lambda: not page.all(".notice.bad"), "it is dismissed")
    page.status("Up to date")


def test_what_is_kept_stays_short_and_whole(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=99)
    page.sign_in(server.url, me.token or "")
    for turn in range(1, 6):
        page.tap("Yoga", 15)
        page.shows("Yoga", str(15 * turn))
        until(lambda: goal(me, id)["progress"] == 15 * turn, "it is sent")
    until(lambda: len(page.kept()["changes"]) < 70, "a snapshot has taken the place of the changes")
    page.driver.refresh()
    page.shows("Yoga", "75")
    page.tap("Yoga")
    page.shows("Yoga", "76")
    page.press(".toast [data-do=undo]")
    page.shows("Yoga", "75")
    first = next(one for one in edits(me) if one["type"] == "bump")
    page.driver.refresh()
    page.shows("Yoga", "75")
    # The entry of an edit that a snapshot has taken in is still there to be taken back.
    page.at(f"#/goals/{id}")
    page.wait(".feed", "Yoga +1")
    page.run("""const button = document.querySelector("[data-do=undoEdit]");
    button.dataset.edit = arguments[0];
    button.click()""", first["id"])
    page.wait(".tiles", "74")
    until(lambda: goal(me, id)["progress"] == 74, "it is taken back")


# Makes the engine trap once, where `window.trap` says so.
TRAP = """
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (...parts) => {
  const instance = await instantiate.apply(WebAssembly, parts);
  const { goals_answer: answer } = instance.exports;
  const trapping = (...place) => {
    if (window.trap) { window.trap = false; throw new WebAssembly.RuntimeError("unreachable"); }
    return answer(...place);
  };
  return { exports: { ...instance.exports, goals_answer: trapping } };
};
"""


def test_an_engine_that_traps_is_replaced(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.command("Page.addScriptToEvaluateOnNewDocument", source=TRAP)
    page.sign_in(server.url, me.token or "")
    page.tap("Yoga")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")
    page.run("window.trap = true")
    me.post(f"/v1/goals/{id}/bump", {"by": 4}).expect(200)
    page.shows("Yoga", "5")
    page.tap("Yoga")
    page.shows("Yoga", "6")
    until(lambda: goal(me, id)["progress"] == 6, "the next one works")
    complaints = page.complaints()
    assert len(complaints) == 1 and "unreachable" in complaints[0]


# Several tabs and devices


def test_two_tabs_are_one_device(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    first = page.driver.current_window_handle
    second = page.new_tab()
    page.tap("Yoga")
    page.shows("Yoga", "1")
    page.driver.switch_to.window(first)
    page.shows("Yoga", "1")
    page.tap("Yoga")
    page.shows("Yoga", "2")
    page.driver.close()  # The one that led.
    page.driver.switch_to.window(second)
    page.shows("Yoga", "2")
    page.tap("Yoga")
    page.shows("Yoga", "3")
    until(lambda: goal(me, id)["progress"] == 3, "all are sent")
    assert [one["type"] for one in edits(me)].count("bump") == 3


def test_a_tab_goes_on_where_the_one_that_leads_hangs(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    first = page.driver.current_window_handle
    page.new_tab()
    second = page.driver.current_window_handle
    page.driver.switch_to.window(first)
    page.command("Page.setWebLifecycleState", state="frozen")
    page.driver.switch_to.window(second)
    page.tap("Yoga")
    page.shows("Yoga", "1")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")
    page.driver.switch_to.window(first)
    page.command("Page.setWebLifecycleState", state="active")
    page.shows("Yoga", "1")
    page.tap("Yoga")
    page.shows("Yoga", "2")
    until(lambda: goal(me, id)["progress"] == 2, "it is sent once")


# Says that another tab writes by now, as such a tab does.
OVERTAKE = """
const tell = arguments[0];
indexedDB.open("goals").onsuccess = ({ target: { result } }) => {
  const facts = result.transaction("facts", "readwrite").objectStore("facts");
  facts.get("epoch").onsuccess = ({ target: { result: { value } } }) => facts.put({ name: "epoch", value: value + 1 });
  facts.transaction.oncomplete = () => tell(result.close());
};
"""


def test_a_tab_that_was_overtaken_writes_nothing_and_loses_nothing(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.tap("Yoga")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")
    page.driver.execute_async_script(OVERTAKE)
    page.tap("Yoga")
    page.shows("Yoga", "2")
    until(lambda: goal(me, id)["progress"] == 2, "it is sent by the next replica")
    assert [one["type"] for one in edits(me)].count("bump") == 2
    assert "could not keep" not in page.text("#toast")
    epoch = next(one["value"] for one in page.kept()["facts"] if one["name"] == "epoch")
    assert epoch == 3, "the tab has begun anew"


def test_shows_what_another_device_does(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    me.post(f"/v1/goals/{id}/bump", {"by": 4}).expect(200)
    page.shows("Yoga", "4")
    add(me, "Run")
    page.shows("Run", "0")


def test_two_browsers_and_a_third_client_come_to_the_same(
    page: Page, open_page: Callable[..., Page], server: Server, me: Client
) -> None:
    chance = random.Random(tier.seed())
    titles = ("Yoga", "Run", "Read")
    ids = {title: add(me, title, frequency=99) for title in titles}
    other = open_page(1280, 860)
    browsers = [page.sign_in(server.url, me.token or ""), other.sign_in(server.url, me.token or "")]
    sums = dict.fromkeys(titles, 0)
    for turn in range(30):
        title = chance.choice(titles)
        browser = chance.choice([*browsers, None])
        if turn == 10:
            other.offline()
        if turn == 25:
            other.offline(False)
        if browser:
            browser.tap(title)
        else:
            curl = ["curl", "-sSf", "-X", "POST", "-H", f"Authorization: Bearer {me.token}", f"{server.url}/v1/goals/{ids[title]}/bump"]
            subprocess.run(curl, check=True, capture_output=True, timeout=600)
        sums[title] += 1
    for title, count in sums.items():
        until(lambda: goal(me, ids[title])["progress"] == count, f"{title} at {count}", 20)
        for browser in browsers:
            browser.shows(title, str(count))
    for browser in browsers:
        browser.status("Up to date")


# The server


def test_a_restored_server_gets_back_what_it_lost(lasting: Server, page: Page) -> None:
    me = lasting.new_client()
    id = add(me, "Yoga", frequency=9)
    copy = lasting.copied()
    me = lasting.client(me.token)
    page.sign_in(lasting.url, me.token or "")
    page.tap("Yoga", 2)
    page.status("Up to date")
    until(lambda: goal(me, id)["progress"] == 2, "it is recorded")
    # The session is of the backup's future: the page asks to sign in again, and keeps what it has.
    lasting.put_back(copy)
    me = lasting.client(me.token)
    page.wait(".notice", "sign in again")
    page.at("#/sign-in")
    page.fill("[name=token]", str(me.token))
    page.press("[type=submit]")
    page.status("Up to date")
    until(lambda: goal(me, id)["progress"] == 2, "it is sent again")
    page.shows("Yoga", "2")
    page.wait(".notice", "went back to an earlier backup")
    page.press("[data-notice=restored]")
    until(lambda: not page.all(".notice"), "it is told until it is dismissed")


def test_another_account_is_not_mixed_with_the_one_on_the_device(page: Page, server: Server, me: Client, other: Client) -> None:
    add(me, "Yoga")
    add(other, "Theirs")
    page.sign_in(server.url, me.token or "")
    page.open(f"{server.url}/#token={other.token}")
    page.press("[data-do=replaceSignIn]")
    page.wait(".notice", "another account")
    assert page.count("Theirs") == "" and page.count("Yoga") == "0"


def test_a_session_that_could_not_end_without_the_server_ends_later(lasting: Server, page: Page) -> None:
    me = lasting.new_client()
    add(me, "Yoga", frequency=9)
    page.sign_in(lasting.url, me.token or "")
    page.controlled()
    page.at("#/account")
    lasting.stop()
    page.press("[data-do=signOut]")
    page.wait("label", "Sign-in link or token")
    assert len(page.driver.get_cookies()) == 1
    lasting.start()
    page.driver.refresh()
    until(lambda: page.driver.get_cookies() == [], "the session has ended")
    until(lambda: "goals.leaving" not in str(page.kept()), "the page knows")


# What the browser does with it


# As a browser does that needs room on its disk: cookies stay.
EVICT = """
const tell = arguments[0];
(async () => {
  localStorage.clear();
  const gone = indexedDB.deleteDatabase("goals");
  await new Promise((resolve, reject) => { gone.onsuccess = resolve; gone.onerror = reject; });
})().then(tell, tell);
"""


def test_storage_that_the_browser_cleared_is_told_and_filled_again(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.tap("Yoga")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")
    page.open("about:blank")
    page.open(f"{server.url}/health")
    page.driver.execute_async_script(EVICT)
    page.open(server.url)
    page.shows("Yoga", "1")
    page.wait(".notice", "had cleared what this page kept")
    page.tap("Yoga")
    page.status("Up to date")
    until(lambda: goal(me, id)["progress"] == 2, "it goes on")
    page.press("[data-do=noted]")
    until(lambda: not page.all(".notice"), "it is dismissed")
    page.driver.refresh()
    page.shows("Yoga", "2")
    assert not page.all(".notice"), "it is told once"


def test_storage_that_is_cleared_under_a_page_that_runs_is_filled_again(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.driver.execute_async_script(EVICT)
    page.tap("Yoga")
    page.wait(".notice", "had cleared what this page kept")
    page.status("Up to date")
    page.shows("Yoga", "1")
    until(lambda: goal(me, id)["progress"] == 1, "the tap that found it out counts")
    assert not page.all(".notice.bad")


def test_who_signed_out_is_not_signed_in_again_by_a_session_that_lives(lasting: Server, page: Page) -> None:
    me = lasting.new_client()
    add(me, "Yoga")
    page.sign_in(lasting.url, me.token or "")
    page.controlled()
    page.at("#/account")
    lasting.stop()
    page.press("[data-do=signOut]")
    page.wait("label", "Sign-in link or token")
    lasting.start()
    page.driver.refresh()
    page.wait("label", "Sign-in link or token")
    until(lambda: page.driver.get_cookies() == [], "the session has ended")
    assert page.text("#main").find("Yoga") < 0 and not page.all(".notice")


# Makes what was kept last a change that no engine reads.
DAMAGE = """
const tell = arguments[0];
indexedDB.open("goals").onsuccess = ({ target: { result } }) => {
  const changes = result.transaction("changes", "readwrite").objectStore("changes");
  changes.openCursor(null, "prev").onsuccess = ({ target: { result: cursor } }) => {
    cursor.update({ number: cursor.key, change: { format: 999 } });
  };
  changes.transaction.oncomplete = () => tell(result.close());
};
"""


def test_what_can_not_be_read_any_more_is_read_anew_and_old_edits_can_still_be_taken_back(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Yoga", frequency=9)
    page.sign_in(server.url, me.token or "")
    page.tap("Yoga")
    page.status("Up to date")
    until(lambda: goal(me, id)["progress"] == 1, "it is sent")
    first = edits(me)[-1]
    page.tap("Yoga")
    until(lambda: goal(me, id)["progress"] == 2, "it is sent")
    page.status("Up to date")
    page.open(f"{server.url}/health")
    page.driver.execute_async_script(DAMAGE)
    before = {one["id"] for one in page.kept()["entries"]}
    assert first["id"] in before
    page.open(server.url)
    page.shows("Yoga", "2")
    page.status("Up to date")
    assert before <= {one["id"] for one in page.kept()["entries"]}
    page.at(f"#/goals/{id}")
    page.wait(".feed", "Yoga +1")
    page.press(f"[data-edit='{first['id']}']")
    until(lambda: goal(me, id)["progress"] == 1, "it is taken back")


# An update


def other_version(folder: Path) -> str:
    """A binary with another page in it: a word of the document is another one."""
    program = Path(binary()).read_bytes()
    assert program.count(b"counted on every device.") == 1
    path = folder / "goals-of-tomorrow"
    path.write_bytes(program.replace(b"counted on every device.", b"counted in a new manner."))
    path.chmod(0o755)
    return str(path)


def version(page: Page) -> str:
    """The one version that everything of the page is of."""
    script = """return [
      ...performance.getEntriesByType("resource").map(({ name }) => name),
      ...[...document.querySelectorAll("[src], link")].map((one) => one.src ?? one.href),
    ].map((name) => new URL(name).pathname).filter((path) => /^.client.[0-9a-f]{8,}/.test(path)).map((path) => path.split("/")[2])"""
    versions = set(page.run(script))
    assert len(versions) == 1, f"a mixture of {versions}"
    return versions.pop()


def says(page: Page) -> str:
    return page.run("return document.querySelector('meta[name=description]').content")


def test_another_version_takes_over_whole_or_not_at_all(lasting: Server, page: Page, tmp_path: Path) -> None:
    me = lasting.new_client()
    id = add(me, "Yoga", frequency=9)
    page.sign_in(lasting.url, me.token or "")
    page.controlled()
    old = version(page)
    first = page.driver.current_window_handle
    # A browser without a window shows all its tabs.
    page.run("Object.defineProperty(document, 'hidden', { value: true })")
    page.new_tab()
    assert version(page) == old
    lasting.stop()
    lasting.program = other_version(tmp_path)
    lasting.start()
    # The page that was kept starts, and the next one is fetched meanwhile.
    page.driver.refresh()
    page.shows("Yoga", "0")
    assert (version(page), says(page)) == (old, "Goals and habits, counted on every device.")
    page.wait(".notice", "new version")
    page.tap("Yoga")
    page.shows("Yoga", "1")
    assert version(page) == old, "it goes on with what it has"
    page.wait(".toast", "Yoga: +1")
    assert "new version" in page.text(".notice"), "it is told until it is done"
    page.press(".notice [data-do=reload]")
    until(lambda: version(page) != old, "it is loaded again")
    page.shows("Yoga", "1")
    new = version(page)
    assert new != old and says(page) == "Goals and habits, counted in a new manner."
    # The other tab was hidden, and nothing was open in it: it has come along by itself.
    page.driver.switch_to.window(first)
    until(lambda: version(page) == new, "the other tab is of the new version")
    page.shows("Yoga", "1")
    lasting.stop()
    page.driver.refresh()
    page.shows("Yoga", "1")
    assert version(page) == new
    page.tap("Yoga")
    page.shows("Yoga", "2")
    lasting.start()
    page.status("Up to date")
    until(lambda: goal(lasting.client(me.token), id)["progress"] == 2, "it is sent")
