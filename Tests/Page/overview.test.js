// The rings of the first view: what they are called, and what a tap on one does.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { day, goal, state } from "./fakes/account.js";
import { useBrowser } from "./fakes/browser.js";
import { Clock } from "./fakes/clock.js";
import { useDocument } from "./fakes/document.js";
import { usePlace } from "./fakes/place.js";

// A toast stays for seconds, of which no test wants to hear.
new Clock().use();
useBrowser();
useDocument();
usePlace("#/");
const { actions } = await import("../../Sources/PageFiles/actions.js");
const { overview } = await import("../../Sources/PageFiles/overview.js");
const { show } = await import("../../Sources/PageFiles/dom.js");

const main = document.getElementById("main");
const names = () => main.querySelectorAll(".count").map((one) => one.getAttribute("aria-label"));
const run = goal({ id: "2", title: "Run", frequency: 10, interval: "weekly", unit: "km", period: { start: "2026-11-16", end: "2026-11-23" } });
const steps = goal({ id: "3", title: "Steps", frequency: 100 });

beforeEach(() => { show(main); });

describe("A ring", () => {
  test("is named by its count, and by what that is of", () => {
    show(main, overview(state([goal(), run])));
    assert.deepEqual(names(), ["Yoga: 0 of 1. Every day", "Run: 0 of 10. 10 km a week"]);
  });

  test("is named by what became of it, and by its streak", () => {
    show(main, overview(state([goal({ progress: 1, state: "met", streak: { current: 3, longest: 3 } })])));
    assert.deepEqual(names(), ["Yoga: 1 of 1. Every day. Done, 3 days in a row"]);
  });
});

describe("The view", () => {
  test("says what a tap does", () => {
    show(main, overview(state([goal()])));
    assert.equal(main.querySelector(".hint").textContent, "Tap a ring to count one.");
    show(main, overview(state([goal(), steps])));
    assert.equal(main.querySelector(".hint").textContent, "Tap a ring to count one. For goals of 100 or more it asks how many.");
  });

  test("says how much is done", () => {
    const tally = (...goals) => {
      show(main, overview(state(goals)));
      return main.querySelector(".tally").textContent;
    };
    assert.equal(tally(goal(), run), "0 of 2 done");
    assert.equal(tally(goal({ state: "met" }), run), "1 of 2 done");
    assert.equal(tally(goal({ state: "met" }), { ...run, state: "excused" }), "All done. Well done!");
    assert.equal(tally(goal({ state: "excused" })), "Nothing is left for now.");
  });

  test("begins with the day that the account has", () => {
    show(main, overview(state([goal({ period: { start: day, end: "2026-11-21" } })])));
    assert.equal(main.querySelector("h1").textContent, "Friday");
  });
});

describe("A tap", () => {
  const made = [];
  const app = {
    goals: { edit: (...edits) => { made.push(...edits); return Promise.resolve({ ids: ["x"], isKept: true, rejected: [], unchanged: [] }); } },
    state: state([goal({ frequency: 99 }), steps]),
    desk: { actions: () => ({}) },
  };
  const does = actions(app);

  beforeEach(() => {
    made.length = 0;
    usePlace("#/");
  });

  test("counts one", async () => {
    await does.bump({ goal: "1" });
    assert.deepEqual(made, [{ type: "bump", goal: "1", by: 1 }]);
    assert.equal(location.hash, "#/");
  });

  for (const [of, clicks, counted] of [
    ["a double click of a mouse", [1, 2], [1]], ["three clicks of a mouse", [1, 2, 3, 4], [1, 2, 1]],
  ]) {
    test(`counts ${counted.join(", ")} for ${of}`, () => {
      for (const detail of clicks) does.bump({ goal: "1" }, null, { detail, pointerType: "mouse" });
      assert.deepEqual(made.map(({ by }) => by), counted);
    });
  }

  for (const pointerType of ["touch", "pen", ""]) {
    test(`counts each of two by ${pointerType || "a key"}`, () => {
      for (const detail of [1, 2]) does.bump({ goal: "1" }, null, { detail, pointerType });
      assert.deepEqual(made.map(({ by }) => by), [1, 1]);
    });
  }

  test("on a goal of 100 or more asks how many", async () => {
    await does.bump({ goal: "3" });
    assert.deepEqual(made, []);
    assert.equal(location.hash, "#/count/3");
  });
});
