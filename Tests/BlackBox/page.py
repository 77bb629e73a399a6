"""The page at `/` as a person uses it: what they see, tap and type."""

from __future__ import annotations

import json
from typing import Any

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import Browser
from goals_client import Client, new_id, until

# Everything that the page keeps on the device, as text.
KEPT = """
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const kept = { local: { ...localStorage }, session: { ...sessionStorage } };
for (const { name } of await indexedDB.databases()) {
  const database = await done(indexedDB.open(name));
  for (const store of database.objectStoreNames) {
    kept[store] = await done(database.transaction(store).objectStore(store).getAll());
  }
  database.close();
}
return JSON.stringify(kept, (key, value) => (value instanceof Uint8Array ? value.length : value));
"""


class Page(Browser):
    url = ""

    def sign_in(self, url: str, token: str) -> Page:
        self.url = url
        self.open(f"{url}/#token={token}")
        self.wait(".head h1")
        self.status("Up to date")
        # The page says that such a link should have a code. The toast goes as a person would have it.
        self.run("""document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }))""")
        return self

    def status(self, text: str) -> None:
        self.wait(".status", text)

    def at(self, place: str) -> None:
        """Goes to a place of the page as a link would."""
        self.run("location.hash = arguments[0]", place)

    def press(self, selector: str) -> None:
        until(lambda: self.all(selector), f"{selector} is there")
        self.run("document.querySelector(arguments[0]).click()", selector)

    def fill(self, selector: str, value: str) -> None:
        until(lambda: self.all(selector), f"{selector} is there")
        script = """const field = document.querySelector(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event("input", { bubbles: true }));"""
        self.run(script, selector, value)

    def type(self, selector: str, text: str) -> None:
        """Puts a text in the place of what is in a field, as typing or pasting does: the browser may change it."""
        until(lambda: self.all(selector), f"{selector} is there")
        script = """const field = document.querySelector(arguments[0]);
        field.focus();
        field.select();
        document.execCommand("insertText", false, arguments[1]);"""
        self.run(script, selector, text)

    def count(self, title: str) -> str:
        """The number in the ring of a goal."""
        script = """const card = [...document.querySelectorAll(".card")]
          .find((one) => one.querySelector(".title").textContent === arguments[0]);
        return card?.querySelector(".middle b").textContent ?? "";"""
        return self.run(script, title)

    def shows(self, title: str, count: str) -> None:
        until(lambda: self.count(title) == count, f"{title} at {count}")

    def tap(self, title: str, times: int = 1) -> None:
        until(lambda: self.count(title), f"a ring for {title}")
        script = """[...document.querySelectorAll(".card")]
          .find((one) => one.querySelector(".title").textContent === arguments[0]).querySelector(".count").click()"""
        for _ in range(times):
            self.run(script, title)

    def keys(self, *keys: str) -> None:
        # To what has the focus by then: an element that is asked for first may be drawn anew meanwhile.
        ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self) -> str:
        return self.run("const one = document.activeElement; return one.ariaLabel || one.textContent.trim()")

    def tab_to(self, name: str) -> None:
        """Presses the tab key until what has this name has the focus."""
        for _ in range(60):
            if name in self.focused():
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"the tab key leads to no {name}")

    def kept(self) -> dict[str, Any]:
        script = f"const tell = arguments[0]; (async () => {{ {KEPT} }})().then(tell, (error) => tell(String(error)))"
        return json.loads(self.driver.execute_async_script(script))

    def offline(self, is_off: bool = True) -> None:
        self.command("Network.enable")
        self.command("Network.emulateNetworkConditions", offline=is_off, latency=0, downloadThroughput=-1, uploadThroughput=-1)

    def controlled(self) -> None:
        """Waits until the page can start without the server."""
        until(lambda: self.run("return Boolean(navigator.serviceWorker.controller)"), "a service worker")

    def new_tab(self) -> str:
        tab = self.open_tab()
        self.driver.get(self.url)
        self.wait(".head h1")
        return tab


def add(me: Client, title: str, **more: Any) -> str:
    """Adds an active goal, and answers its id."""
    id = new_id()
    me.request("PUT", f"/v1/goals/{id}", {"title": title, "active": True, **more}).expect(201)
    return id


def leave_waiting(page: Page, url: str, me: Client) -> None:
    """Shows the account while a count waits for the server, which is out of reach."""
    add(me, "Yoga", frequency=9)
    page.sign_in(url, me.token or "")
    page.offline()
    page.tap("Yoga")
    page.status("1 waiting")
    page.at("#/account")


def goal(me: Client, id: str) -> dict[str, Any]:
    return me.get(f"/v1/goals/{id}").expect(200).json()


def goals(me: Client) -> list[dict[str, Any]]:
    return me.get("/v1/goals").expect(200).json()["goals"]


def edits(me: Client) -> list[dict[str, Any]]:
    return me.get("/v1/edits").expect(200).json()["edits"]
