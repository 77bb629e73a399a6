// The icons: strokes on a field of 24 by 24, in the colour of the text.

import { h } from "./dom.js";

/** @type {Record<string, string>} */
const strokes = {
  add: "M12 5v14M5 12h14",
  back: "M15 5l-7 7 7 7",
  calendar: "M5 7a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zM5 10h14M9 3v4M15 3v4",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  cloud: "M7.5 18.5a4.5 4.5 0 0 1-.6-8.96 5.5 5.5 0 0 1 10.6 1.3A3.9 3.9 0 0 1 17 18.5z",
  down: "M12 5v14M6 13l6 6 6-6",
  edit: "M4 20l1-4.5L16 4.5a2.1 2.1 0 0 1 3 3L8.5 19z",
  flame: "M12 3c.6 3.2 5.5 5.2 5.5 10.2A5.4 5.4 0 0 1 12 19a5.4 5.4 0 0 1-5.500-5.600c0-2.200 1.200-3.500 2.200-4.600.3 1.500 1 2.300 1.900 2.600C10.300 8.600 10.600 5.400 12 3z",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  history: "M5 19V9M10 19V5M15 19v-7M20 19v-4",
  key: "M14.5 9.5a4.500 4.500 0 1 0-3.200 4.300L13 15.500h2v2h2v2h3v-3.200l-5.800-5.800c.2-.3.3-.6.3-1zM8.500 8.500h.01",
  less: "M5 12h14",
  list: "M9 6h11M9 12h11M9 18h11M4.500 6h.01M4.500 12h.01M4.500 18h.01",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  next: "M9 5l7 7-7 7",
  note: "M6 4h12v11l-5 5H6zM18 15h-5v5",
  offline: "M4 4l16 16M7.500 18.500a4.500 4.500 0 0 1-.6-8.960M10 6.300a5.500 5.500 0 0 1 7.500 4.540A3.900 3.900 0 0 1 19.500 17",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.500 20c1-3.500 4-5 7.500-5s6.500 1.500 7.500 5",
  rings: "M12 21a9 9 0 1 1 9-9M12 16.500a4.500 4.500 0 1 1 4.500-4.500",
  skip: "M6 6l7 6-7 6zM17 6v12",
  trash: "M5 7h14M10 4h4M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  undo: "M9 14l-5-5 5-5M4 9h10a6 6 0 0 1 0 12h-3",
  up: "M12 19V5M6 11l6-6 6 6",
  wait: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
  warn: "M12 8v5M12 16.500h.01M10.300 4.300L2.800 18a2 2 0 0 0 1.700 3h15a2 2 0 0 0 1.700-3L13.700 4.300a2 2 0 0 0-3.400 0z",
};

/**
 * An icon that says nothing to those who can't see it: the text is beside it, or in a label.
 *
 * @param {string} name
 */
export const icon = (name) =>
  h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d: strokes[name] }));
