// The shell around the engine, in the tab that leads: it tells the engine what happened, and does what
// the engine decides, in that order. It decides nothing itself.

import { EngineError, loadEngine } from "./engine.js";
import { Keeping, Overtaken } from "./keeping.js";
import { findZone, follow, send } from "./network.js";

/** @typedef {{ kind: "show", goal?: string } | ({ kind: "notice" } & Record<string, any>) | { kind: "overtaken" } | { kind: "broken" | "failed", detail: string }} News */
/** @typedef {Record<string, any> & { decision: string }} Decision as the engine writes it */

const longest = 2 ** 31 - 1;

export class Replica {
  /** @type {Awaited<ReturnType<typeof loadEngine>>} */
  #engine;
  /** @type {Keeping} */
  #keeping;
  /** @type {Promise<any>} */
  #happened = Promise.resolve();
  /** @type {Map<number, Promise<boolean>>} */
  #keeps = new Map();
  #unfollow = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #alarm;
  #isOver = false;
  #isShortening = false;
  #isSignedIn = false;
  /** @type {(news: News) => void} */
  #told;

  /** @param {(news: News) => void} told hears with `show` of a `goal` where no other has changed */
  static async begin(told) {
    const loading = loadEngine();
    loading.catch(() => {});
    const replica = new Replica();
    replica.#told = told;
    replica.#keeping = await Keeping.begin();
    const { text, count } = await replica.#keeping.load();
    replica.#engine = await loading;
    await replica.tell({ event: "loaded", changes: count }, new TextEncoder().encode(text));
    replica.#isSignedIn = Boolean(await replica.#keeping.fact("isSignedIn"));
    if (replica.#isSignedIn) await replica.tell({ event: "signedIn" });
    return replica;
  }

  /** Whether it knows of no account and of no session. */
  get isBlank() {
    return !this.#isSignedIn && this.#keeping.isEmpty && !this.#isOver;
  }

  /** Whether it has ended, so that what it was told may not have happened. */
  get isOver() {
    return this.#isOver;
  }

  /**
   * The answer to a question. It changes nothing.
   *
   * @param {{ ask: string, [member: string]: unknown }} question
   */
  ask(question) {
    return this.#engine.answer({ now: new Date().toISOString(), ...question });
  }

  /**
   * Tells the engine what happened, after all that happened before, and does what it decides.
   *
   * @param {{ event: string, [member: string]: unknown }} event
   * @param {Uint8Array} [bytes]
   * @returns {Promise<Decision[]>}
   */
  tell(event, bytes) {
    const step = this.#happened.then(async () => {
      if (this.#isOver) return [];
      const decisions = await this.#decide(event, bytes);
      for (const decision of decisions) this.#perform(decision);
      return decisions;
    });
    // What a person filled in wrongly breaks nothing: whoever made the edit is told.
    /** @param {any} error */
    const isRefused = (error) => event.event === "edited" && error instanceof EngineError;
    this.#happened = step.catch((error) => isRefused(error) || this.#fail(error));
    return step;
  }

  /**
   * Makes edits. Answers once they are durable on this device, with those that could not be made.
   *
   * @param {import("./goals.js").Edit[]} edits
   */
  async edit(edits) {
    const decisions = await this.tell({ event: "edited", edits });
    const keeps = decisions.filter(({ decision }) => decision === "keep");
    const kept = await Promise.all(keeps.map(({ number }) => this.#keeps.get(number) ?? true));
    /** @param {string} name @returns {any[]} */
    const told = (name) => decisions.filter(({ decision, notice }) => decision === "tell" && notice === name);
    return {
      isKept: kept.every(Boolean) && told("notKept").length === 0,
      rejected: told("rejected"),
      unchanged: told("unchanged").flatMap(({ ids }) => ids ?? []),
    };
  }

  async signedIn() {
    this.#isSignedIn = true;
    await this.#keeping.keepFact("isSignedIn", true);
    await this.tell({ event: "signedIn" });
  }

  /** Forgets the account on this device. This replica is of no use after it. */
  async forget() {
    this.#stop();
    await this.#keeping.settled();
    await this.#keeping.forget();
    this.#keeping.end();
  }

  /** Ends the work of this tab, once what it was told is durable. */
  async end() {
    this.#stop();
    await this.#keeping.settled();
    this.#keeping.end();
  }

  #stop() {
    this.#isOver = true;
    this.#unfollow();
    clearTimeout(this.#alarm);
  }

  /** @param {{ event: string }} event @param {Uint8Array} [bytes] @returns {Promise<Decision[]>} */
  async #decide(event, bytes) {
    const message = { ...event, now: new Date().toISOString(), chance: Math.random() };
    let answer = this.#engine.answer(message, bytes);
    if (answer.lookUp) answer = this.#engine.answer({ ...message, known: await this.#keeping.entries(answer.lookUp) }, bytes);
    return answer.decisions;
  }

  /** @param {Decision} order */
  #perform(order) {
    switch (order.decision) {
      case "keep": this.#keep(order); break;
      case "replace": this.#keeping.replace(order.snapshot).catch((error) => this.#fail(error)); break;
      case "send": this.#send(order); break;
      case "follow": this.#follow(order); break;
      case "unfollow": this.#unfollow(); this.#unfollow = () => {}; break;
      case "findZone": this.#find(order.name); break;
      case "wait": this.#wait(order.until); break;
      case "show": this.#told({ kind: "show", goal: order.goal }); break;
      case "tell": this.#told({ kind: "notice", ...order }); break;
      default: throw new Error(`an order that nobody knows: ${order.decision}`);
    }
  }

  /** @param {Record<string, any>} order */
  #keep({ number, change }) {
    const work = this.#keeping.keep(change).then(
      () => {
        if (!this.#isOver) this.tell({ event: "kept", number });
        if (!this.#isOver && this.#keeping.isLong) this.#shorten();
        return true;
      },
      async (error) => {
        if (error instanceof Overtaken || (await this.#isOvertaken())) this.#overtake();
        else if (!this.#isOver) this.tell({ event: "notKept", number });
        return false;
      },
    );
    this.#keeps.set(number, work.finally(() => this.#keeps.delete(number)));
  }

  /** Keeps a snapshot in place of the changes. Events wait for it, so that it has what is durable and nothing else. */
  #shorten() {
    if (this.#isShortening) return;
    this.#isShortening = true;
    this.#happened = this.#happened
      .then(
        /** @returns {any} */
        () => this.#isOver || this.#keeping.compact(() => this.ask({ ask: "kept" })))
      .catch(() => {})
      .then(() => { this.#isShortening = false; });
  }

  /** @param {Record<string, any>} order */
  async #send({ ticket, method, target, body }) {
    try {
      const { status, fields, bytes } = await send({ method, target, body });
      await this.tell({ event: "answered", ticket, status, fields }, bytes);
    } catch {
      await this.tell({ event: "unreachable", ticket });
    }
  }

  /** @param {any} order */
  #follow(order) {
    this.#unfollow();
    this.#unfollow = follow(order, ({ kind, cursor, bytes, hadBegun }) => {
      if (kind === "edits") this.tell(cursor ? { event: "followed", cursor } : { event: "followed" }, bytes);
      else if (kind === "reset") this.tell({ event: "followReset" });
      else this.tell({ event: "followEnded", hadBegun });
    });
  }

  /** @param {string} name */
  async #find(name) {
    const { found, bytes } = await findZone(name, this.#keeping);
    await this.tell({ event: "zone", name, found }, bytes);
  }

  /** @param {string | null} until */
  #wait(until) {
    clearTimeout(this.#alarm);
    if (!until) return;
    const left = Date.parse(until) - Date.now();
    // A timer holds 24 days at most, and may be early by a millisecond.
    const ring = () => (Date.parse(until) > Date.now() ? this.#wait(until) : this.tell({ event: "timePassed" }));
    this.#alarm = setTimeout(ring, Math.min(Math.max(left, 0), longest));
  }

  #isOvertaken() {
    return this.#keeping.isOvertaken().catch(() => true);
  }

  #overtake() {
    if (this.#isOver) return;
    this.#stop();
    this.#told({ kind: "overtaken" });
  }

  /**
   * A mistake of the page or of the engine. What is kept is whole; the person is told to load the page anew.
   *
   * @param {any} error
   */
  #fail(error) {
    if (this.#isOver) return;
    console.error(error);
    // An engine that trapped answers nothing any more.
    const isBroken = error instanceof WebAssembly.RuntimeError;
    this.#told({ kind: isBroken ? "broken" : "failed", detail: String(error?.message ?? error) });
  }
}
