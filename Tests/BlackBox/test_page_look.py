"""How the page at `/` looks where titles, colours and displays are out of the ordinary."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from goals_client import Client, new_id, until
from goals_server import Server
from page import Page, add, goals
from tier import thoroughly

WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"

STICKS_OUT = """return [...document.querySelectorAll("main *, #toast *, dialog[open] *")]
  .filter((one) => one.checkVisibility() && !one.closest(".scroll, .unseen, svg"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.left < -1 || box.right > innerWidth + 1))
  .map(([one]) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("width", [320, thoroughly(390)])
def test_one_long_word_breaks_no_view(page: Page, server: Server, me: Client, width: int) -> None:
    id = add(me, WORD, frequency=2)
    page.resize(width, 844)
    page.sign_in(server.url, me.token or "")
    page.tap(WORD)
    page.wait(".toast", WORD)
    for place in ["#/", "#/goals", f"#/goals/{id}", f"#/count/{id}", "#/status", "#/account", "#/history", "arranging"]:
        page.at("#/goals" if place == "arranging" else place)
        if place == "arranging":
            page.press("[data-do=screen][data-step=edit]")
        if place == "#/history" or (place.endswith(id) and "count" not in place):
            page.wait(".feed li", WORD)
        until(lambda: page.run("return document.getAnimations().length") == 0, "nothing moves")
        assert page.run(STICKS_OUT) == [], place
        sheet = page.run("const one = document.getElementById('sheet'); return one.scrollWidth - one.clientWidth")
        assert sheet == 0 and page.run("return document.documentElement.scrollWidth <= innerWidth"), place
    assert page.run("return document.querySelector('.toast > span')?.getBoundingClientRect().height ?? 0") < 60, "two lines at most"


def test_a_long_title_leaves_room_for_the_goal(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Read a very long title that never ends " * 5, frequency=2)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}")
    page.wait(".feed li")
    box = page.run("return document.querySelector('h1').getBoundingClientRect().toJSON()")
    back = page.run("return document.querySelector('.back').getBoundingClientRect().toJSON()")
    assert box["height"] < 130 and abs(back["top"] - box["top"]) < 20


@pytest.mark.parametrize("width", [390, 1280])
def test_periods_are_one_line_with_a_bar_to_compare(page: Page, server: Server, me: Client, width: int) -> None:
    id = add(me, "Run", frequency=1_000_000, interval="monthly", unit="metres")
    me.post(f"/v1/goals/{id}/bump", {"by": 50_000}).expect(200)
    page.resize(width, 844)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}")
    page.wait(".periods", "50,000 / 1M")
    height, bar = page.run("""return [document.querySelector(".periods li > span").getBoundingClientRect().height,
      document.querySelector(".bar-of").getBoundingClientRect().width]""")
    assert height < 30 and bar >= 48
    page.wait(".tiles", "0 months")
    assert not page.all(".tile svg"), "no flame without a streak"


@pytest.mark.parametrize("width", [320, thoroughly(390)])
def test_what_became_of_a_period_is_told_on_a_phone_too(page: Page, server: Server, me: Client, width: int) -> None:
    id = new_id()
    day = datetime.now(UTC) - timedelta(days=40)
    made: list[dict[str, Any]] = [
        {"type": "add", "goal": {"id": id, "title": "Run", "interval": "weekly", "frequency": 10}},
        {"type": "setActivity", "activity": {id: True}},
        {"type": "bump", "goal": id, "by": 12},
    ]
    me.post("/v1/edits", {"edits": [{**one, "id": new_id(), "at": day.isoformat()} for one in made]}).expect(200)
    me.post("/v1/edits", {"edits": [{"type": "skip", "id": new_id(), "goal": id}]}).expect(200)
    page.resize(width, 844)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}")
    page.wait(".periods")
    seen = page.run("""return [...document.querySelectorAll(".state-of")].map((one) => {
      const [word, row, count] = [one, one.parentElement, one.previousElementSibling].map((each) => each.getBoundingClientRect());
      const isWhole = one.scrollWidth <= one.clientWidth + 1 && word.right <= count.left && word.bottom <= row.bottom;
      return [one.checkVisibility() && one.textContent, isWhole, row.height < 44];
    })""")
    assert {"skipped", "missed", "done"} == {word for word, _, _ in seen}
    assert all(is_whole and is_flat for _, is_whole, is_flat in seen), seen
    assert page.run(STICKS_OUT) == []


def test_a_title_from_right_to_left_turns_nothing_around_it(page: Page, server: Server, me: Client) -> None:
    title = "לרוץ 5 ק״מ"
    add(me, title, frequency=3)
    page.sign_in(server.url, me.token or "")
    page.tap(title)
    words = page.wait(".toast", title)
    assert words.startswith(f"\u2068{title}\u2069: +1")
    # As it is drawn: the plus is left of the one, and both right of the title.
    script = """const node = document.querySelector(".toast > span").firstChild;
    const place = (index) => {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      return range.getBoundingClientRect().left;
    };
    const end = node.data.length;
    return [place(1), place(end - 2), place(end - 1)]"""
    first, plus, one = page.run(script)
    assert first < plus < one


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# The colour as the browser paints it, of whatever form it is.
PAINTED = """const paint = (colour) => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join();
};
return [...document.querySelectorAll(".card")].map((one) =>
  [paint(getComputedStyle(one.querySelector(".arc")).stroke), paint(getComputedStyle(one).backgroundColor)])"""


@pytest.mark.parametrize("dark", [False, True])
def test_a_colour_of_ones_own_is_seen_on_any_ground(page: Page, server: Server, me: Client, dark: bool) -> None:
    for colour in ("#ffffff", "#ffee00", "#000000", "#123456"):
        add(me, colour, colour=colour, frequency=2)
    page.colours(dark)
    page.sign_in(server.url, me.token or "")
    page.shows("#ffffff", "0")
    for ring, ground in page.run(PAINTED):
        lighter, darker = sorted((luminance(ring), luminance(ground)), reverse=True)
        assert (lighter + 0.05) / (darker + 0.05) >= 2.9, (ring, ground)


def test_what_goes_beyond_a_goal_keeps_its_colour_and_has_an_end(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Run", colour="yellow", frequency=4)
    me.post(f"/v1/goals/{id}/bump", {"by": 3}).expect(200)
    page.sign_in(server.url, me.token or "")
    page.shows("Run", "3")
    assert not page.all(".card .gap")
    page.tap("Run", 2)
    page.shows("Run", "5")
    colours = page.run("return [...document.querySelectorAll('.card .arc')].map((one) => getComputedStyle(one).stroke)")
    assert len(colours) == 2 and len(set(colours)) == 1 and len(page.all(".card .gap")) == 1


def test_the_systems_colours_show_what_is_chosen(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    page.command("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    page.at("#/goals/new")
    page.wait("dialog[open] h2", "New goal")
    style = "return [...document.querySelectorAll(arguments[0])].map((one) => getComputedStyle(one)[arguments[1]])"
    chosen = page.run(style, ".segments :checked + span", "backgroundColor")
    others = page.run(style, ".segments :not(:checked) + span", "backgroundColor")
    assert len(chosen) == 1 and len(others) == 2 and chosen[0] not in others
    for selector in (".segments span", ".switch input", "dialog .button", "dialog .quiet"):
        assert set(page.run(style, selector, "borderTopWidth")) == {"1px"}, selector
    on = page.run(style, ".switch input", "backgroundColor")
    page.press(".switch input")
    until(lambda: page.run(style, ".switch input", "backgroundColor") != on, "the switch shows that it is off")


def test_an_empty_list_offers_what_it_speaks_of(page: Page, server: Server, me: Client) -> None:
    page.sign_in(server.url, me.token or "")
    page.at("#/goals")
    page.wait(".lead", "Pick one")
    assert len(page.all("a[href='#/goals/new']")) == 1, "one way to add a goal of one's own"
    page.press("main [data-name=suggestYoga]")
    until(lambda: [one["title"] for one in goals(me)] == ["Yoga"], "it is added")
    page.wait(".rows", "Yoga")


# As wide as the page, and in line

CARDS = """return Object.fromEntries(["daily", "weekly", "monthly"].map((name) => [name,
  [...document.querySelectorAll(`[data-key=${name}] .card`)].map((one) => one.getBoundingClientRect()).map(({ left, top, width }) => [left, top, width])]))"""


@pytest.mark.parametrize(
    ("weekly", "monthly"), [(2, 3), (12, 12), thoroughly(1, 1), thoroughly(7, 1), thoroughly(1, 7)]
)
def test_every_card_is_in_a_column_of_the_board(page: Page, server: Server, me: Client, weekly: int, monthly: int) -> None:
    for interval, count in (("daily", 6), ("weekly", weekly), ("monthly", monthly)):
        for number in range(count):
            add(me, f"{interval} {number}", interval=interval)
    page.sign_in(server.url, me.token or "")
    until(lambda: len(page.all(".card")) == 6 + weekly + monthly, "all are there")
    for width in (390, 800, 1024, 1280, 1920):
        page.resize(width, 900)
        assert page.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
        cards = page.run(CARDS)
        columns = {round(left) for left, _, _ in cards["daily"]}
        for left, _, size in [*cards["weekly"], *cards["monthly"]]:
            assert min(abs(left - one) for one in columns) <= 1 and abs(size - cards["daily"][0][2]) < 1, width
    height = "return document.querySelector(arguments[0]).getBoundingClientRect().height"
    heads = [page.run(height, f"#section-{name}") for name in ("daily", "weekly", "monthly")]
    assert max(heads) < 40, "one line each"


@pytest.mark.parametrize("width", [320, thoroughly(390), thoroughly(1280)])
def test_a_long_unit_widens_nothing(page: Page, server: Server, me: Client, width: int) -> None:
    id = add(me, "Sport", frequency=1000, unit="Trainingseinheiten", interval="monthly")
    me.post(f"/v1/goals/{id}/bump", {"by": 1234}).expect(200)
    page.resize(width, 844)
    page.sign_in(server.url, me.token or "")
    for place in ["#/", "#/goals", f"#/goals/{id}", f"#/count/{id}", f"#/goals/{id}/edit", "#/history", "#/account"]:
        page.at(place)
        if place == f"#/goals/{id}":
            page.wait(".tiles", "1,234 Trainingseinheiten")
        until(lambda: page.run("return document.getAnimations().length") == 0, "nothing moves")
        assert page.run(STICKS_OUT) == [], place
        assert page.run("return document.documentElement.scrollWidth <= innerWidth"), place
        assert page.run("return [...document.querySelectorAll('.tile')].every((one) => one.scrollWidth <= one.clientWidth)"), place


def test_a_day_that_is_done_looks_like_it(page: Page, server: Server, me: Client) -> None:
    add(me, "Yoga")
    page.sign_in(server.url, me.token or "")
    colour = "return getComputedStyle(document.querySelector('.tally')).color"
    page.wait(".tally", "0 of 1 done")
    before = page.run(colour)
    page.tap("Yoga")
    page.wait(".tally", "All done")
    assert page.run(colour) != before


def test_a_long_title_is_short_in_a_list_and_over_a_sheet(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Read a very long title that never ends " * 5)
    me.post(f"/v1/goals/{id}/bump", {}).expect(200)
    page.sign_in(server.url, me.token or "")
    height = "return document.querySelector(arguments[0]).getBoundingClientRect().height"
    page.at("#/goals")
    page.wait(".row .streak", "1 day")
    assert page.run(height, ".row b") < 80
    page.at(f"#/count/{id}")
    page.wait("dialog[open] h2", "Read")
    assert page.run(height, "dialog h2") < 95


# The colours of a picture in its 600th row.
PIXELS = """const [data, columns, tell] = arguments;
const picture = new Image();
picture.onload = () => {
  const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  tell(columns.map((x) => [...context.getImageData(x, 600, 1, 1).data].slice(0, 3)));
};
picture.src = `data:image/png;base64,${data}`;"""


def test_a_sheet_darkens_all_of_the_page(page: Page, server: Server, me: Client) -> None:
    page.resize(1280, 900)
    page.sign_in(server.url, me.token or "")
    for dark in (False, True):
        page.colours(dark)
        page.at("#/goals/new")
        page.wait("dialog[open] h2", "New goal")
        until(lambda: page.run("return document.getAnimations().length") == 0, "nothing moves")
        edge, beside = page.driver.execute_async_script(PIXELS, page.driver.get_screenshot_as_base64(), [1275, 1255])
        assert all(abs(one - other) <= 2 for one, other in zip(edge, beside, strict=True)), (dark, edge, beside)
        page.press("dialog [data-do=leave]")
        until(lambda: not page.all("dialog[open]"), "the sheet is closed")


@pytest.mark.parametrize("width", [390, thoroughly(768), thoroughly(1280)])
def test_the_year_begins_under_its_title(page: Page, server: Server, me: Client, width: int) -> None:
    id = add(me, "Yoga")
    page.resize(width, 900)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}")
    page.wait(".heat", "Tap a day")
    title, letters, last = page.run("""return ["#year-title", ".letters", ".week"].map((one) => document.querySelector(one).getBoundingClientRect())
      .map(({ left, right }) => [left, right])""")
    inner = page.run("return document.querySelector('.heat').getBoundingClientRect().right")
    assert abs(title[0] - letters[0]) <= 1
    assert last[1] <= inner, "today is on the screen"


def test_the_narrowest_phone_shows_a_goal_from_its_edge_and_every_time(page: Page, server: Server, me: Client) -> None:
    id = add(me, "Lesen")
    page.resize(320, 640)
    page.sign_in(server.url, me.token or "")
    page.at(f"#/goals/{id}")
    page.wait(".head h1", "Lesen")
    back, ring = page.run("""return [".back", ".head .ring"]
      .map((one) => document.querySelector(one).getBoundingClientRect()).map(({ left, right }) => [left, right])""")
    assert ring[0] - back[1] < 30
    page.at("#/account")
    page.wait("h1", "Account")
    assert page.run("return document.querySelector('[name=dayStart]').getBoundingClientRect().width") > 135
