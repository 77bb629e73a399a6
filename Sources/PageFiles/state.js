// What the engine says of the account, as the views need it.

import { addDays, dateOf } from "./format.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./goals.js").Goal} Goal */
/** @typedef {import("./goals.js").ActiveGoal} ActiveGoal */
/** @typedef {import("./goals.js").OwnEdit} OwnEdit */

/**
 * An edit of any type, to be told: the members that there are of one type or another.
 *
 * @typedef {object} AnyEdit
 * @property {string} id
 * @property {string} type
 * @property {string} at
 * @property {any} [goal] its id; of an `add` and an `update` all of it
 * @property {number} [by]
 * @property {string} [day]
 * @property {string} [note]
 * @property {string} [edit]
 * @property {Record<string, boolean>} [activity]
 * @property {{ title?: string }} [changes]
 */

/** @type {(state: State | null) => Goal[]} */
export const goalsOf = (state) => state?.goals ?? [];
/** @type {(state: State | null) => ActiveGoal[]} */
export const activeGoals = (state) =>
  /** @type {ActiveGoal[]} */
  (goalsOf(state).filter(({ active }) => active));
/** @type {(state: State | null, id: string | undefined) => Goal | undefined} */
export const goalOf = (state, id) => goalsOf(state).find((goal) => goal.id === id);
/** @type {(state: State | null) => OwnEdit[]} */
export const pendingOf = (state) => state?.pending ?? [];
/** @type {(state: State | null) => OwnEdit[]} */
export const rejectedOf = (state) => state?.rejected ?? [];
/** @type {(own: OwnEdit) => AnyEdit} */
export const editOf = (own) => own.edit;

/**
 * Of edits, newest first, the ids of those that are taken back. An undo that was taken back itself takes nothing back.
 *
 * @param {AnyEdit[]} edits
 */
export function undoneOf(edits) {
  const undone = new Set();
  for (const { id, type, edit } of edits) if (type === "undo" && !undone.has(id)) undone.add(edit);
  return undone;
}

/**
 * The state, without the streaks as long as the log that they follow from is being read.
 *
 * @type {(state: State | null) => State | null}
 */
export const settled = (state) =>
  state?.isCatchingUp && state.goals
    ? { ...state, goals: state.goals.map((goal) => ({ ...goal, streak: { current: 0, longest: 0 } })) }
    : state;

/**
 * How the device stands to the server: one word for the eye, by what matters most.
 *
 * @param {State | null} state
 */
export function connection(state) {
  const is = state?.standing.is ?? "loading";
  if (["loading", "signedOut", "otherAccount"].includes(is)) return is;
  if (is === "waiting" || !navigator.onLine) return "offline";
  if (state?.isCatchingUp) return "fetching";
  if (pendingOf(state).length) return is === "asking" ? "sending" : "waiting";
  return "inStep";
}

/**
 * Whether an account was ever read on this device.
 *
 * @param {State | null} state
 * @returns {state is State}
 */
export const isKnown = (state) => Boolean(state?.account && state.goals && !(state.isCatchingUp && !state.goals.length));

/**
 * The account's present day, as the periods of its active goals tell it; else by its clock.
 *
 * @param {State | null} state
 */
export function today(state) {
  const daily = activeGoals(state).find(({ interval }) => interval === "daily");
  return daily?.period?.start ?? dayIn(state, state?.calendar?.timeZone);
}

/**
 * The last day that can be counted on: the account's present day, or its tomorrow where this device has that already.
 *
 * @param {State} state
 */
export function latestDay(state) {
  const day = today(state);
  return dayIn(state, undefined) > day ? addDays(day, 1) : day;
}

/**
 * The present day in a time zone, by default this device's.
 *
 * @param {State | null} state
 * @param {string | undefined} timeZone
 */
function dayIn(state, timeZone) {
  const [hours, minutes] = (state?.calendar?.dayStart ?? "00:00").split(":").map(Number);
  return dateOf(new Date(Date.now() + (state?.clockOffset ?? 0) - (60 * hours + minutes) * 60_000).toISOString(), timeZone);
}
