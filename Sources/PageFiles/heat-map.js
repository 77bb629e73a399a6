// A year of days, a column a week: the more was counted, the stronger the colour. Each day is told when it
// is chosen: by a pointer, by the arrow keys, or by its date.

import { draft, h } from "./dom.js";
import { addDays, daysBetween, number, shortMonth, weekdayLetter, wholeDay } from "./format.js";
import { isolated, text } from "./texts.js";

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
export const weeks = 53;

/** @typedef {import("./goals.js").Goal} Goal */
/** @typedef {import("./goals.js").History["days"][number]} Day */
/** @typedef {import("./dom.js").Child} Child */

/**
 * The first day of the week that holds this day.
 *
 * @param {string} day
 */
function weekOf(day, weekStart = "monday") {
  const shift = (new Date(`${day}T00:00:00Z`).getUTCDay() - weekdays.indexOf(weekStart) + 7) % 7;
  return addDays(day, -shift);
}

/**
 * The first day that is shown, so many years back.
 *
 * @type {(day: string, weekStart: string | undefined, back?: number) => string}
 */
export const firstDay = (day, weekStart, back = 0) => addDays(weekOf(day, weekStart), -7 * (weeks * (back + 1) - 1));

/**
 * How many years back a date is shown.
 *
 * @type {(date: string, today: string, weekStart: string | undefined) => number}
 */
export const backTo = (date, today, weekStart) => Math.ceil(daysBetween(date, firstDay(today, weekStart)) / (7 * weeks));

/**
 * @param {Goal} goal
 * @param {import("./goals.js").History} history
 * @param {object} shown
 * @param {string} shown.first the first day that is shown
 * @param {string} shown.today
 * @param {string} [shown.chosen] the day whose count is told below; undefined for none
 * @param {string} shown.year which year it is, in words
 */
export function heatMap(goal, history, { first, today, chosen = "", year }) {
  const days = new Map(history.days.map((one) => [one.date, one]));
  const most = goal.interval === "daily" ? goal.frequency : Math.max(1, ...history.days.map(({ count }) => count));
  const last = addDays(first, 7 * weeks - 1);
  const end = last < today ? last : today;
  // One of them is reached by the tab key, the others from there.
  const stop = chosen >= first && chosen <= end ? chosen : end;
  const columns = Array.from({ length: weeks }, (_, week) => column(addDays(first, 7 * week), { goal, today, days, most, chosen, stop }));
  const label = text("heatLabel", { title: goal.title, n: counted(history.total, goal), count: history.days.length, days: number(history.days.length), year });
  return h("figure", { class: "heat", "data-key": "heat" },
    h("div", { class: "scroll", role: "grid", "aria-label": label },
      columns.reverse(),
      h("div", { class: "letters", "aria-hidden": "true" }, Array.from({ length: 7 }, (_, index) =>
        h("span", {}, index % 2 === 0 ? weekdayLetter(addDays(first, index)) : "")))),
    h("div", { class: "told" },
      h("p", {}, chosen ? told(days.get(chosen), chosen, goal) : text("heatHelp")),
      h("input", { id: "day", type: "date", "aria-label": text("dayLabel"), min: "2000-01-01", max: today, "data-change": "day" })));
}

/**
 * What all days of a picture are drawn by.
 *
 * @typedef {object} Drawing
 * @property {Goal} goal
 * @property {string} today
 * @property {Map<string, Day>} days
 * @property {number} most what the strongest colour stands for
 * @property {string} chosen the day whose count is told; empty for none
 * @property {string} stop the day that the tab key leads to
 */

/** @param {string} start @param {Drawing} drawing */
function column(start, { goal, today, days, most, chosen, stop }) {
  const dates = Array.from({ length: 7 }, (_, index) => addDays(start, index));
  /** @type {any[]} */
  const known = dates.map((date) => days.get(date) ?? 0);
  const mark = JSON.stringify([known, most, goal.unit, today, dates.includes(chosen) && chosen, dates.includes(stop) && stop]);
  return draft("div", start, mark, () => h("div", { class: "week", role: "row", "data-key": start },
    h("span", { class: "month", "aria-hidden": "true" }, Number(start.slice(8)) <= 7 ? shortMonth(start) : ""),
    dates.map((date, index) => (date > today ? h("i", { class: "later", "aria-hidden": "true" }) : cell(date, known[index], { goal, most, chosen, stop })))));
}

/** @param {string} date @param {Partial<Day>} day @param {Pick<Drawing, "goal" | "most" | "chosen" | "stop">} drawing */
function cell(date, { count = 0, notes = [] }, { goal, most, chosen, stop }) {
  const level = count <= 0 ? 0 : Math.min(4, Math.max(1, Math.ceil((4 * count) / most)));
  return h("i", {
    role: "gridcell", tabindex: date === stop ? 0 : -1, "aria-selected": String(date === chosen),
    "aria-label": [`${wholeDay(date)}: ${counted(count, goal)}`, ...notes].join(" · "),
    "data-do": "day", "data-day": date, "data-level": level, "data-note": notes.length > 0,
  });
}

/** @type {(count: number, goal: Goal) => string} */
const counted = (count, { unit }) => `${number(count)}${unit ? ` ${unit}` : ""}`;

/** @param {Partial<Day> | undefined} day @param {string} date @param {Goal} goal @returns {Child} */
function told({ count = 0, notes = [] } = {}, date, goal) {
  return [h("b", {}, wholeDay(date)), ` · ${counted(count, goal)}`,
    notes.length > 0 && h("q", {}, notes.map(isolated).join(" · "))];
}

/** The arrow keys go from day to day, and from week to week; Enter and the space bar choose. */
export function followDays() {
  document.addEventListener("keydown", (event) => {
    /** @type {any} */
    const day = event.target.closest?.(".heat [data-day]");
    const isTurned = day?.matches(":dir(rtl)");
    /** @type {any} */
    const step = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: isTurned ? 7 : -7, ArrowRight: isTurned ? -7 : 7 }[event.key];
    const isChoice = event.key === "Enter" || event.key === " ";
    if (!day || !(step || isChoice)) return;
    event.preventDefault();
    const next = isChoice ? day : document.querySelector(`.heat [data-day="${addDays(day.dataset.day, step)}"]`);
    next?.click();
    next?.focus();
  });
}
