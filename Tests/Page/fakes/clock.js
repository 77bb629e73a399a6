// Timers that go off when a test says that time passes.

/** All that can happen by now has happened: promises are resolved, and what waits for them went on. */
export const settled = () => new Promise((resolve) => { setImmediate(resolve); });

export class Clock {
  now = 0;
  #timers = new Map();
  #count = 0;

  /** Takes the place of the machine's timers. */
  use() {
    globalThis.setTimeout = (act, wait = 0) => {
      this.#timers.set((this.#count += 1), { at: this.now + wait, act });
      return this.#count;
    };
    globalThis.clearTimeout = (number) => this.#timers.delete(number);
    return this;
  }

  async pass(milliseconds) {
    const end = this.now + milliseconds;
    await settled();
    for (;;) {
      const [number, next] = [...this.#timers].sort(([, one], [, other]) => one.at - other.at)[0] ?? [];
      if (!next || next.at > end) break;
      this.#timers.delete(number);
      this.now = next.at;
      next.act();
      // oxlint-disable-next-line no-await-in-loop -- What one timer leads to comes before the next.
      await settled();
    }
    this.now = end;
  }
}
