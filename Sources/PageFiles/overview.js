// The first thing that a person sees: a ring for each active goal, by the time in which it counts.

import { draft, h } from "./dom.js";
import { dayAndMonth, daysBetween, number, rhythm, spans, weekday } from "./format.js";
import { icon } from "./icons.js";
import { ring, tinted } from "./ring.js";
import { activeGoals, goalsOf, today } from "./state.js";
import { text } from "./texts.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").ActiveGoal} Goal */

/** From so many on, a tap asks how many it should be. */
export const large = 100;

/** @type {[string, string][]} */
const sections = [["daily", "today"], ["weekly", "thisWeek"], ["monthly", "thisMonth"]];

/** @param {State} state */
export function overview(state) {
  const goals = activeGoals(state);
  if (!goalsOf(state).length) return greeting();
  if (!goals.length) return nothingActive();
  const done = goals.filter((goal) => goal.state !== "open").length;
  const isAnyMet = goals.some((goal) => goal.state === "met");
  const day = today(state);
  return [
    h("header", { class: "head", "data-key": "head" },
      h("div", {}, h("p", { class: "eyebrow" }, dayAndMonth(day)), h("h1", {}, weekday(day))),
      h("p", { class: "tally", "data-done": done === goals.length },
        done === goals.length
          ? [icon(isAnyMet ? "check" : "skip"), text(isAnyMet ? "allDone" : "allSkipped")]
          : text("doneOf", { n: number(done), all: number(goals.length) }))),
    part(sections[0], goals, day),
    h("div", { class: "together", "data-key": "together" }, sections.slice(1).map((one) => part(one, goals, day))),
    h("p", { class: "hint", "data-key": "hint" }, goals.some(({ frequency }) => frequency >= large) ? text("boardHelpLarge", { n: number(large) }) : text("boardHelp")),
    goalsOf(state).length < few && ideas(state),
  ];
}

/** Goals as texts: after a tap all but one are the same objects as before. */
const texts = new WeakMap();
/** @type {(goal: Goal) => string} */
const textOf = (goal) => texts.get(goal) ?? (texts.set(goal, JSON.stringify(goal)), texts.get(goal));

/** @param {[string, string]} section @param {Goal[]} goals @param {string} day */
function part([interval, title], goals, day) {
  const own = goals.filter((goal) => goal.interval === interval);
  const marks = own.map(textOf);
  return own.length > 0 && draft("section", interval, `${day} ${marks}`, () => section(own, marks, interval, title, day));
}

/** @param {Goal[]} goals @param {string[]} marks @param {string} interval @param {string} title @param {string} day */
function section(goals, marks, interval, title, day) {
  const end = goals[0].period?.end;
  const left = end ? daysBetween(day, end) : 0;
  return h("section", { "data-key": interval, "aria-labelledby": `section-${interval}`, variables: { "--columns": Math.min(Math.max(goals.length, 2), 5) } },
    h("h2", { id: `section-${interval}` }, text(title),
      interval !== "daily" && left > 0 && h("small", {}, text("daysLeft", { count: left, n: number(left) }))),
    h("ul", { class: "board" }, goals.map((goal, index) => draft("li", goal.id, marks[index], () => card(goal)))));
}

/** @param {Goal} goal */
function card(goal) {
  const waits = goal.waiting;
  const label = text("openGoal", { title: goal.title, progress: number(goal.progress), all: number(goal.frequency), rhythm: rhythm(goal) });
  return h("li", { class: "card", "data-key": goal.id, "data-state": goal.state, ...tinted(goal) },
    h("button", {
      class: "count", type: "button", "data-do": "bump", "data-goal": goal.id,
      "aria-label": [label, standing(goal)].filter(Boolean).join(". "),
    }, ring(goal), h("span", { class: "title" }, goal.title), h("span", { class: "under" }, under(goal))),
    waits > 0 && h("span", { class: "waits", title: text("waiting", { count: waits, n: number(waits) }) }, icon("wait")),
    h("a", { class: "dots", href: `#/count/${goal.id}`, "aria-label": text("menuOf", { title: goal.title }) }, icon("more")));
}

/** @param {Goal} goal */
function under(goal) {
  const { current } = goal.streak;
  if (goal.state === "excused") return [icon("skip"), text("excused")];
  if (current > 0) return [icon("flame"), spans(current, goal.interval)];
  if (goal.state === "met") return [icon("check"), text("met")];
  return rhythm(goal);
}

/**
 * What the picture says beyond the count, in words.
 *
 * @param {Goal} goal
 */
function standing(goal) {
  const { current } = goal.streak;
  const streak = current > 0 ? text(`${goal.interval}Streak`, { count: current, n: number(current) }) : "";
  const where = goal.state === "open" ? "" : text(goal.state);
  return [where, streak].filter(Boolean).join(", ");
}

/** @typedef {Pick<Goal, "colour" | "interval" | "frequency"> & { name: string, unit?: string }} Suggestion */

/** @type {Suggestion[]} */
export const suggestions = [
  { name: "suggestWater", colour: "blue", interval: "daily", frequency: 8, unit: "glasses" },
  { name: "suggestRead", colour: "orange", interval: "daily", frequency: 1 },
  { name: "suggestMove", colour: "red", interval: "weekly", frequency: 10, unit: "km" },
  { name: "suggestYoga", colour: "purple", interval: "weekly", frequency: 2 },
  { name: "suggestCall", colour: "yellow", interval: "monthly", frequency: 4 },
  { name: "suggestSleep", colour: "cyan", interval: "weekly", frequency: 5 },
];

/** A person with fewer goals is shown what else there could be. */
const few = 3;

/** @param {State} state */
function ideas(state) {
  const titles = new Set(goalsOf(state).map(({ title }) => title));
  return h("section", { "data-key": "ideas", "aria-labelledby": "ideas" },
    h("h2", { id: "ideas" }, text("ideas")), offers(suggestions.filter(({ name }) => !titles.has(text(name)))));
}

/** @param {Suggestion[]} some */
export function offers(some) {
  return h("ul", { class: "offers", "data-key": "offers" }, some.map(({ name }) => {
    /** @type {import("./ring.js").Round & ReturnType<typeof suggested>} */
    const goal = { ...suggested(name), progress: 0, completion: 0.3, state: "open" };
    return h("li", { "data-key": name, ...tinted(goal) },
      h("button", { type: "button", class: "offer", "data-do": "suggest", "data-name": name },
        ring(goal, { isSmall: true }),
        h("span", {}, h("b", {}, goal.title), h("span", {}, rhythm(goal))), icon("add")));
  }));
}

/**
 * The goal that a suggestion stands for.
 *
 * @param {string} name
 */
export function suggested(name) {
  const { colour, interval, frequency, unit } =
    /** @type {Suggestion} */
    (suggestions.find((one) => one.name === name));
  return { title: text(name), colour, interval, frequency, unit: unit === "glasses" ? text(unit) : unit ?? null };
}

function greeting() {
  return [
    h("header", { class: "head", "data-key": "head" },
      h("div", {}, h("p", { class: "eyebrow" }, text("goodToSee")), h("h1", {}, text("addFirst")),
        h("p", { class: "lead" }, text("addFirstHelp")))),
    offers(suggestions),
    h("p", { class: "actions", "data-key": "own" }, h("a", { class: "button", href: "#/goals/new" }, icon("add"), text("addOwn"))),
  ];
}

function nothingActive() {
  return [
    h("header", { class: "head", "data-key": "head" }, h("div", {}, h("h1", {}, text("nothingActive")),
      h("p", { class: "lead" }, text("nothingActiveHelp")))),
    h("p", { class: "actions", "data-key": "own" }, h("a", { class: "button", href: "#/goals" }, icon("list"), text("all"))),
  ];
}
