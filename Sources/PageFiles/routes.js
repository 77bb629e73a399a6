// Where the person is: behind the # of the address, so that going back and reloading work, and a sheet
// closes as a page would.

/**
 * @typedef {object} Place
 * @property {string} view
 * @property {string} [goal] the one that the view is about
 * @property {string} [sheet]
 * @property {string} [subject] the goal that the sheet is about
 */

/** How often the person went on within the page to come here. */
const depth = () => history.state?.depth ?? 0;

/** The address of the server, if it has one that is not this page's. */
export function home() {
  const url = document.querySelector("link[rel=canonical]")?.getAttribute("href");
  return url && new URL(url).origin !== location.origin ? url : null;
}

/**
 * A part of an address as it was meant; as it is where a `%` in it begins no escape.
 *
 * @param {string} part
 */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * The view and the goal that it is about, the sheet over it and the goal that this one is about.
 *
 * @returns {Place}
 */
export function place() {
  const [first = "", second, third] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  switch (first) {
    case "goals":
      if (second === "new") return { view: before(), goal: goalBefore(), sheet: "goal" };
      if (third === "edit") return { view: before(), goal: goalBefore(), sheet: "goal", subject: second };
      if (second) return { view: "detail", goal: second };
      return { view: "goals" };
    case "count": return { view: before(), goal: goalBefore(), sheet: "count", subject: second };
    case "status": return { view: before(), goal: goalBefore(), sheet: "status" };
    case "history": return { view: "history" };
    case "account": return { view: "account" };
    case "sign-in": return { view: "signIn" };
    default: return { view: "overview" };
  }
}

/** The view that a sheet is over. */
const before = () => history.state?.view ?? "overview";
/** And the goal that this view is about. */
const goalBefore = () => history.state?.goal;

/**
 * Remembers, with each step, the view that a sheet will be over.
 *
 * @param {Place} place
 */
export function noteView({ view, goal }) {
  if (history.state?.view !== view || history.state?.goal !== goal) history.replaceState({ view, goal, depth: depth() }, "");
}

/**
 * Follows a link within the page.
 *
 * @param {string} hash
 */
export function go(hash) {
  const { view, goal, sheet } = place();
  const over = { view: view === "signIn" ? "overview" : view, goal };
  // From one sheet to the next is one step back to the view.
  if (sheet) {
    history.replaceState({ ...over, depth: depth() }, "", hash);
  } else {
    history.pushState({ ...over, depth: depth() + 1 }, "", hash);
  }
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** Leaves the sheet, or the view that asks to sign in. */
export function leave() {
  if (depth() > 0) {
    history.back();
  } else {
    const { view, goal } = place();
    const under = { overview: "", signIn: "", detail: `goals/${goal}` }[view] ?? view;
    history.replaceState({ view, goal, depth: 0 }, "", `#/${under}`);
    dispatchEvent(new HashChangeEvent("hashchange"));
  }
}
