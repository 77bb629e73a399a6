// As much of a document as the page's modules ask for: what they make of it can be looked at, and nothing is drawn.

class FakeNode extends EventTarget {
  static ELEMENT_NODE = 1;
  parentElement = null;

  get nextSibling() {
    const all = this.parentElement?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }

  get isConnected() {
    return document.documentElement.contains(this);
  }

  contains(other) {
    for (let one = other; one; one = one.parentElement) if (one === this) return true;
    return false;
  }

  remove() {
    if (!this.parentElement) return;
    // As in a browser: also where it is only moved.
    if (this.contains(document.activeElement)) document.activeElement = document.body;
    const all = this.parentElement.childNodes;
    all.splice(all.indexOf(this), 1);
    this.parentElement = null;
  }
}

class FakeText extends FakeNode {
  nodeType = 3;
  nodeName = "#text";
  childNodes = [];

  constructor(text) {
    super();
    this.nodeValue = text;
  }

  get textContent() {
    return this.nodeValue;
  }
}

/** What a selector without combinators asks for. */
function isAsked(element, selector) {
  const parts = selector.match(/\[[^\]]+\]|[.#:]?[\w-]+/g);
  return parts.every((part) => {
    if (part.startsWith(".")) return element.getAttribute("class")?.split(" ").includes(part.slice(1));
    if (part.startsWith("#")) return element.getAttribute("id") === part.slice(1);
    if (part.startsWith(":")) return part === ":focus-within" && element.contains(document.activeElement);
    if (!part.startsWith("[")) return element.nodeName === part.toUpperCase();
    const [, name, value] = /^\[([\w-]+)(?:="?([^"]*)"?)?\]$/.exec(part);
    return value === undefined ? element.hasAttribute(name) : element.getAttribute(name) === value;
  });
}

export class FakeElement extends FakeNode {
  nodeType = FakeNode.ELEMENT_NODE;
  childNodes = [];
  variables = new Map();
  #attributes = new Map();

  constructor(name) {
    super();
    this.nodeName = name.toUpperCase();
    const { variables } = this;
    this.style = {
      setProperty(variable, value) { variables.set(variable, String(value)); },
      get cssText() { return [...variables].map(([variable, value]) => `${variable}: ${value};`).join(" "); },
      set cssText(text) {
        variables.clear();
        for (const [, variable, value] of text.matchAll(/([\w-]+): ([^;]*);/g)) variables.set(variable, value);
      },
    };
  }

  // A style is an attribute, too.
  getAttributeNames() { return [...this.#attributes.keys(), ...(this.variables.size > 0 ? ["style"] : [])]; }
  getAttribute(name) { return name === "style" ? this.style.cssText : this.#attributes.get(name) ?? null; }
  hasAttribute(name) { return this.getAttributeNames().includes(name); }
  setAttribute(name, value) { this.#attributes.set(name, String(value)); }
  removeAttribute(name) { if (name === "style") this.variables.clear(); else this.#attributes.delete(name); }

  get dataset() {
    const names = this.getAttributeNames().filter((name) => name.startsWith("data-"));
    const short = (name) => name.slice(5).replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
    return Object.fromEntries(names.map((name) => [short(name), this.getAttribute(name)]));
  }

  get tabIndex() {
    if (this.hasAttribute("tabindex")) return Number(this.getAttribute("tabindex"));
    return ["BUTTON", "INPUT", "SELECT"].includes(this.nodeName) || this.hasAttribute("href") ? 0 : -1;
  }

  get children() { return this.childNodes.filter((node) => node instanceof FakeElement); }
  get firstChild() { return this.childNodes[0] ?? null; }
  get textContent() { return this.childNodes.map((node) => node.textContent).join(""); }
  set textContent(text) {
    while (this.firstChild) this.firstChild.remove();
    if (text) this.append(text);
  }

  append(...nodes) {
    for (const node of nodes) this.insertBefore(node instanceof FakeNode ? node : new FakeText(String(node)), null);
  }

  insertBefore(node, place) {
    node.remove();
    this.childNodes.splice(place ? this.childNodes.indexOf(place) : this.childNodes.length, 0, node);
    node.parentElement = this;
  }

  focus() {
    if (this.isConnected && (this.tabIndex >= 0 || this.hasAttribute("tabindex"))) document.activeElement = this;
  }

  matches(selectors) { return selectors.split(", ").some((selector) => isAsked(this, selector)); }

  querySelectorAll(selectors) {
    const within = this.children.flatMap((child) => [child, ...child.querySelectorAll("*")]);
    return selectors === "*" ? within : within.filter((element) => element.matches(selectors));
  }

  querySelector(selectors) { return this.querySelectorAll(selectors)[0] ?? null; }
}

class FakeDocument extends EventTarget {
  hidden = false;

  constructor() {
    super();
    this.documentElement = new FakeElement("html");
    this.body = new FakeElement("body");
    this.activeElement = this.body;
  }

  createElement(name) { return new FakeElement(name); }
  createElementNS(_, name) { return new FakeElement(name); }
  createTextNode(text) { return new FakeText(text); }
  getElementById(id) { return this.documentElement.querySelector(`#${id}`); }
  querySelector(selectors) { return this.documentElement.querySelector(selectors); }
}

/** Puts a document in place, with the elements of index.html that are asked for by their ids. */
export function useDocument() {
  globalThis.Node = FakeNode;
  globalThis.document = new FakeDocument();
  document.documentElement.append(document.body);
  for (const id of ["main", "toast"]) {
    const element = document.createElement("div");
    element.setAttribute("id", id);
    element.setAttribute("tabindex", "-1");
    document.body.append(element);
  }
}
