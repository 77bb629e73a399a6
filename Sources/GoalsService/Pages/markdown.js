"use strict";

/**
 * An element. Properties and attributes come by name, children as nodes, texts, or lists of them;
 * what is null or false is left out. Texts stay texts, whatever is in them.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  /** @type {any[]} */
  const parts = children.flat(Infinity);
  element.append(...parts.filter((part) => part !== null && part !== undefined && part !== false));
  return element;
}

/**
 * A heading's text as an anchor.
 *
 * @param {string} text
 */
function slug(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
}

/**
 * Text within a line: `code`, **strong**, [links](to) and addresses.
 *
 * @param {string} text
 * @returns {(Node | string)[]}
 */
function inline(text) {
  const nodes = [];
  const pattern = new RegExp([
    /(`+)(.+?)\1/, /\*\*(.+?)\*\*/, /\[([^\]]+)\]\(([^)\s]+)\)/,
    /(https?:\/\/[^\s<>()]*[^\s<>().,;:])/,
  ].map(({ source }) => source).join("|"), "gs");
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, , code, strong, label, target, address] = match;
    nodes.push(text.slice(from, match.index));
    if (code !== undefined) nodes.push(el("code", {}, code));
    else if (strong !== undefined) nodes.push(el("strong", {}, inline(strong)));
    else if (/^(https?:\/\/|\/|#)/.test(target ?? address)) {
      nodes.push(el("a", { href: target ?? address }, label ? inline(label) : address));
    } else nodes.push(whole);
    from = (match.index ?? 0) + whole.length;
  }
  nodes.push(text.slice(from));
  return nodes.filter((node) => node !== "");
}

/**
 * The part of Markdown that openapi.yaml is written in: headings, paragraphs, lists, tables, fenced
 * code. Nodes; a heading `#` becomes `h1` and so on, `deeper` levels lower.
 *
 * @param {string | undefined} text
 */
function markdown(text, deeper = 0) {
  const lines = (text ?? "").split("\n");
  const nodes = [];
  const BULLET = /^ *(?:[-*]|\d+\.) +/;
  /** @param {string} line */
  const isStart = (line) => /^(#{1,6} |```|\|)/.test(line) || BULLET.test(line);
  /** @param {string} line */
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

  for (let at = 0; at < lines.length; ) {
    const line = lines[at];
    const heading = /^(#{1,6}) +(.*)$/.exec(line);
    if (!line.trim()) {
      at += 1;
    } else if (heading) {
      const level = Math.min(6, heading[1].length + deeper);
      nodes.push(el(/** @type {"h1"} */ (`h${level}`), { id: slug(heading[2]) }, inline(heading[2])));
      at += 1;
    } else if (line.startsWith("```")) {
      const code = [];
      for (at += 1; at < lines.length && !lines[at].startsWith("```"); at += 1) code.push(lines[at]);
      nodes.push(el("pre", { tabindex: "0" }, el("code", {}, code.join("\n"))));
      at += 1;
    } else if (line.startsWith("|")) {
      const rows = [];
      for (; at < lines.length && lines[at].startsWith("|"); at += 1) rows.push(cells(lines[at]));
      const [head, , ...body] = rows;
      nodes.push(table(head.map(inline), body.map((row) => row.map(inline))));
    } else if (BULLET.test(line)) {
      const list = el(/^ *\d/.test(line) ? "ol" : "ul");
      while (at < lines.length && BULLET.test(lines[at])) {
        let item = lines[at].replace(BULLET, "");
        for (at += 1; at < lines.length && /^ +\S/.test(lines[at]) && !isStart(lines[at]); at += 1) {
          item += ` ${lines[at].trim()}`;
        }
        list.append(el("li", {}, inline(item)));
      }
      nodes.push(list);
    } else {
      const words = [];
      for (; at < lines.length && lines[at].trim(); at += 1) {
        if (words.length && isStart(lines[at])) break;
        words.push(lines[at].trim());
      }
      nodes.push(el("p", {}, inline(words.join(" "))));
    }
  }
  return nodes;
}

/**
 * A table in a frame that scrolls by itself where the page is narrow.
 *
 * @param {Inner[]} head
 * @param {Inner[][]} rows
 */
function table(head, rows, kind = "") {
  return el("div", { class: `table ${kind}`.trim() },
    el("table", {},
      el("thead", {}, el("tr", {}, head.map((cell) =>
        [cell].flat().length ? el("th", { scope: "col" }, cell) : el("td")))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, column) =>
        column ? el("td", {}, cell) : el("th", { scope: "row" }, cell)))))));
}
