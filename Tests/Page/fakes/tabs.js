// What the tabs of one browser share: a channel and locks, without the browser.

/** Channels of one name (HTML §9.5): what one is told all others hear, in order and later. */
export function useChannels() {
  const open = new Set();
  globalThis.BroadcastChannel = class {
    constructor() {
      open.add(this);
    }

    postMessage(message) {
      const data = structuredClone(message);
      for (const other of open) {
        if (other !== this) queueMicrotask(() => { if (open.has(other)) other.onmessage?.({ data }); });
      }
    }

    close() { open.delete(this); }
  };
  // A tab that is gone, or that a browser lets do nothing, hears no more.
  return { close: () => [...open].at(0).close() };
}

/** Locks (Web Locks §3): one tab holds it, the others wait in line, and one that is stolen is lost. */
export class Locks {
  #holder = null;
  #line = [];

  request(_, ...rest) {
    const hold = rest.pop();
    return new Promise((resolve, reject) => {
      const one = { hold, resolve, reject };
      if (rest[0]?.steal) {
        this.#holder?.reject(new DOMException("Its lock was stolen.", "AbortError"));
        this.#grant(one);
      } else {
        this.#line.push(one);
        this.#next();
      }
    });
  }

  /** As where the tab that holds it is closed. */
  release() {
    this.#holder = null;
    this.#next();
  }

  #next() {
    if (!this.#holder && this.#line.length > 0) this.#grant(this.#line.shift());
  }

  #grant(one) {
    this.#holder = one;
    queueMicrotask(async () => {
      one.resolve(await one.hold());
      if (this.#holder === one) this.release();
    });
  }
}
