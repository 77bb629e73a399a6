// IndexedDB, as far as the page asks for it: transactions one after the other, each of them all or nothing.

const later = (act) => queueMicrotask(act);

class Request {
  constructor(transaction) {
    this.transaction = transaction;
  }

  answer(result) {
    this.result = result;
    this.onsuccess?.();
  }
}

class Transaction {
  #steps = [];
  #isAborted = false;
  #before;
  error = null;

  constructor(database, end) {
    this.database = database;
    this.end = end;
  }

  objectStore(name) {
    const step = (work) => {
      const request = new Request(this);
      this.#steps.push(() => request.answer(work(this.database.stores.get(name))));
      return request;
    };
    const key = (value) => value[this.database.stores.get(name).keyPath];
    return {
      get: (id) => step(({ rows }) => structuredClone(rows.get(id))),
      getAll: () => step(({ rows }) => structuredClone([...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row))),
      put: (value) => {
        const row = structuredClone(value);
        return step(({ rows }) => {
          if (this.database.isFull) return this.abort(new DOMException("The disk is full.", "QuotaExceededError"));
          rows.set(key(row), row);
          return key(row);
        });
      },
      delete: ({ upper }) => step(({ rows }) => { for (const id of rows.keys()) if (id <= upper) rows.delete(id); }),
      clear: () => step(({ rows }) => rows.clear()),
      createIndex() {},
      // There is one index, by the member of its name.
      index: (member) => ({
        getAll: (value) => step(({ rows }) => structuredClone([...rows.values()].filter((row) => row[member] === value))),
      }),
    };
  }

  abort(error = null) {
    this.#isAborted = true;
    this.error = error;
  }

  /** Does what it was asked for, and what is asked for meanwhile. */
  run() {
    this.#before ??= [...this.database.stores.values()].map((store) => [store, new Map(store.rows)]);
    const step = this.#isAborted ? undefined : this.#steps.shift();
    if (step) {
      step();
      // What waits for the answer may ask for more.
      setImmediate(() => this.run());
      return;
    }
    if (this.#isAborted) for (const [store, rows] of this.#before) store.rows = rows;
    this.end();
    if (this.#isAborted) this.onabort?.();
    else this.oncomplete?.();
  }
}

class Database {
  stores = new Map();
  isFull = false;
  #line = [];

  createObjectStore(name, { keyPath }) { this.stores.set(name, { keyPath, rows: new Map() }); }

  transaction() {
    const transaction = new Transaction(this, () => {
      this.#line.shift();
      this.#line[0]?.run();
    });
    this.#line.push(transaction);
    if (this.#line.length === 1) later(() => transaction.run());
    return transaction;
  }

  close() {}
}

/** Puts an empty one in place, and answers it. Every tab opens the same. */
export function useDatabase() {
  const database = new Database();
  let isNew = true;
  globalThis.IDBKeyRange = { upperBound: (upper) => ({ upper }) };
  globalThis.indexedDB = {
    open() {
      const request = new Request(new Transaction(database, () => {}));
      request.result = database;
      later(() => {
        if (isNew) request.onupgradeneeded();
        isNew = false;
        request.answer(database);
      });
      return request;
    },
  };
  return {
    database,
    rows: (name) => [...database.stores.get(name).rows.values()],
  };
}
