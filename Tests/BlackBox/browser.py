"""A browser without a window. Whatever a page may not do, or complains about, is remembered."""

from __future__ import annotations

import os
import shutil
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from goals_client import until

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

# Runs in each page before anything of its own.
REMEMBER = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
  violations.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`));
"""


class Browser:
    def __init__(self, width: int = 1280, height: int = 900, dark: bool = False):
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        driver = shutil.which("chromedriver")
        if not program or not driver:
            raise RuntimeError("no chromium with its chromedriver on the PATH: run scripts/setup test")
        options = webdriver.ChromeOptions()
        options.binary_location = program
        for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},{height}"):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")  # root has none
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
        self.command("Page.addScriptToEvaluateOnNewDocument", source=REMEMBER)
        self.resize(width, height)
        self.colours(dark)

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

    def complaints(self) -> list[str]:
        """What the page's policy forbade, and what the console says but for answers that are problems."""
        said = [
            f"{entry['level']}: {entry['message']}"
            for entry in self.driver.get_log("browser")
            if entry["level"] in ("WARNING", "SEVERE") and entry["source"] != "network"
        ]
        return self.run("return window.violations ?? []") + said

    def close(self) -> None:
        self.driver.quit()
