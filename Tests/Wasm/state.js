// The state of an account as a vector writes it (Tests/Vectors/README.md), as an engine keeps it, and back.

import assert from "node:assert/strict";

const dayLength = 86_400_000;
const number = (day) => Date.parse(`${day}T00:00:00Z`) / dayLength;
const dayOf = (days) => new Date(days * dayLength).toISOString().slice(0, 10);

const creation = "2026-01-01T00:00:00.000Z";
const deletion = "2026-02-01T00:00:00.000Z";

/** Goals that only take room. */
const fillers = (count = 0, group) =>
  Array.from({ length: count }, (_, place) => ({
    id: `${group}0000000-0000-0000-0000-${place.toString(16).padStart(12, "0")}`,
    title: "Other",
  }));

const listed = (state) => [...(state.goals ?? []), ...fillers(state.others, 1)];
const deleted = (state) => [...(state.deleted ?? []), ...fillers(state.othersDeleted, 2)];

const calendar = ({ timeZone = "UTC", weekStart = "monday", dayStart = "00:00" }) => ({ timeZone, weekStart, dayStart });

function timeline(entries, value, from) {
  return (entries ?? [{ from, value }]).map((entry) => [Date.parse(entry.from), entry.value]);
}

/** A goal as a snapshot has it. Of its days, those without a count are excused. */
function tracked(goal, isDeleted) {
  const from = goal.createdAt ?? creation;
  const existence = [{ from, value: true }, ...(isDeleted ? [{ from: deletion, value: false }] : [])];
  const days = new Map(Object.entries(goal.days ?? {}).map(([day, count]) => [day, [number(day), count]]));
  for (const day of goal.excused ?? []) days.set(day, [number(day), days.get(day)?.[1] ?? 0, true]);
  return {
    id: goal.id,
    title: goal.title,
    colour: goal.colour ?? "green",
    unit: goal.unit ?? null,
    timelines: {
      intervals: timeline(goal.intervals, goal.interval ?? "daily", from),
      frequencies: timeline(goal.frequencies, goal.frequency ?? 1, from),
      activity: timeline(goal.activity, goal.active ?? false, from),
      existence: timeline(goal.existence ?? existence),
    },
    days: [...days.values()].sort((one, other) => one[0] - other[0]),
    notes: [],
  };
}

/** What an engine keeps of an account in this state. */
export function snapshot(state) {
  const goals = listed(state);
  return {
    format: 1,
    identity: { account: "acc00000-0000-4000-8000-000000000000", calendar: calendar(state) },
    state: {
      version: state.version ?? 0,
      recordedAt: state.recordedAt ?? null,
      calendar: calendar(state),
      goals: [...goals.map((goal) => tracked(goal, false)), ...deleted(state).map((goal) => tracked(goal, true))],
      order: goals.map((_, place) => place),
    },
    cursor: "start",
    own: [],
  };
}

const present = (entries) => entries.at(-1)[1];

/** Compares a kept state with the one that a vector expects; `before` is what a goal that is only its id is taken from. */
export function expectState(kept, expected, before) {
  assert.equal(kept.version, expected.version);
  assert.equal(kept.recordedAt, expected.recordedAt ?? null);
  assert.deepEqual(kept.calendar, calendar(expected));
  const id = (goal) => goal.id ?? goal;
  assert.deepEqual(kept.order.map((slot) => kept.goals[slot].id), listed(expected).map(id));
  assert.equal(kept.goals.length, listed(expected).length + deleted(expected).length);
  for (const [goals, isDeleted] of [[listed(expected), false], [deleted(expected), true]]) {
    for (const goal of goals) {
      const found = kept.goals.find((other) => other.id === id(goal));
      if (typeof goal === "string") {
        assert.deepEqual(found, before.goals.find((other) => other.id === goal));
      } else {
        expectGoal(found, goal, isDeleted);
      }
    }
  }
}

function expectGoal(found, goal, isDeleted) {
  const expected = tracked(goal, isDeleted);
  for (const field of ["id", "title", "colour", "unit", "days"]) assert.deepEqual(found[field], expected[field], field);
  for (const field of ["intervals", "frequencies", "activity", "existence"]) {
    const [own, other] = [found.timelines[field], expected.timelines[field]];
    assert.deepEqual(present(own), present(other), field);
    if (goal[field]) assert.deepEqual(own, other, field);
  }
  if (goal.createdAt) assert.equal(found.timelines.existence[0][0], Date.parse(goal.createdAt));
  if (!goal.notes) return;
  const notes = {};
  for (const [, day, text] of found.notes) (notes[dayOf(day)] ??= []).push(text);
  assert.deepEqual(notes, goal.notes);
}
