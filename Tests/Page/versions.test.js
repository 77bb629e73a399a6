// A newer version of the page takes its place where that loses nothing, and is told else.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { useBrowser } from "./fakes/browser.js";
import { settled } from "./fakes/clock.js";
import { useDocument } from "./fakes/document.js";

const { followVersions } = await import("../../Sources/PageFiles/versions.js");

const happened = [];
let isIdle = true;
let isSent = true;
let container;

/** Follows the versions of a page that this worker has, null for the first visit. */
async function follow(controller, register = () => Promise.resolve({ update: () => { happened.push("update"); return Promise.resolve(); } })) {
  container = Object.assign(new EventTarget(), { controller, register });
  useBrowser({ serviceWorker: container });
  await followVersions(() => happened.push("told"), () => isIdle, () => isSent);
}

const change = () => container.dispatchEvent(new Event("controllerchange"));

beforeEach(() => {
  useDocument();
  globalThis.window = globalThis;
  globalThis.location = { reload: () => happened.push("reload") };
  delete globalThis.trustedTypes;
  isIdle = true;
  isSent = true;
  happened.length = 0;
});

describe("A new version", () => {
  test("is told to who looks at the page", async () => {
    await follow({});
    change();
    assert.deepEqual(happened, ["update", "told"]);
  });

  test("is loaded where nobody looks", async () => {
    await follow({});
    document.hidden = true;
    change();
    assert.deepEqual(happened, ["update", "reload"]);
  });

  test("is told where something is open in a page that nobody looks at", async () => {
    await follow({});
    document.hidden = true;
    isIdle = false;
    change();
    assert.deepEqual(happened, ["update", "told"]);
  });

  test("is none where it is the first of this device, but then", async () => {
    await follow(null);
    change();
    assert.deepEqual(happened, []);
    change();
    assert.deepEqual(happened, ["told"]);
  });

  test("is looked for each time that a person comes back", async () => {
    await follow({});
    document.hidden = true;
    document.dispatchEvent(new Event("visibilitychange"));
    assert.deepEqual(happened, ["update"]);
    document.hidden = false;
    document.dispatchEvent(new Event("visibilitychange"));
    await settled();
    assert.deepEqual(happened, ["update", "update"]);
  });
});

describe("A worker that can't be updated", () => {
  const html = { "content-type": "text/html" };
  for (const [what, isGone, answer] of [
    ["a program that has no such file", true, new Response("", { status: 404 })],
    ["a program that has a page for everything", true, new Response("", { headers: html })],
    ["nobody", false, null],
    ["a proxy whose server is away", false, new Response("", { status: 502, headers: html })],
    ["a proxy that asks to sign in", false, { status: 0, ok: false, headers: new Headers() }],
    ["the server, which is back", false, new Response("", { headers: { "content-type": "text/javascript; charset=utf-8" } })],
  ]) {
    for (const isAllSent of [true, false]) {
      const isOver = isGone && isAllSent;
      test(`${isOver ? "ends" : "stays"} where ${what} answers and ${isAllSent ? "nothing waits" : "something waits to be sent"}`, async (t) => {
        isSent = isAllSent;
        t.mock.method(globalThis, "fetch", () => (answer ? Promise.resolve(answer) : Promise.reject(new TypeError("no answer"))));
        await follow({}, () => Promise.resolve({
          update: () => Promise.reject(new TypeError("not updated")),
          unregister: () => { happened.push("unregister"); return Promise.resolve(true); },
        }));
        assert.deepEqual(happened, isOver ? ["unregister"] : []);
      });
    }
  }
});

describe("A page without a worker", () => {
  test("goes on where the browser has none", async () => {
    useBrowser();
    await followVersions(() => assert.fail("there is no version to tell of"), () => true, () => true);
  });

  test("goes on where it can't be registered, as without TLS", async (t) => {
    const said = t.mock.method(console, "info", () => {});
    await follow(null, () => Promise.reject(new Error("no TLS")));
    assert.deepEqual(said.mock.calls.map((call) => call.arguments), [["no TLS"]]);
  });
});

test("No other script than the worker's is trusted", async () => {
  let rules;
  globalThis.trustedTypes = { createPolicy: (name, given) => { rules = given; return given; } };
  const registered = [];
  await follow(null, (url, options) => { registered.push([url, options]); return Promise.resolve({}); });
  assert.deepEqual(registered, [["/client/worker.js", { scope: "/" }]]);
  assert.equal(rules.createScriptURL("/other.js"), "");
});
