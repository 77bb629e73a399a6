"use strict";

/**
 * Reads YAML as openapi.yaml uses it: block and flow collections, plain and quoted scalars, `|` and
 * `>`, comments. Everything else (anchors, tags, several documents) is refused with the number of
 * its line, so nothing is ever read as something else. The values are those of JSON.
 *
 * @param {string} yaml
 * @returns {any}
 */
function readYAML(yaml) {
  const lines = yaml.replace(/\r\n?/g, "\n").split("\n");
  let at = 0;

  /** @param {string} reason @returns {never} */
  function fail(reason) {
    throw new Error(`YAML, line ${at + 1}: ${reason}`);
  }
  /** @param {string} line */
  function indentation(line) {
    return line.length - line.trimStart().length;
  }
  /** Goes on to the next line that says something; false at the end. */
  function seek() {
    while (at < lines.length && /^\s*(#|$)/.test(lines[at])) at += 1;
    if (at < lines.length && /^ *\t/.test(lines[at])) fail("a tab in the indentation");
    return at < lines.length;
  }

  const QUOTED = /"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'/;
  const PLAIN = /([^\s\-?:,[\]{}#&*!|>'"%@`].*?|[-?:]\S.*?)/;
  const KEY = new RegExp(`^(?:${QUOTED.source}|${PLAIN.source})\\s*:(?:\\s+(.*))?$`);

  /**
   * The collection or scalar that begins in this line, at this indentation.
   *
   * @param {number} indent
   * @returns {any}
   */
  function block(indent) {
    const rest = lines[at].slice(indent);
    if (/^-(\s|$)/.test(rest)) return sequence(indent);
    if (KEY.test(rest)) return mapping(indent);
    at += 1;
    return value(rest, indent - 1);
  }

  /** @param {number} indent */
  function sequence(indent) {
    /** @type {any[]} */
    const items = [];
    while (seek() && indentation(lines[at]) === indent && /^-(\s|$)/.test(lines[at].slice(indent))) {
      const rest = lines[at].slice(indent + 1);
      if (/^\s*(#.*)?$/.test(rest)) {
        at += 1;
        items.push(nested(indent));
      } else {
        // What stands behind the dash is a block of its own, as deep as it stands.
        lines[at] = " ".repeat(indent + 1) + rest;
        items.push(block(indentation(lines[at])));
      }
    }
    if (seek() && indentation(lines[at]) > indent) fail("deeper than the sequence it is in");
    return items;
  }

  /** @param {number} indent */
  function mapping(indent) {
    /** @type {Record<string, any>} */
    const members = {};
    while (seek() && indentation(lines[at]) === indent) {
      const match = KEY.exec(lines[at].slice(indent));
      if (!match && /^-(\s|$)/.test(lines[at].slice(indent))) break;
      const [, double, single, bare, rest = ""] = match ?? fail("a key was expected");
      const key = bare ?? (double === undefined ? single.replaceAll("''", "'") : unescaped(double));
      if (Object.hasOwn(members, key)) fail(`the key ${key} comes twice`);
      at += 1;
      members[key] = /^(#.*)?$/.test(rest) ? nested(indent, true) : value(rest, indent);
    }
    if (seek() && indentation(lines[at]) > indent) fail("deeper than the mapping it is in");
    return members;
  }

  /**
   * What belongs to a key or a dash that ends its line.
   *
   * @param {number} indent
   */
  function nested(indent, isMember = false) {
    if (!seek()) return null;
    const depth = indentation(lines[at]);
    const isItem = isMember && depth === indent && /^-(\s|$)/.test(lines[at].slice(depth));
    return depth > indent || isItem ? block(depth) : null;
  }

  /**
   * A value that begins in the line before; lines that are deeper than `indent` go on with it.
   *
   * @param {string} text
   * @param {number} indent
   */
  function value(text, indent) {
    if (/^[&*!%@`]/.test(text)) fail(`what begins with ${text[0]} is not read here`);
    if (/^[|>]/.test(text)) return scalar(text, indent);
    if (/^["'[{]/.test(text)) {
      for (let whole = text; ; ) {
        const read = flow(whole);
        if (read) return read.value;
        if (at >= lines.length || (lines[at].trim() && indentation(lines[at]) <= indent)) {
          fail("a quote or a bracket is open");
        }
        whole += ` ${lines[at].trim()}`;
        at += 1;
      }
    }
    let words = text.replace(/\s+#.*$/, "").trim();
    while (at < lines.length && lines[at].trim() && indentation(lines[at]) > indent) {
      if (/^\s*#/.test(lines[at]) || KEY.test(lines[at].trim())) fail("a plain scalar was going on");
      words += ` ${lines[at].replace(/\s+#.*$/, "").trim()}`;
      at += 1;
    }
    if (/:(\s|$)/.test(words)) fail("a mapping can't begin here");
    return plain(words);
  }

  /**
   * A literal or a folded scalar.
   *
   * @param {string} header
   * @param {number} indent
   */
  function scalar(header, indent) {
    const match = /^([|>])([-+]?)\s*(#.*)?$/.exec(header) ?? fail("such a header is not read here");
    let depth = 0;
    const content = [];
    for (; at < lines.length; at += 1) {
      const line = lines[at];
      if (line.trim()) {
        depth ||= indentation(line);
        if (depth <= indent || indentation(line) < depth) break;
      }
      content.push(line.slice(depth));
    }
    let end = 0;
    for (; content.length && !content.at(-1)?.trim(); content.pop()) end += 1;
    let text = content.join("\n");
    if (match[1] === ">") {
      if (/^\s/m.test(text.replace(/\n+/g, "\n"))) fail("deeper lines in a folded scalar");
      text = text.replace(/(\n+)/g, (breaks) => (breaks.length > 1 ? breaks.slice(1) : " "));
    }
    if (match[2] === "-" || (!content.length && match[2] === "")) return text;
    return text + (match[2] === "+" ? "\n".repeat(end + 1) : "\n");
  }

  /** @param {string} text */
  function plain(text) {
    if (/^(null|Null|NULL|~|)$/.test(text)) return null;
    if (/^(true|True|TRUE)$/.test(text)) return true;
    if (/^(false|False|FALSE)$/.test(text)) return false;
    return /^[-+]?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
  }

  /** @param {string} text */
  function unescaped(text) {
    /** @type {Record<string, string>} */
    const named = { n: "\n", t: "\t", r: "\r", 0: "\0", '"': '"', "\\": "\\", "/": "/", " ": " " };
    return text.replace(/\\(x..|u....|[^])/g, (_, code) =>
      code.length > 1
        ? String.fromCharCode(parseInt(code.slice(1), 16))
        : (named[code] ?? fail(`there is no escape \\${code}`)));
  }

  /**
   * A quoted scalar or a flow collection with nothing behind it; undefined while it is not closed.
   *
   * @param {string} text
   * @returns {{ value: any } | undefined}
   */
  function flow(text) {
    let from = 0;
    const open = Symbol("open");
    const skip = () => { from = text.length - text.slice(from).trimStart().length; };
    /** @param {RegExp} pattern */
    const next = (pattern) => {
      const match = pattern.exec(text.slice(from));
      if (!match) throw open;
      from += match[0].length;
      return match[1];
    };
    /** @returns {any} */
    function read() {
      skip();
      if (text[from] === '"') return unescaped(next(/^"((?:[^"\\]|\\.)*)"/));
      if (text[from] === "'") return next(/^'((?:[^']|'')*)'/).replaceAll("''", "'");
      if (text[from] === "[" || text[from] === "{") return collection(text[from] === "{");
      if (from >= text.length) throw open;
      return plain(next(/^((?:[^,[\]{}:]|:(?=\S))*)/).trim());
    }
    /** @param {boolean} isMapping */
    function collection(isMapping) {
      /** @type {any} */
      const found = isMapping ? {} : [];
      const close = isMapping ? "}" : "]";
      for (from += 1, skip(); text[from] !== close; skip()) {
        const item = read();
        skip();
        if (isMapping) {
          if (Object.hasOwn(found, item)) fail(`the key ${item} comes twice`);
          found[item] = text[from] === ":" ? ((from += 1), read()) : null;
          skip();
        } else {
          found.push(item);
        }
        if (from >= text.length) throw open;
        if (text[from] === ",") from += 1;
        else if (text[from] !== close) fail("a comma is missing");
      }
      from += 1;
      return found;
    }
    try {
      const found = read();
      skip();
      if (from < text.length && text[from] !== "#") fail(`what is behind ${text.slice(0, from)}?`);
      return { value: found };
    } catch (error) {
      if (error !== open) throw error;
      return undefined;
    }
  }

  const document = seek() ? block(indentation(lines[at])) : null;
  if (seek()) fail("something is left over");
  return document;
}
