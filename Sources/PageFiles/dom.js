// Elements without markup: made of names and values, and brought into the document in place, so that
// the focus, a scroll position and a running transition stay as they are.

/** @typedef {string | number | boolean | null | undefined | Record<string, string | number>} Value */
/** @typedef {Record<string, Value>} Attributes */
/** @typedef {HTMLElement | SVGElement} Made */
/** @typedef {Node | Draft | string} Part */
/** @typedef {Part | boolean | null | undefined} Leaf */
/** @typedef {Leaf | (Leaf | any[])[]} Child one, or a list of them, of which some may be lists */

const drawn = new Set(["svg", "g", "path", "circle", "rect", "text", "title"]);

/**
 * An element. Of its attributes null, undefined and false are left out, and true is empty.
 *
 * @param {string} name
 * @param {Attributes} attributes the one called `variables` has those of its style
 * @param {Child[]} children
 * @returns {Made}
 */
export function h(name, attributes = {}, ...children) {
  const isDrawn = drawn.has(name);
  const element = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "variables") for (const [one, text] of Object.entries(value)) element.style.setProperty(one, text);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  /** @type {any[]} */
  const parts = listed(children);
  if (parts.some(isUnmade)) contents.set(element, parts);
  else element.append(...parts);
  return element;
}

/**
 * What is there of these, in one list: nodes, texts and drafts.
 *
 * @type {(children: Child[]) => Part[]}
 */
const listed = (children) =>
  /** @type {Part[]} */
  (children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));

/**
 * Makes the children of an element equal to these, and keeps those that are there where they fit. The focus
 * stays where it is: what has it may be moved, and where it is gone, the focus goes to what was around it.
 *
 * @param {Element} parent
 * @param {Child[]} children
 */
export function show(parent, ...children) {
  /** @type {any[]} */
  const around = [];
  if (parent.contains(document.activeElement)) for (let one = document.activeElement; one; one = one.parentElement) around.push(one);
  matchChildren(parent, listed(children));
  if (around.length === 0 || document.activeElement === around[0]) return;
  around.find((one) => one.isConnected && (one.tabIndex >= 0 || one.hasAttribute("tabindex")))?.focus({ preventScroll: true });
}

/**
 * A form as it was before a person filled it in.
 *
 * @param {HTMLFormElement} form
 */
export function asDrawn(form) {
  const copy =
    /** @type {HTMLFormElement} */
    (form.cloneNode(true));
  copy.reset();
  return copy;
}

/** An element that is only made where it is not there yet, or was made of something else. */
class Draft {
  /** @param {string} name @param {string} key @param {string | boolean} mark @param {() => Made} make */
  constructor(name, key, mark, make) {
    this.nodeName = name.toUpperCase();
    this.key = key;
    this.mark = mark;
    this.make = make;
  }
}

/**
 * @param {string} name
 * @param {string} key
 * @param {string | boolean} mark what the element is made of: equal marks make equal elements
 * @param {() => Made} make makes it, with this name and key
 */
export const draft = (name, key, mark, make) => new Draft(name, key, mark, make);

/** What the elements that were drafts are made of. */
const marks = new WeakMap();
/** What belongs in elements that are not shown yet and have drafts somewhere within. */
const contents = new WeakMap();

/** @type {(part: any) => boolean} */
const isUnmade = (part) => part instanceof Draft || contents.has(part);

/**
 * A part as a node, with all drafts within made: for what is not there yet.
 *
 * @type {(part: any) => Node}
 */
function whole(part) {
  if (!isUnmade(part)) return part instanceof Node ? part : document.createTextNode(part);
  const element = part.make?.() ?? part;
  if (part instanceof Draft) marks.set(element, part.mark);
  element.append(...(contents.get(element) ?? []).map(whole));
  contents.delete(element);
  return element;
}

/** @type {(part: any) => string | null | undefined} */
const key = (part) => (part instanceof Draft ? part.key : part.getAttribute?.("data-key"));
/** @type {(part: any) => string} */
const nodeName = (part) => part.nodeName ?? "#text";

/** @type {(old: Element, parts: any[]) => void} */
function matchChildren(old, parts) {
  /** @type {Map<any, ChildNode> | undefined} */
  let keyed;
  /** @param {string} name */
  const find = (name) => (keyed ??= new Map([...old.childNodes].filter(key).map((node) => [key(node), node]))).get(name);
  let place = old.firstChild;
  for (const part of parts) {
    const name = key(part);
    const isNext = place && (key(place) || "") === (name || "");
    const known = isNext ? place : name ? find(name) : undefined;
    if (!known || known.nodeName !== nodeName(part)) {
      old.insertBefore(whole(part), place);
      continue;
    }
    if (known === place) place = place.nextSibling;
    else old.insertBefore(known, place);
    if (part instanceof Draft && part.mark === marks.get(known)) continue;
    match(known, part.make?.() ?? part);
    marks.set(known, part.mark);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

/** @type {(old: any, fresh: any) => void} */
function match(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    const text = fresh.nodeValue ?? String(fresh);
    if (old.nodeValue !== text) old.nodeValue = text;
    return;
  }
  for (const name of old.getAttributeNames()) {
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  }
  for (const name of fresh.getAttributeNames()) {
    const value = fresh.getAttribute(name);
    if (old.getAttribute(name) === value) continue;
    // The page's policy forbids styles as a text.
    if (name === "style") old.style.cssText = fresh.style.cssText;
    else old.setAttribute(name, value);
  }
  // What a person typed or chose is theirs; only a key of its own makes a field anew.
  if (["INPUT", "TEXTAREA", "SELECT"].includes(old.nodeName)) return;
  matchChildren(old, contents.get(fresh) ?? [...fresh.childNodes]);
}
