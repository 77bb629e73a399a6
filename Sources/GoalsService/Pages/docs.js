"use strict";

/** Sets out the text of openapi.yaml that is in the page. */
function start() {
  const main = document.getElementById("reference");
  try {
    show(new Contract(readYAML(document.getElementById("contract").textContent ?? "")), main);
  } catch (error) {
    main.prepend(el("p", { role: "alert" }, "This could not be set out: ", error.message,
      ". It is below as it is written."));
    throw error;
  } finally {
    main.removeAttribute("aria-busy");
  }
}

/** @param {Contract} contract @param {HTMLElement} main */
function show(contract, main) {
  const reference = new Reference(contract);
  const { before, parts } = reference.guide();
  const contents = document.getElementById("contents");
  document.getElementById("version").textContent = contract.info.version;
  document.getElementById("about").replaceChildren(el("p", {}, contract.info.summary), ...before);

  const page = [el("div", { class: "group" }, parts)];
  const toc = [tocGroup("Guide", parts.map((part) =>
    [part.id, part.querySelector("h2").firstChild?.textContent]))];
  /** @type {(id: string, title: string, description: string | undefined, sections: Inner[], entries: Entry[]) => void} */
  const group = (id, title, description, sections, entries) => {
    page.push(el("div", { class: "group" }, el("h2", { id }, title), markdown(description), sections));
    toc.push(tocGroup(title, entries));
  };
  for (const { tag, operations, description } of reference.operations()) {
    group(slug(`tag ${tag}`), tag, description, operations.map((one) => reference.operation(one)),
      operations.map(({ id, method, path, summary }) =>
        [id, [methodBadge(method), " ", summary], `${method} ${path}`]));
  }
  group("problem-codes", "Problem codes", "Every code that a problem can have; its `type` leads here.",
    contract.codes.map((one) => reference.code(one)), contract.codes.map(({ code }) => [code, code]));
  group("schemas", "Schemas", "What goes over the wire: the objects and their fields.",
    contract.shapes.map((name) => reference.schema(name)),
    contract.shapes.map((name) => [`schema-${name}`, name]));

  main.replaceChildren(...page);
  linkMentions(contract, main);
  contents.replaceChildren(...toc);
  const filter = new Filter(document.getElementById("filter"), main, contents);
  addEventListener("hashchange", () => filter.reveal());
  filter.reveal();
  // What the address names was not there when the page was opened: only now it can be the target.
  if (location.hash) location.replace(location.hash);
  markPlace([...main.querySelectorAll("[data-find]")], filter.entries);
}

/**
 * Makes links of codes, and of methods with their paths, wherever the text mentions them.
 *
 * @param {Contract} contract
 * @param {HTMLElement} main
 */
function linkMentions(contract, main) {
  const targets = new Map(contract.codes.map(({ code }) => [code, code]));
  for (const { method, path, id } of contract.operations) targets.set(`${method} ${path}`, id);
  for (const mention of main.querySelectorAll("code")) {
    const target = targets.get(mention.textContent ?? "");
    if (!target || mention.closest("a, pre, summary, h2, h3, h4, .route, .rules, thead")) continue;
    if (mention.closest("section")?.id === target) continue;
    const link = el("a", { href: `#${target}` });
    mention.replaceWith(link);
    link.append(mention);
  }
}

/** @typedef {[id: string, label: Inner, hint?: string]} Entry of the contents */

/** @param {string} title @param {Entry[]} entries */
function tocGroup(title, entries) {
  const isLong = title === "Schemas" || title === "Problem codes";
  return el("details", { open: !isLong }, el("summary", {}, title),
    el("ul", {}, entries.map(([id, label, hint]) =>
      el("li", {}, el("a", { href: `#${id}`, title: hint }, label)))));
}

/** Hides what does not hold all the words that were typed. */
class Filter {
  /** @param {HTMLInputElement} input @param {HTMLElement} main @param {HTMLElement} contents */
  constructor(input, main, contents) {
    this.input = input;
    this.parts = [...main.querySelectorAll("[data-find]")];
    this.groups = [...main.querySelectorAll(".group")];
    this.entries = new Map([...contents.querySelectorAll("a")].map((link) =>
      [link.hash.slice(1), link.parentElement]));
    this.lists = [...contents.querySelectorAll("details")];
    this.wasOpen = this.lists.map((list) => list.open);
    this.found = document.getElementById("found");
    input.addEventListener("input", () => this.apply());
    input.addEventListener("keydown", (event) => { if (event.key === "Escape") this.clear(); });
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(input|textarea|select)$/i.test(event.target.tagName)) return;
      event.preventDefault();
      document.getElementById("sidebar").open = true;
      input.focus();
    });
  }

  apply() {
    const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const part of this.parts) {
      const matches = words.every((word) => part.dataset.find?.includes(word));
      part.hidden = !matches;
      const entry = this.entries.get(part.id);
      if (entry) entry.hidden = !matches;
      if (matches) count += 1;
    }
    for (const group of this.groups) group.hidden = !group.querySelector("[data-find]:not([hidden])");
    this.lists.forEach((list, index) => {
      list.hidden = !list.querySelector("li:not([hidden])");
      list.open = words.length > 0 || this.wasOpen[index];
    });
    this.found.textContent = !words.length ? "" : count === 1 ? "1 section" : `${count || "No"} sections`;
  }

  clear() {
    this.input.value = "";
    this.apply();
  }

  /** Goes to the part that the address names, hidden or not. */
  reveal() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.closest("[hidden]")) this.clear();
    target.scrollIntoView();
  }
}

/**
 * Marks in the contents what is being read: the part at the top of the window.
 *
 * @param {HTMLElement[]} parts
 * @param {Map<string, HTMLElement | null>} entries by the ids of the parts
 */
function markPlace(parts, entries) {
  const contents = document.querySelector("nav");
  /** @type {HTMLElement | null} */
  let current = null;
  const observer = new IntersectionObserver((changes) => {
    const top = changes.findLast(({ isIntersecting }) => isIntersecting)?.target;
    const link = top && entries.get(top.id)?.querySelector("a");
    if (!link || link === current) return;
    current?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    current = link;
    if (!contents.matches(":hover, :focus-within")) link.scrollIntoView({ block: "nearest" });
  }, { rootMargin: "-10% 0px -89% 0px" });
  parts.forEach((part) => observer.observe(part));
}

/** The token stays in this tab, until it is closed. */
function keepToken() {
  const input = document.getElementById("token");
  const shown = document.getElementById("token-shown");
  input.value = sessionStorage.getItem(TOKEN) ?? "";
  input.addEventListener("input", () => {
    const token = input.value.trim();
    if (token) sessionStorage.setItem(TOKEN, token);
    else sessionStorage.removeItem(TOKEN);
    document.dispatchEvent(new Event("token"));
  });
  shown.addEventListener("change", () => { input.type = shown.checked ? "text" : "password"; });
}

/** On a wide screen the contents stand beside the text, always open. */
function placeContents() {
  const sidebar = document.getElementById("sidebar");
  const wide = matchMedia("(min-width: 60rem)");
  const place = () => { sidebar.open = wide.matches; };
  wide.addEventListener("change", place);
  place();
  sidebar.addEventListener("click", (event) => {
    if (event.target.closest("a") && !wide.matches) sidebar.open = false;
  });
}

keepToken();
placeContents();
start();
