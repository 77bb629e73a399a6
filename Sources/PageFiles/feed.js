// What happened, newest first: in the order in which the server recorded it, and with that time. Each edit
// can be taken back, and a goal that is gone brought back.

import { h } from "./dom.js";
import { dateOf, moment, signed, plainDay } from "./format.js";
import { icon } from "./icons.js";
import { goalOf, undoneOf } from "./state.js";
import { text } from "./texts.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./server.js").Recorded} Recorded */
/** @typedef {import("./history.js").Listing} Feed */

/** An edit that was recorded so much later than it happened says both, in milliseconds. */
const late = 60_000;

/** @param {Feed} feed the edits, as `History` has them @param {State} state */
export function feedOf(feed, state) {
  const { edits, isRead, hasMore } = feed;
  if (!edits.length) return h("p", { class: "help" }, text(isRead === null ? "feedFetching" : isRead ? "feedEmpty" : "feedOffline"));
  const undone = undoneOf(edits);
  return [
    h("ul", { class: "edits feed" }, edits.map((edit) => row(edit, undone.has(edit.id), feed, state))),
    isRead === false && h("p", { class: "help", "data-key": "lost" }, text("feedOffline")),
    hasMore && h("button", { type: "button", class: "quiet", "data-do": "moreEdits", "data-key": "more" }, text("showMore")),
  ];
}

/** @param {Recorded} edit @param {boolean} isUndone @param {Feed} feed @param {State} state */
function row(edit, isUndone, feed, state) {
  const words = phrase(edit, feed, state);
  return h("li", { "data-key": edit.id, "data-undone": isUndone, tabindex: -1 },
    h("div", {}, h("span", {}, words), edit.note && h("q", {}, edit.note),
      h("time", { datetime: edit.recordedAt }, moment(edit.recordedAt, state.calendar.timeZone), meant(edit, state), edit.device ? ` · ${edit.device}` : "")),
    !isUndone && h("button", { type: "button", class: "quiet", "data-do": "undoEdit", "data-edit": edit.id, "aria-label": `${text("undo")}: ${words}` },
      icon("undo")));
}

/** @type {(edit: Recorded, feed: Feed, state: State) => string} */
function phrase({ type, goal, by, edit, activity = {} }, feed, state) {
  if (type === "undo") {
    /** @param {string | undefined} id */
  const taken = (id) => feed.edits.find((one) => one.id === id);
    let target = taken(edit);
    let name = "did_undoOf";
    for (; target?.type === "undo"; target = taken(target.edit)) name = name === "did_undoOf" ? "did_redoOf" : "did_undoOf";
    return target ? text(name, { what: phrase(target, feed, state) }) : text("did_undo");
  }
  const turned = Object.keys(activity);
  const id = goal?.id ?? goal ?? feed.goal ?? (turned.length === 1 ? turned[0] : undefined);
  const title = goalOf(state, id)?.title ?? (id && feed.title(id)) ?? text("unknownGoal");
  if (id in activity) return text("bumped", { title, n: text(activity[id] ? "active" : "inactive") });
  return text(`did_${type}`, { title, by: signed(by ?? 1) });
}

/**
 * The day that it is meant for, or when it happened, where that is not when it was recorded.
 *
 * @param {Recorded} edit
 * @param {State} state
 */
function meant({ at, day, recordedAt }, state) {
  const zone = state.calendar.timeZone;
  if (day && day !== dateOf(recordedAt, zone)) return ` · ${text("forDay", { day: plainDay(day) })}`;
  return Date.parse(recordedAt) - Date.parse(at) > late ? ` · ${text("happenedAt", { when: moment(at, zone) })}` : "";
}

/**
 * The edit that took a goal away, with which it comes back.
 *
 * @param {string} goal
 * @param {Recorded[]} edits
 */
export function lossOf(goal, edits) {
  const undone = undoneOf(edits);
  const added = edits.find(({ type, goal: one }) => type === "add" && one.id === goal);
  return edits.find(({ id, type, goal: one, edit }) =>
    !undone.has(id) && ((type === "delete" && one === goal) || (type === "undo" && edit === added?.id)));
}

/**
 * All that happened in the account.
 *
 * @param {State} state
 * @param {Feed} feed
 */
export function happenings(state, feed) {
  return [
    h("header", { class: "head detail", "data-key": "head" },
      h("a", { class: "back", href: "#/goals", "aria-label": text("back") }, icon("back")),
      h("div", {}, h("h1", {}, text("activity")), h("p", { class: "lead" }, text("activityHelp")))),
    h("section", { class: "panel", "data-key": "feed", "aria-label": text("activity") }, feedOf(feed, state)),
  ];
}
