// What outlives the page: all of a change or none, in order, and by one tab alone.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { useDatabase } from "./fakes/database.js";

const { Keeping, Overtaken } = await import("../../Sources/PageFiles/keeping.js");

let kept;
let keeping;
beforeEach(async () => {
  kept = useDatabase();
  keeping = await Keeping.begin();
  await keeping.load();
});

const entry = (id, version, root) => ({ id, edit: { version }, ...(root && { root }) });
const changes = () => kept.rows("changes").map(({ change }) => change);
const ids = (entries) => entries.map(({ id }) => id).sort();

describe("A device", () => {
  test("is empty at first", async () => {
    assert.deepEqual([keeping.isEmpty, await keeping.load()], [true, { text: "\n", count: 0 }]);
  });

  test("has after a reload what was kept, in order", async () => {
    await Promise.all([keeping.keep({ n: 1 }), keeping.keep({ n: 2 })]);
    const next = await Keeping.begin();
    assert.deepEqual(await next.load(), { text: '\n{"n":1}\n{"n":2}\n', count: 2 });
    assert.equal(next.isEmpty, false);
  });

  test("forgets everything but which tab writes", async () => {
    await keeping.keep({ n: 1, recorded: [entry("a", 1)] });
    await keeping.keepFact("isSignedIn", true);
    await keeping.keepZone({ name: "UTC", bytes: new Uint8Array(1), tag: null, at: 0 });
    await keeping.forget();
    assert.deepEqual(["changes", "entries", "zones", "facts"].map(kept.rows), [[], [], [], [{ name: "epoch", value: 1 }]]);
    assert.equal(keeping.isEmpty, true);
    await keeping.keep({ n: 2 });
    assert.deepEqual(changes(), [{ n: 2 }]);
  });
});

describe("A change", () => {
  test("that has no room is kept with the next: both or none", async () => {
    kept.database.isFull = true;
    await assert.rejects(keeping.keep({ n: 1, recorded: [entry("a", 1)] }), { name: "QuotaExceededError" });
    await assert.rejects(keeping.keep({ n: 2 }), { name: "QuotaExceededError" });
    assert.deepEqual([changes(), kept.rows("entries")], [[], []]);
    kept.database.isFull = false;
    await keeping.keep({ n: 3 });
    assert.deepEqual(changes().map(({ n }) => n), [1, 2, 3]);
    assert.deepEqual(ids(await keeping.entries(["a"])), ["a"]);
  });

  test("from which the log begins anew forgets its entries", async () => {
    await keeping.keep({ recorded: [entry("a", 1)] });
    await keeping.keep({ restart: true, recorded: [entry("b", 1)] });
    assert.deepEqual(await keeping.entries(["a"]), []);
    assert.deepEqual(ids(await keeping.entries(["b"])), ["b"]);
  });
});

describe("A tab that was overtaken", () => {
  test("writes nothing, and is told", async () => {
    await keeping.keep({ n: 1 });
    const next = await Keeping.begin();
    await next.load();
    for (const write of [
      () => keeping.compact(() => ({})), () => keeping.keepFact("isSignedIn", true), () => keeping.keep({ n: 2 }), () => keeping.forget(),
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- What one would write, the next would write over.
      await assert.rejects(write(), Overtaken);
    }
    assert.deepEqual(changes(), [{ n: 1 }]);
    assert.equal(await next.fact("isSignedIn"), undefined);
    assert.deepEqual([await keeping.isOvertaken(), await next.isOvertaken()], [true, false]);
    await next.keep({ n: 3 });
    assert.deepEqual(changes(), [{ n: 1 }, { n: 3 }]);
  });
});

describe("The entries of the log", () => {
  // b takes a back, and c takes b back; d is of another chain.
  const log = [entry("a", 1), entry("b", 2, 1), entry("c", 3, 1), entry("d", 4)];

  test("come with those of their chain", async () => {
    await keeping.keep({ recorded: log });
    assert.deepEqual(ids(await keeping.entries(["b"])), ["a", "b", "c"]);
    assert.deepEqual(ids(await keeping.entries(["a", "d"])), ["a", "b", "c", "d"]);
    assert.deepEqual(await keeping.entries(["e"]), []);
  });

  test("are found before they are durable", async () => {
    await keeping.keep({ recorded: log.slice(0, 2) });
    kept.database.isFull = true;
    await assert.rejects(keeping.keep({ recorded: log.slice(2) }));
    assert.deepEqual(ids(kept.rows("entries")), ["a", "b"]);
    assert.deepEqual(ids(await keeping.entries(["b"])), ["a", "b", "c"]);
    assert.deepEqual(ids(await keeping.entries(["d"])), ["d"]);
  });

  test("stay where a snapshot takes the place of the changes", async () => {
    await keeping.keep({ recorded: log });
    await keeping.compact(() => ({ n: 1 }));
    assert.deepEqual(ids(await keeping.entries(["b"])), ["a", "b", "c"]);
    await keeping.replace({ n: 2 });
    assert.deepEqual(ids(await keeping.entries(["b"])), ["a", "b", "c"]);
  });
});

describe("A snapshot", () => {
  test("takes the place of the changes that it holds, and of no other", async () => {
    await keeping.keep({ n: 1 });
    await keeping.compact(() => ({ upTo: 1 }));
    await keeping.keep({ n: 2 });
    assert.deepEqual(changes(), [{ n: 2 }]);
    const next = await Keeping.begin();
    assert.deepEqual(await next.load(), { text: '{"upTo":1}\n{"n":2}\n', count: 1 });
    await next.keep({ n: 3 });
    assert.deepEqual(changes(), [{ n: 2 }, { n: 3 }]);
  });

  test("waits where something could not be kept, which it would hold", async () => {
    kept.database.isFull = true;
    await assert.rejects(keeping.keep({ n: 1 }));
    kept.database.isFull = false;
    await keeping.compact(() => assert.fail("it is not asked for"));
    await keeping.keep({ n: 2 });
    assert.deepEqual(changes(), [{ n: 1 }, { n: 2 }]);
  });

  test("takes the place of what can't be read", async () => {
    await keeping.keep({ n: 1 });
    await keeping.replace({ read: "anew" });
    const next = await Keeping.begin();
    assert.deepEqual(await next.load(), { text: '{"read":"anew"}\n', count: 0 });
  });

  test("is due after more than 64 changes", async () => {
    await Promise.all(Array.from({ length: 64 }, (_, n) => keeping.keep({ n })));
    assert.equal(keeping.isLong, false);
    await keeping.keep({ n: 65 });
    assert.equal(keeping.isLong, true);
    await keeping.compact(() => ({}));
    assert.equal(keeping.isLong, false);
  });
});
