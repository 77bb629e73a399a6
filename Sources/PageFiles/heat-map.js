// A year of days, a column a week: the more was counted, the stronger the colour.

import { h } from "./dom.js";
import { addDays, daysBetween, number, shortMonth, weekdayLetter, wholeDay } from "./format.js";
import { text } from "./texts.js";

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
export const weeks = 53;

/** The first day of the week that holds this day. */
function weekOf(day, weekStart = "monday") {
  const shift = (new Date(`${day}T00:00:00Z`).getUTCDay() - weekdays.indexOf(weekStart) + 7) % 7;
  return addDays(day, -shift);
}

/** The first day that is shown. */
export const firstDay = (day, weekStart) => addDays(weekOf(day, weekStart), -7 * (weeks - 1));

/**
 * @param history as the engine answers `history`
 * @param chosen the day whose count is told below; undefined for none
 */
export function heatMap(goal, history, today, weekStart, chosen) {
  const first = firstDay(today, weekStart);
  const days = new Map(history.days.map((one) => [one.date, one]));
  const most = goal.interval === "daily" ? goal.frequency : Math.max(1, ...history.days.map(({ count }) => count));
  const columns = Array.from({ length: weeks }, (_, week) => column(addDays(first, 7 * week), today, days, most, chosen));
  const label = text("heatLabel", { title: goal.title, n: number(history.total), days: number(history.days.length) });
  return h("figure", { class: "heat", "data-key": "heat" },
    h("div", { class: "scroll", tabindex: 0, role: "img", "aria-label": label },
      columns.reverse(),
      h("div", { class: "letters", "aria-hidden": "true" }, Array.from({ length: 7 }, (_, index) =>
        h("span", {}, index % 2 === 0 ? weekdayLetter(addDays(first, index)) : "")))),
    h("p", { role: "status" }, chosen ? told(days.get(chosen), chosen, goal) : text("heatHelp")));
}

function column(start, today, days, most, chosen) {
  const named = Number(start.slice(8)) <= 7;
  return h("div", { class: "week" }, h("span", { class: "month" }, named ? shortMonth(start) : ""),
    Array.from({ length: 7 }, (_, index) => {
      const date = addDays(start, index);
      if (daysBetween(today, date) > 0) return h("i", { class: "later" });
      const count = days.get(date)?.count ?? 0;
      const level = count <= 0 ? 0 : Math.min(4, Math.max(1, Math.ceil((4 * count) / most)));
      return h("i", { "data-level": level, "data-do": "day", "data-day": date, "data-chosen": date === chosen, "data-note": Boolean(days.get(date)?.notes?.length) });
    }));
}

function told(day, date, goal) {
  const count = `${number(day?.count ?? 0)}${goal.unit ? ` ${goal.unit}` : ""}`;
  return [h("b", {}, wholeDay(date)), ` · ${count}`, day?.notes?.length > 0 && h("q", {}, day.notes.join(" · "))];
}
