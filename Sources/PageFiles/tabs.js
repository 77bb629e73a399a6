// The tabs of one browser share one replica. One tab leads: it has the engine, the requests and the
// stream. The others send it what the person does, and show what it says.
//
// The tab that leads holds a Web Lock. A tab that is frozen or hangs holds it still, so a tab that gets
// no answer takes the lock away. That only one writes is not up to the lock: see keeping.js.

const lock = "goals";
/** So long a tab waits for the one that leads, in milliseconds. */
const patience = 2000;
const brief = 200;

/** @typedef {(name: string, parts: any[]) => Promise<any>} Answer */
/** @typedef {{ message: object, resolve: (result: any) => void, reject: (error: Error) => void, heard: () => void }} Call one that was not answered yet */

/**
 * What goes from tab to tab: `news`, a call with its `from`, `name` and `parts`, or an answer with its `to`.
 *
 * @typedef {object} Message
 * @property {any} [news]
 * @property {string} [from]
 * @property {string} [to]
 * @property {number} number of the call
 * @property {string} name
 * @property {any[]} parts
 * @property {any} [result]
 * @property {any} [fault]
 * @property {boolean} [heard]
 */

export class Tabs extends EventTarget {
  #channel = new BroadcastChannel("goals");
  #id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  /** @type {Map<number, Call>} */
  #waiting = new Map();
  #count = 0;
  /** @type {Answer} */
  #answer;
  /** @type {(() => void) | undefined} */
  #resign;
  #isTaking = false;
  #isQueued = false;

  /** @param {Answer} answer what the leading tab does with a call of another one: an async function of its name and arguments */
  constructor(answer) {
    super();
    this.#answer = answer;
    this.#channel.onmessage = ({ data }) => this.#receive(data);
  }

  get leads() {
    return this.#resign !== undefined;
  }

  /** Takes part: this tab leads at once, or when those before it have ended. */
  begin() {
    if (navigator.locks) this.#queue();
    // A page without TLS has no locks (Web Locks §2): a tab that hears of no other one leads.
    else this.#call("", [], brief).catch(() => this.#take());
  }

  /**
   * Calls the leading tab, whichever that is; takes the lead where it does not answer.
   *
   * @type {Answer}
   */
  async call(name, parts) {
    if (this.leads) return this.#answer(name, parts);
    try {
      return await this.#call(name, parts);
    } catch (error) {
      if (!(error instanceof Silence)) throw error;
      await this.#take();
      return this.#answer(name, parts);
    }
  }

  /**
   * Tells all other tabs.
   *
   * @param {object} news
   */
  tell(news) {
    this.#channel.postMessage({ news });
  }

  /** Gives the lead back. */
  resign() {
    this.#resign?.();
    this.#resign = undefined;
  }

  /** Waits for its turn again. */
  rejoin() {
    if (navigator.locks) this.#queue();
  }

  #queue() {
    if (this.leads || this.#isQueued) return;
    this.#isQueued = true;
    const granted = () => {
      this.#isQueued = false;
      return this.#lead();
    };
    navigator.locks.request(lock, granted).catch(() => this.#lose());
  }

  async #take() {
    if (this.leads || this.#isTaking) return this.#led();
    this.#isTaking = true;
    if (navigator.locks) {
      navigator.locks.request(lock, { steal: true }, () => this.#lead()).catch(() => this.#lose());
    } else {
      this.#lead();
    }
    await this.#led();
    this.#isTaking = false;
  }

  /** @returns {Promise<void>} */
  #led() {
    if (this.leads) return Promise.resolve();
    return new Promise((resolve) => { this.addEventListener("lead", () => resolve(), { once: true }); });
  }

  #lead() {
    if (this.leads) return Promise.resolve();
    /** @type {Promise<void>} */
    const over = new Promise((resolve) => { this.#resign = resolve; });
    this.dispatchEvent(new Event("lead"));
    // What the tab that led before may not have done: ids make it harmless to do it twice.
    for (const { reject } of this.#waiting.values()) reject(new Silence());
    this.#waiting.clear();
    this.tell({ kind: "lead" });
    return over;
  }

  #lose() {
    if (!this.leads) return;
    this.#resign = undefined;
    this.dispatchEvent(new Event("lose"));
    this.#queue();
  }

  /** @param {string} name @param {any[]} parts */
  #call(name, parts, limit = patience) {
    const number = (this.#count += 1);
    const message = { from: this.#id, number, name, parts };
    const answered = new Promise((resolve, reject) => {
      const silence = setTimeout(() => { this.#waiting.delete(number); reject(new Silence()); }, limit);
      // A long piece of work says first that it was heard.
      this.#waiting.set(number, { message, resolve, reject, heard: () => clearTimeout(silence) });
    });
    this.#channel.postMessage(message);
    return answered;
  }

  /** @param {Message} message */
  async #receive({ news, from, to, number, name, parts, result, fault, heard }) {
    if (news?.kind === "lead") {
      for (const { message } of this.#waiting.values()) this.#channel.postMessage(message);
      return undefined;
    }
    if (news) return this.dispatchEvent(new CustomEvent("news", { detail: news }));
    if (from && this.leads) {
      this.#channel.postMessage({ to: from, number, heard: true });
      try {
        this.#channel.postMessage({ to: from, number, result: await this.#answer(name, parts) });
      } catch (error) {
        this.#channel.postMessage({ to: from, number, fault: { name: error.name, message: error.message, errors: error.errors } });
      }
      return undefined;
    }
    const call = to === this.#id ? this.#waiting.get(number) : undefined;
    if (!call) return undefined;
    call.heard();
    if (heard) return undefined;
    this.#waiting.delete(number);
    if (fault) call.reject(Object.assign(new Error(fault.message), fault));
    else call.resolve(result);
    return undefined;
  }
}

class Silence extends Error {}
