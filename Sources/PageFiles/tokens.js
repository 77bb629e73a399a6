// Devices and tokens: what else may use the account. A device gets a link that works once, as a picture for
// a phone's camera, too; a button a token, as a line to run.

import { h } from "./dom.js";
import { moment } from "./format.js";
import { icon } from "./icons.js";
import { goalOf, goalsOf } from "./state.js";
import { text } from "./texts.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./account-actions.js").Known} Known */
/** @typedef {import("./dom.js").Attributes} Attributes */

const scopes = ["write", "count", "read"];

/** @param {State} state @param {Known} desk */
export function tokens(state, desk) {
  const { tokens: known, made, fault } = desk;
  return h("section", { class: "panel", "data-key": "tokens", "aria-labelledby": "tokens-title" },
    h("h2", { id: "tokens-title" }, icon("key"), text("tokens")),
    h("p", { class: "help" }, text("tokensHelp")),
    made && shown(made, state),
    fault ? h("p", { class: "help" }, fault) : known && h("ul", { class: "edits" }, known.map((token) => row(token, state, desk))),
    h("details", { "data-key": "add" }, h("summary", {}, text("addToken")), form(state)));
}

/**
 * A button for what can't be taken back: it asks once.
 *
 * @param {Known} known
 * @param {string} about
 * @param {string} word
 * @param {string} sureWord
 * @param {Attributes} attributes
 * @param {string} [label]
 */
export function sure({ asked }, about, word, sureWord, attributes, label) {
  if (asked !== about) {
    return h("button", { type: "button", class: "quiet bad", "data-do": "ask", "data-about": about, "aria-label": label }, word);
  }
  return h("div", { class: "buttons sure" },
    h("button", { type: "button", class: "quiet", "data-do": "ask" }, text("cancel")),
    h("button", { type: "button", class: "button bad", "aria-label": label, ...attributes }, sureWord));
}

/** @param {import("./server.js").Token} token @param {State} state @param {Known} desk */
function row(token, state, desk) {
  const zone = state.calendar.timeZone;
  const maker = desk.tokens?.find(({ id }) => id === token.madeBy)?.name;
  const scope = token.scope === "bump" ? text("scopeBumpOf", { title: goalOf(state, token.goal)?.title ?? text("unknownGoal") }) : text(`scope_${token.scope}`);
  return h("li", { "data-key": token.id },
    h("div", { class: "what" }, h("b", {}, token.name, token.id === desk.token?.id && h("small", {}, ` · ${text("thisDevice")}`)),
      h("span", {}, scope, token.lastUsedAt && ` · ${text("lastUsed", { when: moment(token.lastUsedAt, zone) })}`, maker && ` · ${text("madeBy", { maker })}`)),
    sure(desk, token.id, text("revoke"), text("revoke"), { "data-do": "revoke", "data-token": token.id }, text("revokeOf", { name: token.name })));
}

/** @param {State} state */
function form(state) {
  return h("form", { class: "form", "data-do": "addToken", novalidate: true },
    h("label", { class: "field" }, text("tokenName"), h("input", { name: "name", required: true, maxlength: 100, autocomplete: "off" })),
    h("fieldset", { class: "segments" }, h("legend", {}, text("scope")),
      [...scopes, ...(goalsOf(state).length ? ["bump"] : [])].map((scope, index) => h("label", {}, h("input", { type: "radio", name: "scope", value: scope, checked: index === 0 }), h("span", {}, text(`scope_${scope}`))))),
    h("label", { class: "field only-bump" }, text("scopeGoal"),
      h("select", { name: "goal" }, goalsOf(state).map((goal) => h("option", { value: goal.id }, goal.title)))),
    h("p", { class: "fault", "data-fault": "all", role: "alert" }),
    h("div", { class: "buttons" }, h("button", { type: "submit", class: "button" }, icon("add"), text("addToken"))));
}

/** @param {import("./account-actions.js").Made} made `qrCode` is the encoder, where it could be loaded @param {State} state */
function shown({ token, link = "", scope, goal, name, qrCode }, state) {
  const line = `curl -X POST -H 'Authorization: Bearer ${token}' ${location.origin}/v1/goals/${goal}/bump`;
  const isButton = scope === "bump";
  return h("div", { class: "made", "data-key": token ?? link, role: "status" },
    h("p", {}, h("b", {}, name), ` · ${text(isButton ? "shownOnce" : "linkOnce")}`),
    !isButton && qrCode && picture(qrCode(link)),
    h("p", {}, text(isButton ? "curlHelp" : "scanHelp", { title: goalOf(state, goal)?.title ?? "" })),
    h("pre", { tabindex: 0 }, isButton ? line : link),
    h("div", { class: "buttons start" },
      h("button", { type: "button", class: "quiet", "data-do": "copy", "data-text": isButton ? line : link }, text("copy")),
      h("button", { type: "button", class: "quiet", "data-do": "forgetMade" }, text("done"))));
}

/**
 * Dark on light whatever the theme, with the quiet zone that readers need.
 *
 * @param {boolean[][] | null} rows
 */
function picture(rows) {
  if (!rows) return null;
  const size = rows.length + 8;
  const path = rows.flatMap((line, y) => line.map((isDark, x) => (isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))).join("");
  return h("svg", { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": text("scanHelp") },
    h("rect", { width: size, height: size, fill: "#fff" }), h("path", { d: path, fill: "#000" }));
}
