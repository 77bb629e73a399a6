// The account: its calendar, its tokens, what can be taken away and brought along, and the way out.

import { asDrawn, draft, h } from "./dom.js";
import { number, weekday } from "./format.js";
import { icon } from "./icons.js";
import { pendingOf } from "./state.js";
import { text } from "./texts.js";
import { sure, tokens } from "./tokens.js";

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/** A week that begins on a Monday, for the names of its days. */
const monday = 5;

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./account-actions.js").Known} Known */

/** @param {State} state @param {Known} known what the server told, each null until then, and what is asked and made here */
export function account(state, known) {
  return [
    h("header", { class: "head", "data-key": "head" }, h("div", {}, h("h1", {}, text("account")),
      known.account && h("p", { class: "lead" }, known.account.name))),
    calendar(state),
    tokens(state, known),
    archive(),
    out(state, known),
  ];
}

/** @param {State} state */
function calendar({ calendar: { timeZone, weekStart, dayStart } }) {
  const form = document.querySelector("[data-do=configure]");
  // One that a person fills in is not touched by what others do.
  /** @type {any} */
  const key = form && words(form) !== words(asDrawn(form)) ? form.dataset.key : `${timeZone} ${weekStart} ${dayStart}`;
  return h("section", { class: "panel", "data-key": "calendar", "aria-labelledby": "calendar-title" },
    h("h2", { id: "calendar-title" }, icon("calendar"), text("calendar")),
    h("p", { class: "help" }, text("calendarHelp")),
    draft("form", key, key, () => h("form", { class: "form", "data-do": "configure", novalidate: true, "data-key": key },
      h("label", { class: "field" }, text("timeZone"),
        h("input", { name: "timeZone", value: timeZone, list: "zones", autocomplete: "off", autocapitalize: "off", spellcheck: "false", required: true })),
      h("datalist", { id: "zones" }, (Intl.supportedValuesOf?.("timeZone") ?? []).map((zone) => h("option", { value: zone }))),
      h("div", { class: "pair" },
        h("label", { class: "field" }, text("weekStart"), h("select", { name: "weekStart" }, weekdays.map((name, index) =>
          h("option", { value: name, selected: name === weekStart }, weekday(`2026-01-${String(monday + index).padStart(2, "0")}`))))),
        h("label", { class: "field" }, text("dayStart"), h("input", { name: "dayStart", type: "time", value: dayStart, min: "00:00", max: "12:00", required: true }))),
      h("p", { class: "fault", "data-fault": "all", role: "alert" }),
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "button" }, text("save"))))));
}

/** @param {HTMLFormElement} form */
const words = (form) =>
  String(new URLSearchParams(
    /** @type {any} */
    (new FormData(form))));

/** The time zone of this device. To ask for it takes longer than all else about the offer. */
export const here = Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Offers the browser's time zone, where nobody ever named one.
 *
 * @param {State} state
 * @param {Known} known
 */
export function zoneOffer(state, { account: known, isHushed }) {
  if (!known || known.timeZoneChosen || isHushed) return null;
  const { timeZone } = state.calendar;
  if (!here || here === timeZone) return null;
  return h("section", { class: "notice", "data-key": "zone" }, icon("calendar"),
    h("p", {}, text("zoneOffer", { zone: timeZone, here })),
    h("div", { class: "buttons" },
      h("button", { type: "button", class: "quiet", "data-do": "keepZone" }, text("zoneKeep", { zone: timeZone })),
      h("button", { type: "button", class: "button", "data-do": "useZone", "data-zone": here }, text("zoneUse", { here }))));
}

function archive() {
  return h("section", { class: "panel", "data-key": "archive", "aria-labelledby": "archive-title" },
    h("h2", { id: "archive-title" }, icon("down"), text("archive")),
    h("p", { class: "help" }, text("archiveHelp")),
    h("div", { class: "buttons start" },
      h("a", { class: "quiet", href: "/v1/export", download: "goals.ndjson", "data-do": "exportFile" }, text("exportLog")),
      h("a", { class: "quiet", href: "/v1/export.csv", download: "goals.csv", "data-do": "exportFile" }, text("exportTable")),
      h("label", { class: "quiet" }, text("importLog"),
        h("input", { type: "file", class: "unseen", accept: ".ndjson,application/x-ndjson", "data-change": "importLog" }))),
    h("p", { class: "fault", id: "import-fault", role: "alert" }));
}

/** @param {State} state @param {Known} known */
function out(state, known) {
  const count = pendingOf(state).length;
  return h("section", { class: "panel", "data-key": "out", "aria-labelledby": "out-title" },
    h("h2", { id: "out-title" }, icon("person"), text("signOut")),
    h("p", { class: "help" }, text("signOutHelp")),
    count > 0 && h("p", { class: "fault" }, text("signOutWaits", { count, n: number(count) })),
    h("div", { class: "buttons start" },
      count > 0
        ? sure(known, "signOut", text("signOutAnyway"), text("reallySignOut"), { "data-do": "signOut" })
        : h("button", { type: "button", class: "quiet bad", "data-do": "signOut" }, text("signOut"))));
}
