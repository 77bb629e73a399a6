// A long press of a finger means more than a tap, and the click that ends it nothing.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { Clock } from "./fakes/clock.js";
import { useDocument } from "./fakes/document.js";

const { followLongPresses } = await import("../../Sources/PageFiles/press.js");

let clock;
let pressed;
beforeEach(() => {
  clock = new Clock().use();
  useDocument();
  pressed = [];
  followLongPresses(".count", (element) => pressed.push(element.getAttribute("id")));
});

/** Says what a pointer does on an element; answers whether the page lets it count. */
function tell(type, { selector = ".count", ...more } = {}) {
  const element = document.createElement("button");
  element.setAttribute("id", "yoga");
  element.closest = (asked) => (asked === selector ? element : null);
  const event = Object.assign(new Event(type, { cancelable: true }), { button: 0, pointerType: "touch", detail: 1, clientX: 0, clientY: 0, ...more });
  Object.defineProperty(event, "target", { value: element });
  document.dispatchEvent(event);
  return !event.defaultPrevented;
}

describe("A press", () => {
  test("is long after half a second, and the click that ends it counts nothing", async () => {
    tell("pointerdown");
    await clock.pass(499);
    assert.deepEqual(pressed, []);
    await clock.pass(1);
    assert.deepEqual(pressed, ["yoga"]);
    tell("pointerup");
    assert.equal(tell("click"), false);
    assert.equal(tell("click"), true, "the next one counts");
  });

  test("that is short is a tap", async () => {
    tell("pointerdown");
    await clock.pass(499);
    tell("pointerup");
    assert.equal(tell("click"), true);
    await clock.pass(1000);
    assert.deepEqual(pressed, []);
  });

  test("that moves on scrolls", async () => {
    tell("pointerdown");
    tell("pointermove", { clientY: 11 });
    await clock.pass(1000);
    assert.deepEqual(pressed, []);
  });

  test("that trembles is long", async () => {
    tell("pointerdown");
    tell("pointermove", { clientX: 6, clientY: 8 });
    await clock.pass(500);
    assert.deepEqual(pressed, ["yoga"]);
  });

  test("of a mouse, or elsewhere, is none", async () => {
    tell("pointerdown", { pointerType: "mouse" });
    await clock.pass(1000);
    tell("pointerdown", { selector: ".other" });
    await clock.pass(1000);
    assert.deepEqual(pressed, []);
  });

  test("is told once where the browser tells of it, too", async () => {
    tell("pointerdown");
    assert.equal(tell("contextmenu"), false);
    await clock.pass(1000);
    assert.deepEqual(pressed, ["yoga"]);
    assert.equal(tell("contextmenu"), false, "also where it does later");
    assert.deepEqual(pressed, ["yoga"]);
  });

  test("by the other button of a mouse is followed by no click, so the next one counts", () => {
    assert.equal(tell("contextmenu", { pointerType: "mouse", button: 2 }), false);
    assert.deepEqual(pressed, ["yoga"]);
    assert.equal(tell("click", { pointerType: "mouse" }), true);
  });

  test("by a key is a click, and counts", async () => {
    tell("pointerdown");
    await clock.pass(500);
    assert.equal(tell("click", { detail: 0 }), true);
  });
});
