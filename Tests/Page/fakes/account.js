// An account as the engine tells it, with what a test says of it.

export const day = "2026-11-20";

export const goal = (more = {}) => ({
  id: "1", title: "Yoga", colour: "green", interval: "daily", frequency: 1, unit: null, active: true, progress: 0, completion: 0,
  period: { start: day, end: "2026-11-21" }, streak: { current: 0, longest: 0 }, today: 0, state: "open", waiting: 0, ...more,
});

export const state = (goals, more = {}) => ({
  version: 7, goals, standing: { is: "inStep" }, isCatchingUp: false, pending: [], rejected: [], gone: {},
  calendar: { timeZone: "UTC", weekStart: "monday", dayStart: "00:00" }, account: "a", clockOffset: 0, ...more,
});

const before = (count) => new Date(Date.parse(day) - 86_400_000 * count).toISOString().slice(0, 10);

/** What the engine answers to `history`: the days with their counts, and so many periods of a day each, the last of them today. */
export const past = (days = {}, count = 0) => ({
  days: Object.entries(days).map(([date, number]) => ({ date, count: number })),
  periods: Array.from({ length: count }, (_, place) => ({
    start: before(count - 1 - place), end: before(count - 2 - place), count: 1, frequency: 1, state: "met",
  })),
  streak: { current: 0, longest: 0 }, total: Object.values(days).reduce((sum, number) => sum + number, 0), completionRate: null,
});
