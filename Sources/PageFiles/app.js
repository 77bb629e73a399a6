// The page: what is shown where, and when it is drawn anew. What happens is up to actions.js, what is
// true up to the engine.

import { AccountDesk, hushed } from "./account-actions.js";
import { account, zoneOffer } from "./account.js";
import { actions } from "./actions.js";
import { countSheet } from "./count-sheet.js";
import { detail } from "./detail.js";
import { happenings } from "./feed.js";
import { draft, h, show } from "./dom.js";
import { goalForm } from "./goal-form.js";
import { Goals } from "./goals.js";
import { icon } from "./icons.js";
import { list } from "./list.js";
import { overview } from "./overview.js";
import { go, home, leave, noteView, place } from "./routes.js";
import { readAccount } from "./server.js";
import { replacing, secretOfAddress, signIn } from "./sign-in.js";
import { connection, goalOf, goalsOf, isKnown, pendingOf, settled } from "./state.js";
import { elsewhere, hindrance, refusals, statusLink, statusSheet } from "./status.js";
import { language, text } from "./texts.js";
import { hush, tell, undo } from "./toast.js";
import { followDays } from "./heat-map.js";
import { History } from "./history.js";
import { followLongPresses } from "./press.js";
import { followHandles } from "./reorder.js";
import { followVersions } from "./versions.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./routes.js").Place} Place */
/** @typedef {import("./actions.js").App} App */

const sheet = document.getElementById("sheet");
const lasting = new Set();
const busy = new WeakSet();
let shownSheet = "";
/** @type {string | undefined} */
let shownView;
/** @type {string | undefined} */
let shownSubject;
let drawing = false;

document.documentElement.lang = language;

/** What a view begins with. */
const atFirst = { chosen: undefined, back: 0, periods: 0 };

/** @type {App} */
const app = {
  goals: new Goals(),
  desk: new AccountDesk(draw),
  /** What is shown. */
  get state() {
    return remembered ?? app.goals.state;
  },
  phase: "asking",
  /** What is on the screen and nowhere else. */
  ui: { screen: "displaying", moves: new Set(), ...atFirst },
  draw,

  refuseSignIn() {
    app.phase = "signInNone";
    draw();
  },

  async signIn(secret, isLink) {
    offered = null;
    app.phase = "trying";
    draw();
    try {
      const status = await app.goals.signIn(secret);
      app.phase =
        /** @type {Record<number, string>} */
        ({ 204: "asking", 401: "signInBad", 403: "signInScope" })[status] ?? "signInFailed";
      if (status === 204) {
        lasting.clear();
        history.replaceState({ view: "overview", depth: 0 }, "", "#/");
        if (isLink && typeof secret === "string") tell(text("oldLink"));
      }
    } catch {
      keepSecret(secret);
    }
    draw();
  },
};

/**
 * A link's secret, while it is asked whether it is to replace the session of an account, by its name.
 *
 * @type {{ secret: import("./sign-in.js").Secret, name: string } | null}
 */
let offered = null;

/**
 * What signs in can't be sent now: it waits in the form.
 *
 * @param {import("./sign-in.js").Secret} secret
 */
function keepSecret(secret) {
  app.phase = "signInFailed";
  // What a link says is in no field yet.
  requestAnimationFrame(() => {
    const field = document.querySelector("[name=token]");
    if (field && !field.value) field.value = typeof secret === "string" ? secret : `#code=${secret.code}`;
  });
}

const past = new History(app.goals, draw);
/** @type {import("./actions.js").Actions} */
const does = {
  ...actions(app), ...past.actions(app),
  replaceSignIn: () => app.signIn(/** @type {NonNullable<typeof offered>} */ (offered).secret, true),
  keepSignIn() { offered = null; draw(); },
  noted: ({ notice }) => { lasting.delete(notice); draw(); },
};

/** What was shown last on this day: drawn until the engine knows better. Without the account's time zone it knows nothing. */
const memory = "goals.shown";
let remembered = read();

/** @returns {State | null} */
function read() {
  try {
    const { day, state } = JSON.parse(localStorage.getItem(memory) ?? "");
    return day === new Date().toDateString() ? { ...state, standing: { is: "loading" } } : null;
  } catch {
    return null;
  }
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let writing;

/** Writes down what is shown, not while a tap waits to be seen. */
function rememberLater() {
  clearTimeout(writing);
  writing = setTimeout(rememberNow, 1000);
}

function rememberNow() {
  if (writing !== undefined) remember(app.goals.state);
  forgetWriting();
}

function forgetWriting() {
  clearTimeout(writing);
  writing = undefined;
}

/** @param {State | null} state */
function remember(state) {
  try {
    if (isKnown(state)) localStorage.setItem(memory, JSON.stringify({ day: new Date().toDateString(), state }));
  } catch {
    // It is full or forbidden. The first picture waits for the engine then.
  }
}

/** @type {Record<string, (state: State, place: any) => import("./dom.js").Child>} */
const views = {
  overview,
  account: (state) => account(state, app.desk.known),
  goals: (state) => list(state, app.ui),
  detail: (state, { goal }) => detail(state, { goal, ui: app.ui, ...past.of(goal, state, app.ui.back) }),
  history: (state) => happenings(state, past.feed(state)),
};

/** @param {State} state @param {string} view */
function frame(state, view) {
  /** @type {(name: string, href: string, picture: string, label: string) => import("./dom.js").Child} */
  const tab = (name, href, picture, label) => {
    const isCurrent = view === name || (["detail", "history"].includes(view) && name === "goals");
    return draft("a", name, isCurrent, () =>
      h("a", { href, "aria-current": isCurrent ? "page" : null, "data-key": name }, icon(picture), h("span", {}, text(label))));
  };
  show(document.getElementById("tabs"),
    tab("overview", "#/", "rings", "today"), tab("goals", "#/goals", "list", "goals"), tab("account", "#/account", "person", "account"));
  show(document.getElementById("tools"), statusLink(state),
    !isArranging(view) && draft("a", "add", true, () =>
      h("a", { class: "round", href: "#/goals/new", "aria-label": text("addGoal"), "data-key": "add" }, icon("add"))));
}

/** Draws everything anew, within this task: so what a tap changed is in the frame that its press is in. */
function draw() {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    drawNow();
  });
}

/**
 * Nothing is added while a person chooses which goals are active.
 *
 * @param {string} view
 */
const isArranging = (view) => view === "goals" && Boolean(app.ui.screen.editing);

/**
 * What is not done yet waits, and is not forgotten.
 *
 * @param {State} state
 */
function remindOfArranging(state) {
  const chosen = app.ui.screen.editing;
  if (!chosen || goalsOf(state).every(({ id, active }) => active === (chosen[id] ?? active))) app.ui.screen = "displaying";
  else tell(text("arrangingWaits"), () => does.screen({ step: "save" }), "done");
}

function drawNow() {
  const state = settled(app.state);
  if (!state) return;
  const where = place();
  const asksToSignIn = offered || where.view === "signIn" || (!isKnown(state) && connection(state) === "signedOut");
  document.body.dataset.view = asksToSignIn ? "signIn" : where.view;
  document.body.dataset.ready = "true";
  const main = document.getElementById("main");
  main.setAttribute("aria-busy", String(!isKnown(state) && !asksToSignIn));
  if (asksToSignIn) {
    show(main, offered ? replacing(offered.name) : signIn(app.phase, isKnown(state), home() && elsewhere(linked)));
    document.title = `${text("signIn")} · Goals`;
  } else if (!isKnown(state)) {
    show(main, h("p", { class: "lead", "data-key": "loading" }, text("loading")));
  } else {
    const subject = `${where.view} ${where.goal}`;
    if (subject !== shownSubject) Object.assign(app.ui, atFirst);
    shownSubject = subject;
    const isOther = shownView !== undefined && where.view !== shownView;
    if (isOther && shownView === "goals") remindOfArranging(state);
    shownView = where.view;
    frame(state, where.view);
    app.desk.read(state, where.view === "account");
    show(main, refusals(state), hindrance(state, lasting), where.view === "overview" && zoneOffer(state, app.desk.known), views[where.view](state, where));
    if (!where.sheet) noteView(where);
    document.title = where.view === "overview" ? "Goals" : `${main.querySelector("h1")?.textContent} · Goals`;
    if (isOther) {
      // Who can't see the page is taken to what is new on it.
      scrollTo(0, 0);
      main.focus({ preventScroll: true });
    }
  }
  drawSheet(state, where, Boolean(asksToSignIn));
}

/** @param {State} state @param {Place} place @param {boolean} isOff */
function drawSheet(state, { view, sheet: name, subject: id }, isOff) {
  /** @type {any} */
  const goal = goalOf(state, id);
  const isThere = !isOff && name && (!id || goal) && !(isArranging(view) && name === "goal");
  const key = isThere ? `${name} ${id ?? ""}` : "";
  const isOther = key !== shownSheet;
  if (!isOff && id && !goal && shownSheet.endsWith(id)) {
    if (app.ui.deleted !== id) tell(text("reason_unknown-goal"));
    leave();
  }
  shownSheet = key;
  if (!isThere && sheet.open) sheet.close();
  document.documentElement.toggleAttribute("data-dim", Boolean(isThere));
  // What was filled in is of the sheet that it was filled in in.
  if (isOther) sheet.replaceChildren();
  // A form that a person fills in is not touched by what others do.
  if (!isThere || (!isOther && name === "goal")) return;
  show(sheet, name === "goal" ? goalForm(goal) : name === "count" ? countSheet(goal, state) : statusSheet(state, lasting));
  if (!sheet.open) sheet.showModal();
  else if (isOther) sheet.querySelector("[autofocus]")?.focus();
  if (isOther) sheet.scrollTop = 0;
}

/** What the address said of a link that is of no use here. */
let linked = "";

/** Signs in where the address says a code or a token: where somebody is signed in, a person is asked. */
async function followLink() {
  const { hash } = location;
  const secret = secretOfAddress();
  const isElsewhere = Boolean(secret && home());
  if (isElsewhere) linked = hash;
  drawNow();
  if (secret === null) app.refuseSignIn();
  if (!secret || isElsewhere) return;
  app.phase = "trying";
  draw();
  const present = await readAccount().catch(({ status }) => status);
  if (present === 401) return app.signIn(secret, true);
  app.phase = "asking";
  if (present?.name) offered = { secret, name: present.name };
  else { keepSecret(secret); location.hash = "#/sign-in"; }
  return draw();
}

/** Whether something is filled in in the sheet that would be lost. */
const isFilled = () => [...sheet.querySelectorAll("input")].some((one) =>
  ["radio", "checkbox"].includes(one.type) ? one.checked !== one.defaultChecked : one.value !== one.defaultValue);

/** @param {any} name @param {HTMLElement} element @param {Event} event */
async function run(name, element, event) {
  event.preventDefault();
  // What is sent is not sent twice by a second tap.
  const isForm = element.nodeName === "FORM";
  if (isForm && busy.has(element)) return;
  if (isForm) busy.add(element);
  try {
    await does[name](element.dataset, element, event);
  } catch (error) {
    fail(error);
  }
  busy.delete(element);
}

/** @param {Error} error */
function fail(error) {
  console.error(error);
  tell(text("failed"), () => location.reload(), "loadAgain");
}

document.addEventListener("click", (event) => {
  if (event.target === sheet) return isFilled() || leave();
  // The second half of a double click on a suggestion is not meant for what came in its place.
  if (event.detail && Date.now() < (app.ui.deafUntil ?? 0)) return event.preventDefault();
  const element = event.target.closest("[data-do], a[href^='#/']");
  if (!element || element.nodeName === "FORM") return undefined;
  if (element.dataset.do) return run(element.dataset.do, element, event);
  if (event.ctrlKey || event.metaKey || event.shiftKey) return undefined;
  event.preventDefault();
  return go(
    /** @type {string} */
    (element.getAttribute("href")));
});
document.addEventListener("submit", (event) => run(event.target.dataset.do, event.target, event));
document.addEventListener("input", (event) => {
  event.target.removeAttribute("aria-invalid");
  const name = event.target.dataset.change;
  if (name) run(name, event.target, event);
});
followLongPresses(".card .count", ({ dataset }) => go(`#/count/${dataset.goal}`));
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && !event.target.closest("input, textarea")) {
    event.preventDefault();
    undo();
  } else if (event.key === "Escape" && !sheet.open) hush();
});
sheet.addEventListener("cancel", (event) => { event.preventDefault(); leave(); });
addEventListener("hashchange", followLink);
addEventListener("popstate", () => { drawNow(); });
addEventListener("pagehide", rememberNow);
addEventListener("online", draw);
addEventListener("offline", draw);

app.goals.addEventListener("show", () => {
  const { state } = app.goals;
  if (isKnown(state) || connection(state) === "signedOut") remembered = null;
  draw();
  rememberLater();
});
app.goals.addEventListener("failed", (event) => fail(event.detail));
app.goals.addEventListener("signedout", () => {
  forgetWriting();
  for (const name of [memory, hushed]) localStorage.removeItem(name);
  location.replace("/");
});
app.goals.addEventListener("notice", ({ detail: { notice } }) => {
  if (["readOnly", "accountFull", "newerServer", "evicted", "restored"].includes(notice)) lasting.add(notice);
  if (notice === "notKept") tell(text("notKept"));
  draw();
});

followDays();
followHandles((goal, before) => does.move(goal, before).catch(fail));
document.getElementById("skip").textContent = text("skipToContent");
document.getElementById("tabs").setAttribute("aria-label", "Goals");
followLink();
// The worker fetches every file: not before the person sees their goals. One that is there may have lost its server.
app.goals.addEventListener("show", function begin() {
  if (!isKnown(app.goals.state) && !navigator.serviceWorker?.controller) return;
  app.goals.removeEventListener("show", begin);
  followVersions(() => { lasting.add("newVersion"); draw(); }, () => !sheet.open, () => !pendingOf(app.goals.state).length);
});
