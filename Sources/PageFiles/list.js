// All goals, in their order: what each is, how it stands, and whether it counts now. While a person
// chooses which ones count, nothing is sent until they are done; the order changes at once.

import { h } from "./dom.js";
import { number, rhythm, spans } from "./format.js";
import { icon } from "./icons.js";
import { offers, suggestions } from "./overview.js";
import { ring, tinted } from "./ring.js";
import { goalsOf } from "./state.js";
import { text } from "./texts.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Goal} Goal */

/** @param {State} state @param {Pick<import("./actions.js").UI, "screen">} ui */
export function list(state, { screen }) {
  const goals = goalsOf(state);
  return screen?.editing ? choosing(goals, screen.editing) : displaying(goals, state);
}

/** @param {Goal[]} goals @param {State} state */
function displaying(goals, state) {
  /** @type {[string, Goal[]][]} */
  const parts = [["active", goals.filter(({ active }) => active)], ["inactive", goals.filter(({ active }) => !active)]];
  return [
    h("header", { class: "head", "data-key": "head" }, h("div", {}, h("h1", {}, text("goals"))),
      h("div", { class: "buttons" },
        goals.length > 0 && h("button", { class: "quiet", type: "button", "data-do": "screen", "data-step": "edit" }, icon("grip"), text("arrange")))),
    goals.length === 0 && [h("p", { class: "lead", "data-key": "none" }, text("addFirstHelp")), offers(suggestions)],
    parts.map(([name, some]) => some.length > 0 && h("section", { "data-key": name, "aria-labelledby": `list-${name}` },
      h("h2", { id: `list-${name}` }, text(name)),
      h("ul", { class: "rows" }, some.map(row)))),
    state.version > 0 && h("p", { class: "actions", "data-key": "happened" }, h("a", { class: "quiet", href: "#/history" }, icon("wait"), text("activity"))),
  ];
}

/** @param {Goal} goal */
function row(goal) {
  const { current } = goal.streak;
  return h("li", { "data-key": goal.id, ...tinted(goal) },
    h("a", { class: "row", href: `#/goals/${goal.id}` },
      goal.active ? ring(goal, { isSmall: true }) : h("span", { class: "dot", "aria-hidden": "true" }),
      h("span", { class: "what" }, h("b", {}, goal.title), h("span", {}, rhythm(goal))),
      goal.active && current > 0 && h("span", { class: "streak" }, icon("flame"), spans(current, goal.interval)),
      icon("next")));
}

/** @param {Goal[]} goals @param {Record<string, boolean>} activity */
function choosing(goals, activity) {
  // One that another device adds meanwhile is not among them.
  /** @param {Goal} goal */
  const isOn = ({ id, active }) => activity[id] ?? active;
  const count = goals.filter(isOn).length;
  return [
    h("header", { class: "head", "data-key": "choosing" }, h("h1", {}, text("arrange")),
      h("div", { class: "buttons" },
        h("button", { class: "quiet", type: "button", "data-do": "screen", "data-step": "cancel" }, text("cancel")),
        h("button", { class: "button", type: "button", "data-do": "screen", "data-step": "save" }, icon("check"), text("done")))),
    h("p", { class: "help", "data-key": "help" }, text("arrangeHelp")),
    h("p", { class: "eyebrow", "data-key": "tally", role: "status" }, text("activeCount", { n: number(count), all: number(goals.length) })),
    h("ol", { class: "rows arranging", "data-key": "arranging" }, goals.map((goal, index) =>
      h("li", { "data-key": goal.id, "data-goal": goal.id, ...tinted(goal) },
        h("div", { class: "row" },
          h("button", {
            type: "button", class: "handle", "data-goal": goal.id, "data-do": "nothing",
            "aria-label": text("moveGoal", { title: goal.title, n: number(index + 1), all: number(goals.length) }),
          }, icon("grip")),
          shift("up", goal, goals[index - 1]?.id),
          shift("down", goal, goals[index + 1] && (goals[index + 2]?.id ?? "")),
          h("label", { class: "switch" },
            h("span", {}, h("b", {}, goal.title), h("small", {}, rhythm(goal))),
            h("input", {
              type: "checkbox", role: "switch", checked: isOn(goal), "data-key": `${goal.id} ${isOn(goal)}`,
              "data-change": "toggle", "data-goal": goal.id,
            })))))),
  ];
}

/**
 * One place up or down, by a tap.
 *
 * @param {"up" | "down"} way
 * @param {Goal} goal
 * @param {string} [before] the goal that it goes before, empty for the end; undefined where there is no such place
 */
function shift(way, { id, title }, before) {
  const isThere = before !== undefined;
  return h("button", {
    type: "button", class: "shift", "data-way": way, "data-do": isThere ? "shift" : "nothing", "data-goal": id, "data-before": before, "aria-disabled": String(!isThere),
    "aria-label": text(way === "up" ? "moveUp" : "moveDown", { title }),
  }, icon(way));
}
