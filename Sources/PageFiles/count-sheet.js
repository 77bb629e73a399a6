// More than a tap can say: another amount, another day, a note, less, or not this time.

import { here } from "./account.js";
import { h } from "./dom.js";
import { number, rhythm } from "./format.js";
import { icon } from "./icons.js";
import { ring, tinted } from "./ring.js";
import { latestDay, today } from "./state.js";
import { text } from "./texts.js";

/**
 * @param {import("./goals.js").ActiveGoal} goal
 * @param {import("./goals.js").State} state
 */
export function countSheet(goal, state) {
  const day = today(state);
  const latest = latestDay(state);
  const { timeZone } = state.calendar;
  return h("div", { class: "counting", "data-key": `count-${goal.id}`, ...tinted(goal) },
    h("div", { class: "subject" }, ring(goal),
      h("div", {}, h("h2", { id: "sheet-title", tabindex: -1, autofocus: true }, goal.title), h("p", {}, rhythm(goal)),
        goal.streak.current > 0 && h("p", { class: "streak" }, icon("flame"),
          text(`${goal.interval}Streak`, { count: goal.streak.current, n: number(goal.streak.current) })))),
    h("form", { class: "form", "data-do": "count", "data-goal": goal.id, novalidate: true },
      h("div", { class: "field" }, h("label", { for: "amount" }, goal.unit ? text("amountOf", { unit: goal.unit }) : text("amount")),
        h("div", { class: "stepper" },
          h("button", { type: "button", "data-do": "step", "data-by": -1, "aria-label": text("minusOne") }, icon("less")),
          h("input", { id: "amount", name: "by", inputmode: "numeric", value: 1, required: true, autocomplete: "off" }),
          h("button", { type: "button", "data-do": "step", "data-by": 1, "aria-label": text("plusOne") }, icon("add")))),
      h("div", { class: "pair" },
        h("label", { class: "field" }, text("dayLabel"), h("input", { name: "day", type: "date", min: "2000-01-01", max: latest, value: day, required: true })),
        h("label", { class: "field" }, text("note"), h("input", { name: "note", "data-most": 500, autocomplete: "off" }))),
      latest > day && timeZone !== here && h("p", { class: "help" }, text("zoneOffer", { zone: timeZone, here })),
      h("p", { class: "fault", "data-fault": "all", role: "alert" }),
      h("button", { type: "submit", class: "button wide" }, icon("check"), text("count"))),
    h("ul", { class: "choices" },
      goal.progress > 0 && h("li", {}, h("button", { type: "button", "data-do": "less", "data-goal": goal.id }, icon("less"), text("minusOne"))),
      goal.state === "excused" && h("li", {}, h("button", { type: "button", "data-do": "unskip", "data-goal": goal.id }, icon("undo"), text("unskip"))),
      goal.state === "open" && h("li", {}, h("button", { type: "button", "data-do": "skip", "data-goal": goal.id }, icon("skip"),
        h("span", {}, text("skip"), h("small", {}, text("skipHelp"))))),
      h("li", {}, h("a", { href: `#/goals/${goal.id}/edit` }, icon("edit"), text("edit"))),
      h("li", {}, h("button", { type: "button", "data-do": "rest", "data-goal": goal.id }, icon("wait"),
        h("span", {}, text("rest"), h("small", {}, text("activeHelp")))))));
}
