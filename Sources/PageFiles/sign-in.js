// Signing in: by a link, whose code works once, or by a token. Neither is kept: the server gives a session
// for it. It leaves the address bar at once, but a browser may have written it into its history by then.

import { h } from "./dom.js";
import { icon } from "./icons.js";
import { decoded } from "./routes.js";
import { text } from "./texts.js";

/** @typedef {string | { code: string }} Secret a token, or the code of a link */

/** What is behind `#code=` or `#token=`, taken out of the address. Null where it is none, and undefined where there is none. */
export function secretOfAddress() {
  if (!/^#(code|token)=/.test(location.hash)) return undefined;
  const secret = secretOf(location.hash);
  history.replaceState(null, "", `${location.pathname}#/`);
  return secret;
}

/**
 * The code or the token of a link, or of what a person pasted.
 *
 * @param {string} words
 * @returns {Secret | null}
 */
export function secretOf(words) {
  const [, kind, behind] = /#(code|token)=([^&\s]+)/.exec(words) ?? [];
  const word = behind ? decoded(behind) : words.trim();
  // A field of a request holds nothing else, and no token has a # or a /.
  if (!/^[!"$-.0-~]+$/.test(word)) return null;
  return kind === "code" ? { code: word } : word;
}

/**
 * A link was followed where somebody is signed in.
 *
 * @param {string} name of the account
 */
export const replacing = (name) =>
  h("section", { class: "welcome", "data-key": "replacing" },
    h("div", { class: "mark", "aria-hidden": "true" }, mark()),
    h("h1", {}, text("replaceTitle", { name })),
    h("p", { class: "lead" }, text("replaceHelp")),
    h("div", { class: "form" },
      h("button", { type: "button", class: "button wide", "data-do": "replaceSignIn" }, icon("person"), text("replaceSignIn")),
      h("button", { type: "button", class: "quiet wide", "data-do": "keepSignIn" }, text("keepSignIn", { name }))));

/**
 * @param {string} phase `asking`, `trying`, or the name of the text that says why it did not go well
 * @param {boolean} isKnown whether there are goals on this device to go back to
 * @param {import("./dom.js").Child} instead what is shown in place of the form, where nobody can sign in
 */
export function signIn(phase, isKnown, instead) {
  const isTrying = phase === "trying";
  return [
    h("section", { class: "welcome", "data-key": "sign-in" },
      h("div", { class: "mark", "aria-hidden": "true" }, mark()),
      h("h1", {}, "Goals"),
      h("p", { class: "lead" }, text("theme")),
      instead || h("form", { class: "form", "data-do": "signIn" },
        h("label", { class: "field" }, text("pasteLink"),
          h("input", { name: "token", type: "password", autocomplete: "current-password", autocapitalize: "off", spellcheck: "false", required: true, "aria-describedby": "sign-in-help" })),
        h("p", { class: "fault", role: "alert" }, ["asking", "trying"].includes(phase) ? "" : text(phase)),
        h("button", { type: "submit", class: "button wide", disabled: isTrying }, icon("person"), text(isTrying ? "signingIn" : "signIn")),
        h("p", { id: "sign-in-help", class: "help" }, text("signInHelp")),
        isKnown && h("button", { type: "button", class: "quiet wide", "data-do": "leave" }, text("back")))),
  ];
}

function mark() {
  /** @type {(radius: number, name: string) => import("./dom.js").Made[]} */
  const one = (radius, name) => {
    const round = 2 * Math.PI * radius;
    return [
      h("circle", { class: `track ${name}`, cx: 50, cy: 50, r: radius }),
      h("circle", { class: `arc ${name}`, cx: 50, cy: 50, r: radius, variables: { "--length": `${round * 0.72}px`, "--round": `${round}px` } }),
    ];
  };
  return h("svg", { viewBox: "0 0 100 100" }, one(42, "first"), one(30, "second"), one(18, "third"));
}
