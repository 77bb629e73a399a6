// The past of what is looked at: a goal's history, which the engine knows, and the edits that made it, or
// all of the account, which the server lists.

import { addDays } from "./format.js";
import { backTo, firstDay, weeks } from "./heat-map.js";
import { goalOf, today } from "./state.js";
import { readEdits, readGoals } from "./server.js";

/** @typedef {import("./goals.js").State} State */
/** @typedef {import("./goals.js").History} Told what the engine answers to `history` */
/** @typedef {import("./server.js").Recorded} Recorded */

/** @typedef {Feed} Listing */

/**
 * What is known of a goal's past.
 *
 * @typedef {object} Seen
 * @property {Told} history of the last year
 * @property {Told} shown of the year that is looked at
 * @property {number} back how many years back that is
 * @property {number} [looked] the year of which it is known whether there is anything before it
 * @property {boolean} [hasEarlier]
 */

/** @typedef {Seen | { history?: null, shown?: null, looked?: undefined, hasEarlier?: undefined }} Found what is known by now */

/** So many days before those that are shown are looked at, for whether there is anything. */
const far = 3600;

export class History {
  #goals;
  #draw;
  /** @type {{ id?: string, mark?: string, found?: Found }} */
  #past = {};
  /** @type {Feed | undefined} */
  #feed;

  /** @param {import("./goals.js").Goals} goals @param {() => void} draw */
  constructor(goals, draw) {
    this.#goals = goals;
    this.#draw = draw;
  }

  /**
   * What is known by now: `history` of the last year, `shown` of the one that is looked at, so many back, and
   * `hasEarlier`. What changed since is read anew, and drawn when it comes.
   *
   * @param {string} id
   * @param {State} state
   * @param {number} back
   */
  of(id, state, back) {
    const goal = goalOf(state, id);
    // The past changes with the goal's count, and with edits that wait or have come.
    const mark = JSON.stringify([id, back, goal, today(state), state.version, state.pending.length]);
    if (goal && this.#past.mark !== mark) this.#begin(id, back, mark, state);
    return { ...this.#past.found, feed: this.feed(state, id) };
  }

  /** @param {string} id @param {number} back @param {string} mark @param {State} state */
  async #begin(id, back, mark, state) {
    const before = this.#past.id === id ? this.#past : {};
    /** @type {{ id: string, mark: string, found: Found }} */
    const past = (this.#past = { id, mark, found: { history: null, shown: null, ...before.found } });
    const day = today(state);
    /** @param {string} from @param {string} to */
    const ask = (from, to) => this.#goals.ask({ ask: "history", goal: id, from, to });
    /** @param {number} years */
    const year = (years) => {
      const from = firstDay(day, state.calendar.weekStart, years);
      const end = addDays(from, 7 * weeks);
      return ask(from, years > 0 ? end : addDays(day, 1));
    };
    /** @param {Partial<Seen>} part */
    const put = (part) => {
      if (this.#past !== past) return;
      Object.assign(past.found, part);
      this.#draw();
    };
    try {
      const history = await year(0);
      put({ history, shown: back > 0 ? await year(back) : history, back });
      // It is long, so what was found is not looked for again.
      if (past.found.looked !== back || !past.found.hasEarlier) {
        const first = firstDay(day, state.calendar.weekStart, back);
        const earlier = await ask(addDays(first, -far), first);
        put({ looked: back, hasEarlier: earlier.days.length > 0 || earlier.periods.some(({ end }) => end <= first) });
      }
    } catch {
      // The time zone is not there yet, or the goal is gone by now.
    }
  }

  /**
   * The edits that changed a goal; without one, all of the account.
   *
   * @param {State} state
   * @param {string} [id]
   */
  feed(state, id) {
    if (!this.#feed || this.#feed.goal !== id) this.#feed = new Feed(id, this.#draw);
    const isReached = navigator.onLine && ["inStep", "asking"].includes(state.standing.is);
    this.#feed.follow(JSON.stringify([state.version, state.pending.length, isReached]));
    return this.#feed;
  }

  /**
   * What a person can do with it.
   *
   * @param {import("./actions.js").App} app
   * @returns {import("./actions.js").Actions}
   */
  actions(app) {
    const { ui, draw } = app;
    return {
      moreEdits: () => this.#feed?.goOn(),
      morePeriods() { ui.periods += 50; draw(); },
      year({ back }) {
        Object.assign(ui, { back: Number(back), periods: 0, chosen: undefined });
        document.getElementById("day").value = "";
        draw();
      },
      day({ day }, field) {
        const chosen = day ?? (field.validity.valid && field.value);
        if (!chosen) return;
        if (day) document.getElementById("day").value = day;
        ui.back = Math.max(backTo(chosen, today(app.state), app.state?.calendar.weekStart), 0);
        ui.chosen = chosen;
        draw();
      },
    };
  }
}

/** Edits as the server lists them, newest first, as far back as a person has gone. */
class Feed {
  /** @type {Recorded[]} */
  edits = [];
  /**
   * Null until it was read; false where the server can't be reached.
   *
   * @type {boolean | null}
   */
  isRead = null;
  hasMore = false;
  #draw;
  /** @type {string | undefined} */
  #mark;
  /** @type {string | undefined} */
  #cursor;
  /** @type {Map<string, string | undefined>} */
  #names = new Map();
  #work = Promise.resolve();

  /** @param {string | undefined} goal @param {() => void} draw */
  constructor(goal, draw) {
    this.goal = goal;
    this.#draw = draw;
  }

  /**
   * Reads what is new where something has changed.
   *
   * @param {string} mark
   */
  follow(mark) {
    if (mark === this.#mark) return;
    this.#mark = mark;
    this.#after(async () => {
      const page = await readEdits(this.goal);
      const place = page.edits.findIndex(({ id }) => id === this.edits[0]?.id);
      // A restored server has another log. And where much is new, something is missing in between.
      const goesOn = place >= 0 && page.edits.slice(place).every(({ id }, index) => id === this.edits[index]?.id);
      if (goesOn) this.edits = [...page.edits.slice(0, place), ...this.edits];
      else this.#take(page, []);
    });
  }

  /** Reads what was before. */
  goOn() {
    return this.#after(async () => this.#take(await readEdits(this.goal, this.#cursor), this.edits));
  }

  /** @param {{ edits: Recorded[], more: boolean, cursor: string }} page @param {Recorded[]} before */
  #take({ edits, more, cursor }, before) {
    this.edits = [...before, ...edits];
    this.hasMore = more;
    this.#cursor = cursor;
  }

  /** @param {() => unknown} work */
  #after(work) {
    this.#work = this.#work.then(work).then(() => { this.isRead = true; }, () => { this.isRead = false; }).then(this.#draw);
    return this.#work;
  }

  /**
   * The title of a goal that is not listed any more: as an edit says it, or the list that it was deleted from.
   *
   * @param {string} id
   * @returns {string | undefined}
   */
  title(id) {
    for (const { goal, changes } of this.edits) {
      if (goal?.id === id) return goal.title;
      if (goal === id && changes?.title) return changes.title;
    }
    const deletion = this.edits.find(({ type, goal }) => type === "delete" && goal === id);
    if (deletion && !this.#names.has(id)) {
      this.#names.set(id, undefined);
      readGoals(deletion.version - 1).then((goals) => {
        this.#names.set(id, goals.find((goal) => goal.id === id)?.title);
        this.#draw();
      }, () => {});
    }
    return this.#names.get(id);
  }
}
