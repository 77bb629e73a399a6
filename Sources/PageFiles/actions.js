// What a person can do. Each is the `data-do` of an element, and an edit in the end.

import { asDrawn } from "./dom.js";
import { filledGoal } from "./goal-form.js";
import { newID } from "./goals.js";
import { addDays, daysBetween, number, signed, wholeNumber } from "./format.js";
import { large, suggested } from "./overview.js";
import { go, leave } from "./routes.js";
import { secretOf } from "./sign-in.js";
import { fieldOf, reason } from "./reason.js";
import { lastSkip, whyNot } from "./server.js";
import { goalOf, goalsOf, pendingOf, rejectedOf, editOf, today } from "./state.js";
import { text } from "./texts.js";
import { hush, tell, undo } from "./toast.js";

/** @typedef {import("./goals.js").Edit} Edit */
/** @typedef {import("./goals.js").Made} Made */
/** @typedef {import("./goals.js").ActiveGoal} ActiveGoal */
/** @typedef {ReturnType<typeof filledGoal>} Filled */
/** @typedef {("displaying" & { editing?: undefined }) | { editing: Record<string, boolean> }} Screen as the engine has it */
/** @typedef {(form: HTMLFormElement | undefined, ...edits: Edit[]) => Promise<Made | null>} MakeEdits */
/** @typedef {Record<string, (data?: any, element?: any, event?: any) => any>} Actions by their `data-do`: of what its element says, the element, and the event */

/**
 * What the page is made of.
 *
 * @typedef {object} App
 * @property {import("./goals.js").Goals} goals
 * @property {import("./goals.js").State | null} state what is shown
 * @property {string} phase of signing in
 * @property {UI} ui
 * @property {import("./account-actions.js").AccountDesk} desk
 * @property {() => void} draw
 * @property {() => void} refuseSignIn
 * @property {(secret: import("./sign-in.js").Secret, isLink?: boolean) => Promise<void>} signIn
 */

/**
 * What is on the screen and nowhere else.
 *
 * @typedef {object} UI
 * @property {Screen} screen where goals are turned on and off
 * @property {Set<string>} moves the edits that changed the order, to be taken back by who cancels
 * @property {string} [chosen] the day that is told
 * @property {number} back how many years back the picture is
 * @property {number} periods how many more of them are shown
 * @property {string} [deleted] the goal that was deleted here
 * @property {number} [deafUntil] the second half of a double click counts for nothing
 */

/** @param {App} app @returns {Actions} */
export function actions(app) {
  const { goals } = app;

  /**
   * Makes edits; answers whether all of them were taken, and says why where not.
   *
   * @type {MakeEdits}
   */
  async function edit(form, ...edits) {
    const result = await goals.edit(...edits).catch(refusal);
    const [refused] = result.rejected;
    const words = !result.isKept ? text("notKept") : refused ? reason(refused) : null;
    if (words && form) tellFault(form, words, refused && form.elements[fieldOf(refused) ?? ""]);
    else if (words) tell(words);
    return words ? null : result;
  }

  /**
   * Makes edits, and offers to take the first of them back.
   *
   * @type {(words: string, ...edits: Edit[]) => Promise<Made | null>}
   */
  const editAndTell = (words, ...edits) => fillAndTell(undefined, words, ...edits);

  /**
   * The same with what was filled in in a form, which says why it could not be.
   *
   * @type {(form: HTMLFormElement | undefined, words: string, ...edits: Edit[]) => Promise<Made | null>}
   */
  async function fillAndTell(form, words, ...edits) {
    const result = await edit(form, ...edits);
    if (result && !result.unchanged.includes(result.ids[0])) {
      tell(words, () => edit(undefined, undoOf(result.ids[0])));
    }
    return result;
  }

  /**
   * @param {ActiveGoal} goal
   * @param {number} by
   * @param {{ note?: string, day?: string, at?: string }} rest
   * @param {HTMLFormElement} [form]
   */
  function bump(goal, by, rest = {}, form) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(12);
    const words = text("bumped", { title: goal.title, n: signed(by) + (goal.unit && Math.abs(by) > 1 ? ` ${goal.unit}` : "") });
    return fillAndTell(form, words, { type: "bump", goal: goal.id, by, ...rest });
  }

  /** @param {"edit" | "save" | "cancel" | { toggle: string }} step */
  async function take(step) {
    const { state, edit: made } = await goals.ask({ ask: "screen", state: app.ui.screen, step });
    app.ui.screen = state;
    if (made) await editAndTell(text("did_setActivity"), made);
    app.draw();
  }

  /** @param {{ goal: string }} data */
  const named = (data) =>
    /** @type {ActiveGoal} */
    (goalOf(app.state, data.goal));

  /** @type {Actions} */
  const does = {
    ...app.desk.actions(edit, app),

    bump(data, element, click) {
      const goal = named(data);
      const by = countOf(click);
      if (goal.frequency >= large) go(`#/count/${goal.id}`);
      else if (by > 0) bump(goal, by);
    },

    async less(data) {
      const goal = named(data);
      leave();
      // The count may be of an earlier day of the week or the month: no day can count less than 0.
      const present = today(app.state);
      const { days } = await goals.ask({ ask: "history", goal: goal.id, from: goal.period.start, to: addDays(present, 1) });
      await bump(goal, -1, onDay(days.findLast(({ count }) => count > 0)?.date, present));
    },

    step(data, element) {
      const field = element.parentElement.querySelector("input");
      const value = (wholeNumber(field.value) || 0) + Number(data.by);
      field.value = value === 0 ? Number(data.by) : value;
    },

    async count(data, form) {
      const filled = new FormData(form);
      if (isFaulty(form)) return;
      const by = wholeNumber(filled.get("by"));
      const note = filled.get("note").trim();
      const day = filled.get("day");
      const rest = { ...(note && { note }), ...onDay(day, today(app.state)) };
      if (await bump(named(data), by, rest, form)) leaveForm(form);
    },

    async skip(data) {
      const goal = named(data);
      leave();
      await editAndTell(text("goalSkipped", { title: goal.title }), { type: "skip", goal: goal.id });
    },

    async unskip(data) {
      const goal = named(data);
      leave();
      /** @param {import("./state.js").AnyEdit} edit */
      const isSkip = ({ type, goal: id }) => type === "skip" && id === goal.id;
      // One that waits here is not in the server's log yet.
      const waiting = pendingOf(app.state).map(editOf).findLast(isSkip)?.id;
      try {
        const skip = waiting ?? (await lastSkip(goal.id));
        if (!skip) tell(text("reason_not-undoable"));
        else await editAndTell(text("unskipped", { title: goal.title }), undoOf(skip));
      } catch (error) {
        tell(whyNot(error));
      }
    },

    async rest(data) {
      const goal = named(data);
      leave();
      await editAndTell(text("bumped", { title: goal.title, n: text("inactive") }), { type: "setActivity", activity: { [goal.id]: false } });
    },

    async suggest(data) {
      app.ui.deafUntil = Date.now() + 400;
      const goal = { id: newID(), ...suggested(data.name) };
      await edit(undefined, { type: "add", goal }, { type: "setActivity", activity: { [goal.id]: true } });
    },

    async saveGoal(data, form) {
      if (isFaulty(form)) return;
      const { goal, active } = filledGoal(form);
      const edits = data.goal ? changesOf(data.goal, filledGoal(asDrawn(form)), goal, active) : additionOf(goal, active);
      const result = edits.length ? await edit(form, ...edits) : {};
      if (result) leaveForm(form);
    },

    async deleteGoal(data) {
      const goal = named(data);
      // The sheet is left when the goal is gone.
      app.ui.deleted = goal.id;
      await editAndTell(text("deleted", { title: goal.title }), { type: "delete", goal: goal.id });
    },

    ownColour(data, element) {
      element.closest(".swatch").style.setProperty("--own", element.value);
      element.parentElement.querySelector("[type=radio]").checked = true;
    },

    /** A step of the screen on which goals are turned on and off. */
    async screen(data) {
      await take(data.step);
      // The order changed at once. Whoever cancels wants that back as well.
      const moves = [...app.ui.moves].reverse();
      app.ui.moves.clear();
      if (data.step !== "cancel" || !moves.length) return;
      hush();
      await edit(undefined, ...moves.map(undoOf));
    },

    async toggle(data) {
      // One that another device added meanwhile is not among those that were copied.
      const editing =
        /** @type {Record<string, boolean>} */
        (app.ui.screen.editing);
      editing[data.goal] ??= named(data).active;
      await take({ toggle: data.goal });
    },

    shift: ({ goal, before }) => does.move(goal, before || null),

    async move(goal, before) {
      const result = await edit(undefined, { type: "move", goal, before });
      if (!result) return;
      const [id] = result.ids;
      app.ui.moves.add(id);
      const all = goalsOf(app.state);
      const words = { title: named({ goal }).title, n: number(all.findIndex((one) => one.id === goal) + 1), all: number(all.length) };
      tell(text("movedTo", words), () => {
        app.ui.moves.delete(id);
        return edit(undefined, undoOf(id));
      });
    },

    async undoEdit(data) {
      const result = await edit(undefined, undoOf(data.edit));
      if (result) tell(text("did_undo"), () => edit(undefined, undoOf(result.ids[0])));
    },

    nothing() {},
    undo,
    hush,
    leave,
    skipLink: () => document.getElementById("main").focus(),
    reload: () => location.reload(),

    dismiss: () => goals.dismiss(rejectedOf(app.state).map((own) => editOf(own).id)),

    async signIn(data, form) {
      const secret = secretOf(form.elements.token.value);
      if (secret) await app.signIn(secret);
      else app.refuseSignIn();
    },

    async signOut() {
      await goals.signOut();
    },
  };
  return does;
}

/**
 * The edit that takes one back.
 *
 * @type {(edit: string) => Edit}
 */
const undoOf = (edit) => ({ type: "undo", edit });

/**
 * What the engine found wrong with the form of an edit, as if it had rejected it.
 *
 * @param {any} error
 * @returns {any}
 */
function refusal(error) {
  if (error.name !== "EngineError") throw error;
  return { isKept: true, rejected: [{ code: "invalid", errors: error.errors }], unchanged: [] };
}

/**
 * Says in a form what is wrong with it, and leads to the field.
 *
 * @param {HTMLFormElement} form
 * @param {string} words
 * @param {HTMLInputElement | null | undefined} [field]
 */
function tellFault(form, words, field) {
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
  const place = form.querySelector(`#${field?.name}-fault`) ?? form.querySelector("[data-fault=all]");
  place.textContent = words;
}

/**
 * Whether a field is filled in wrongly, which is then said.
 *
 * @param {HTMLFormElement} form
 */
function isFaulty(form) {
  for (const place of form.querySelectorAll(".fault")) place.textContent = "";
  const field = [...form.querySelectorAll("input")].find((one) =>
    one.matches(":invalid") || excess(one) > 0 || (one.inputMode === "numeric" && !wholeNumber(one.value)));
  if (!field) return false;
  const over = excess(field);
  const words = over > 0 ? text("tooLong", { n: number(over), most: field.dataset.most })
    : field.name === "title" ? text("titleMissing") : reason({ errors: [{ pointer: `/${field.name}` }] });
  tellFault(form, words, field);
  return true;
}

/**
 * By how many characters a text is too long. An attribute `maxlength` would cut what is pasted, without a word.
 *
 * @param {HTMLInputElement} field
 */
const excess = ({ value, dataset: { most } }) => [...value.trim()].length - Number(most ?? Infinity);

/**
 * How many a click counts. Many people double-click with a mouse whatever they open, so the second click counts for
 * nothing; a third says that each was meant, and counts for both. Nobody taps twice out of habit: each tap of a finger counts.
 *
 * @param {Partial<PointerEvent>} click
 */
function countOf({ detail, pointerType } = {}) {
  if (pointerType !== "mouse") return 1;
  return detail === 2 ? 0 : detail === 3 ? 2 : 1;
}

/**
 * Leaves the sheet of a form, unless it was left meanwhile.
 *
 * @param {HTMLFormElement} form
 */
const leaveForm = (form) => form.isConnected && leave();

/**
 * When a count for a day happened. What is meant for a day long past is dated to its noon.
 *
 * @param {string | undefined} day
 * @param {string} present
 */
function onDay(day, present) {
  if (!day || day === present) return {};
  return Math.abs(daysBetween(day, present)) === 1 ? { day } : { day, at: `${day}T12:00:00Z` };
}

/** @type {(goal: Filled["goal"], active: boolean) => Edit[]} */
function additionOf(goal, active) {
  const id = newID();
  /** @type {Edit} */
  const add = { type: "add", goal: { id, ...goal } };
  return active ? [add, { type: "setActivity", activity: { [id]: true } }] : [add];
}

/**
 * What a person changed in the form. The goal itself may have changed since on another device.
 *
 * @type {(id: string, old: { goal: Record<string, any>, active: boolean }, goal: Filled["goal"], active: boolean) => Edit[]}
 */
function changesOf(id, old, goal, active) {
  const changes = Object.fromEntries(Object.entries(goal).filter(([name, value]) => old.goal[name] !== value));
  return (
    /** @type {Edit[]} */
    ([
      Object.keys(changes).length > 0 && { type: "alter", goal: id, changes },
      active !== old.active && { type: "setActivity", activity: { [id]: active } },
    ].filter(Boolean)));
}
