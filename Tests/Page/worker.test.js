// The service worker keeps a whole version of the page, or none of it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, describe, test } from "node:test";
import { createContext, runInContext } from "node:vm";

const source = readFileSync(new URL("../../Sources/PageFiles/worker.js", import.meta.url), "utf8");

/** What the server has of its present version: the names of its files, and the document. */
let server;
/** What the browser keeps: by the names of caches, what is answered to which path. */
let caches;

const path = (request) => new URL(request.url ?? request, "https://goals.example").pathname;

function get(request) {
  const name = path(request);
  if (name === "/") return Promise.resolve(new Response(server.document));
  return Promise.resolve(server.files.includes(name) ? new Response(`file ${name}`) : new Response("", { status: 404 }));
}

/** As the browser's (Service Workers §5.4): `addAll` keeps all or nothing. */
const cache = (kept) => ({
  async addAll(names) {
    const answers = await Promise.all(names.map(get));
    if (answers.some(({ ok }) => !ok)) throw new TypeError("an answer is not ok");
    names.forEach((name, place) => kept.set(name, answers[place]));
  },
  put(name, answer) { kept.set(name, answer); return Promise.resolve(); },
});

/** Begins the worker of a version, as the server sends it, and answers how to tell it what happens. */
function begin(version) {
  const listeners = {};
  const self = {
    skipped: 0,
    claimed: 0,
    location: { origin: "https://goals.example" },
    addEventListener(type, listener) { listeners[type] = listener; },
    skipWaiting() { this.skipped += 1; return Promise.resolve(); },
    clients: { claim: () => { self.claimed += 1; return Promise.resolve(); } },
  };
  const storage = {
    open(name) {
      if (!caches.has(name)) caches.set(name, new Map());
      return Promise.resolve(cache(caches.get(name)));
    },
    keys: () => Promise.resolve([...caches.keys()]),
    delete: (name) => Promise.resolve(caches.delete(name)),
    match: (name) => Promise.resolve([...caches.values()].find((kept) => kept.has(name))?.get(name)),
  };
  const script = source.replaceAll("{version}", version).replace("{files}", "app.js goals.wasm");
  runInContext(script, createContext({ self, caches: storage, fetch: get, URL, Promise }));
  return {
    self,
    /** Resolves or rejects as the event's work does. */
    tell(type) {
      let work;
      listeners[type]({ waitUntil: (promise) => { work = promise; } });
      return work;
    },
    /** The answer to a request; undefined where it is left to the network. */
    ask(url, method = "GET") {
      let answer;
      listeners.fetch({ request: { url, method }, respondWith: (promise) => { answer = promise; } });
      return answer;
    },
  };
}

const files = (version) => ["app.js", "goals.wasm"].map((name) => `/client/${version}/${name}`);

beforeEach(() => {
  server = { files: files("v1"), document: "<script src=/client/v1/app.js>" };
  caches = new Map();
});

describe("A version", () => {
  test("is taken whole", async () => {
    const worker = begin("v1");
    await worker.tell("install");
    assert.deepEqual([...caches.get("goals-v1").keys()].sort(), [...files("v1"), "/client/v1/index.html"].sort());
    assert.equal(worker.self.skipped, 1);
  });

  test("of which a file is missing is not taken", async () => {
    server.files.pop();
    const worker = begin("v1");
    await assert.rejects(worker.tell("install"));
    assert.equal(worker.self.skipped, 0);
  });

  test("whose document is another one's by now is not taken", async () => {
    server.document = "<script src=/client/v2/app.js>";
    const worker = begin("v1");
    await assert.rejects(worker.tell("install"), /another version/);
    assert.equal(worker.self.skipped, 0);
  });

  test("stays beside the next one, for pages that run, and no longer", async () => {
    const take = async (version) => {
      server = { files: files(version), document: `<script src=/client/${version}/app.js>` };
      const worker = begin(version);
      await worker.tell("install");
      await worker.tell("activate");
      assert.equal(worker.self.claimed, 1);
    };
    await take("v1");
    await take("v2");
    await take("v3");
    assert.deepEqual([...caches.keys()], ["goals-v2", "goals-v3"]);
  });
});

describe("A request", () => {
  let worker;
  beforeEach(async () => {
    worker = begin("v1");
    await worker.tell("install");
  });

  const text = async (answer) => (await answer).text();

  test("for the page is answered without the server", async () => {
    server.files = [];
    server.document = "another";
    assert.equal(await text(worker.ask("https://goals.example/")), "<script src=/client/v1/app.js>");
    assert.equal(await text(worker.ask("https://goals.example/client/v1/app.js")), "file /client/v1/app.js");
  });

  test("for a file that is not kept goes on to the server", async () => {
    server.files.push("/client/v1/qr.js");
    assert.equal(await text(worker.ask("https://goals.example/client/v1/qr.js")), "file /client/v1/qr.js");
  });

  for (const [url, method] of [
    ["https://goals.example/v1/goals", "GET"], ["https://goals.example/docs", "GET"], ["https://goals.example/client/worker.js", "GET"],
    ["https://goals.example/", "POST"], ["https://other.example/", "GET"],
  ]) {
    test(`${method} ${url} is left to the network`, () => assert.equal(worker.ask(url, method), undefined));
  }
});
