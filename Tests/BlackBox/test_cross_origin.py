"""A page of another origin in a browser: what docs/sync.md says that it can do, and what it can't."""

from __future__ import annotations

import http.server
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from browser import Browser
from goals_client import edit, until
from goals_server import ROOT, Server

(CODE,) = re.findall(r"^```js\n(.*?)^```$", (ROOT / "docs" / "sync.md").read_text(), re.M | re.S)
NOBODY = "goals_" + "0" * 64

# Two addresses of one machine are two origins.
TRIED = """
const [url, token, nobody] = arguments, done = arguments[arguments.length - 1];
const named = ["Allow", "Date", "ETag", "Location", "Retry-After", "WWW-Authenticate", "X-Request-Id", "Vary"];
const ask = async (path, options = {}) => {
  try {
    const answer = await fetch(url + path, options);
    return { status: answer.status, fields: Object.fromEntries(named.map((name) => [name, answer.headers.get(name)])) };
  } catch (error) {
    return { failed: error.name };
  }
};
const mine = { Authorization: `Bearer ${token}` }, wrong = { Authorization: `Bearer ${nobody}` };
"""


class Elsewhere(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Elsewhere</title>")

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    """The origin of another server, which has an empty page."""
    other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{other.server_address[1]}"
    other.shutdown()


@pytest.fixture(scope="module")
def visited(elsewhere: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    flags = ("--rate-limit", "0", "--failed-sign-ins", "1", "--cors-origin", elsewhere)
    with Server(tmp_path_factory.mktemp("s"), *flags) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def page(browser: Browser, elsewhere: str) -> Browser:
    browser.open(elsewhere)
    return browser


def tried(page: Browser, server: Server, script: str, token: str | None = None) -> Any:
    """What a script of the page comes to."""
    whole = f"{TRIED}\n{CODE}\n(async () => {{ {script} }})().then(done, (error) => done({{ failed: error.name }}));"
    return page.driver.execute_async_script(whole, server.url, token or server.token, NOBODY)


def test_reads_the_fields_that_a_client_needs(page: Browser, visited: Server) -> None:
    listed, made, refused, waits = tried(
        page,
        visited,
        """return [
          await ask("/v1/goals", { headers: mine }),
          await ask("/v1/goals", { method: "POST", headers: { ...mine, "Content-Type": "application/json" }, body: '{"title": "Yoga"}' }),
          await ask("/v1/goals", { headers: wrong }), await ask("/v1/goals", { headers: wrong })]""",
    )
    assert [answer["status"] for answer in (listed, made, refused, waits)] == [200, 201, 401, 429]
    assert listed["fields"]["ETag"] and listed["fields"]["Date"].endswith(" GMT") and listed["fields"]["X-Request-Id"]
    assert made["fields"]["Location"].startswith("/v1/goals/")
    assert refused["fields"]["WWW-Authenticate"].startswith("Bearer") and 0 < int(waits["fields"]["Retry-After"]) <= 60
    assert {answer["fields"]["Vary"] for answer in (listed, made, refused, waits)} == {None}


def test_has_no_session_and_no_event_source(page: Browser, visited: Server) -> None:
    opened, included, bare, source = tried(
        page,
        visited,
        """const source = new EventSource(`${url}/v1/changes`);
        const heard = new Promise((tell) => { source.onerror = () => tell("refused"); source.onmessage = () => tell("let in"); });
        return [
          await ask("/v1/session", { method: "POST", headers: mine }),
          await ask("/v1/goals", { credentials: "include" }), await ask("/v1/goals"),
          await heard]""",
    )
    assert opened["status"] == 204
    assert included == {"failed": "TypeError"}
    assert bare["status"] == 401, "the cookie was neither kept nor sent"
    assert source == "refused"


def test_follows_the_stream_with_fetch_and_goes_on_where_it_was(page: Browser, visited: Server) -> None:
    token = visited.account()["token"]
    me = visited.client(token)
    page.run("window.place = {}; window.seen = []")

    def follow(count: int) -> None:
        """Begins to read so many edits, and then leaves the stream."""
        page.run(
            f"""const [url, token, count] = arguments; {CODE}
            (async () => {{
              let left = count;
              for await (const {{ type, data }} of changes(url, token, place)) {{
                seen.push([type, data.type]);
                if (--left === 0) break;
              }}
            }})()""",
            visited.url, token, count,
        )  # fmt: skip

    follow(2)
    until(lambda: page.run("return place.id"), "the stream told its place")
    goal = me.add_goal()
    until(lambda: len(page.run("return seen")) == 2, "both edits are seen")
    me.apply(edit("bump", goal=goal), edit("bump", goal=goal))
    follow(2)
    until(lambda: len(page.run("return seen")) == 4, "it went on")
    assert page.run("return seen") == [["edit", name] for name in ("add", "setActivity", "bump", "bump")]


def test_of_an_origin_that_was_not_named_reads_nothing(browser: Browser, visited: Server, elsewhere: str) -> None:
    browser.open(elsewhere.replace("127.0.0.1", "localhost"))
    (answer,) = tried(browser, visited, 'return [await ask("/v1/goals", { headers: mine })]')
    assert answer == {"failed": "TypeError"}
