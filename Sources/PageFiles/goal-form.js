// A goal's properties, to make one or to change one.

import { h } from "./dom.js";
import { wholeNumber } from "./format.js";
import { icon } from "./icons.js";
import { text } from "./texts.js";

const colours = ["blue", "cyan", "green", "yellow", "orange", "red", "purple"];
const intervals = ["daily", "weekly", "monthly"];

/** @param {import("./goals.js").Goal | undefined} goal the goal that is changed; undefined for a new one */
export function goalForm(goal) {
  const { title = "", colour = "green", interval = "daily", frequency = 1, unit = null } = goal ?? {};
  const isActive = goal?.active ?? true;
  const isOwn = colour.startsWith("#");
  return h("form", { class: "form", "data-do": "saveGoal", "data-goal": goal?.id, novalidate: true, "data-key": `form-${goal?.id}` },
    h("h2", { id: "sheet-title", tabindex: -1, autofocus: Boolean(goal) }, text(goal ? "edit" : "addGoal")),
    h("label", { class: "field" }, text("title"),
      h("input", {
        name: "title", value: title, "data-most": 200, required: true, pattern: ".*\\S.*", autocomplete: "off",
        "aria-describedby": "title-fault", autofocus: !goal,
      })),
    h("p", { id: "title-fault", class: "fault", role: "alert" }),
    h("div", { class: "pair" },
      h("label", { class: "field" }, text("frequency"),
        h("input", { name: "frequency", inputmode: "numeric", value: frequency, required: true, autocomplete: "off" })),
      h("label", { class: "field" }, text("unit"),
        h("input", { name: "unit", value: unit ?? "", "data-most": 20, autocomplete: "off", "aria-describedby": "unit-help" }))),
    h("p", { id: "unit-help", class: "help" }, text("unitHelp")),
    h("fieldset", { class: "segments" }, h("legend", {}, text("interval")),
      intervals.map((one) => choice("interval", one, interval === one, text(one)))),
    h("fieldset", { class: "colours" }, h("legend", {}, text("colour")),
      colours.map((one) => h("label", { class: "swatch", "data-colour": one, title: text(one) },
        h("input", { type: "radio", name: "colour", value: one, checked: colour === one, "aria-label": text(one) }))),
      h("label", { class: "swatch own", title: text("ownColour"), "data-colour": "own", variables: { "--own": isOwn ? colour : "#b5651d" } },
        h("input", { type: "radio", name: "colour", value: "own", checked: isOwn, "aria-label": text("ownColour") }),
        h("input", { type: "color", name: "own", value: isOwn ? colour : "#b5651d", "aria-label": text("ownColour"), "data-change": "ownColour" }))),
    h("label", { class: "switch" },
      h("span", {}, text("activeGoal"), h("small", {}, text("activeHelp"))),
      h("input", { type: "checkbox", role: "switch", name: "active", checked: isActive })),
    h("p", { class: "fault", "data-fault": "all", role: "alert" }),
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "quiet", "data-do": "leave" }, text("cancel")),
      h("button", { type: "submit", class: "button" }, text(goal ? "save" : "add")),
      goal && h("button", { type: "button", class: "quiet bad", "data-do": "deleteGoal", "data-goal": goal.id }, icon("trash"), text("delete"))));
}

/** @type {(name: string, value: string, checked: boolean, label: string) => import("./dom.js").Made} */
function choice(name, value, checked, label) {
  return h("label", {}, h("input", { type: "radio", name, value, checked }), h("span", {}, label));
}

/**
 * What was filled in.
 *
 * @param {HTMLFormElement} form
 * @returns {{ goal: import("./goals.js").Properties, active: boolean }}
 */
export function filledGoal(form) {
  const data = new FormData(form);
  const title = data.get("title").trim();
  const frequency = wholeNumber(data.get("frequency"));
  const colour = data.get("colour") === "own" ? data.get("own") : data.get("colour");
  const unit = data.get("unit").trim() || null;
  return { goal: { title, colour, interval: data.get("interval"), frequency, unit }, active: data.get("active") !== null };
}
