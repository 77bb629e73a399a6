"""The page in a browser, on a phone of little power and a network of little speed: when something is seen, when a
tap counts, and what has to be sent for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import machine
import places
from fixtures import Fixture
from running import Json, free_port, metric, wait_until
from scenarios import spread
from servers import Goals

sys.path.append(str(places.ROOT / "Tests/BlackBox"))
from browser import Browser

# What Chromium's tools make of the machine: a CPU so many times slower, 1.6 Mbit/s either way, and so long until
# an answer begins.
SLOWER = 4
NETWORK = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
# 200 goals, and ten bumps a day for ten years.
LONG = Fixture(goals=200, days=3650, every=20)
TAPS = 10

# Runs before the page. Remembers, in milliseconds since the page was asked for, when the first ring of the account
# was there while the engine was; taps it in the very task; and when the frame with what the tap changed was made.
PROBE = """
window.seen = {};
const frame = (name) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  // After the frame, which has what was changed before it.
  port1.onmessage = () => { seen[name] = performance.now(); };
  port2.postMessage(0);
});
const count = (card) => card.querySelector(".middle b")?.textContent;
const look = (_, self) => {
  const card = document.querySelector(".card");
  if (!card) return;
  if (!seen.goals) { seen.goals = performance.now(); seen.before = count(card); }
  if (!seen.tapped && document.querySelector(".status")?.dataset.kind !== "loading") {
    seen.tapped = performance.now();
    card.querySelector(".count").click();
  } else if (seen.tapped && !seen.counted && count(card) !== seen.before) {
    seen.counted = true;
    self.disconnect();
    frame("shown");
  }
};
new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
addEventListener("click", ({ timeStamp }) => { seen.taps = [...seen.taps ?? [], timeStamp]; }, true);
"""
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
# Waits for the frame that shows another count than now, and tells when it was there.
CHANGE = """
const card = document.querySelector(arguments[0]);
const before = card.textContent;
delete seen.shown;
seen.taps = [];
const { left, top, width, height } = card.getBoundingClientRect();
new MutationObserver((_, self) => {
  if (card.textContent === before) return;
  self.disconnect();
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { seen.shown = performance.now(); };
    port2.postMessage(0);
  });
}).observe(card, { subtree: true, childList: true, characterData: true });
return [left + width / 2, top + height / 2];
"""


def measure(rounds: int) -> Json:
    first, again = zip(*(visit() for _ in range(rounds)), strict=True)
    version = subprocess.run(["chromium", "--version"], capture_output=True, text=True, stdin=subprocess.DEVNULL).stdout.strip()
    return {
        **{name: spread([one[name] for one in first]) for name in first[0]},
        **{f"offline{name.title()}": spread([one[name] for one in again]) for name in again[0]},
        "tap": spread(taps()),
        "runs": (
            f"{machine.today()}, {version}, {SLOWER}× slower, 1.6 Mbit/s, 150 ms; visits of {rounds} new browsers, {TAPS} taps"
        ),
    }


class Page(Browser):
    def __init__(self) -> None:
        super().__init__(390, 844)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=PROBE)
        self.command("Network.enable")

    def slow(self, network: bool) -> None:
        self.command("Emulation.setCPUThrottlingRate", rate=SLOWER)
        if network:
            self.command("Network.emulateNetworkConditions", offline=False, **NETWORK)

    def until(self, script: str, what: str) -> None:
        wait_until(lambda: bool(self.run(f"return {script}")), what, 120, 0.05)

    def visit(self) -> Json:
        """In seconds since the page was asked for."""
        self.until("window.seen?.shown", "a tap is shown")
        seen = self.run("return seen")
        return {name: time / 1e3 for name, time in (("paint", self.run(PAINT)), ("goals", seen["goals"]), ("bump", seen["tapped"]), ("shown", seen["shown"]))}


@contextmanager
def opened(fixture: Fixture, *flags: str) -> Iterator[tuple[Goals, Page]]:
    server = Goals(places.WORK / "run" / "page", fixture, *flags)
    page = Page()
    try:
        server.start()
        yield server, page
    finally:
        page.close()
        server.kill()


def visit() -> tuple[Json, Json]:
    """The first visit of a new device, by a sign-in link, and the next one, without the server."""
    port = free_port()
    with opened(Fixture(), "--metrics-listen", f"127.0.0.1:{port}") as (server, page):
        before = sent(port)
        page.slow(network=True)
        page.driver.get(f"http://127.0.0.1:{server.port}/#token={server.fixture.token}")
        first = page.visit()
        page.until("navigator.serviceWorker.controller && document.querySelector('.status').dataset.kind === 'inStep'", "the page is whole")
        first["sent"] = sent(port) - before
        server.stop()
        page.driver.get("about:blank")
        page.driver.get(f"http://127.0.0.1:{server.port}/")
        return first, page.visit()


def taps() -> list[float]:
    """In seconds: from taps to the frames that show them, with the longest of accounts."""
    with opened(LONG) as (server, page):
        page.driver.get(f"http://127.0.0.1:{server.port}/#token={server.fixture.token}")
        page.until("document.querySelectorAll('.card').length === 200 && document.querySelector('.status').dataset.kind === 'inStep'", "all is read")
        page.slow(network=False)
        times = []
        for number in range(TAPS):
            card = f".card:nth-child({number % 3 + 1}) .count"
            x, y = page.run(CHANGE, card)
            for type in ("mousePressed", "mouseReleased"):
                page.command("Input.dispatchMouseEvent", type=type, x=x, y=y, button="left", clickCount=1)
            page.until("seen.shown", "the tap is shown")
            times.append(page.run("return seen.shown - seen.taps[0]") / 1e3)
            page.until("document.querySelector('.status').dataset.kind === 'inStep'", "it is sent")
        return times


def sent(port: int) -> int:
    """The bytes that the server has written by now, heads included."""
    return metric(port, "goals_sent_bytes_total")
