// What was not sent yet, and what was refused and why: in a word at the top of the page, and in full.

import { h } from "./dom.js";
import { moment, number, signed } from "./format.js";
import { icon } from "./icons.js";
import { connection, editOf, goalOf, pendingOf, rejectedOf } from "./state.js";
import { reason } from "./reason.js";
import { home } from "./routes.js";
import { text } from "./texts.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").AnyEdit} AnyEdit */
/** @typedef {import("./dom.js").Child} Child */

/** @type {Record<string, string>} */
const icons = {
  inStep: "cloud", waiting: "up", sending: "up", offline: "offline", signedOut: "person", otherAccount: "person", loading: "wait", fetching: "down",
};

/** @param {string} kind @param {number} count */
function phrase(kind, count) {
  switch (kind) {
    case "offline": return count ? `${text("offline")} · ${text("waiting", { count, n: number(count) })}` : text("offline");
    case "waiting": return text("waiting", { count, n: number(count) });
    case "sending": return text("sending");
    case "signedOut": case "otherAccount": return text("signIn");
    case "loading": return text("starting");
    case "fetching": return text("fetching");
    default: return text("upToDate");
  }
}

/**
 * The link at the top of every view.
 *
 * @param {State} state
 */
export function statusLink(state) {
  const kind = connection(state);
  const refused = rejectedOf(state).length;
  return h("a", { class: "status", href: "#/status", "data-kind": refused ? "refused" : kind },
    icon(refused ? "warn" : icons[kind]),
    h("span", {}, refused ? text("rejectedCount", { count: refused, n: number(refused) }) : phrase(kind, pendingOf(state).length)));
}

/**
 * An edit in words.
 *
 * @param {AnyEdit} edit
 * @param {State} state
 */
function phraseOf(edit, state) {
  const id = typeof edit.goal === "string" ? edit.goal : edit.goal?.id;
  const title = edit.goal?.title ?? goalOf(state, id)?.title ?? state.gone?.[id] ?? text("unknownGoal");
  return text(`did_${edit.type}`, { title, by: signed(edit.by ?? 1) });
}

/**
 * What was refused of one goal, in one way and for one reason, is said once.
 *
 * @param {import("./state.js").OwnEdit[]} refused
 * @param {State} state
 */
function grouped(refused, state) {
  /** @type {Map<string, { edit: AnyEdit, why: string, by: number, count: number, notes: string[] }>} */
  const groups = new Map();
  for (const own of refused) {
    const edit = editOf(own);
    const why = reason(own);
    const key = JSON.stringify([phraseOf({ ...edit, by: 0 }, state), why]);
    /** @type {{ by?: number, count?: number, notes?: string[] }} */
    const { by = 0, count = 0, notes = [] } = groups.get(key) ?? {};
    groups.set(key, { edit, why, by: by + (edit.by ?? 1), count: count + 1, notes: edit.note ? [...notes, edit.note] : notes });
  }
  return [...groups.values()];
}

/**
 * What was refused, above everything else until it is dismissed.
 *
 * @param {State} state
 */
export function refusals(state, place = "page") {
  const refused = rejectedOf(state);
  const id = `refused-${place}`;
  if (!refused.length) return null;
  return h("section", { class: "notice bad", "data-key": "refused", "aria-labelledby": id },
    h("h2", { id }, icon("warn"), text("rejected")),
    h("ul", { tabindex: 0, "aria-labelledby": id }, grouped(refused, state).map(({ edit, why, by, count, notes }) =>
      h("li", {}, h("b", {}, phraseOf({ ...edit, by }, state), edit.type !== "bump" && count > 1 ? ` (${number(count)})` : "", ":"), " ", why,
        notes.map((note) => h("q", {}, note))))),
    h("button", { type: "button", class: "quiet", "data-do": "dismiss" }, text("dismiss")));
}

/**
 * What keeps the device from being in step, where a person can do something, and what they should have seen.
 *
 * @param {State} state
 * @param {Set<string>} notices
 */
export function hindrance(state, notices) {
  const kind = connection(state);
  const isElsewhere = Boolean(home());
  /** @param {string[]} names */
  const of = (...names) => names.filter((name) => notices.has(name));
  return [
    isElsewhere && elsewhere(),
    kind === "signedOut" && !isElsewhere && notice("signIn", text("signInNeeded"), h("a", { class: "button", href: "#/sign-in" }, text("signIn"))),
    kind === "otherAccount" && notice("other", h("span", {}, text("otherAccount"), " ", text("otherAccountHelp")),
      h("a", { class: "button", href: "#/account" }, text("account"))),
    of(isElsewhere ? "" : "readOnly", "accountFull").map((name) => notice(name, text(name))),
    of("newerServer", "newVersion").map((name) => notice(name, text(name),
      h("button", { type: "button", class: "quiet", "data-do": "reload" }, text("loadAgain")))),
    of("evicted", "restored").map((name) => notice(name, text(name),
      h("button", { type: "button", class: "quiet", "data-do": "noted", "data-notice": name }, text("dismiss")))),
  ];
}

/**
 * Leads to the server's own address: at another one a session begins or may write nowhere.
 *
 * @param {string} [hash] what a link to this page said, which goes on there
 */
export function elsewhere(hash = "") {
  const url = home() ?? "";
  return notice("elsewhere", text("elsewhere", { url }), h("a", { class: "button", href: url + hash }, text("goThere")));
}

/** @type {(key: string, words: Child, button?: Child) => Child} */
const notice = (key, words, button) =>
  h("section", { class: "notice", "data-key": `notice-${key}` }, icon("warn"), h("p", {}, words), button);

/**
 * The whole of it, in a sheet.
 *
 * @param {State} state
 * @param {Set<string>} notices
 */
export function statusSheet(state, notices) {
  const kind = connection(state);
  const pending = pendingOf(state);
  const zone = state?.calendar?.timeZone;
  const held = ["readOnly", "accountFull"].find((name) => notices.has(name));
  const done = rejectedOf(state).length ? "upToDateBut" : "upToDateHelp";
  const help =
    /** @type {Record<string, string>} */
    ({
      offline: "offlineHelp", signedOut: "signInNeeded", otherAccount: "otherAccount", loading: "starting", fetching: "fetching", inStep: done,
    })[kind] ?? held ?? "sending";
  return h("div", { class: "standing", "data-key": "status" },
    h("h2", { id: "sheet-title", tabindex: -1, autofocus: true }, text("status")),
    h("p", { class: "lead" }, icon(icons[kind]), text(help)),
    refusals(state, "sheet"),
    pending.length > 0 && h("section", {},
      h("h3", {}, text("waitingHere", { count: pending.length, n: number(pending.length) })),
      h("ul", { class: "edits" }, pending.map((own) => {
        const edit = editOf(own);
        return h("li", { "data-key": edit.id }, h("span", {}, phraseOf(edit, state)), h("time", { datetime: edit.at }, edit.at && moment(edit.at, zone)));
      }))),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button", "data-do": "leave" }, text("close"))));
}
