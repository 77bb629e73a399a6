// What a person can do. Each is the `data-do` of an element, and an edit in the end.

import { asDrawn } from "./dom.js";
import { filledGoal } from "./goal-form.js";
import { newID } from "./goals.js";
import { addDays, number, signed } from "./format.js";
import { large, suggested } from "./overview.js";
import { go, leave } from "./routes.js";
import { tokenOf } from "./sign-in.js";
import { fieldOf, reason } from "./reason.js";
import { lastSkip, whyNot } from "./server.js";
import { goalOf, goalsOf, pendingOf, rejectedOf, editOf, today } from "./state.js";
import { text } from "./texts.js";
import { hush, tell, undo } from "./toast.js";

/** @param app has `goals`, and `phase` and `draw()` for signing in */
export function actions(app) {
  const { goals } = app;

  /** Makes edits; answers whether all of them were taken, and says why where not. */
  async function edit(form, ...edits) {
    const result = await goals.edit(...edits).catch(refusal);
    const [refused] = result.rejected;
    const words = !result.isKept ? text("notKept") : refused ? reason(refused) : null;
    if (words && form) tellFault(form, words, refused && form.elements[fieldOf(refused)]);
    else if (words) tell(words);
    return words ? null : result;
  }

  /** Makes edits, and offers to take the first of them back. */
  const editAndTell = (words, ...edits) => fillAndTell(undefined, words, ...edits);

  /** The same with what was filled in in a form, which says why it could not be. */
  async function fillAndTell(form, words, ...edits) {
    const result = await edit(form, ...edits);
    if (result && !result.unchanged.includes(result.ids[0])) {
      tell(words, () => edit(undefined, { type: "undo", edit: result.ids[0] }));
    }
    return result;
  }

  async function bump(goal, by, rest = {}, form = undefined) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(12);
    const words = text("bumped", { title: goal.title, n: signed(by) + (goal.unit && Math.abs(by) > 1 ? ` ${goal.unit}` : "") });
    return fillAndTell(form, words, { type: "bump", goal: goal.id, by, ...rest });
  }

  async function step(step) {
    const { state, edit: made } = await goals.ask({ ask: "screen", state: app.ui.screen, step });
    app.ui.screen = state;
    if (made) await editAndTell(text("did_setActivity"), made);
    app.draw();
  }

  const named = (data) => goalOf(app.state, data.goal);

  const does = {
    ...app.desk.actions(edit, app),

    bump(data) {
      const goal = named(data);
      if (goal.frequency >= large) go(`#/count/${goal.id}`);
      else bump(goal, 1);
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
      const value = (Number(field.value) || 0) + Number(data.by);
      field.value = value === 0 ? Number(data.by) : value;
    },

    async count(data, form) {
      const filled = new FormData(form);
      const by = Number(filled.get("by"));
      if (isFaulty(form, by === 0 && form.elements.by)) return;
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
      const isSkip = ({ type, goal: id }) => type === "skip" && id === goal.id;
      // One that waits here is not in the server's log yet.
      const waiting = pendingOf(app.state).map(editOf).findLast(isSkip)?.id;
      try {
        const skip = waiting ?? (await lastSkip(goal.id));
        if (!skip) tell(text("reason_not-undoable"));
        else await editAndTell(text("unskipped", { title: goal.title }), { type: "undo", edit: skip });
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
      await step(data.step);
      // The order changed at once. Whoever cancels wants that back as well.
      const moves = [...app.ui.moves].reverse();
      app.ui.moves.clear();
      if (data.step !== "cancel" || !moves.length) return;
      hush();
      await edit(undefined, ...moves.map((id) => ({ type: "undo", edit: id })));
    },

    async toggle(data) {
      // One that another device added meanwhile is not among those that were copied.
      app.ui.screen.editing[data.goal] ??= named(data).active;
      await step({ toggle: data.goal });
    },

    shift: ({ goal, before }) => does.move(goal, before || null),

    async move(goal, before) {
      const result = await edit(undefined, { type: "move", goal, before });
      if (!result) return;
      const [id] = result.ids;
      app.ui.moves.add(id);
      const all = goalsOf(app.state);
      const words = { title: goalOf(app.state, goal).title, n: number(all.findIndex(({ id }) => id === goal) + 1), all: number(all.length) };
      tell(text("movedTo", words), () => {
        app.ui.moves.delete(id);
        return edit(undefined, { type: "undo", edit: id });
      });
    },

    async undoEdit(data) {
      const result = await edit(undefined, { type: "undo", edit: data.edit });
      if (result) tell(text("did_undo"), () => edit(undefined, { type: "undo", edit: result.ids[0] }));
    },

    nothing() {},
    undo,
    hush,
    leave,
    skipLink: () => document.getElementById("main").focus(),
    reload: () => location.reload(),

    dismiss: () => goals.dismiss(rejectedOf(app.state).map((own) => editOf(own).id)),

    async signIn(data, form) {
      const token = tokenOf(form.elements.token.value);
      if (token) await app.signIn(token);
      else app.refuseSignIn();
    },

    async signOut() {
      await goals.signOut();
    },
  };
  return does;
}

/** What the engine found wrong with the form of an edit, as if it had rejected it. */
function refusal(error) {
  if (error.name !== "EngineError") throw error;
  return { isKept: true, rejected: [{ code: "invalid", errors: error.errors }], unchanged: [] };
}

/** Says in a form what is wrong with it, and leads to the field. */
function tellFault(form, words, field) {
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
  const place = form.querySelector(`#${field?.name}-fault`) ?? form.querySelector("[data-fault=all]");
  place.textContent = words;
}

/** Whether a field is filled in wrongly, which is then said. */
function isFaulty(form, wrong = null) {
  for (const place of form.querySelectorAll(".fault")) place.textContent = "";
  const field = form.querySelector("input:invalid") ?? wrong;
  if (!field) return false;
  const words = field.name === "title" ? text("titleMissing") : reason({ errors: [{ pointer: `/${field.name}` }] });
  tellFault(form, words, field);
  return true;
}

/** Leaves the sheet of a form, unless it was left meanwhile. */
const leaveForm = (form) => form.isConnected && leave();

/** When a count for a day happened. What is meant for a day long past is dated to its noon. */
function onDay(day, present) {
  if (!day || day === present) return {};
  return day === addDays(present, -1) ? { day } : { day, at: `${day}T12:00:00Z` };
}

function additionOf(goal, active) {
  const id = newID();
  const add = { type: "add", goal: { id, ...goal } };
  return active ? [add, { type: "setActivity", activity: { [id]: true } }] : [add];
}

/** What a person changed in the form. The goal itself may have changed since on another device. */
function changesOf(id, old, goal, active) {
  const changes = Object.fromEntries(Object.entries(goal).filter(([name, value]) => old.goal[name] !== value));
  return [
    Object.keys(changes).length > 0 && { type: "alter", goal: id, changes },
    active !== old.active && { type: "setActivity", activity: { [id]: active } },
  ].filter(Boolean);
}
