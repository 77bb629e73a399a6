// The past of the goal that is looked at: its history, which the engine knows, and the edits that made
// it, which the server lists.

import { firstDay } from "./heat-map.js";
import { addDays } from "./format.js";
import { connection, goalOf, today } from "./state.js";

const many = 30;

export class History {
  #goals;
  #draw;
  #read = {};

  constructor(goals, draw) {
    this.#goals = goals;
    this.#draw = draw;
  }

  /** What is known by now. What changed since is read anew, and drawn when it comes. */
  of(id, state) {
    const goal = goalOf(state, id);
    // The past changes with the goal's count, and with edits that wait or have come. The server may be there again.
    const mark = JSON.stringify([id, goal, today(state), state.version ?? state.cursor, state.pending?.length, connection(state) === "offline"]);
    if (goal && this.#read.mark !== mark) this.#begin(id, mark, state);
    const { history = null } = this.#read;
    return { history, feed: "feed" in this.#read ? this.#read.feed : null };
  }

  async #begin(id, mark, state) {
    const before = this.#read.id === id ? this.#read : {};
    const read = (this.#read = { ...before, id, mark });
    const day = today(state);
    const from = firstDay(day, state.calendar?.weekStart);
    const put = (part) => {
      if (this.#read !== read) return;
      Object.assign(read, part);
      this.#draw();
    };
    const history = this.#goals.ask({ ask: "history", goal: id, from, to: addDays(day, 1) });
    await Promise.all([
      history.then((found) => put({ history: found }), () => {}),
      feedOf(id).then((feed) => put({ feed }), () => put({ feed: read.feed ?? undefined })),
    ]);
  }
}

async function feedOf(id) {
  const answer = await fetch(`/v1/edits?goal=${id}&order=newest&limit=${many}`, { credentials: "same-origin", cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()).edits;
}
