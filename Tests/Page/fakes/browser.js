// What every module of the page finds in a browser, and node has not or under another name.

import { webcrypto } from "node:crypto";

/** Puts it in place. To be called before a module of the page is imported: that looks at the languages at once. */
export function useBrowser({ languages = ["en-US", "en"], ...more } = {}) {
  const navigator = { languages, onLine: true, ...more };
  // Newer versions of node have one, which can't be assigned to.
  Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
  globalThis.crypto ??= webcrypto;
  // Node 18 has none.
  globalThis.CustomEvent ??= class extends Event {
    constructor(type, { detail }) {
      super(type);
      this.detail = detail;
    }
  };
  return navigator;
}
