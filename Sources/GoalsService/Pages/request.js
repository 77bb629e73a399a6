"use strict";

const TOKEN = "goals.token";

/** The most of an answer that is shown, in characters, and the most events of a stream. */
const SHOWN = { characters: 200_000, events: 500 };

/** Headers that a page can't set (Fetch §2.2.2). */
const FORBIDDEN = /^(cookie|origin|host|referer|connection|content-length|expect)$/i;

/**
 * Text as one word of a POSIX shell.
 *
 * @param {string} text
 */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * The same request for a terminal, where TOKEN holds the token.
 *
 * @param {Written} request
 */
function curlLine({ method, url, headers, body, isStream }) {
  const usual = method === (body === undefined ? "GET" : "POST");
  const lines = [`curl ${isStream ? "-iN" : "-i"}${usual ? "" : ` -X ${method}`} ${quoted(url)}`];
  for (const [name, value] of headers) {
    const isToken = name === "Authorization";
    lines.push(`-H ${isToken ? '"Authorization: Bearer $TOKEN"' : quoted(`${name}: ${value}`)}`);
  }
  if (body !== undefined) lines.push(`--data-raw ${quoted(body)}`);
  return lines.join(" \\\n  ");
}

/**
 * JSON on several lines, number for number and letter for letter as it came.
 *
 * @param {string} json
 */
function indented(json) {
  const pieces = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let text = "";
  pieces.forEach((piece, at) => {
    const line = () => `\n${"  ".repeat(depth)}`;
    if (piece === "{" || piece === "[") {
      depth += 1;
      text += piece + (/[}\]]/.test(pieces[at + 1] ?? "") ? "" : line());
    } else if (piece === "}" || piece === "]") {
      depth -= 1;
      text += (/^[{[]$/.test(pieces[at - 1] ?? "") ? "" : line()) + piece;
    } else {
      text += piece === "," ? piece + line() : piece === ":" ? ": " : piece;
    }
  });
  return text;
}

/** A new UUID, also where the page came over plain HTTP (crypto.randomUUID is missing there). */
function newUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * A form for one operation, made when it is first opened.
 *
 * @param {Operation} operation
 * @param {Contract} contract
 */
function tryOut(operation, contract) {
  const details = el("details", { class: "try" }, el("summary", {}, "Try it"));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(new Trial(operation, contract).form);
  });
  return details;
}

/** One operation that can be sent from the page, and what came of it. */
class Trial {
  /** @param {Operation} operation @param {Contract} contract */
  constructor(operation, contract) {
    this.operation = operation;
    this.contract = contract;
    /** @type {{ parameter: Described, input: HTMLInputElement | HTMLSelectElement }[]} */
    this.inputs = [];
    /** @type {HTMLTextAreaElement | undefined} */
    this.text = undefined;
    this.media = { value: "" };
    /** @type {AbortController | undefined} what is under way */
    this.running = undefined;
    this.line = el("code", { class: "curl" });
    this.result = el("div", { class: "result" });
    // Read out: only the status, not the whole answer.
    this.status = el("p", { class: "outcome", role: "status" });
    this.tokenless = el("span", {}, "On this page, ", el("a", { href: "#token" }, "give one first"), ".");
    this.send = el("button", { type: "submit" }, "Send");
    this.stop = el("button", { type: "button", class: "quiet", hidden: true,
      onclick: () => this.running?.abort() }, "Stop");
    this.form = el("form", {
      novalidate: true, onsubmit: (/** @type {Event} */ event) => this.submit(event), oninput: () => this.showLine(),
    },
      operation.parameters.filter(({ name }) => !FORBIDDEN.test(name)).map((one) => this.parameter(one)),
      operation.body ? this.body(operation.body) : null,
      el("div", { class: "line" },
        el("pre", { tabindex: "0", role: "group", "aria-label": "The same with curl" }, this.line),
        copyButton(() => this.line.textContent ?? "")),
      operation.needsToken ? el("p", { class: "small" }, "In a terminal, ", el("code", {}, "TOKEN"),
        " has to hold your token. ", this.tokenless) : null,
      el("p", { class: "buttons" }, this.send, " ", this.stop), this.status, this.result);
    document.addEventListener("token", () => this.showLine());
    this.showLine();
  }

  /** @param {string} part */
  name(part) {
    return `try-${this.operation.id}-${part}`;
  }

  // The form

  /** @param {Described} parameter */
  parameter(parameter) {
    const id = this.name(parameter.name);
    const schema = this.contract.follow(parameter.schema);
    const example = parameter.example ?? schema.example;
    const options = schema.type === "boolean" ? ["true", "false"] : schema.enum?.map(String);
    const input = options
      ? el("select", { id }, el("option", { value: "" }, "—"),
        options.map((/** @type {string} */ option) => el("option", {}, option)))
      : el("input", { id, type: "text", autocomplete: "off", spellcheck: "false", autocapitalize: "off",
        value: parameter.required ? example ?? "" : "", placeholder: hint(schema, example),
        required: parameter.required });
    this.inputs.push({ parameter, input });
    const fresh = parameter.in === "header" && schema.format === "uuid" ? el("button", {
      type: "button", class: "quiet", "aria-label": `A new UUID as ${parameter.name}`,
      onclick: () => { input.value = newUUID(); this.showLine(); },
    }, "New") : null;
    return el("p", { class: "field" }, el("label", { for: id }, parameter.name, " ",
      el("span", { class: "where" }, placeOf(parameter))), el("span", { class: "entry" }, input, fresh));
  }

  /** @param {NonNullable<Operation["body"]>} body */
  body(body) {
    const id = this.name("body");
    const examples = body.contents.flatMap((content) => content.examples);
    const text = el("textarea", { id, rows: "4", spellcheck: "false", autocapitalize: "off" });
    this.text = text;
    /** @param {number} index */
    const fill = (index) => {
      const value = examples[index]?.value ?? "";
      text.value = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      text.rows = Math.min(16, Math.max(3, text.value.split("\n").length));
    };
    fill(0);
    const choice = examples.length > 1 ? el("select", { "aria-label": "Fill in an example",
      onchange: (/** @type {any} */ event) => { fill(event.target.selectedIndex); this.showLine(); } },
    examples.map(({ name, summary }) => el("option", {}, summary ?? name))) : null;
    const types = body.contents.map(({ type }) => type);
    const choices = types.length > 1 && el("select", { "aria-label": "Content-Type" },
      types.map((type) => el("option", {}, type)));
    this.media = choices || { value: types[0] };
    return el("p", { class: "field" },
      el("label", { for: id }, "Body",
        body.required ? "" : el("span", { class: "where" }, " empty sends none")),
      el("span", { class: "entry" }, choice, choices), text);
  }

  // The request

  /** @returns {Written} */
  request() {
    const { method, needsToken, answers } = this.operation;
    let path = this.operation.path;
    const query = new URLSearchParams();
    /** @type {[string, string][]} */
    const headers = [];
    const token = sessionStorage.getItem(TOKEN);
    if (needsToken && token) headers.push(["Authorization", `Bearer ${token}`]);
    for (const { parameter, input } of this.inputs) {
      const value = input.value.trim();
      if (parameter.in === "path") path = path.replace(`{${parameter.name}}`, encodeURIComponent(value));
      else if (!value) continue;
      else if (parameter.in === "query") query.append(parameter.name, value);
      else if (parameter.in === "header") headers.push([parameter.name, value]);
    }
    const body = this.text?.value.trim() ? this.text.value : undefined;
    if (body !== undefined) headers.push(["Content-Type", this.media.value]);
    const isStream = answers.some(({ contents }) =>
      contents.some(({ type }) => type === "text/event-stream"));
    const search = query.size ? `?${query.toString().replaceAll("+", "%20")}` : "";
    return { method, url: `${location.origin}${path}${search}`, headers, body, isStream };
  }

  showLine() {
    const request = this.request();
    this.tokenless.hidden = Boolean(sessionStorage.getItem(TOKEN));
    // The line is for somebody with a token, whether this page has it yet or not.
    if (this.operation.needsToken && !request.headers.some(([name]) => name === "Authorization")) {
      request.headers.unshift(["Authorization", ""]);
    }
    this.line.textContent = curlLine(request);
  }

  /** @param {Event} event */
  async submit(event) {
    event.preventDefault();
    const empty = this.inputs.find(({ parameter, input }) => parameter.required && !input.value.trim());
    if (empty) {
      this.say(`${empty.parameter.name} is needed.`, "bad");
      empty.input.focus();
      return;
    }
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.stop.hidden = false;
    this.result.replaceChildren();
    this.say("Sent…");
    const { method, url, headers, body } = this.request();
    const began = performance.now();
    try {
      // No cookies: what is sent is what the curl line says.
      const response = await fetch(url, { method, headers, body, credentials: "omit", cache: "no-store",
        redirect: "manual", signal: running.signal });
      const status = `${response.status} ${response.statusText}`.trim();
      const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream");
      const time = Math.round(performance.now() - began);
      this.say(`${status}, after ${time} ms${isStream ? ", and listening" : ""}`,
        response.ok || response.status === 304 ? "good" : "bad");
      const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
      this.result.append(el("details", {}, el("summary", {}, "Headers"),
        framed(fields, "Headers of the answer")));
      if (isStream) await this.follow(response);
      else await this.showBody(response);
    } catch (error) {
      if (this.running !== running) return;
      this.say(error.name === "AbortError" ? "Stopped." : `There was no answer: ${error.message}`,
        error.name === "AbortError" ? "" : "bad");
    } finally {
      if (this.running === running) this.stop.hidden = true;
    }
  }

  /** @param {string} text */
  say(text, kind = "") {
    this.status.className = `outcome ${kind}`;
    this.status.textContent = text;
  }

  // The answer

  /** @param {Response} response */
  async showBody(response) {
    const text = await response.text();
    const type = (response.headers.get("Content-Type") ?? "").split(";")[0].trim();
    if (!text) {
      this.result.append(el("p", { class: "small" }, "No body."));
      return;
    }
    const isJSON = /[/+]json$/.test(type);
    if (type === "image/svg+xml") {
      const src = `data:image/svg+xml,${encodeURIComponent(text)}`;
      this.result.append(el("img", { src, alt: "The picture that was answered" }));
    }
    const shown = isJSON ? indented(text) : text;
    this.result.append(framed(shown.slice(0, SHOWN.characters), "Body of the answer"));
    if (shown.length > SHOWN.characters) {
      this.result.append(el("p", { class: "small" },
        `The first ${SHOWN.characters} of ${shown.length} characters.`));
    }
    const problem = type === "application/problem+json" ? /"code":"([a-z0-9-]+)"/.exec(text)?.[1] : null;
    if (problem && document.getElementById(problem)) {
      this.result.append(el("p", { class: "small" }, "What it means: ", codeLink(problem)));
    }
  }

  /**
   * Shows the events of a stream as they come (WHATWG HTML §9.2.6).
   *
   * @param {Response} response
   */
  async follow(response) {
    const list = el("ol", { class: "events", role: "log", "aria-label": "Events", tabindex: "0" });
    this.result.append(list);
    const body = /** @type {ReadableStream} */ (response.body);
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let buffer = "";
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- One part comes after the other.
      const { done, value } = await reader.read();
      if (done) break;
      buffer += value;
      const blocks = buffer.split(/\r?\n\r?\n/);
      buffer = blocks.pop() ?? "";
      for (const block of blocks) this.event(block, list);
    }
    this.say("The server ended the stream.");
  }

  /** @param {string} block @param {HTMLElement} list */
  event(block, list) {
    /** @type {Record<string, any>} */
    const fields = { event: "", id: "", data: [] };
    for (const line of block.split(/\r?\n/)) {
      const [, name, value] = /^([a-z]*): ?(.*)$/.exec(line) ?? ["", line, ""];
      if (name === "data") fields.data.push(value);
      else if (name in fields) fields[name] = value;
    }
    const isComment = block.startsWith(":");
    const data = fields.data.join("\n");
    list.append(el("li", {}, el("b", {}, isComment ? "comment" : fields.event || "message"), " ",
      el("code", {}, isComment ? block.slice(1).trim() : fields.id),
      data ? el("pre", {}, el("code", {}, /^[{[]/.test(data) ? indented(data) : data)) : null));
    while (list.children.length > SHOWN.events) list.firstChild?.remove();
    list.scrollTop = list.scrollHeight;
  }
}

/** @param {Described} schema @param {unknown} example */
function hint(schema, example) {
  if (schema.default !== undefined) return `default ${schema.default}`;
  return example === undefined ? "" : `such as ${example}`;
}

/**
 * A button that copies a text, also where the page came over plain HTTP.
 *
 * @param {() => string} text
 */
function copyButton(text) {
  const button = el("button", { type: "button", class: "quiet" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(text());
      else {
        const line = /** @type {Node} */ (button.parentElement?.querySelector("code"));
        getSelection()?.selectAllChildren(line);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
    } catch {
      button.textContent = "Not copied";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return button;
}
