// What is told of a goal's past, and of what happened in the account.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { day, goal, past, state } from "./fakes/account.js";
import { useBrowser } from "./fakes/browser.js";
import { useDocument } from "./fakes/document.js";
import { usePlace } from "./fakes/place.js";

useBrowser();
useDocument();
usePlace();
const { detail } = await import("../../Sources/PageFiles/detail.js");
const { feedOf, lossOf } = await import("../../Sources/PageFiles/feed.js");
const { History } = await import("../../Sources/PageFiles/history.js");
const { readEdits } = await import("../../Sources/PageFiles/server.js");
const { show } = await import("../../Sources/PageFiles/dom.js");

const main = document.getElementById("main");
const account = state([goal(), goal({ id: "2", title: "Run" })]);

/** Edits as the server lists them: newest first, recorded when they happened unless a test says otherwise. */
function listed(...edits) {
  const all = edits.map((edit, place) => {
    const at = `2026-11-20T12:00:0${edits.length - place}Z`;
    return { id: `e${edits.length - place}`, version: edits.length - place, at, recordedAt: at, device: null, ...edit };
  });
  return { edits: all, isRead: true, hasMore: false, title: () => undefined };
}

const shown = (feed) => {
  show(main, feedOf(feed, account));
  return main.querySelectorAll("li").map((row) => row.querySelector("span").textContent);
};

beforeEach(() => { show(main); });

describe("The list of what happened", () => {
  test("says which way a goal was turned", () => {
    const both = listed({ type: "setActivity", activity: { 1: true } }, { type: "setActivity", activity: { 1: false, 2: false } });
    assert.deepEqual(shown({ ...both, goal: "1" }), ["Yoga: Active", "Yoga: Resting"]);
    assert.deepEqual(shown(both), ["Yoga: Active", "Active goals changed"], "of the account, only one goal is named");
  });

  test("says what was taken back, and what was done again by that", () => {
    const feed = listed(
      { type: "undo", edit: "e3" }, { type: "undo", edit: "e2" }, { type: "undo", edit: "e1" }, { type: "bump", goal: "1", by: 1 });
    assert.deepEqual(shown({ ...feed, goal: "1" }), ["Taken back: Yoga +1", "Done again: Yoga +1", "Taken back: Yoga +1", "Yoga +1"]);
  });

  test("says that something was taken back that is not in the list", () => {
    assert.deepEqual(shown(listed({ type: "undo", edit: "e0" })), ["Taken back"]);
  });

  test("tells the time it is ordered by, and the day or the time that is meant where that is another", () => {
    const feed = listed(
      { type: "bump", goal: "1", by: 1 }, { type: "bump", goal: "1", by: 1, day: "2026-11-19" },
      { type: "bump", goal: "1", by: 1, day: "2026-10-11", at: "2026-10-11T12:00:00Z" },
      { type: "bump", goal: "1", by: 1, at: "2026-11-20T10:00:00Z" });
    shown(feed);
    const times = main.querySelectorAll("time");
    assert.deepEqual(times.map((time) => time.getAttribute("datetime")), feed.edits.map(({ recordedAt }) => recordedAt));
    const words = times.map((time) => time.textContent);
    assert.match(words[0], /^Nov 20, 2026, 12:00\sPM$/);
    assert.match(words[1], / · for Nov 19, 2026$/);
    assert.match(words[2], / · for Oct 11, 2026$/);
    assert.match(words[3], / · of Nov 20, 2026, 10:00\sAM$/);
  });

  test("is the server's, newest first", async () => {
    const asked = [];
    globalThis.fetch = (target) => {
      asked.push(target);
      return Promise.resolve(Response.json({ edits: [{ id: "e1" }], more: false, cursor: "c" }));
    };
    await readEdits("1", "b");
    assert.deepEqual(asked, ["/v1/edits?order=newest&limit=30&goal=1&after=b"]);
  });

  test("offers to take back what is not taken back", () => {
    shown(listed({ type: "undo", edit: "e1" }, { type: "bump", goal: "1", by: 1 }));
    const [undo, bump] = main.querySelectorAll("li");
    assert.deepEqual([undo, bump].map((row) => row.hasAttribute("data-undone")), [false, true]);
    assert.deepEqual(main.querySelectorAll("[data-do=undoEdit]").map(({ dataset }) => dataset.edit), ["e2"]);
  });
});

describe("A goal that is gone", () => {
  test("is told, whatever the address names", () => {
    show(main, detail(account, { goal: "%E0%A4%A", ui: { back: 0, periods: 0 }, history: null, shown: null, feed: listed() }));
    assert.equal(main.querySelector("h1").textContent, "This goal is gone");
  });

  test("comes back with the edit that took it away", () => {
    const deletion = listed({ type: "delete", goal: "3" }, { type: "add", goal: { id: "3", title: "Swim" } });
    assert.equal(lossOf("3", deletion.edits).id, "e2");
    const undone = listed({ type: "undo", edit: "e1" }, { type: "add", goal: { id: "3", title: "Swim" } });
    assert.equal(lossOf("3", undone.edits).id, "e2", "it was never more than added");
    const again = listed({ type: "undo", edit: "e2" }, { type: "delete", goal: "3" }, { type: "add", goal: { id: "3" } });
    assert.equal(lossOf("3", again.edits), undefined);
  });
});

describe("A year of days", () => {
  const run = goal({ title: "Run", frequency: 9, unit: "km" });
  const label = () => main.querySelector(".scroll").getAttribute("aria-label");
  const draw = (ui, found) =>
    show(main, detail(state([run]), { goal: "1", ui: { periods: 0, ...ui }, hasEarlier: true, feed: listed(), ...found }));

  test("says which year it is", () => {
    draw({ back: 0 }, { history: past(), shown: past(), back: 0 });
    assert.equal(label(), "Run: 0 km on 0 days. The last year");
    draw({ back: 1 }, { history: past(), shown: past({ "2025-07-08": 4 }), back: 1 });
    const year = main.querySelector("#year-title").textContent;
    assert.match(year, /^Nov 2024 – Nov 2025$/);
    assert.equal(label(), `Run: 4 km on 1 day. ${year}`);
  });

  test("ends with the present day, which the tab key leads to", () => {
    draw({ back: 0 }, { history: past(), shown: past(), back: 0 });
    const [stop, ...others] = main.querySelectorAll("[data-day]").filter((cell) => cell.tabIndex === 0);
    assert.deepEqual([stop.dataset.day, others], [day, []]);
    assert.equal(main.querySelectorAll("[data-day]").some(({ dataset }) => dataset.day > day), false);
  });

  test("says of a day its count and its notes", () => {
    const found = past({ "2026-11-13": 4 });
    found.days[0].notes = ["early"];
    draw({ back: 0, chosen: "2026-11-13" }, { history: found, shown: found, back: 0 });
    assert.equal(main.querySelector(".told").querySelector("p").textContent, "Friday, November 13, 2026 · 4 kmearly");
    const [cell] = main.querySelectorAll("[aria-selected=true]");
    assert.deepEqual([cell.dataset.day, cell.dataset.level, cell.hasAttribute("data-note")], ["2026-11-13", "2", true]);
  });
});

test("All periods of a year are there, some more with each step", () => {
  const ui = { back: 0, periods: 0 };
  const year = past({}, 101);
  const app = { ui, draw: () => show(main, detail(state([goal()]), { goal: "1", ui, history: year, shown: year, back: 0, feed: listed() })) };
  const { morePeriods } = new History({}, () => {}).actions(app);
  const rows = () => main.querySelector(".periods").children;
  app.draw();
  for (const wanted of [14, 64, 101]) {
    assert.equal(rows().length, wanted);
    assert.equal(rows()[0].dataset.key, day, "the newest is the first");
    assert.equal(main.querySelectorAll("[data-do=morePeriods]").length, wanted < 101 ? 1 : 0);
    if (wanted < 101) morePeriods();
  }
});
