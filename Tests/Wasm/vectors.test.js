// The golden vectors of Tests/Vectors, in the module that a browser gets, by the messages that a page says.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Account, Engine } from "./engine.js";
import { expectState, snapshot } from "./state.js";

const folder = new URL("../Vectors/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder)));
const edits = ["add", "delete", "update", "alter", "setActivity", "move", "bump", "skip", "configure", "undo"];

const without = (object, ...names) => Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

// What only a server is told, and a page can't say: a batch with a version that it expects, and an edit under an id that
// the log has already. The core's own tests have these vectors.
const isForServers = ({ ifVersion, outcome }) =>
  ifVersion !== undefined || outcome.status === "duplicate" || outcome.code === "id-conflict";

/** A page that has an account's state, and follows its log. */
class Page {
  entries = new Map();
  chains = new Map();

  constructor(state, now) {
    this.account = new Account(snapshot(state), now);
    this.requests = [];
    this.tell({ event: "signedIn" });
    const { identity } = this.keeping;
    this.answer({ id: identity.account, name: "Ann", ...identity.calendar, version: 0 });
    this.read([]);
  }

  get keeping() { return this.account.ask("kept"); }

  /** The server answers a request with entries of the log. */
  read(entries) {
    this.tell({ event: "cameToFront" });
    this.answer({ outcomes: [], edits: entries, version: 1, cursor: `after ${entries.at(-1)?.version}`, more: false });
  }

  answer(body) {
    const ticket = this.requests.shift();
    if (ticket !== undefined) this.tell({ event: "answered", ticket, status: 200, fields: {} }, JSON.stringify(body));
  }

  tell(message, bytes = "") {
    let answer = this.account.tell(message, bytes);
    if (answer.lookUp) answer = this.account.tell({ ...message, known: this.found(answer.lookUp) }, bytes);
    assert.ok(!answer.error, JSON.stringify(answer.error));
    for (const decision of answer.decisions) {
      if (decision.decision === "send") this.requests.push(decision.ticket);
      if (decision.decision === "keep") {
        for (const entry of decision.change.recorded ?? []) this.keep(entry);
        this.tell({ event: "kept", number: decision.number });
      }
    }
  }

  keep(entry) {
    this.entries.set(entry.id, entry);
    if (entry.root) this.chains.set(entry.root, [...(this.chains.get(entry.root) ?? []), entry]);
  }

  found(ids) {
    const entries = ids.map((id) => this.entries.get(id.toLowerCase())).filter((entry) => entry);
    const roots = entries.map((entry) => entry.root ?? entry.edit.version);
    return [...new Set([...entries, ...roots.flatMap((root) => this.chains.get(root) ?? [])])];
  }
}

for (const type of edits) {
  const { states = {}, vectors } = read(`${type}.json`);
  describe(`A vector of ${type}`, () => {
    for (const vector of vectors.filter((one) => !isForServers(one))) {
      test(vector.name, () => checkEdit(vector, states[vector.state] ?? vector.state));
    }
  });
}

function checkEdit(vector, state) {
  const page = new Page(state, vector.now);
  for (const edit of vector.log ?? []) page.read([edit]);
  const before = page.keeping.state;
  const looked = [vector.edit.edit].filter((id) => typeof id === "string");
  if (typeof vector.edit.timeZone === "string") page.account.findZone(vector.edit.timeZone);
  const { outcomes, error } = page.account.ask("judge", { edits: [vector.edit], known: page.found(looked) });
  assert.ok(!error, JSON.stringify(error));
  const outcome = without(outcomes[0], "id", "detail");
  if (outcome.errors) outcome.errors = outcome.errors.map(({ pointer }) => pointer.replace("/edits/0", "")).sort();
  const expected = { ...vector.outcome };
  if (expected.errors) expected.errors = [...expected.errors].sort();
  assert.deepEqual(without(outcome, "recorded", "goal", "current"), expected);
  if (!vector.recorded) return;
  page.read([vector.recorded]);
  expectState(page.keeping.state, vector.after, before);
}

describe("A vector of history", () => {
  for (const vector of read("history.json").vectors) {
    test(vector.name, () => checkHistory(vector));
  }
});

function checkHistory(vector) {
  const account = new Account(snapshot(vector.state ?? {}), vector.now);
  for (const [place, edit] of (vector.edits ?? []).entries()) {
    const id = `e0000000-0000-7000-8000-${(1000 + place).toString().padStart(12, "0")}`;
    // What is taken back here is an own edit, which the engine has; the log has none.
    const answer = account.tell({ event: "edited", edits: [{ id, ...edit }], known: [] });
    assert.ok(!answer.error, JSON.stringify(answer.error));
  }
  const { goals } = account.ask("goals");
  const goal = goals.find(({ id }) => id === vector.goal);
  assert.deepEqual(goal.streak, vector.streak);
  assert.equal(goal.progress, vector.progress);
  assert.deepEqual(goal.period, vector.period);
  if ("today" in vector) assert.equal(goal.today, vector.today);
  if ("running" in vector) assert.equal(goal.state, vector.running);
  // A window has ten years at most; a vector is within one.
  const first = vector.periods[0]?.start ?? vector.now.slice(0, 10);
  const history = account.ask("history", { goal: vector.goal, from: shifted(first, -1), to: shifted(vector.now.slice(0, 10), 40) });
  assert.ok(!history.error, JSON.stringify(history.error));
  assert.deepEqual(history.periods.map((period) => without(period, "interval")), vector.periods);
  if ("days" in vector) assert.deepEqual(history.days.map((day) => without(day, "bumps")), vector.days);
  if ("completionRate" in vector) assert.equal(history.completionRate, vector.completionRate);
}

function shifted(day, days) {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

describe("A vector of the screen", () => {
  for (const vector of read("goals-edit-state.json").vectors) {
    test(vector.name, () => {
      const goals = vector.list.map(({ goal, active }) => ({ id: goal, title: "Goal", active }));
      const account = new Account(snapshot({ goals }), "2026-11-20T12:00:00.000Z");
      const answer = account.ask("screen", { state: vector.state, step: vector.step });
      assert.deepEqual(answer, { state: vector.after, edit: vector.edit });
    });
  }
});

test("A recorded session is answered byte for byte", () => {
  let engine;
  for (const line of readFileSync(new URL("engine/session.jsonl", folder), "utf8").trimEnd().split("\n")) {
    const { message, text, base64 } = JSON.parse(line);
    // A process begins with what was kept.
    if (message.event === "loaded") engine = new Engine();
    const bytes = base64 ? Buffer.from(base64, "base64") : Buffer.from(text ?? "");
    const said = Buffer.concat([Buffer.from(JSON.stringify(message)), bytes.length > 0 ? Buffer.from("\n") : bytes, bytes]);
    const answer = Buffer.from(engine.say(said)).toString();
    assert.ok(line.endsWith(`"answer":${answer}}`), `${line.slice(0, 300)}\n→ ${answer.slice(0, 3000)}`);
  }
});

test("All but 74 vectors of edits can be said by a page", () => {
  const all = edits.flatMap((type) => read(`${type}.json`).vectors);
  assert.equal(all.filter(isForServers).length, 74);
});

test("Every file of vectors is read", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  assert.deepEqual(names.sort(), [...edits, "history", "goals-edit-state"].map((name) => `${name}.json`).sort());
});
