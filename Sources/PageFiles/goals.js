// Goals in a browser: one account, kept on this device, in step with the server. This is the whole
// interface; a page of your own can stand on it as the server's page does. goals.d.ts has the types.

import { send } from "./network.js";
import { Replica } from "./replica.js";
import { Tabs } from "./tabs.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./goals.js").Edit} Edit */
/** @typedef {Omit<import("./goals.js").Goals, "addEventListener">} Contract but for the types of events, which are of no class */

/** Less than so long between two engines that trap, in milliseconds, is no accident. */
const often = 60_000;

/** Says that a session should have ended, and the server could not be reached: it is tried again. */
const leaving = "goals.leaving";

async function endSession() {
  if (localStorage.getItem(leaving) === null) return;
  // 401: it has ended already.
  /** @param {{ status: number }} answer */
  const ended = ({ status }) => status === 204 || status === 401;
  const isOver = await send({ method: "DELETE", target: "/v1/session" }).then(ended, () => false);
  if (isOver) localStorage.removeItem(leaving);
}

/** A new id (RFC 9562 §5.4), also where the page came without TLS and `randomUUID` is missing. */
export function newID() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * The goals of the account on this device.
 *
 * Events: `show` when `state` has changed, `notice` with what a person should know, `signedout`, and
 * `failed` where the page has to be loaded anew.
 *
 * @implements {Contract}
 */
export class Goals extends EventTarget {
  /**
   * What is to be shown, as the engine answers `goals`; null until it was read.
   *
   * @type {State | null}
   */
  state = null;
  #tabs = new Tabs((name, parts) => this.#serve(name, parts));
  /** @type {Replica | undefined} */
  #replica;
  /**
   * The goals as the replica of this tab told them last.
   *
   * @type {State["goals"] | undefined}
   */
  #known;
  /** @type {Promise<Replica> | undefined} */
  #begun;
  #ending = endSession();
  #isSigningIn = false;
  /**
   * Until what the browser had cleared is there again.
   *
   * @type {Promise<void> | undefined}
   */
  #recovered;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #telling;
  /** When an engine that had trapped was replaced last. */
  #mended = -Infinity;

  constructor() {
    super();
    this.#tabs.addEventListener("lead", () => this.#lead());
    this.#tabs.addEventListener("lose", () => this.#follow());
    this.#tabs.addEventListener("news",
      /** @param {any} event */
      ({ detail }) => this.#take(detail));
    this.#tabs.begin();
    this.#tabs.call("state", []).then((state) => this.#show(state), (error) => this.#fail(error));
    // A frozen page gets no answers. Another tab leads meanwhile.
    document.addEventListener("freeze", () => this.#rest());
    document.addEventListener("resume", () => this.#wake());
    addEventListener("pagehide", ({ persisted }) => { if (persisted) this.#rest(); });
    addEventListener("pageshow", ({ persisted }) => { if (persisted) this.#wake(); });
    addEventListener("online", () => {
      this.#ending = endSession();
      this.refresh();
    });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.refresh(); });
  }

  /**
   * The answer to a question of the engine, such as `{ ask: "history", goal, from, to }`.
   *
   * @param {{ ask: string }} question
   * @returns {Promise<any>}
   */
  ask(question) {
    return this.#tabs.call("ask", [question]);
  }

  /**
   * Makes edits, in the form of `POST /v1/edits`; ids are made where they are missing. Resolves once they
   * are durable on this device: `{ ids, isKept, rejected, unchanged }`.
   *
   * @param {Edit[]} edits
   * @returns {Promise<import("./goals.js").Made>}
   */
  async edit(...edits) {
    const whole = edits.map((edit) => ({ id: newID(), ...edit }));
    const result = await this.#tabs.call("edit", [whole]);
    return { ids: whole.map(({ id }) => id), ...result };
  }

  /**
   * The person has seen why these edits were rejected.
   *
   * @param {string[]} ids
   * @returns {Promise<void>}
   */
  dismiss(ids) {
    return this.#tabs.call("dismiss", [ids]);
  }

  /**
   * Asks the server anew: a person looks at the page, or the network is back.
   *
   * @returns {Promise<void>}
   */
  refresh() {
    return this.#tabs.call("refresh", []).catch((error) => this.#fail(error));
  }

  /**
   * Trades a token, or the code of a link, for a session. Resolves to the status of the server's answer:
   * 204 where it went well.
   *
   * @param {string | { code: string }} secret
   */
  async signIn(secret) {
    this.#isSigningIn = true;
    try {
      // Its answer would take the new cookie away.
      await this.#ending;
      const body = typeof secret === "string" ? { token: secret } : secret;
      const { status } = await send({ method: "POST", target: "/v1/session", body });
      if (status === 204) {
        localStorage.removeItem(leaving);
        // So that the browser does not clear away what waits when its disk is full.
        navigator.storage?.persist?.().catch(() => {});
        await this.#tabs.call("signedIn", []);
      }
      return status;
    } finally {
      this.#isSigningIn = false;
    }
  }

  /** Ends the session, and forgets everything on this device, in every tab. */
  async signOut() {
    localStorage.setItem(leaving, "yes");
    await endSession();
    await this.#tabs.call("signOut", []);
  }

  #lead() {
    this.#begun = Replica.begin((news) => this.#hear(news));
    this.#begun.then(
      (replica) => {
        this.#replica = replica;
        this.#hear({ kind: "show" });
        this.#recovered = this.#recover(replica);
      },
      (error) => this.#fail(error),
    );
  }

  /**
   * A session and nothing that is kept: the browser has cleared this device, all but its cookies.
   *
   * @param {Replica} replica
   */
  async #recover(replica) {
    await this.#ending;
    const isDue = () => replica.isBlank && !this.#isSigningIn && localStorage.getItem(leaving) === null;
    if (!isDue()) return;
    /** @type {{ ok?: boolean }} */
    const { ok } = await send({ method: "GET", target: "/v1/account" }).catch(() => ({}));
    if (!ok || !isDue()) return;
    navigator.storage?.persist?.().catch(() => {});
    await replica.signedIn();
    this.#hear({ kind: "notice", notice: "evicted" });
    await new Promise((resolve) => {
      const isComing = () => !replica.isOver && (!this.state?.account || this.state.isCatchingUp);
      const look = () => isComing() || (this.removeEventListener("show", look), resolve(undefined));
      this.addEventListener("show", look);
    });
  }

  #follow() {
    this.#replica?.end().catch(() => {});
    this.#replica = undefined;
    this.#known = undefined;
    this.#begun = undefined;
    clearTimeout(this.#telling);
  }

  #rest() {
    if (!this.#tabs.leads) return;
    this.#follow();
    this.#tabs.resign();
  }

  #wake() {
    this.#tabs.rejoin();
    this.#tabs.call("state", []).then((state) => this.#show(state), (error) => this.#fail(error));
  }

  /**
   * What other tabs and this one ask of the tab that leads.
   *
   * @type {import("./tabs.js").Answer}
   */
  async #serve(name, parts) {
    /** @type {any} */
    const replica = await this.#begun;
    switch (name) {
      case "state": return replica.ask({ ask: "goals" });
      case "ask": return replica.ask(parts[0]);
      case "edit": {
        // A tap on a goal that the browser has just cleared away waits until that is there again.
        await this.#recovered;
        if (replica.isBlank) return { isKept: false, rejected: [], unchanged: [] };
        const made = await replica.edit(parts[0]);
        // Overtaken meanwhile: whoever leads now makes them, unless they are there already.
        return replica.isOver ? this.#tabs.call(name, parts) : made;
      }
      case "dismiss": return void (await replica.tell({ event: "dismissed", ids: parts[0] }));
      case "refresh": return void (await replica.tell({ event: "cameToFront" }));
      case "signedIn": return replica.signedIn();
      case "signOut":
        await replica.forget();
        this.#tabs.tell({ kind: "signedOut" });
        this.dispatchEvent(new Event("signedout"));
        return undefined;
      default: return undefined;
    }
  }

  /**
   * What the replica of this tab says.
   *
   * @param {import("./replica.js").News} news
   */
  #hear(news) {
    switch (news.kind) {
      case "show": {
        if (!this.#replica) return;
        this.#show(this.#read(news.goal));
        // Other tabs hear of it after the frame of this one. Nobody waits for a frame of a hidden tab.
        clearTimeout(this.#telling);
        if (document.hidden) this.#tellState();
        else this.#telling = setTimeout(() => this.#tellState(), 100);
        break;
      }
      case "overtaken":
        this.#rest();
        this.#wake();
        break;
      case "broken":
        this.#follow();
        // What is durable is whole: another engine begins with it. One that breaks again at once does not help.
        if (Date.now() - this.#mended < often) return this.#fail(new Error(news.detail));
        this.#mended = Date.now();
        this.#lead();
        break;
      case "failed": this.#fail(new Error(news.detail)); break;
      default:
        this.#tabs.tell(news);
        this.#take(news);
    }
  }

  /**
   * The state, where of the goals that the replica told last this one alone has changed; without it, any may have.
   *
   * @param {string} [id]
   */
  #read(id) {
    const known = id && this.#known;
    /** @type {State} */
    const state = this.#replica?.ask({ ask: "goals", goal: known ? id : undefined });
    if (known) state.goals = known.map((goal) => (goal.id === id && state.goals?.[0]) || goal);
    this.#known = state.goals;
    return state;
  }

  #tellState() {
    this.#tabs.tell({ kind: "state", state: this.state });
  }

  /**
   * What the tab that leads says.
   *
   * @param {any} news
   */
  #take(news) {
    if (news.kind === "state") this.#show(news.state);
    else if (news.kind === "signedOut") this.dispatchEvent(new Event("signedout"));
    else if (news.kind === "notice") this.dispatchEvent(new CustomEvent("notice", { detail: news }));
  }

  /** @param {State} state */
  #show(state) {
    this.state = state;
    this.dispatchEvent(new Event("show"));
  }

  /** @param {Error} error */
  #fail(error) {
    this.dispatchEvent(new CustomEvent("failed", { detail: error }));
  }
}
