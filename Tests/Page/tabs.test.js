// One tab leads, and the others do what they do through it.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { useBrowser } from "./fakes/browser.js";
import { Clock, settled } from "./fakes/clock.js";
import { Locks, useChannels } from "./fakes/tabs.js";

const clock = new Clock().use();
const navigator = useBrowser();
const { Tabs } = await import("../../Sources/PageFiles/tabs.js");

let channels;
/** The edits that were made, and in which tab. */
let edits;
beforeEach(() => {
  channels = useChannels();
  navigator.locks = new Locks();
  edits = new Map();
});

/** A tab that keeps each edit once, by its id, as an engine does; and what it was told. */
function opened(answer, number) {
  const tab = { heard: [] };
  tab.tabs = new Tabs(answer ?? ((name, [id]) => {
    if (name === "edit") edits.set(id, number);
    return Promise.resolve(edits.size);
  }));
  for (const name of ["lead", "lose", "news"]) tab.tabs.addEventListener(name, ({ detail }) => tab.heard.push(detail ?? name));
  return tab;
}

/** Opens tabs, one after the other. */
async function open(...answers) {
  const all = answers.map((answer, number) => opened(answer, number));
  for (const { tabs } of all) {
    tabs.begin();
    // oxlint-disable-next-line no-await-in-loop -- Each finds those before it.
    await clock.pass(200);
  }
  return all;
}

describe("Tabs with locks", () => {
  test("are led by the first, which answers all", async () => {
    const [first, second] = await open(undefined, undefined);
    assert.deepEqual([first.tabs.leads, second.tabs.leads], [true, false]);
    assert.equal(await first.tabs.call("edit", ["a"]), 1);
    assert.equal(await second.tabs.call("edit", ["b"]), 2);
    assert.deepEqual([...edits], [["a", 0], ["b", 0]]);
  });

  test("are told what one says to all others", async () => {
    const [first, second] = await open(undefined, undefined);
    first.tabs.tell({ kind: "state" });
    await settled();
    assert.deepEqual(second.heard, [{ kind: "state" }]);
    assert.deepEqual(first.heard, ["lead"]);
  });

  test("are told why a call went wrong", async () => {
    const fault = Object.assign(new Error("no"), { name: "EngineError", errors: [{ pointer: "/edits/0/by" }] });
    const [, second] = await open(() => Promise.reject(fault), undefined);
    await assert.rejects(second.tabs.call("edit", ["a"]), { name: "EngineError", message: "no", errors: fault.errors });
  });

  test("are led by the next when the one that led is closed", async () => {
    const [first, second] = await open(undefined, undefined);
    channels.close();
    navigator.locks.release();
    await settled();
    assert.equal(second.tabs.leads, true);
    assert.equal(await second.tabs.call("edit", ["a"]), 1);
    assert.deepEqual([edits.get("a"), first.heard], [1, ["lead"]]);
  });

  test("are led by the next when the one that leads gives the lead back", async () => {
    const [first, second] = await open(undefined, undefined);
    first.tabs.resign();
    await settled();
    assert.deepEqual([first.tabs.leads, second.tabs.leads], [false, true]);
    first.tabs.rejoin();
    second.tabs.resign();
    await settled();
    assert.deepEqual([first.tabs.leads, second.tabs.leads], [true, false]);
  });

  test("are led by the one that gets no answer for two seconds, which does what it asked for", async () => {
    const [first, second] = await open(undefined, undefined);
    // A frozen tab holds its lock and hears nothing.
    channels.close();
    const answer = second.tabs.call("edit", ["a"]);
    await clock.pass(1999);
    assert.equal(second.tabs.leads, false);
    await clock.pass(1);
    assert.equal(await answer, 1);
    assert.equal(edits.get("a"), 1);
    assert.deepEqual([first.tabs.leads, second.tabs.leads], [false, true]);
    assert.deepEqual(first.heard, ["lead", "lose"]);
  });

  test("wait for work that takes longer than that", async () => {
    let finish;
    const work = new Promise((resolve) => { finish = resolve; });
    const [first, second] = await open(() => work, undefined);
    const answer = second.tabs.call("ask", []);
    await clock.pass(60_000);
    assert.deepEqual([first.tabs.leads, second.tabs.leads], [true, false]);
    finish("late");
    assert.equal(await answer, "late");
  });

  test("ask whoever leads now what was not answered before", async () => {
    const [first, second, third] = await open(() => new Promise(() => {}), undefined, undefined);
    const answer = third.tabs.call("edit", ["a"]);
    await settled();
    channels.close();
    navigator.locks.release();
    assert.equal(await answer, 1);
    assert.deepEqual([second.tabs.leads, edits.get("a"), first.heard], [true, 1, ["lead"]]);
  });

  test("do in the tab that comes to lead what it had asked for", async () => {
    const [, second] = await open(() => new Promise(() => {}), undefined);
    const answer = second.tabs.call("edit", ["a"]);
    await settled();
    channels.close();
    navigator.locks.release();
    assert.equal(await answer, 1);
    assert.equal(edits.get("a"), 1);
  });
});

describe("Tabs without locks, as without TLS", () => {
  beforeEach(() => { navigator.locks = undefined; });

  test("are led by the first that hears of no other for 200 ms", async () => {
    const first = opened();
    first.tabs.begin();
    await clock.pass(199);
    assert.equal(first.tabs.leads, false);
    await clock.pass(1);
    assert.equal(first.tabs.leads, true);
  });

  test("are one device: the first leads on, and does all", async () => {
    const [first, second] = await open(undefined, undefined);
    await clock.pass(10_000);
    assert.deepEqual([first.tabs.leads, second.tabs.leads], [true, false]);
    await second.tabs.call("edit", ["a"]);
    await first.tabs.call("edit", ["b"]);
    assert.deepEqual([...edits], [["a", 0], ["b", 0]]);
    assert.deepEqual(first.heard, ["lead"]);
  });

  test("are led by the second once the first is closed, and nothing is done twice", async () => {
    const [, second] = await open(undefined, undefined);
    await second.tabs.call("edit", ["a"]);
    channels.close();
    const answer = second.tabs.call("edit", ["b"]);
    await clock.pass(2000);
    assert.equal(await answer, 2);
    assert.equal(second.tabs.leads, true);
    assert.deepEqual([...edits], [["a", 0], ["b", 1]]);
  });
});
