// What was not sent yet, and what was refused and why: in a word at the top of the page, and in full.

import { h } from "./dom.js";
import { moment, number, signed } from "./format.js";
import { icon } from "./icons.js";
import { connection, editOf, goalOf, pendingOf, rejectedOf } from "./state.js";
import { text } from "./texts.js";

const icons = {
  inStep: "cloud", waiting: "up", sending: "up", offline: "offline", signedOut: "person", otherAccount: "person", loading: "wait",
};

function phrase(kind, count) {
  switch (kind) {
    case "offline": return count ? `${text("offline")} · ${text("waiting", { count, n: number(count) })}` : text("offline");
    case "waiting": return text("waiting", { count, n: number(count) });
    case "sending": return text("sending");
    case "signedOut": case "otherAccount": return text("signIn");
    case "loading": return text("sending");
    default: return text("upToDate");
  }
}

/** The link at the top of every view. */
export function statusLink(state) {
  const kind = connection(state);
  const refused = rejectedOf(state).length;
  return h("a", { class: "status", href: "#/status", "data-kind": refused ? "refused" : kind },
    icon(refused ? "warn" : icons[kind]),
    h("span", {}, refused ? text("rejectedCount", { count: refused, n: number(refused) }) : phrase(kind, pendingOf(state).length)));
}

/** An edit in words. */
function phraseOf(edit, state) {
  const id = typeof edit.goal === "string" ? edit.goal : edit.goal?.id;
  const title = edit.goal?.title ?? goalOf(state, id)?.title ?? text("unknownGoal");
  return text(`did_${edit.type}`, { title, by: signed(edit.by ?? 1) });
}

/** What was refused, above everything else until it is dismissed. */
export function refusals(state) {
  const refused = rejectedOf(state);
  if (!refused.length) return null;
  return h("section", { class: "notice bad", "data-key": "refused", "aria-labelledby": "refused-title" },
    h("h2", { id: "refused-title" }, icon("warn"), text("rejected")),
    h("ul", {}, refused.slice(0, 5).map((own) => h("li", {}, h("b", {}, phraseOf(editOf(own), state)), " ", own.detail ?? ""))),
    h("button", { type: "button", class: "quiet", "data-do": "dismiss" }, text("dismiss")));
}

/** What keeps the device from being in step, where a person can do something. */
export function hindrance(state, notices) {
  const kind = connection(state);
  if (kind === "signedOut") {
    return notice("signIn", text("signInNeeded"), h("a", { class: "button", href: "#/sign-in" }, text("signIn")));
  }
  if (kind === "otherAccount") {
    return notice("other", h("span", {}, text("otherAccount"), " ", text("otherAccountHelp")),
      h("a", { class: "button", href: "#/account" }, text("account")));
  }
  const lasting = ["readOnly", "accountFull", "newerServer"].find((name) => notices.has(name));
  if (lasting) return notice(lasting, text(lasting));
  return notices.has("evicted") ? notice("evicted", text("evicted"),
    h("button", { type: "button", class: "quiet", "data-do": "noted", "data-notice": "evicted" }, text("dismiss"))) : null;
}

const notice = (key, words, button) =>
  h("section", { class: "notice", "data-key": `notice-${key}` }, icon("warn"), h("p", {}, words), button);

/** The whole of it, in a sheet. */
export function statusSheet(state) {
  const kind = connection(state);
  const pending = pendingOf(state);
  const zone = state?.calendar?.timeZone;
  const help = { offline: "offlineHelp", signedOut: "signInNeeded", otherAccount: "otherAccount" }[kind];
  return h("div", { class: "standing", "data-key": "status" },
    h("h2", { id: "sheet-title", tabindex: -1, autofocus: true }, text("status")),
    h("p", { class: "lead" }, icon(icons[kind]), text(help ?? (pending.length ? "sending" : "upToDateHelp"))),
    refusals(state),
    pending.length > 0 && h("section", {},
      h("h3", {}, text("waitingHere", { count: pending.length, n: number(pending.length) })),
      h("ul", { class: "edits" }, pending.slice(0, 100).map((own) => {
        const edit = editOf(own);
        return h("li", { "data-key": edit.id }, h("span", {}, phraseOf(edit, state)), h("time", { datetime: edit.at }, edit.at && moment(edit.at, zone)));
      }))),
    h("div", { class: "buttons" }, h("button", { type: "button", class: "button", "data-do": "leave" }, text("close"))));
}
