// What outlives the page: a snapshot, the changes after it, entries of the log, and time zones, in
// IndexedDB. One tab writes at a time: whoever opened it last. A tab that was overtaken is told by its
// next write, which does not happen.

/** @typedef {{ number: number, change: Change }} Numbered */
/** @typedef {{ id: string, root?: number, edit: { version: number } }} Entry an edit of the log, as the engine keeps it */
/** @typedef {{ restart?: boolean, recorded?: Entry[] }} Change what the engine orders to be kept: the rest of it is its own */
/** @typedef {{ name: string, bytes: Uint8Array, tag: string | null, at: number }} Zone a file of a time zone, and when it was read */

const stores = { changes: "number", entries: "id", facts: "name", zones: "name" };
/** From so many changes on they become one snapshot. */
const many = 64;

export class Overtaken extends Error {
  constructor() {
    super("Another tab keeps the goals now.");
    this.name = "Overtaken";
  }
}

/** @type {(request: IDBRequest) => Promise<any>} */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @type {(transaction: IDBTransaction) => Promise<void>} */
const ended = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Overtaken());
  });

/** @param {string} name @returns {Promise<IDBDatabase>} */
function open(name) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    for (const [store, keyPath] of Object.entries(stores)) request.result.createObjectStore(store, { keyPath });
    request.transaction?.objectStore("entries").createIndex("chain", "chain");
  };
  return done(request);
}

/**
 * The chain of undo and redo that an entry of the log is part of.
 *
 * @param {Entry} entry
 */
const chained = (entry) => ({ id: entry.id, chain: entry.root ?? entry.edit.version, entry });

export class Keeping {
  /**
   * It is there once `begin` has resolved.
   *
   * @type {IDBDatabase}
   */
  #database;
  #epoch = 0;
  /**
   * Changes that were ordered and are not durable yet, in order.
   *
   * @type {Change[]}
   */
  #unkept = [];
  /** The numbers of the change before the first that is kept, and of the last. */
  #first = 0;
  #last = 0;
  /** @type {Promise<unknown>} */
  #work = Promise.resolve();

  /** Opens what is kept. The tab that opens it is the one that may write, until another does. */
  static async begin(name = "goals") {
    const keeping = new Keeping();
    keeping.#database = await open(name);
    // Another tab signs out, or a newer page needs another form.
    keeping.#database.onversionchange = () => keeping.#database.close();
    await keeping.#claim();
    return keeping;
  }

  async #claim() {
    const transaction = this.#database.transaction("facts", "readwrite");
    const facts = transaction.objectStore("facts");
    const before = await done(facts.get("epoch"));
    this.#epoch = (before?.value ?? 0) + 1;
    facts.put({ name: "epoch", value: this.#epoch });
    await ended(transaction);
  }

  /**
   * A transaction that changes nothing where another tab writes by now.
   *
   * @param {string[]} names
   * @param {(store: (name: string) => IDBObjectStore) => void} work
   */
  async #write(names, work) {
    const all = [...new Set(["facts", ...names])];
    const transaction = this.#database.transaction(all, "readwrite", { durability: "strict" });
    const end = ended(transaction);
    const facts = transaction.objectStore("facts");
    const check = facts.get("epoch");
    check.onsuccess = () => {
      if (check.result?.value !== this.#epoch) transaction.abort();
      else work((name) => transaction.objectStore(name));
    };
    await end;
  }

  /** Whether nothing was ever kept here, or all of it was cleared away. */
  get isEmpty() {
    return this.#last === 0;
  }

  /** What the event `loaded` needs: the lines, and how many changes are among them. */
  async load() {
    const transaction = this.#database.transaction(["facts", "changes"]);
    /** @type {[{ value: string, last: number } | undefined, Numbered[]]} */
    const [snapshot, changes] = await Promise.all([
      done(transaction.objectStore("facts").get("snapshot")),
      done(transaction.objectStore("changes").getAll()),
    ]);
    this.#last = changes.at(-1)?.number ?? snapshot?.last ?? 0;
    const lines = [snapshot?.value ?? "", ...changes.map(({ change }) => JSON.stringify(change))];
    this.#first = this.#last - changes.length;
    return { text: `${lines.join("\n")}\n`, count: changes.length };
  }

  /**
   * Makes a change durable, together with those that could not be kept before it: all or none.
   *
   * @param {Change} change
   * @returns {Promise<unknown>}
   */
  keep(change) {
    this.#unkept.push(change);
    const work = this.#work.then(
      /** @returns {any} */
      () => this.#unkept.includes(change) && this.#keepAll());
    this.#work = work.catch(() => {});
    return work;
  }

  async #keepAll() {
    const changes = [...this.#unkept];
    await this.#write(["changes", "entries"], (store) => {
      let number = this.#last;
      for (const change of changes) {
        number += 1;
        store("changes").put({ number, change });
        if (change.restart) store("entries").clear();
        for (const entry of change.recorded ?? []) store("entries").put(chained(entry));
      }
    });
    this.#unkept.splice(0, changes.length);
    this.#last += changes.length;
  }

  /** Waits for everything that was ordered. */
  settled() {
    return this.#work;
  }

  /** Whether there are so many changes that a snapshot should take their place. */
  get isLong() {
    return this.#last - this.#first > many;
  }

  /**
   * Puts a snapshot in the place of the changes that it holds. Nothing may happen meanwhile.
   *
   * @param {() => unknown} snapshot
   */
  async compact(snapshot) {
    await this.#work;
    if (this.#unkept.length) return;
    const last = this.#last;
    await this.#write(["changes"], (store) => {
      store("facts").put({ name: "snapshot", value: JSON.stringify(snapshot()), last });
      store("changes").delete(IDBKeyRange.upperBound(last));
    });
    this.#first = last;
  }

  /**
   * Puts a snapshot in the place of the changes: what was kept could not be read. The entries stay: no snapshot has them.
   *
   * @param {unknown} snapshot
   */
  async replace(snapshot) {
    const last = this.#last;
    await this.#write(["changes"], (store) => {
      store("facts").put({ name: "snapshot", value: JSON.stringify(snapshot), last });
      store("changes").clear();
    });
    this.#first = last;
  }

  /**
   * The entries of the log with these ids, and of the chains that they are part of, as far as they were read.
   *
   * @param {string[]} ids
   * @returns {Promise<Entry[]>}
   */
  async entries(ids) {
    const found = new Map();
    const store = this.#database.transaction("entries").objectStore("entries");
    const known = (await Promise.all(ids.map((id) => done(store.get(id))))).filter(Boolean);
    const recent = this.#unkept.flatMap(({ recorded }) => recorded ?? []).map(chained);
    const chains = new Set([...known, ...recent.filter(({ id }) => ids.includes(id))].map(({ chain }) => chain));
    const index = this.#database.transaction("entries").objectStore("entries").index("chain");
    for (const part of await Promise.all([...chains].map((chain) => done(index.getAll(chain))))) {
      for (const { id, entry } of part) found.set(id, entry);
    }
    for (const { id, chain, entry } of recent) if (chains.has(chain)) found.set(id, entry);
    return [...found.values()];
  }

  /** @param {string} name @returns {Promise<Zone | undefined>} */
  async zone(name) {
    return await done(this.#database.transaction("zones").objectStore("zones").get(name));
  }

  /** @param {Zone} zone */
  async keepZone(zone) {
    await this.#write(["zones"], (store) => store("zones").put(zone));
  }

  /** @param {string} name */
  async fact(name) {
    return (await done(this.#database.transaction("facts").objectStore("facts").get(name)))?.value;
  }

  /** @param {string} name @param {unknown} value */
  async keepFact(name, value) {
    await this.#write([], (store) => store("facts").put({ name, value }));
  }

  /** Whether another tab writes by now. */
  async isOvertaken() {
    return (await this.fact("epoch")) !== this.#epoch;
  }

  /** Forgets everything but that this tab writes. */
  async forget() {
    this.#unkept = [];
    await this.#write(Object.keys(stores), (store) => {
      for (const name of Object.keys(stores)) store(name).clear();
      store("facts").put({ name: "epoch", value: this.#epoch });
    });
    this.#first = this.#last = 0;
  }

  end() {
    this.#database.close();
  }
}
