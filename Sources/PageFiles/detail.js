// One goal: how it stands, what became of it, and what was done, each of which can be taken back.

import { h } from "./dom.js";
import { moment, number, percent, rhythm, shortDay, signed, spans } from "./format.js";
import { heatMap } from "./heat-map.js";
import { icon } from "./icons.js";
import { ring, tinted } from "./ring.js";
import { goalOf, today, undoneOf } from "./state.js";
import { text } from "./texts.js";

/**
 * @param history as the engine answers; null until then
 * @param feed the last edits of the goal; null until they were read, undefined where they can't be
 */
export function detail(state, { goal: id, history, feed, chosen }) {
  const goal = goalOf(state, id);
  if (!goal) return [h("header", { class: "head", "data-key": "gone" }, h("div", {}, h("h1", {}, text("goneGoal")), back()))];
  return [
    h("header", { class: "head detail", "data-key": "head", ...tinted(goal) },
      back(),
      goal.active && ring(goal),
      h("div", {}, h("h1", {}, goal.title), h("p", { class: "lead" }, rhythm(goal), goal.active ? null : ` · ${text("inactive")}`)),
      h("div", { class: "buttons" },
        h("a", { class: "quiet", href: `#/goals/${goal.id}/edit` }, icon("edit"), text("edit")),
        goal.active && h("a", { class: "button", href: `#/count/${goal.id}` }, icon("add"), text("count")))),
    state.isCatchingUp ? unread() : history && [tiles(goal, history), h("section", { class: "panel", "data-key": "year", "aria-labelledby": "year-title", ...tinted(goal) },
      h("h2", { id: "year-title" }, text("lastYear")), heatMap(goal, history, today(state), state.calendar?.weekStart, chosen)),
    history.periods.length > 0 && periods(goal, history)],
    h("section", { class: "panel", "data-key": "feed", "aria-labelledby": "feed-title" },
      h("h2", { id: "feed-title" }, text("activity")), feedOf(goal, feed, state)),
  ];
}

const back = () =>
  h("a", { class: "back", href: "#/goals", "aria-label": text("back") }, icon("back"));

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

function tiles(goal, history) {
  const { current, longest } = history.streak;
  return h("dl", { class: "tiles", "data-key": "tiles", ...tinted(goal) },
    tile(text("streakNow"), [icon("flame"), spans(current, goal.interval)]),
    tile(text("streakBest"), spans(longest, goal.interval)),
    tile(text("rate"), history.completionRate === null ? "–" : percent(history.completionRate)),
    tile(text("total"), `${number(history.total)}${goal.unit ? ` ${goal.unit}` : ""}`));
}

function periods(goal, history) {
  const last = history.periods.slice(goal.interval === "daily" ? -14 : -12).reverse();
  const most = Math.max(...last.map(({ count, frequency }) => Math.max(count, frequency)), 1);
  return h("section", { class: "panel", "data-key": "periods", "aria-labelledby": "periods-title", ...tinted(goal) },
    h("h2", { id: "periods-title" }, text(`${goal.interval}Periods`)),
    h("ul", { class: "periods" }, last.map(({ start, end, count, frequency, state }) =>
      h("li", { "data-key": start, "data-state": state },
        h("span", {}, named(goal, start, end)),
        h("span", { class: "bar-of", variables: { "--part": `${(100 * count) / most}%` }, "aria-hidden": "true" }),
        h("span", { class: "count-of" }, `${number(count)} / ${number(frequency)}`),
        h("span", { class: "state-of" }, text(`period_${state}`))))));
}

function named({ interval }, start, end) {
  if (interval === "daily") return shortDay(start);
  const last = new Date(new Date(`${end}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return `${shortDay(start)} – ${shortDay(last)}`;
}

function feedOf(goal, feed, state) {
  if (feed === undefined) return h("p", { class: "help" }, text("feedOffline"));
  if (feed === null) return h("p", { class: "help" }, text("fetching"));
  if (!feed.length) return h("p", { class: "help" }, text("feedEmpty"));
  const undone = undoneOf(feed);
  return h("ul", { class: "edits feed" }, feed.map((edit) =>
    h("li", { "data-key": edit.id, "data-undone": undone.has(edit.id) },
      h("div", {}, h("span", {}, text(`did_${edit.type}`, { title: goal.title, by: signed(edit.by ?? 1) })),
        edit.note && h("q", {}, edit.note),
        h("time", { datetime: edit.at }, moment(edit.at, state.calendar?.timeZone), edit.device ? ` · ${edit.device}` : "")),
      !undone.has(edit.id) && h("button", { type: "button", class: "quiet", "data-do": "undoEdit", "data-edit": edit.id, "aria-label": `${text("undo")}: ${text(`did_${edit.type}`, { title: goal.title, by: signed(edit.by ?? 1) })}` },
        icon("undo")))));
}
