// Elements without markup: made of names and values, and brought into the document in place, so that
// the focus, a scroll position and a running transition stay as they are.

const drawn = new Set(["svg", "g", "path", "circle", "rect", "text", "title"]);

/** An element. Of its attributes null, undefined and false are left out, and true is empty. */
export function h(name, attributes = {}, ...children) {
  const isDrawn = drawn.has(name);
  const element = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "variables") for (const [one, text] of Object.entries(value)) element.style.setProperty(one, text);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * Makes the children of an element equal to these, and keeps those that are there where they fit. The focus
 * stays where it is: what has it may be moved, and where it is gone, the focus goes to what was around it.
 */
export function show(parent, ...children) {
  const around = [];
  if (parent.contains(document.activeElement)) for (let one = document.activeElement; one; one = one.parentElement) around.push(one);
  const fresh = document.createDocumentFragment();
  fresh.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  matchChildren(parent, fresh);
  if (around.length === 0 || document.activeElement === around[0]) return;
  around.find((one) => one.isConnected && (one.tabIndex >= 0 || one.hasAttribute("tabindex")))?.focus({ preventScroll: true });
}

/** A form as it was before a person filled it in. */
export function asDrawn(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  return copy;
}

/** What stands for elements that are not made yet: what they are made of, and how. */
const drafts = new WeakMap();
/** What the elements that were drafts are made of. */
const marks = new WeakMap();

/** An element that is only made where it is not there yet, or was made of something else. */
export function draft(name, key, mark, make) {
  const element = h(name, { "data-key": key, "data-draft": true });
  drafts.set(element, { mark, make });
  return element;
}

/** What a draft stands for, in its place; the drafts within that are left to be made. */
function made(node) {
  const { mark, make } = drafts.get(node) ?? {};
  if (!make) return node;
  const element = make();
  marks.set(element, mark);
  node.replaceWith(element);
  return element;
}

/** The same with all drafts within, for what is not there yet. */
function whole(node) {
  const element = made(node);
  for (const inner of element.querySelectorAll?.("[data-draft]") ?? []) whole(inner);
  return element;
}

const key = (node) => node.getAttribute?.("data-key");

function matchChildren(old, fresh) {
  const keyed = new Map([...old.childNodes].filter(key).map((node) => [key(node), node]));
  let place = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const known = key(wanted) ? keyed.get(key(wanted)) : place && !key(place) ? place : undefined;
    if (!known || known.nodeName !== wanted.nodeName) {
      old.insertBefore(whole(wanted), place);
      continue;
    }
    if (known === place) place = place.nextSibling;
    else old.insertBefore(known, place);
    const mark = drafts.get(wanted)?.mark;
    if (mark !== undefined && mark === marks.get(known)) continue;
    match(known, made(wanted));
    marks.set(known, mark);
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function match(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  }
  for (const { name, value } of [...fresh.attributes]) {
    if (name === "style") old.style.cssText = fresh.style.cssText;
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  // What a person typed or chose is theirs; only a key of its own makes a field anew.
  if (["INPUT", "TEXTAREA", "SELECT"].includes(old.nodeName)) return;
  matchChildren(old, fresh);
}
