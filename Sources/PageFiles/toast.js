// A word about what was just done, with the way back. It stays while it is looked at.

import { h, show } from "./dom.js";
import { icon } from "./icons.js";
import { text } from "./texts.js";

const stay = 8000;
/** @typedef {() => unknown} Work */

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Work | null} */
let undoing = null;

const place = () => document.getElementById("toast");

/**
 * @param {string} words
 * @param {Work} [back] what takes it back; undefined where nothing can
 */
export function tell(words, back, label = "undo") {
  undoing = back ?? null;
  show(place(), h("p", { class: "toast", "data-key": `${Date.now()}` }, h("span", {}, words),
    back && h("button", { type: "button", "data-do": "undo" }, label === "undo" && icon("undo"), text(label)),
    h("button", { type: "button", class: "plain", "data-do": "hush", "aria-label": text("close") }, icon("close"))));
  hold();
}

/** Takes back what the toast is about. */
export async function undo() {
  const work = undoing;
  hush();
  await work?.();
}

export function hush() {
  clearTimeout(timer);
  undoing = null;
  const isHeld = place().contains(document.activeElement);
  show(place());
  if (isHeld) (before?.isConnected ? before : document.getElementById("main")).focus({ preventScroll: true });
}

/**
 * What had the focus before it went to the toast: it gets it back.
 *
 * @type {any}
 */
let before;
place().addEventListener("focusin",
  /** @param {{ relatedTarget: any }} event */
  ({ relatedTarget }) => {
    if (relatedTarget && !place().contains(relatedTarget)) before = relatedTarget;
  });

function hold() {
  clearTimeout(timer);
  timer = setTimeout(() => (place().matches(":hover, :focus-within") ? hold() : hush()), stay);
}
