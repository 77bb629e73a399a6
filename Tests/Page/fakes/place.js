// The address of the page, and the way that led to it (HTML §7.4).

/** @param state what the browser kept of this step, as after a reload */
export function usePlace(hash = "", state = null) {
  const steps = [{ state, url: `/${hash}` }];
  let present = 0;
  globalThis.HashChangeEvent = Event;
  globalThis.location = {
    origin: "https://goals.example",
    pathname: "/",
    get hash() { return /#.*$/.exec(steps[present].url)?.[0] ?? ""; },
  };
  globalThis.history = {
    get state() { return steps[present].state; },
    /** What the address was before, too. */
    get urls() { return steps.map(({ url }) => url); },
    replaceState(next, _, url = steps[present].url) { steps[present] = { state: next, url }; },
    pushState(next, _, url) { steps.splice((present += 1), Infinity, { state: next, url }); },
    back() { present = Math.max(present - 1, 0); },
  };
  globalThis.told = 0;
  globalThis.dispatchEvent = () => { globalThis.told += 1; };
}
