// The ring of a goal: how far its period has come. What goes beyond one round is a second one over it, with a gap
// before its end.

import { h } from "./dom.js";
import { compact } from "./format.js";
import { icon } from "./icons.js";

const radius = 42;
const round = 2 * Math.PI * radius;

/** @typedef {Pick<import("./goals.js").Goal, "completion" | "frequency" | "progress" | "state">} Round */

/**
 * The arc from the top, clockwise, of so much of a round.
 *
 * @param {string} name
 * @param {number} part
 */
function arc(name, part) {
  const length = Math.min(Math.max(part, 0), 1) * round;
  return h("circle", {
    class: name, cx: 50, cy: 50, r: radius, "data-empty": length === 0,
    variables: { "--length": `${length.toFixed(2)}px`, "--round": `${round.toFixed(2)}px` },
  });
}

/**
 * The picture of a ring, for eyes only: what stands around it says the same in words.
 *
 * @param {Round} goal
 */
export function ring(goal, { isSmall = false } = {}) {
  const completion = goal.completion ?? 0;
  // The gap is seen also where two rounds are full.
  const beyond = Math.min(completion - 1, 0.96);
  const isMet = goal.state === "met";
  const count = compact(goal.progress ?? 0);
  const size = Math.max(count.length, 1);
  return h("span", { class: `ring${isSmall ? " small" : ""}`, "data-state": goal.state, "aria-hidden": "true" },
    h("svg", { viewBox: "0 0 100 100" },
      h("circle", { class: "track", cx: 50, cy: 50, r: radius }),
      arc("arc", completion),
      completion > 1 && [
        h("circle", { class: "gap", cx: 50 + radius, cy: 50, r: isSmall ? 10.5 : 8, variables: { "--turn": `${beyond}turn` } }),
        arc("arc", beyond)]),
    isSmall
      ? h("span", { class: "middle" }, isMet && icon("check"))
      : h("span", { class: "middle", "data-size": size > 4 ? "long" : size > 2 ? "wide" : null },
        h("b", {}, count),
        h("span", {}, isMet && icon("check"), `/ ${compact(goal.frequency)}`)));
}

/**
 * The attributes that give an element the colour of a goal.
 *
 * @param {{ colour?: string }} goal
 * @returns {import("./dom.js").Attributes}
 */
export function tinted({ colour }) {
  return colour?.startsWith("#")
    ? { "data-colour": "own", variables: { "--own": colour } }
    : { "data-colour": colour ?? "green" };
}
