// One goal: how it stands, what became of it, and what was done, each of which can be taken back.

import { h } from "./dom.js";
import { feedOf, lossOf } from "./feed.js";
import { addDays, compact, monthAndYear, number, percent, rhythm, shortDay, spans } from "./format.js";
import { firstDay, heatMap, weeks } from "./heat-map.js";
import { icon } from "./icons.js";
import { ring, tinted } from "./ring.js";
import { goalOf, today } from "./state.js";
import { text } from "./texts.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./goals.js").Goal} Goal */
/** @typedef {import("./goals.js").History} Past */
/** @typedef {import("./history.js").Found} Found */
/** @typedef {import("./history.js").Seen} Seen */
/** @typedef {import("./history.js").Listing} Feed */
/** @typedef {import("./actions.js").UI} UI */
/** @typedef {import("./dom.js").Child} Child */

/** How many periods are shown at first. */
const few = { daily: 14, weekly: 12, monthly: 12 };

/**
 * @param {State} state
 * @param {Found & { goal: string, ui: UI, feed: Feed }} subject the goal's id, and what `History` knows of it
 */
export function detail(state, { goal: id, ui, ...past }) {
  const goal = goalOf(state, id);
  const { feed } = past;
  if (!goal) return [gone(id, feed), happened(feed, state)];
  return [
    h("header", { class: "head detail", "data-key": "head", ...tinted(goal) },
      back(),
      goal.active && ring(goal),
      h("div", {}, h("h1", { title: goal.title }, goal.title), h("p", { class: "lead" }, rhythm(goal), goal.active ? null : ` · ${text("inactive")}`)),
      h("div", { class: "buttons" },
        h("a", { class: "quiet", href: `#/goals/${goal.id}/edit` }, icon("edit"), text("edit")),
        goal.active && h("a", { class: "button", href: `#/count/${goal.id}` }, icon("add"), text("count")))),
    state.isCatchingUp ? unread() : past.history && [tiles(goal, past.history), year(goal, past, ui, state), past.shown.periods.length > 0 && periods(goal, past, ui)],
    happened(feed, state),
  ];
}

const back = () =>
  h("a", { class: "back", href: "#/goals", "aria-label": text("back") }, icon("back"));

/**
 * A goal that is not listed, and the way back to it.
 *
 * @param {string} id
 * @param {Feed} feed
 */
function gone(id, feed) {
  const loss = lossOf(id, feed.edits);
  const title = feed.title(id);
  return h("header", { class: "head detail", "data-key": "gone" }, back(),
    h("div", {}, h("h1", {}, text("goneGoal")), title && h("p", { class: "lead" }, title)),
    loss && h("div", { class: "buttons" }, h("button", { type: "button", class: "button", "data-do": "undoEdit", "data-edit": loss.id },
      icon("undo"), text("bringBack"))));
}

/** @param {Feed} feed @param {State} state */
const happened = (feed, state) =>
  h("section", { class: "panel", "data-key": "feed", "aria-labelledby": "feed-title" },
    h("h2", { id: "feed-title" }, text("activity")), feedOf(feed, state));

/** @param {string} label @param {Child} value */
const tile = (label, value) => h("div", { class: "tile" }, h("dt", {}, label), h("dd", {}, value));

/** Where numbers will be once all edits that they follow from were read. */
function unread() {
  return [
    h("dl", { class: "tiles", "data-key": "unread", "aria-busy": "true" },
      ["streakNow", "streakBest", "rate", "total"].map((name) => tile(text(name), "…"))),
    h("section", { class: "panel", "data-key": "unread-year", "aria-labelledby": "year-title" },
      h("h2", { id: "year-title" }, text("lastYear")), h("p", { class: "help" }, text("fetching"))),
  ];
}

/** @param {Goal} goal @param {Past} history */
function tiles(goal, history) {
  const { current, longest } = history.streak;
  return h("dl", { class: "tiles", "data-key": "tiles", ...tinted(goal) },
    tile(text("streakNow"), [current > 0 && icon("flame"), spans(current, goal.interval)]),
    tile(text("streakBest"), spans(longest, goal.interval)),
    tile(text("rate"), history.completionRate === null ? "–" : percent(history.completionRate)),
    tile(text("total"), [`${number(history.total)} `, goal.unit && h("small", {}, goal.unit)]));
}

/**
 * From which month to which, of a year that is past.
 *
 * @param {State} state
 * @param {number} years
 */
function span(state, years) {
  const first = firstDay(today(state), state.calendar.weekStart, years);
  return `${monthAndYear(first)} – ${monthAndYear(addDays(first, 7 * weeks - 1))}`;
}

/** @param {Goal} goal @param {Seen} past @param {UI} ui @param {State} state */
function year(goal, { shown, back: years, hasEarlier }, { chosen }, state) {
  const first = firstDay(today(state), state.calendar.weekStart, years);
  const words = years > 0 ? span(state, years) : text("lastYear");
  /** @type {(to: number, label: string, picture: string, isThere: boolean | undefined) => Child} */
  const turn = (to, label, picture, isThere) => h("button", {
    type: "button", class: "turn", "aria-label": text(label), "data-do": isThere ? "year" : "nothing", "data-back": to, "aria-disabled": String(!isThere),
  }, icon(picture));
  return h("section", { class: "panel", "data-key": "year", "aria-labelledby": "year-title", ...tinted(goal) },
    h("div", { class: "titled" }, h("h2", { id: "year-title" }, words),
      (hasEarlier || years > 0) && h("div", { class: "turns" },
        turn(years + 1, "yearBefore", "back", hasEarlier), turn(years - 1, "yearAfter", "next", years > 0))),
    heatMap(goal, shown, { first, today: today(state), chosen, year: words }));
}

/** @param {Goal} goal @param {Seen} past @param {UI} ui */
function periods(goal, { shown, back: years }, { periods: more }) {
  const all = shown.periods.length;
  const last = shown.periods.slice(-few[goal.interval] - more).reverse();
  const most = Math.max(...last.map(({ count, frequency }) => Math.max(count, frequency)), 1);
  return h("section", { class: "panel", "data-key": "periods", "aria-labelledby": "periods-title", ...tinted(goal) },
    h("h2", { id: "periods-title" }, text(`${goal.interval}${years > 0 ? "Earlier" : "Periods"}`)),
    h("ul", { class: "periods" }, last.map(({ start, end, count, frequency, state }) =>
      h("li", { "data-key": start, "data-state": state },
        h("span", {}, named(goal, start, end)),
        h("span", { class: "bar-of", variables: { "--part": `${(100 * count) / most}%` }, "aria-hidden": "true" }),
        h("span", { class: "count-of" }, `${number(count)} / ${compact(frequency)}`),
        h("span", { class: "state-of" }, text(`period_${state}`))))),
    last.length < all && h("button", { type: "button", class: "quiet", "data-do": "morePeriods", "data-key": "more" }, text("showMore")));
}

/** @type {(goal: Goal, start: string, end: string) => string} */
const named = ({ interval }, start, end) =>
  interval === "daily" ? shortDay(start) : `${shortDay(start)} – ${shortDay(addDays(end, -1))}`;
