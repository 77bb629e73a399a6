// What a person with a German browser reads.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { useBrowser } from "./fakes/browser.js";
import { useDocument } from "./fakes/document.js";

useBrowser({ languages: ["de-DE", "de"] });
useDocument();
const { compact, number, plainDay, rhythm, spans } = await import("../../Sources/PageFiles/format.js");
const { overview } = await import("../../Sources/PageFiles/overview.js");
const { refusals } = await import("../../Sources/PageFiles/status.js");
const { language, text } = await import("../../Sources/PageFiles/texts.js");
const { show } = await import("../../Sources/PageFiles/dom.js");

const yoga = {
  id: "1", title: "Yoga", colour: "green", interval: "weekly", frequency: 12_500, unit: null, active: true, progress: 0, completion: 0,
  period: { start: "2026-11-16", end: "2026-11-23" }, streak: { current: 0, longest: 0 }, today: 0, state: "open", waiting: 0,
};
const state = { version: 1, goals: [yoga], calendar: { timeZone: "UTC", weekStart: "monday", dayStart: "00:00" }, pending: [], rejected: [], gone: {} };

test("The page is German", () => {
  assert.equal(language, "de");
  show(document.getElementById("main"), overview(state));
  assert.match(document.querySelector(".hint").textContent, /^Tippe auf einen Ring/);
});

describe("Numbers and plurals", () => {
  test("are German", () => {
    assert.equal(number(1_234_567), "1.234.567");
    // The space does not break.
    assert.equal(compact(1_000_000), "1\u00a0Mio.");
    assert.equal(rhythm(yoga), "12.500-mal in der Woche");
    assert.deepEqual([0, 1, 2].map((count) => spans(count, "daily")), ["0 Tage", "1 Tag", "2 Tage"]);
    assert.equal(plainDay("2026-11-20"), "20.11.2026");
    assert.equal(text("waiting", { count: 1, n: "1" }), "1 wartet");
    assert.equal(text("waiting", { count: 12, n: "12" }), "12 warten");
  });
});

test("Refusals are told in German", () => {
  const own = { edit: { id: "2", type: "bump", goal: "1", by: 1, at: "2026-11-20T12:00:00Z" }, standing: "rejected", code: "unknown-goal", detail: "no" };
  // The goal is deleted; the engine knows its title still.
  show(document.getElementById("main"), refusals({ ...state, goals: [], rejected: [own], gone: { 1: "Yoga" } }));
  assert.match(document.getElementById("main").textContent, /Yoga \+1: Das Ziel wurde auf einem anderen Gerät gelöscht\./);
});
