"""A browser without a window. Whatever a page may not do, or complains about, is remembered."""

from __future__ import annotations

import base64
import functools
import json
import os
import shutil
import urllib.request
from pathlib import Path
from typing import Any, ClassVar

import websocket
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from goals_client import until

# The first has no window to draw, and takes less than half of what the others do.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# Runs in each page before anything of its own.
REMEMBER = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""


class Chromium:
    """The one Chromium of a process that runs tests. Each `Browser` is a context of it, as empty as a new profile
    and shared with nobody, which takes a fifth of the time of a start."""

    def __init__(self) -> None:
        self.driver = attach(None)
        self.address: str = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{self.address}/json/version", timeout=20) as answer:
            url = json.load(answer)["webSocketDebuggerUrl"]
        self.socket = websocket.create_connection(url, timeout=60, suppress_origin=True)
        self.sent = 0

    def command(self, name: str, **parameters: Any) -> dict[str, Any]:
        """What chromedriver does not hand on, because it is of the whole browser and not of a page."""
        self.sent += 1
        self.socket.send(json.dumps({"id": self.sent, "method": name, "params": parameters}))
        while (answer := json.loads(self.socket.recv())).get("id") != self.sent:
            pass
        if "error" in answer:
            raise RuntimeError(f"{name}: {answer['error']}")
        return answer["result"]


@functools.cache
def chromium() -> Chromium:
    return Chromium()


def end_chromium() -> None:
    """Ends the Chromium, if a test has started one."""
    if chromium.cache_info().currsize:
        # chromedriver ends only what it started, and that is a script of Debian's.
        chromium().command("Browser.close")
        chromium().driver.quit()


def attach(address: str | None) -> webdriver.Chrome:
    """A driver of the Chromium at this address, or of one that it starts."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    driver = shutil.which("chromedriver")
    if not program or not driver:
        raise RuntimeError("no chromium with its chromedriver on the PATH: run scripts/setup test")
    options = webdriver.ChromeOptions()
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    if address:
        options.debugger_address = address
    else:
        options.binary_location = program
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # root has none
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))


class Browser:
    """A browser of one's own, with nothing in it."""

    # Those that are open, for what is told of a test that fails.
    opened: ClassVar[list[Browser]] = []

    def __init__(self, width: int = 1280, height: int = 900, dark: bool = False):
        self.context = chromium().command("Target.createBrowserContext")
        tab = self._tab(newWindow=True, width=width, height=height)
        self.driver = attach(chromium().address)
        self.driver.switch_to.window(tab)
        self.said: list[str] = []
        self.opened.append(self)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=REMEMBER)
        self.resize(width, height)
        self.colours(dark)

    def _tab(self, **size: int) -> str:
        return chromium().command("Target.createTarget", url="about:blank", **self.context, **size)["targetId"]

    def open_tab(self) -> str:
        """Opens an empty tab, and goes to it. WebDriver's own way would open it for another context."""
        tab = self._tab()
        self.driver.switch_to.window(tab)
        return tab

    def command(self, name: str, **parameters: Any) -> Any:
        return self.driver.execute_cdp_cmd(name, parameters)

    def resize(self, width: int, height: int) -> None:
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def colours(self, dark: bool) -> None:
        value = "dark" if dark else "light"
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def open(self, url: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(url)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """All the text of an element, shown or not."""
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def wait(self, selector: str, text: str = "", seconds: float = 20) -> str:
        """Waits until an element is there and its text holds `text`, and gives its text."""
        until(
            lambda: self.run("return document.querySelector(arguments[0])?.textContent.includes(arguments[1])", selector, text),
            f"{selector} with {text!r}",
            seconds,
        )
        return self.text(selector)

    def console(self) -> list[str]:
        """What the console has said by now, but for answers that are problems."""
        self.said += [
            f"{entry['level']}: {entry['message']}"
            for entry in self.driver.get_log("browser")  # type: ignore[no-untyped-call]
            if entry["level"] in ("WARNING", "SEVERE") and entry["source"] != "network"
        ]
        return self.said

    def complaints(self) -> list[str]:
        """What the page's policy forbade, and what the console says, since this was last asked."""
        complaints = self.run("return window.violations ?? []") + self.console()
        self.said = []
        return complaints

    def record(self, folder: Path) -> str:
        """Keeps what is seen of the page, and answers what is told of it beside the failure of a test."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "page.png").write_bytes(base64.b64decode(self.command("Page.captureScreenshot")["data"]))
        (folder / "page.html").write_text(self.driver.page_source)
        return "\n".join([f"{self.driver.current_url}, kept in {folder}", *self.console()])

    def close(self) -> None:
        if self in self.opened:
            self.opened.remove(self)
            self.driver.quit()
            chromium().command("Target.disposeBrowserContext", **self.context)
