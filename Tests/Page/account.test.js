// What a person can do with the account: its calendar and its tokens.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { goal, state } from "./fakes/account.js";
import { useBrowser } from "./fakes/browser.js";
import { Clock } from "./fakes/clock.js";
import { useDocument } from "./fakes/document.js";
import { FakeForm } from "./fakes/form.js";
import { usePlace } from "./fakes/place.js";

// A toast stays for seconds, of which no test wants to hear.
new Clock().use();
const navigator = useBrowser({ clipboard: { writeText: () => Promise.resolve() } });
useDocument();
usePlace();
globalThis.localStorage = { getItem: () => null, setItem() {} };
const { actions } = await import("../../Sources/PageFiles/actions.js");
const { AccountDesk } = await import("../../Sources/PageFiles/account-actions.js");
const { show } = await import("../../Sources/PageFiles/dom.js");
const { zoneNamed } = await import("../../Sources/PageFiles/server.js");
const { signIn } = await import("../../Sources/PageFiles/sign-in.js");
const { hush, undo } = await import("../../Sources/PageFiles/toast.js");
const { tokens } = await import("../../Sources/PageFiles/tokens.js");

const main = document.getElementById("main");
const toast = document.getElementById("toast");

/** The zones of the server: it knows them by these names alone. */
const zones = new Set(["UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "US/Eastern"]);
globalThis.fetch = (target) => {
  const name = target.slice("/v1/zones/".length).split("/").map(decodeURIComponent).join("/");
  return Promise.resolve({ status: zones.has(name) ? 200 : 404 });
};

const typed = [
  ["europe/london", "Europe/London"], [" Europe/Berlin ", "Europe/Berlin"], ["america/new york", "America/New_York"],
  ["us/pacific", "America/Los_Angeles"], ["US/Eastern", "US/Eastern"], [" utc ", "UTC"],
];

beforeEach(() => { hush(); });

describe("A time zone", () => {
  for (const [words, name] of typed) {
    test(`${words} is taken as the server spells it`, async () => assert.equal(await zoneNamed(words), name));
  }

  for (const words of ["Mars/Olympus", "+01:00", "  "]) {
    test(`${JSON.stringify(words)} is none`, async () => assert.equal(await zoneNamed(words), null));
  }

  test("is taken as it is where the server can't be asked", async (t) => {
    const { fetch } = globalThis;
    t.after(() => { globalThis.fetch = fetch; });
    globalThis.fetch = () => Promise.reject(new TypeError("no network"));
    assert.equal(await zoneNamed("Mars/Olympus"), "Mars/Olympus");
  });
});

describe("The calendar", () => {
  const drawn = { timeZone: "UTC", weekStart: "monday", dayStart: "00:00" };
  const made = [];
  const edit = (form, ...edits) => {
    made.push(...edits);
    return Promise.resolve({ ids: ["e1"], isKept: true, rejected: [], unchanged: [] });
  };
  const { configure } = new AccountDesk(() => {}).actions(edit, { draw() {} });

  beforeEach(() => { made.length = 0; });

  for (const [words, timeZone] of typed.filter(([, name]) => name !== "UTC")) {
    test(`is sent with ${timeZone} for ${words}, and taken back`, async () => {
      await configure({}, new FakeForm(drawn, { timeZone: words }));
      assert.deepEqual(made, [{ type: "configure", timeZone }]);
      assert.match(toast.textContent, /^Saved/);
      await undo();
      assert.deepEqual(made.at(-1), { type: "undo", edit: "e1" });
    });
  }

  test("is sent with nothing but what was changed", async () => {
    await configure({}, new FakeForm(drawn, { dayStart: "03:00" }));
    assert.deepEqual(made, [{ type: "configure", dayStart: "03:00" }]);
  });

  for (const timeZone of ["UTC", " utc "]) {
    test(`that is as it was is not sent, also as ${JSON.stringify(timeZone)}`, async () => {
      await configure({}, new FakeForm(drawn, { timeZone }));
      assert.deepEqual(made, []);
      assert.match(toast.textContent, /^Nothing was changed/);
      assert.equal(toast.querySelector("[data-do=undo]"), null, "there is nothing to take back");
    });
  }

  for (const [timeZone, words] of [
    ["Mars/Olympus", "There is no time zone “Mars/Olympus”. Such a name is Europe/Berlin."],
    ["+01:00", "There is no time zone “+01:00”. Such a name is Europe/Berlin."],
    ["  ", "There is no time zone “”. Such a name is Europe/Berlin."],
  ]) {
    test(`is not sent with the time zone ${JSON.stringify(timeZone)}, which is told`, async () => {
      const form = new FakeForm(drawn, { timeZone });
      await configure({}, form);
      assert.deepEqual(made, []);
      assert.equal(form.fault.textContent, words);
      const field = form.elements.timeZone;
      assert.deepEqual([field.isFocused, field.attributes], [true, { "aria-invalid": "true" }]);
      assert.equal(form.values.timeZone, timeZone, "what a person wrote stays to be mended");
    });
  }
});

describe("A token", () => {
  const made = { id: "t", name: "Phone", scope: "write", link: "https://goals.example/#code=12ab", lastUsedAt: null };
  const desk = () => {
    const one = new AccountDesk(() => {});
    one.known.made = made;
    return one;
  };

  test("for a button is offered once there is a goal", () => {
    const scopes = () => main.querySelectorAll("[name=scope]").map((field) => field.getAttribute("value"));
    show(main, tokens(state([]), desk().known));
    assert.deepEqual(scopes(), ["write", "count", "read"]);
    show(main, tokens(state([goal()]), desk().known));
    assert.deepEqual(scopes(), ["write", "count", "read", "bump"]);
    show(main);
  });

  test("that can't be copied is still shown, and copied by hand", async (t) => {
    const { clipboard } = navigator;
    t.after(() => { navigator.clipboard = clipboard; });
    for (const refused of [{ writeText: () => Promise.reject(new Error("NotAllowedError")) }, undefined]) {
      navigator.clipboard = refused;
      const one = desk();
      // oxlint-disable-next-line no-await-in-loop -- Both tell it in the same place.
      await one.actions(null, {}).copy({ text: "link" });
      assert.match(toast.textContent, /^Copy it by hand/);
      show(main, tokens(state([]), one.known));
      assert.equal(main.querySelector("pre").textContent, "https://goals.example/#code=12ab");
      hush();
    }
  });

  test("that is copied is told so", async () => {
    const copied = [];
    navigator.clipboard.writeText = (text) => { copied.push(text); return Promise.resolve(); };
    await desk().actions(null, {}).copy({ text: "link" });
    assert.deepEqual(copied, ["link"]);
    assert.match(toast.textContent, /^Copied/);
  });
});

describe("Who is asked to sign in", () => {
  const leave = () => main.querySelector("[data-do=leave]");

  test("has nothing to go back to as a stranger", () => {
    show(main, signIn("asking", false));
    assert.equal(leave(), null);
    show(main, signIn("asking", true));
    assert.equal(leave().textContent, "Back");
  });

  test("signs in with the token of what they pasted, and with nothing that is none", async () => {
    const tried = [];
    const app = {
      goals: {}, desk: { actions: () => ({}) }, signIn: (token) => { tried.push(token); return Promise.resolve(); }, refuseSignIn: () => tried.push("refused"),
    };
    const does = actions(app);
    for (const value of ["foo bar", "http://goals.example/#token=a%zz", "goals_12ab"]) {
      // oxlint-disable-next-line no-await-in-loop -- In this order.
      await does.signIn({}, { elements: { token: { value } } });
    }
    assert.deepEqual(tried, ["refused", "a%zz", "goals_12ab"]);
  });

  test("is told why it did not go well", () => {
    for (const [phase, words] of [
      ["asking", /^$/], ["trying", /^$/], ["signInNone", /neither a sign-in link nor a token/], ["signInBad", /not valid.*works once.*goals token add --link/],
    ]) {
      show(main, signIn(phase, false));
      assert.match(main.querySelector(".fault").textContent, words);
    }
  });
});
