// Where a person is, how they go on, and how they come back.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { useBrowser } from "./fakes/browser.js";
import { useDocument } from "./fakes/document.js";
import { usePlace } from "./fakes/place.js";

useBrowser();
useDocument();
usePlace();
const { go, leave, noteView, place } = await import("../../Sources/PageFiles/routes.js");
const { secretOf, secretOfAddress } = await import("../../Sources/PageFiles/sign-in.js");

describe("An address", () => {
  for (const [hash, wanted] of [
    ["", { view: "overview" }],
    ["#/", { view: "overview" }],
    ["#/nonsense", { view: "overview" }],
    ["#/goals", { view: "goals" }],
    ["#/goals/1", { view: "detail", goal: "1" }],
    ["#/history", { view: "history" }],
    ["#/account", { view: "account" }],
    ["#/sign-in", { view: "signIn" }],
    ["#/goals/new", { view: "overview", goal: undefined, sheet: "goal" }],
    ["#/goals/1/edit", { view: "overview", goal: undefined, sheet: "goal", subject: "1" }],
    ["#/count/1", { view: "overview", goal: undefined, sheet: "count", subject: "1" }],
    ["#/status", { view: "overview", goal: undefined, sheet: "status" }],
    ["#/goals/a%20b", { view: "detail", goal: "a b" }],
    // No escape: it names a goal that there is not.
    ["#/goals/%E0%A4%A", { view: "detail", goal: "%E0%A4%A" }],
  ]) {
    test(hash || "that is empty", () => {
      usePlace(hash);
      assert.deepEqual(place(), wanted);
    });
  }
});

describe("A sheet", () => {
  test("is over the view that it was opened from", () => {
    usePlace("#/goals/1");
    noteView(place());
    go("#/goals/1/edit");
    assert.deepEqual(place(), { view: "detail", goal: "1", sheet: "goal", subject: "1" });
    leave();
    assert.deepEqual(place(), { view: "detail", goal: "1" });
  });

  for (const [view, goal, under] of [["detail", "1", "#/goals/1"], ["goals", undefined, "#/goals"], ["overview", undefined, "#/"]]) {
    test(`over ${under} that was loaded anew leads back there`, () => {
      usePlace("#/goals/1/edit", { view, goal, depth: 0 });
      assert.deepEqual(place(), { view, goal, sheet: "goal", subject: "1" });
      leave();
      assert.equal(location.hash, under);
      assert.equal(place().view, view);
    });
  }

  test("that another one leads to is one step back to the view", () => {
    usePlace("#/");
    noteView(place());
    go("#/count/1");
    go("#/goals/1/edit");
    leave();
    assert.deepEqual(place(), { view: "overview" });
    assert.equal(location.hash, "#/");
  });

  test("that a person came to by its address leads to the view under it", () => {
    usePlace("#/count/1");
    leave();
    assert.equal(location.hash, "#/");
    assert.equal(globalThis.told, 1, "the page hears of it");
  });
});

describe("A token", () => {
  for (const [words, secret] of [
    ["goals_12ab", "goals_12ab"],
    ["  goals_12ab\n", "goals_12ab"],
    ["https://goals.example/#token=goals_12ab", "goals_12ab"],
    ["see https://goals.example/#token=goals_12ab&more", "goals_12ab"],
    ["http://goals.example/#token=a%zz", "a%zz"],
    ["#token=abc%", "abc%"],
    ["#token=%C3%A4", null],
    ["#token=a%0Ab", null],
    ["#token=", null],
    ["https://goals.example/#code=12ab", { code: "12ab" }],
    [" #code=12ab&more ", { code: "12ab" }],
    ["#code=", null],
    ["#code=%C3%A4", null],
    ["foo bar", null],
    ["", null],
    ["ä", null],
  ]) {
    test(`of ${JSON.stringify(words)} is ${JSON.stringify(secret)}`, () => assert.deepEqual(secretOf(words), secret));
  }

  test("leaves the address and what a person goes back to", () => {
    usePlace("#token=goals_12ab");
    assert.equal(secretOfAddress(), "goals_12ab");
    assert.deepEqual(history.urls, ["/#/"]);
    assert.equal(secretOfAddress(), undefined);
  });

  test("that is none leaves the address, too", () => {
    usePlace("#token=");
    assert.equal(secretOfAddress(), null);
    assert.deepEqual(history.urls, ["/#/"]);
  });
});
