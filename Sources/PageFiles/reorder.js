// Moving a goal in the list: by its handle, with a pointer or with the keys, and to an end by holding an
// arrow beside it. What moves is drawn where it would be; only where it is left becomes an edit.

import { followLongPresses } from "./press.js";

/** So near to the edge of the window, in pixels, what is dragged scrolls the list. */
const edge = 120;

/** @typedef {(goal: string, before: string | null) => void} Moved */

/** @param {Moved} moved is told the goal and the one that it is before; null for the end */
export function followHandles(moved) {
  document.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest(".handle");
    if (!handle || event.button !== 0) return;
    event.preventDefault();
    handle.focus();
    drag(handle.closest("li"), event, moved);
  });
  document.addEventListener("keydown", (event) => {
    const handle = event.target.closest(".handle");
    const step = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!handle || !step) return;
    event.preventDefault();
    shift(handle.closest("li"), step, moved);
  });
  followLongPresses(".shift", (button) => shift(button.closest("li"), button.dataset.way === "up" ? -Infinity : Infinity, moved), ["touch", "mouse", "pen"]);
}

/**
 * So many places down, or up, as far as there are any.
 *
 * @param {any} item
 * @param {number} step
 * @param {Moved} moved
 */
function shift(item, step, moved) {
  const items = [...item.parentElement.children];
  const index = items.indexOf(item);
  const target = Math.min(Math.max(index + step, 0), items.length - 1);
  if (target === index) return;
  const before = step < 0 ? items[target] : items[target + 1];
  moved(item.dataset.goal, before?.dataset.goal ?? null);
}

/** @param {any} item @param {PointerEvent} event @param {Moved} moved */
function drag(item, { clientY, pointerId }, moved) {
  const items = [...item.parentElement.children];
  const from = items.indexOf(item);
  const tops = items.map((one) => one.getBoundingClientRect());
  const height = tops[from].height;
  const start = clientY + scrollY;
  let pointer = clientY;
  /** @type {number} */
  let frame;
  let to = from;
  item.setPointerCapture?.(pointerId);
  item.classList.add("lifted");

  const draw = () => {
    const way = pointer + scrollY - start;
    const middle = tops[from].top + height / 2 + way;
    to = tops.filter((box, index) => index !== from && middle > box.top + box.height / 2).length;
    items.forEach((one, index) => {
      const isBetween = index !== from && (from < to ? index > from && index <= to : index >= to && index < from);
      one.style.translate = index === from ? `0 ${way}px` : isBetween ? `0 ${from < to ? -height : height}px` : "";
    });
  };
  /** @param {PointerEvent} event */
  const move = (event) => {
    pointer = event.clientY;
    draw();
  };
  const scroll = () => {
    const near = Math.min(pointer - edge, 0) || Math.max(pointer - innerHeight + edge, 0);
    if (near) {
      scrollBy(0, near / 4);
      draw();
    }
    frame = requestAnimationFrame(scroll);
  };
  frame = requestAnimationFrame(scroll);
  /** @param {Event} event */
  const end = ({ type }) => {
    cancelAnimationFrame(frame);
    item.removeEventListener("pointermove", move);
    item.removeEventListener("pointerup", end);
    item.removeEventListener("pointercancel", end);
    item.classList.remove("lifted");
    for (const one of items) one.style.translate = "";
    if (type === "pointercancel" || to === from) return;
    const rest = items.filter((one) => one !== item);
    moved(item.dataset.goal, rest[to]?.dataset.goal ?? null);
  };
  item.addEventListener("pointermove", move);
  item.addEventListener("pointerup", end);
  item.addEventListener("pointercancel", end);
}
