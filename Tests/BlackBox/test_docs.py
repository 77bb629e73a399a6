"""The page `/docs`, in a browser: it shows the whole contract, and sends requests."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from browser import Browser
from goals_client import Client, new_id, until
from goals_server import ROOT, Server
from tier import thoroughly

METHODS = ("get", "put", "post", "delete", "patch")

# Where the server's codes are written, and how.
CODES = {
    "Sources/GoalsCore/Decisions/Rejection.swift": r'case (?:\w+ = )?"?([a-z-]+)"?$',
    "Sources/HTTP/Refusal.swift": r'\(\s*\.\w+, "([a-z-]+)"',
    "Sources/GoalsService": r'(?:Problem|self\.init|\.init)\(\s*\.\w+,\s*"([a-z-]+)"',
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Browser]:
    """The page, shown, without a token. It must leave nothing to complain about."""
    browser.resize(1280, 900)
    browser.open(f"{server.url}/docs")
    browser.wait("#schemas")
    yield browser
    browser.run("sessionStorage.clear()")
    assert browser.complaints() == []


@pytest.fixture
def reader(browser: Browser, server: Server) -> Browser:
    """The page, for those who only read: it is loaded once for all."""
    if browser.run("return typeof readYAML") == "undefined":
        browser.open(f"{server.url}/docs")
        browser.wait("#schemas")
    return browser


@pytest.fixture(scope="module")
def contract() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "openapi.yaml").read_text())


def operations(contract: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (item[method]["operationId"], method.upper(), path)
        for path, item in contract["paths"].items()
        for method in METHODS
        if method in item
    ]


def give_token(page: Browser, me: Client) -> str:
    """Types the token where the page asks for one, and answers it."""
    assert me.token is not None
    page.find("#token").clear()
    page.find("#token").send_keys(me.token)
    return me.token


def open_form(page: Browser, operation: str) -> None:
    page.run("document.querySelector(arguments[0]).open = true", f"#{operation} .try")
    page.wait(f"#{operation} .try form")


def fill(page: Browser, operation: str, part: str, value: str) -> None:
    page.run(
        """const field = document.getElementById(arguments[0]);
        field.value = arguments[1];
        field.dispatchEvent(new Event("input", { bubbles: true }));""",
        f"try-{operation}-{part}",
        value,
    )


def send(page: Browser, operation: str, expected: str) -> str:
    """Presses the button and gives the answer's body."""
    page.run("document.querySelector(arguments[0]).click()", f"#{operation} .try [type=submit]")
    page.wait(f"#{operation} .outcome", expected)
    until(lambda: page.run("return document.querySelector(arguments[0]).hidden", f"#{operation} .try .buttons .quiet"), "it is whole")
    return page.text(f"#{operation} .result > pre")


# What it shows


def test_is_one_document_that_loads_nothing(page: Browser, anyone: Client) -> None:
    response = anyone.get("/docs").expect(200)
    assert len(response.body) <= 400_000
    assert not re.search(rb"<script src|<link rel=\"stylesheet\"", response.body)
    loaded = page.run("return performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
    assert loaded == []


def test_reads_the_contract_as_any_yaml_reader_does(reader: Browser, contract: dict[str, Any]) -> None:
    read = reader.run("return fetch('/openapi.yaml').then((answer) => answer.text()).then((text) => JSON.stringify(readYAML(text)))")
    assert json.loads(read) == json.loads(json.dumps(contract)), "yaml.js has to learn what openapi.yaml uses now"


@pytest.mark.parametrize(
    "text",
    [
        "a: |\n  x\n\n  y\n\n\nb: >-\n  one\n  two\n\n  three\nc: 1",
        "a: |+\n  x\n\nb: |-\n  y\n",
        "k:\n- a\n- - b\n  - c\n-\n  d: e\n  f: 'it''s'\n",
        'a: {b: [1, two, "x, y"],\n  c: d}\ne: plain goes\n  on here # no\n',
        'a: "x\n  y"\nb: "\\u00e9\\n"\n"q\\"": ~\nx: y#z\n',
        "- a: 1\n  b:\n    - {x: http://a, y: }\n- -1.5\n- []\n",
        "a: 1\n a: 2",
        "a: 1\nb: b: c",
        "a: [1, 2",
        "a:\n    b: 1\n  c: 2",
        "a: |\n    deep\n   x: 1",
        "a: 'x",
    ],
)
def test_reads_yaml_or_refuses_it(reader: Browser, text: str) -> None:
    read = reader.run("try { return JSON.stringify(readYAML(arguments[0])) } catch (error) { return String(error) }", text)
    try:
        meant = yaml.safe_load(text)
    except yaml.YAMLError:
        assert re.match(r"Error: YAML, line \d+: ", read), read
    else:
        assert json.loads(read) == meant


@pytest.mark.parametrize("text", ["a: &x 1", "a: !x 1", "a: *x", "a: 1\na: 2", "a: {b: 1, b: 2}", "\ta: 1"])
def test_refuses_yaml_that_it_does_not_read(reader: Browser, text: str) -> None:
    read = reader.run("try { return JSON.stringify(readYAML(arguments[0])) } catch (error) { return String(error) }", text)
    assert re.match(r"Error: YAML, line \d+: ", read), read


def test_shows_every_operation(reader: Browser, contract: dict[str, Any]) -> None:
    for operation, method, path in operations(contract):
        assert reader.text(f"#{operation} .route").startswith(f"{method} {path}"), operation
        described = next(item[method.lower()] for name, item in contract["paths"].items() if name == path)
        assert described["summary"] in reader.text(f"#{operation} h3")
        shown = reader.text(f"#{operation}")
        successes = [status for status in described["responses"] if status.isdigit() and int(status) < 400]
        assert successes and all(f"Answer {status}" in shown for status in successes), operation


def test_shows_the_fields_of_every_object(reader: Browser, contract: dict[str, Any]) -> None:
    for name, schema in contract["components"]["schemas"].items():
        ignored = list(schema.get("properties", {}))
        shown = reader.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", f"#schema-{name} th code")
        assert set(ignored) <= set(shown), name


def test_has_an_anchor_for_every_code_that_the_server_can_send(reader: Browser) -> None:
    codes: set[str] = set()
    for place, pattern in CODES.items():
        files = [ROOT / place] if place.endswith(".swift") else sorted((ROOT / place).rglob("*.swift"))
        found = {code for file in files for code in re.findall(pattern, file.read_text(), re.M)}
        assert found, f"no codes are written in {place} as {pattern}"
        codes |= found
    anchors = set(reader.run("return [...document.querySelectorAll('section.code')].map((one) => one.id)"))
    assert sorted(codes - anchors) == [], "sent, and explained nowhere in openapi.yaml"
    empty = reader.run("return [...document.querySelectorAll('section.code')].filter((one) => !one.querySelector('p')).map((one) => one.id)")
    assert empty == [], "named in openapi.yaml without a word of what they mean"


def test_every_link_within_leads_somewhere_and_no_name_is_taken_twice(reader: Browser) -> None:
    broken = reader.run("return [...document.querySelectorAll('a[href^=\"#\"]')].map((one) => one.hash.slice(1)).filter((id) => !document.getElementById(id))")
    assert broken == []
    ids = reader.run("return [...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert sorted(id for id in set(ids) if ids.count(id) > 1) == []


def test_a_problem_type_leads_to_its_code(browser: Browser, server: Server) -> None:
    problem = server.client(None).get("/v1/goals").expect(401).json()
    browser.open(f"{server.url}{problem['type']}")
    browser.wait("section:target", "unauthenticated")
    place = "return document.querySelector('section:target').getBoundingClientRect().top"
    until(lambda: 0 <= browser.run(place) < 900, "it is in view")


def test_finds_what_is_typed(page: Browser) -> None:
    shown = "return [...document.querySelectorAll('section.operation')].filter((one) => one.checkVisibility()).map((one) => one.id)"
    everything = page.run(shown)
    page.find("#filter").send_keys("below-zero")
    until(lambda: page.run(shown) == ["bumpGoal"], "one operation is left")
    assert page.text("#found").endswith("sections")
    entries = page.run("return [...document.querySelectorAll('#contents a')].filter((one) => one.checkVisibility()).map((one) => one.hash)")
    assert "#bumpGoal" in entries and "#addGoal" not in entries
    page.find("#filter").send_keys("\ue00c")
    until(lambda: page.run(shown) == everything, "everything is back")


# What it sends


def test_sends_what_its_form_says_and_shows_the_answer(page: Browser, me: Client) -> None:
    give_token(page, me)
    id = new_id()
    open_form(page, "addGoal")
    fill(page, "addGoal", "body", json.dumps({"id": id, "title": "It's <b onclick=alert(1)>yoga</b>"}))
    assert json.loads(send(page, "addGoal", "201 Created"))["id"] == id
    open_form(page, "listGoals")
    shown = send(page, "listGoals", "200 OK")
    assert json.loads(shown) == me.get("/v1/goals").expect(200).json()
    assert page.run("return document.querySelectorAll('.result b, .result [onclick]').length") == 0
    fill(page, "listGoals", "active", "true")
    assert json.loads(send(page, "listGoals", "200 OK"))["goals"] == []
    assert "cache-control: private, no-cache" in page.text("#listGoals .result details pre")


def test_sends_the_example_that_is_in_the_form(page: Browser, me: Client) -> None:
    give_token(page, me)
    for operation, status in [("addGoal", "201"), ("patchGoal", "200"), ("bumpGoal", "200"), ("drawHistory", "200")]:
        open_form(page, operation)
        send(page, operation, status)
    assert page.run("return document.querySelector('#drawHistory .result img').naturalWidth") > 0


def test_leads_from_a_problem_to_what_it_means(page: Browser, me: Client) -> None:
    give_token(page, me)
    open_form(page, "readGoal")
    fill(page, "readGoal", "id", new_id())
    send(page, "readGoal", "404 Not Found")
    assert (page.find("#readGoal .result a").get_attribute("href") or "").endswith("#unknown-goal")


def test_asks_for_what_is_missing(page: Browser) -> None:
    open_form(page, "readGoal")
    fill(page, "readGoal", "id", " ")
    page.run("document.querySelector('#readGoal .try [type=submit]').click()")
    page.wait("#readGoal .outcome", "id is needed")
    open_form(page, "readAccount")
    assert "give one first" in page.find("#readAccount .try").text
    send(page, "readAccount", "401 Unauthorized")


def test_the_curl_line_sends_the_same(page: Browser, me: Client) -> None:
    token = give_token(page, me)
    id = new_id()
    open_form(page, "putGoal")
    fill(page, "putGoal", "id", id)
    fill(page, "putGoal", "Idempotency-Key", new_id())
    fill(page, "putGoal", "body", json.dumps({"title": "It's \"$HOME\" `x` \\ 'yoga'\n".strip()}, indent=2))
    line = page.text("#putGoal .curl")
    assert token not in line
    finished = subprocess.run(
        ["sh", "-c", line], env={**os.environ, "TOKEN": token}, capture_output=True, text=True, timeout=600
    )
    assert finished.returncode == 0, finished.stderr
    head, _, body = finished.stdout.partition("\n\n")
    assert re.match(r"HTTP/1\.1 201 ", head), finished.stdout
    assert json.loads(body)["title"] == "It's \"$HOME\" `x` \\ 'yoga'"
    # The same request from the page: the edit is recorded already.
    assert json.loads(send(page, "putGoal", "20")) == json.loads(body)
    assert me.get("/v1/account").expect(200).json()["version"] == 1


def test_shows_a_stream_as_it_comes_until_it_is_stopped(page: Browser, me: Client) -> None:
    give_token(page, me)
    open_form(page, "followChanges")
    page.run("document.querySelector('#followChanges .try [type=submit]').click()")
    page.wait("#followChanges .events li", "message")
    me.post("/v1/goals", {"title": "Yoga"}).expect(201)
    page.wait("#followChanges .events li:nth-child(2)", '"title": "Yoga"')
    page.find("#followChanges .buttons .quiet").click()
    page.wait("#followChanges .outcome", "Stopped.")


def test_keeps_the_token_in_its_tab_only(page: Browser, me: Client, server: Server) -> None:
    token = give_token(page, me)
    kept = page.run("return [JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie, location.href]")
    assert [token in place for place in kept] == [True, False, False, False]
    page.open(f"{server.url}/docs")
    page.wait("#schemas")
    assert page.find("#token").get_property("value") == token
    page.find("#token").send_keys("\ue009a\ue009\ue017")
    assert page.run("return sessionStorage.length") == 0


def test_runs_nothing_that_is_not_its_own(browser: Browser, server: Server) -> None:
    browser.open(f"{server.url}/docs")
    browser.wait("#schemas")
    browser.run("const script = document.createElement('script'); script.setAttribute('nonce', 'x'); document.head.append(script)")
    refused = browser.run("try { document.body.innerHTML = '<p>'; return '' } catch (error) { return error.name }")
    assert refused == "TypeError"
    asked = browser.run("return fetch('http://127.0.0.1:9/').catch((error) => error.name)")
    assert asked == "TypeError"
    assert any("connect-src" in said for said in browser.complaints())


# Whether everybody can use it


OPERABLE = """
const named = (one) => one.labels?.length || one.getAttribute("aria-label") || (one.tagName === "BUTTON" && one.textContent.trim());
const wrong = [];
for (const one of document.querySelectorAll("input, select, textarea, button")) if (!named(one)) wrong.push(`no name: ${one.outerHTML}`);
for (const one of document.querySelectorAll("a")) if (!(one.textContent.trim() || one.ariaLabel)) wrong.push(`no text: ${one.outerHTML}`);
for (const one of document.querySelectorAll("[tabindex]")) if (one.tabIndex > 0) wrong.push(`jumps the queue: ${one.outerHTML}`);
let level = 0;
for (const one of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  const next = Number(one.tagName[1]);
  if (next > level + 1) wrong.push(`h${next} below h${level}: ${one.textContent}`);
  level = next;
}
for (const one of ["header", "nav[aria-label]", "main", "h1"]) if (document.querySelectorAll(one).length !== 1) wrong.push(`not one ${one}`);
return wrong;
"""

# The contrast of each text with what is behind it (WCAG 2.2 §1.4.3), as it is shown.
CONTRAST = """
const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => [r, g, b].map((one) => one / 255)
  .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
  .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
const behind = (one) => {
  for (; one; one = one.parentElement) {
    const colour = channels(getComputedStyle(one).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const poor = new Set();
for (const one of document.querySelectorAll("body *")) {
  const isText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!isText || !one.checkVisibility({ opacityProperty: true })) continue;
  const pair = [luminance(channels(getComputedStyle(one).color)), luminance(behind(one))].sort((a, b) => b - a);
  const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
  if (ratio < 4.5) poor.add(`${one.tagName}.${one.className}: ${ratio.toFixed(2)}`);
}
return [...poor];
"""


@pytest.mark.parametrize(("width", "dark"), [(360, False), (1280, True), thoroughly(360, True), thoroughly(1280, False)])
def test_can_be_read_and_used(page: Browser, me: Client, width: int, dark: bool) -> None:
    page.resize(width, 900)
    page.colours(dark)
    give_token(page, me)
    page.run("document.getElementById('sidebar').open = true")
    for operation, status in [("addGoal", "201"), ("readGoal", "404"), ("setActivity", "404")]:
        open_form(page, operation)
        if operation == "readGoal":
            fill(page, operation, "id", new_id())
        send(page, operation, status)
    assert page.run(OPERABLE) == []
    assert page.run(CONTRAST) == []
    ground = page.run("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground))) < 384) == dark
    assert page.run("return document.documentElement.scrollWidth") <= width
    page.colours(False)


def test_the_keyboard_reaches_everything_in_order(page: Browser) -> None:
    page.run("document.activeElement.blur()")
    reached: list[str] = []
    for _ in range(7):
        page.find("body").send_keys("\ue004") if not reached else page.driver.switch_to.active_element.send_keys("\ue004")
        reached.append(page.run("const one = document.activeElement; return one.id || one.textContent.trim()"))
    assert reached == ["Skip to the text", "openapi.yaml", "This server", "token", "token-shown", "filter", "Guide"]
    page.run("document.activeElement.blur()")
    page.find("body").send_keys("/")
    assert page.run("return document.activeElement.id") == "filter"


def test_shows_the_contract_as_it_is_written_where_it_can_not_be_set_out(browser: Browser, server: Server) -> None:
    broken = browser.command("Page.addScriptToEvaluateOnNewDocument", source="String.prototype.split = () => { throw new Error('gone'); }")
    try:
        browser.open(f"{server.url}/docs")
        assert "could not be set out: gone" in browser.wait("#reference [role=alert]")
        assert "operationId: bumpGoal" in browser.text("#contract")
    finally:
        browser.command("Page.removeScriptToEvaluateOnNewDocument", **broken)
        browser.complaints()


def test_shows_the_contract_without_scripts(browser: Browser, server: Server) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(f"{server.url}/docs")
        assert "With JavaScript this is set out" in browser.text("#reference")
        assert "operationId: bumpGoal" in browser.text("#contract") and "/v1/goals/{id}/bump:" in browser.text("#contract")
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)
