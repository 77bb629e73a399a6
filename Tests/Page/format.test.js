// Numbers, days and plurals, as a person reads them in English.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { useBrowser } from "./fakes/browser.js";

useBrowser({ languages: ["fr-FR", "en-US", "de-DE"] });
const format = await import("../../Sources/PageFiles/format.js");
const { has, text } = await import("../../Sources/PageFiles/texts.js");

describe("The language", () => {
  for (const [languages, wanted] of [
    [["en-US", "de"], "en"], [["de-AT", "en"], "de"], [["fr-FR", "de-DE", "en"], "de"], [["fr-FR"], "en"], [[], "en"],
  ]) {
    test(`is ${wanted} for a person of ${languages.join(", ") || "none"}`, async () => {
      const { languages: before } = globalThis.navigator;
      useBrowser({ languages });
      // Each name is a module of its own, which looks at the languages at once.
      const page = await import(`../../Sources/PageFiles/texts.js?${languages}`);
      useBrowser({ languages: before });
      assert.equal(page.language, wanted);
      assert.equal(page.text("save"), { en: "Save", de: "Speichern" }[wanted]);
    });
  }

  test("comes with the person's region", () => {
    assert.equal(format.plainDay("2026-11-20"), "Nov 20, 2026");
  });
});

describe("A number", () => {
  for (const [value, number, signed, compact] of [
    [0, "0", "+0", "0"],
    [1, "1", "+1", "1"],
    [-1, "-1", "-1", "-1"],
    [9999, "9,999", "+9,999", "9,999"],
    [10_000, "10,000", "+10,000", "10K"],
    [-12_000, "-12,000", "-12,000", "-12K"],
    [1_000_000, "1,000,000", "+1,000,000", "1M"],
  ]) {
    test(String(value), () => {
      assert.deepEqual([format.number(value), format.signed(value), format.compact(value)], [number, signed, compact]);
    });
  }

  test("of a whole is in hundredths", () => assert.equal(format.percent(0.5), "50%"));
});

describe("A number that a person wrote", () => {
  for (const [words, value] of [
    ["15", 15], [" 007 ", 7], ["+2", 2], ["-3", -3], ["\u22123", -3], ["1000000", 1_000_000],
    ["\u0661\u0665", 15], ["\u200f\u06f1\u06f5", 15], ["\u061c-\u0663", -3], ["\u0967\u096b", 15], ["\uff11\uff15", 15], ["\u{1d7d9}\u{1d7ff}", 19],
  ]) {
    test(`as ${words} is ${value}`, () => assert.equal(format.wholeNumber(words), value));
  }

  for (const words of [
    "", " ", "1,5", "1.5", "1\u066b5", "1\u00b75", "1,000", "1 5", "1 000", "1e3", "0x10", "five", "--1", "1-", "\u00bd", "1000001", "9".repeat(400),
  ]) {
    test(`as ${words.slice(0, 9)} is none`, () => assert.equal(format.wholeNumber(words), NaN));
  }
});

describe("A day", () => {
  test("has no zone", () => {
    assert.equal(format.wholeDay("2026-01-01"), "Thursday, January 1, 2026");
    assert.equal(format.weekday("2026-01-05"), "Monday");
  });

  test("is counted from, over the ends of months and years", () => {
    assert.equal(format.addDays("2026-12-31", 1), "2027-01-01");
    assert.equal(format.addDays("2024-03-01", -1), "2024-02-29");
    assert.equal(format.daysBetween("2026-02-28", "2026-03-01"), 1);
    assert.equal(format.daysBetween("2026-03-01", "2026-02-28"), -1);
  });
});

describe("An instant", () => {
  const instant = "2026-11-20T23:30:00Z";

  test("is told in the account's zone", () => {
    assert.match(format.moment(instant, "Asia/Tokyo"), /^Nov 21, 2026, 8:30\sAM$/);
    assert.equal(format.dateOf(instant, "Asia/Tokyo"), "2026-11-21");
    assert.equal(format.dateOf(instant, "America/New_York"), "2026-11-20");
  });

  test("is told in a zone that the browser does not know, too", () => {
    assert.match(format.moment(instant, "Mars/Olympus"), /^Nov 2\d, 2026/);
    assert.match(format.dateOf(instant, "Mars/Olympus"), /^2026-11-2\d$/);
  });
});

describe("How often", () => {
  for (const [goal, words] of [
    [{ frequency: 1, interval: "daily", unit: null }, "Every day"],
    [{ frequency: 2, interval: "daily", unit: null }, "2 times a day"],
    [{ frequency: 1, interval: "weekly", unit: null }, "Once a week"],
    [{ frequency: 12_500, interval: "weekly", unit: null }, "12,500 times a week"],
    [{ frequency: 1, interval: "monthly", unit: null }, "Once a month"],
    [{ frequency: 10, interval: "weekly", unit: "km" }, "10 km a week"],
  ]) {
    test(words, () => assert.equal(format.rhythm(goal), words));
  }
});

test("How long", () => {
  assert.deepEqual(["daily", "weekly", "monthly"].map((interval) => format.spans(1, interval)), ["1 day", "1 week", "1 month"]);
  assert.deepEqual([0, 2, 1000].map((count) => format.spans(count, "daily")), ["0 days", "2 days", "1,000 days"]);
});

describe("A text", () => {
  test("that is not there is a mistake of the page", () => {
    assert.equal(has("nonsense"), false);
    assert.throws(() => text("nonsense"), /there is no text nonsense/);
  });

  test("from right to left turns nothing around it", () => {
    assert.equal(text("bumped", { title: "לרוץ", n: "+1" }), "\u2068לרוץ\u2069: +1");
    assert.equal(text("bumped", { title: "Yoga", n: "+1" }), "Yoga: +1");
  });

  test("has nothing where a value is missing", () => assert.equal(text("deleted"), " is deleted"));
});
