// The module by itself: what it asks of its host, how much memory it takes, and what it does of any bytes.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Account, Engine, module } from "./engine.js";
import { snapshot } from "./state.js";

const now = "2026-11-20T12:00:00.000Z";
const id = (number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
const yoga = id(1);

describe("The module", () => {
  test("imports nothing from its host", () => {
    assert.deepEqual(WebAssembly.Module.imports(module), []);
  });

  test("exports its memory and two functions", () => {
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.deepEqual(names.sort(), ["goals_allocate", "goals_answer", "memory"]);
  });
});

test("The memory does not grow with the messages", () => {
  const goals = [{ id: yoga, title: "Yoga", active: true, days: { "2026-11-02": 1, "2026-11-19": 2 } }];
  const { engine } = new Account(snapshot({ goals }), now);
  const tell = (members) => engine.tell({ now, ...members });
  const say = (count) => {
    for (let number = 0; number < count; number += 5) {
      const bump = { id: id(number), type: "bump", goal: yoga, note: "x".repeat(number % 300), at: now };
      // An edit that the disk does not keep is withdrawn, so there are never more than before.
      const { decisions } = tell({ event: "edited", edits: [bump] });
      tell({ event: "notKept", number: decisions.find(({ decision }) => decision === "keep").number });
      const { pending } = tell({ ask: "goals" });
      assert.equal(pending.length, 0);
      tell({ ask: "judge", edits: [bump, { ...bump, by: "no number" }] });
      tell(number % 100 === 0 ? { ask: "history", goal: yoga } : { ask: "nonsense" });
    }
  };
  say(2000);
  const before = engine.memory;
  say(100_000);
  assert.equal(engine.memory, before);
});

test("A count that has no room in 32 bits stops there", () => {
  const goals = [{ id: yoga, title: "Yoga", active: true, days: { "2026-11-20": 3_000_000_000 } }];
  const account = new Account(snapshot({ goals }), now);
  const bump = { id: id(9), type: "bump", goal: yoga, by: 1_000_000, at: now };
  const { outcomes } = account.ask("judge", { edits: [bump] });
  assert.equal(outcomes[0].status, "applied");
  account.tell({ event: "edited", edits: [bump] });
  assert.equal(account.ask("goals").goals[0].progress, 2 ** 31 - 1);
});

// MARK: Any bytes

/** Numbers that a seed repeats (mulberry32). */
function dice(seed) {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

const zone = readFileSync("/usr/share/zoneinfo/Europe/Berlin");
const instants = [now, "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999+23:59", "2000-01-01T00:00:00Z", "2026-11-20T12:04:59Z"];
const numbers = [0, 1, -1, 6, 2147483647, 2147483648, -2147483649, 4294967296, 9007199254740991, "9223372036854775807", "-9223372036854775808", "1e400", "1e-400", "18446744073709551616", 0.5, 1000000];
const days = ["2026-11-20", "0000-01-01", "9999-12-31", "2024-02-29", "1970-01-01"];
const texts = ["", "Yoga", "e\u0301\u{1F468}\u200D\u{1F469}", "\u0000", "x".repeat(70_000), "Europe/Berlin", "../UTC", "Sun, 06 Nov 9994 08:49:37 GMT", "daily", "#ff8800"];

/** A value that stands for one in a message: mostly one that makes sense. */
function value(roll, depth = 0) {
  const pick = (values) => values[roll(values.length)];
  switch (roll(depth > 3 ? 7 : 9)) {
    case 0: return pick(instants);
    case 1: return { raw: pick(numbers) };
    case 2: return pick(days);
    case 3: return pick(texts);
    case 4: return pick([id(1), id(2), id(1000 + roll(20))]);
    case 5: return pick([true, false, null]);
    case 6: return edit(roll);
    case 7: return Array.from({ length: roll(4) }, () => value(roll, depth + 1));
    default: return Object.fromEntries(Array.from({ length: roll(4) }, () => [pick([...texts.slice(0, 4), id(1), "id", "by", "edit"]), value(roll, depth + 1)]));
  }
}

function edit(roll) {
  const goal = id(1 + roll(3));
  const kinds = [
    { type: "add", goal: { id: goal, title: "Run", interval: ["daily", "weekly", "monthly"][roll(3)], frequency: 1 + roll(3) } },
    { type: "delete", goal }, { type: "update", goal: { id: goal, title: "Swim", unit: "km" } },
    { type: "alter", goal, changes: { frequency: 1000000, interval: "weekly" } },
    { type: "setActivity", activity: { [goal]: roll(2) === 0 } }, { type: "setActivity", activity: [true] },
    { type: "move", goal, before: null }, { type: "bump", goal, by: [1, 1000000, -1000000][roll(3)], day: days[roll(5)] },
    { type: "skip", goal, day: days[roll(5)] }, { type: "configure", timeZone: "Europe/Berlin", dayStart: "04:00", weekStart: "sunday" },
    { type: "undo", edit: id(1000 + roll(20)) },
  ];
  const made = { id: id(1000 + roll(20)), at: instants[roll(5)], ...kinds[roll(kinds.length)] };
  if (roll(6) === 0) made[["goal", "by", "day", "at", "note", "activity", "changes", "edit"][roll(8)]] = value(roll, 3);
  return made;
}

const shapes = [
  { event: "loaded", changes: 1 }, { event: "signedIn" }, { event: "edited", edits: [] }, { event: "dismissed", ids: [] },
  { event: "kept", number: 1 }, { event: "notKept", number: 1 }, { event: "answered", ticket: 1, status: 200, fields: {} },
  { event: "unreachable", ticket: 1 }, { event: "followed", cursor: "x" }, { event: "followReset" },
  { event: "followEnded", hadBegun: true }, { event: "zone", name: "Europe/Berlin", found: true }, { event: "timePassed" },
  { event: "cameToFront" }, { ask: "goals" }, { ask: "history", goal: yoga },
  { ask: "judge", edits: [] }, { ask: "kept" }, { ask: "screen", state: "displaying", step: "edit" },
];

/** JSON in which a member may be any number that can be written. */
const written = (shape) =>
  JSON.stringify(shape, (_, item) => (item !== null && typeof item === "object" && "raw" in item ? `#${item.raw}#` : item)).replace(/"#([^"]*)#"/g, "$1");

/** What was kept, with another number in some place. */
function damaged(kept, roll) {
  const places = [...kept.matchAll(/(?<=[[:,])-?\d+(?=[\],}])/g)];
  if (places.length === 0) return kept;
  const { 0: text, index } = places[roll(places.length)];
  return `${kept.slice(0, index)}${numbers[roll(numbers.length)]}${kept.slice(index + text.length)}`;
}

/** A message of a shell, or nearly one. */
function message(roll, tickets, kept) {
  const shape = { ...shapes[roll(shapes.length)], now: instants[roll(8) === 0 ? roll(5) : 0] };
  if ("edits" in shape) shape.edits = Array.from({ length: roll(4) }, () => edit(roll));
  if ("ticket" in shape) shape.ticket = tickets.length > 0 && roll(3) > 0 ? tickets[roll(tickets.length)] : roll(10);
  if (roll(3) > 0) shape.known = [];
  if (roll(4) === 0) {
    const names = [...Object.keys(shape), "chance", "from", "to", "known", "status", "fields"];
    shape[names[roll(names.length)]] = value(roll);
  }
  const recorded = { version: 1 + roll(4), id: id(1000 + roll(20)), device: "phone", recordedAt: now, ...edit(roll) };
  const bodies = [
    "", "\n", written(value(roll)), written({ id: "acc00000-0000-4000-8000-000000000000", timeZone: "UTC", weekStart: "monday", dayStart: "00:00" }),
    written({ outcomes: [], edits: [recorded], cursor: "c", more: false }), written({ code: "invalid", detail: "No.", errors: [{ pointer: "/edits/0/by" }] }),
    `${kept}\n`, `\n${written({ format: 1, recorded: [{ id: recorded.id, edit: recorded }], cursor: "d" })}\n`, `${kept}\n${written(recorded)}\n`, zone, `${damaged(kept, roll)}\n`,
  ];
  const parts = [Buffer.from(`${written(shape)}\n`), Buffer.from(bodies[roll(bodies.length)])];
  const bytes = Buffer.concat(parts);
  // Some bytes are others, or are missing.
  for (let count = roll(12) === 0 ? 1 + roll(4) : 0; count > 0 && bytes.length > 0; count -= 1) bytes[roll(bytes.length)] = roll(256);
  return roll(20) === 0 ? bytes.subarray(0, roll(bytes.length + 1)) : bytes;
}

describe("Any bytes are answered", () => {
  // As everywhere: the fast tier has always the same seeds, and `make test-all` new ones.
  const isAll = Boolean(process.env.GOALS_TEST_ALL);
  const rounds = Number(process.env.GOALS_FUZZ_ROUNDS ?? (isAll ? 60 : 20));
  const first = Number(process.env.GOALS_TEST_SEED ?? (isAll ? Math.floor(Math.random() * 2 ** 31) : 1));
  for (let seed = first; seed < first + rounds; seed += 1) {
    test(`GOALS_TEST_SEED=${seed} GOALS_FUZZ_ROUNDS=1`, () => {
      const roll = dice(seed);
      const engine = new Engine();
      const tickets = [];
      let kept = written(snapshot({ goals: [{ id: yoga, title: "Yoga", active: true, days: { "2026-11-19": 3, "2026-11-20": 1 } }] }));
      const begun = [`${kept}\n`, `${damaged(kept, roll)}\n`, ""][roll(3)];
      engine.tell({ event: "loaded", now, changes: 0 }, Buffer.from(begun));
      for (let number = 0; number < 500; number += 1) {
        const bytes = message(roll, tickets, kept);
        const answer = Buffer.from(engine.say(bytes)).toString();
        let read;
        assert.doesNotThrow(() => { read = JSON.parse(answer); }, `${bytes}\n→ ${answer.slice(0, 2000)}`);
        for (const { decision, ticket } of read.decisions ?? []) if (decision === "send") tickets.push(ticket);
        if (read.format) kept = answer;
      }
    });
  }
});
