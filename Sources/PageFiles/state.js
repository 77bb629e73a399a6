// What the engine says of the account, as the views need it.

export const goalsOf = (state) => state?.goals ?? [];
export const activeGoals = (state) => goalsOf(state).filter(({ active }) => active);
export const goalOf = (state, id) => goalsOf(state).find((goal) => goal.id === id);
export const pendingOf = (state) => state?.pending ?? [];
export const rejectedOf = (state) => state?.rejected ?? [];
export const editOf = (own) => own.edit ?? own;

/** Of edits, newest first, the ids of those that are taken back. An undo that was taken back itself takes nothing back. */
export function undoneOf(edits) {
  const undone = new Set();
  for (const { id, type, edit } of edits) if (type === "undo" && !undone.has(id)) undone.add(edit);
  return undone;
}

/** The state, without the streaks as long as the log that they follow from is being read. */
export const settled = (state) =>
  state?.isCatchingUp && state.goals
    ? { ...state, goals: state.goals.map((goal) => ({ ...goal, streak: { current: 0, longest: 0 } })) }
    : state;

/** How the device stands to the server: one word for the eye, by what matters most. */
export function connection(state) {
  const is = state?.standing?.is ?? "loading";
  if (["loading", "signedOut", "otherAccount"].includes(is)) return is;
  if (is === "waiting" || !navigator.onLine) return "offline";
  if (state.isCatchingUp) return "fetching";
  if (pendingOf(state).length) return is === "asking" ? "sending" : "waiting";
  return "inStep";
}

/** Whether an account was ever read on this device. */
export const isKnown = (state) => Boolean(state?.account && state.goals && !(state.isCatchingUp && !state.goals.length));

/** The account's present day, as the periods of its active goals tell it; else by its clock. */
export function today(state) {
  const daily = activeGoals(state).find(({ interval }) => interval === "daily");
  if (daily?.period) return daily.period.start;
  const { timeZone, dayStart = "00:00" } = state?.calendar ?? {};
  const [hours, minutes] = dayStart.split(":").map(Number);
  const now = Date.now() + (state?.clockOffset ?? 0) - (60 * hours + minutes) * 60_000;
  try {
    return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
  } catch {
    // A zone that the browser does not know yet.
    return new Intl.DateTimeFormat("en-CA").format(now);
  }
}
