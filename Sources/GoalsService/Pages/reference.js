"use strict";

/** The contract as parts of a page. Each part can be found by the filter: `data-find` is its text. */
class Reference {
  /** @param {Contract} contract */
  constructor(contract) {
    this.contract = contract;
  }

  /**
   * A part with a heading that links to itself.
   *
   * @param {string} kind
   * @param {string} id
   * @param {2 | 3} level
   * @param {Inner} title
   * @param {string[]} words by which it is found
   * @param {Inner[]} children
   */
  part(kind, id, level, title, words, ...children) {
    // Without a name: a hundred landmarks would be none.
    return el("section", { class: kind, id, "data-find": words.join(" ").toLowerCase() },
      el(`h${level}`, {}, title, " ",
        el("a", { class: "anchor", href: `#${id}`, "aria-label": "Link to this section" }, "#")),
      children);
  }

  // The text before the operations

  /** One part for each second-level heading of the description. */
  guide() {
    /** @type {string[]} */
    const [before, ...sections] = this.contract.info.description.split(/\n(?=## )/);
    const parts = sections.map((section) => {
      const [heading, ...text] = section.split("\n");
      const title = heading.slice(3).trim();
      return this.part("guide", slug(title), 2, title, [section], markdown(text.join("\n")));
    });
    return { before: markdown(before), parts };
  }

  // Operations

  operations() {
    const { contract } = this;
    /** @type {{ name: string, description?: string }[]} */
    const all = contract.tags;
    const tags = all.map(({ name }) => name);
    const others = contract.operations.map(({ tag }) => tag).filter((tag) => !tags.includes(tag));
    return [...tags, ...new Set(others)].map((tag) => {
      const operations = contract.operations.filter((one) => one.tag === tag);
      const description = all.find(({ name }) => name === tag)?.description;
      return { tag, operations, description };
    }).filter(({ operations }) => operations.length);
  }

  /** @param {Operation} operation */
  operation(operation) {
    const { id, method, path, summary, description } = operation;
    const answers = operation.answers.flatMap((answer) =>
      [answer.status, ...this.contract.explained(answer).map(({ code }) => code)]);
    return this.part("operation", id, 3, summary, [id, method, path, summary, description, ...answers],
      el("p", { class: "route" },
        methodBadge(method), " ", pathOf(path),
        operation.needsToken ? null : el("span", { class: "note" }, "no token needed")),
      markdown(description, 3),
      tryOut(operation, this.contract),
      this.parameters(operation),
      this.body(operation),
      this.answers(operation),
      this.problems(operation));
  }

  /** @param {Operation} operation */
  parameters({ parameters }) {
    if (!parameters.length) return null;
    return [
      el("h4", {}, "Parameters"),
      table(["Name", "Value", "Meaning"], parameters.map((parameter) => [
        [el("code", {}, parameter.name), " ", el("span", { class: "where" }, placeOf(parameter)),
          parameter.required ? requiredMark() : null],
        this.type(parameter.schema),
        [markdown(parameter.description), this.rules(parameter.schema, parameter.description ?? "")],
      ]), "fields"),
    ];
  }

  /** @param {Operation} operation */
  body({ body }) {
    if (!body) return null;
    const [first] = body.contents;
    const types = body.contents.flatMap(({ type }, at) => [at ? " or " : "", el("code", {}, type)]);
    return [
      el("h4", {}, "Body"),
      el("p", {}, types, ": ", this.type(first.schema), body.required ? "" : ". It may be left out"),
      this.shape(first.schema),
      this.examples(first.examples, "Example"),
    ];
  }

  /** @param {Operation} operation */
  answers({ answers }) {
    return answers.filter((one) => !one.isProblem).map((answer) => [
      el("h4", { class: "answer" }, "Answer ", el("b", { class: "status" }, answer.status)),
      markdown(answer.description),
      answer.contents.map(({ type, schema }) => el("p", {}, el("code", {}, type), ": ", this.type(schema))),
      answer.contents.flatMap(({ examples }) => this.examples(examples, "Example")),
      answer.headers.length ? el("details", {},
        el("summary", {}, "Headers: ", answer.headers.map(({ name }) => name).join(", ")),
        table(["Header", "Meaning"], answer.headers.map((header) => [
          el("code", {}, header.name),
          [inline(header.description ?? ""), header.example === undefined ? null
            : [" ", el("code", {}, String(header.example))]],
        ]))) : null,
      answer.links.length ? el("p", { class: "then" }, "Then: ", answer.links.flatMap((link, at) => [
        at ? " · " : "",
        el("a", { href: `#${link.operationId}` }, (link.description ?? link.operationId).replace(/\.$/, "")),
      ])) : null,
    ]);
  }

  /**
   * Its own problems in a table, those of every request in one line.
   *
   * @param {Operation} operation
   */
  problems({ answers }) {
    const problems = answers.filter((one) => one.isProblem);
    /** @param {Answer} answer */
    const isShared = ({ reference }) => reference !== null && this.contract.everywhere.has(reference);
    const shared = problems.filter(isShared);
    const rows = problems.filter((one) => !isShared(one)).flatMap((answer) => {
      const explained = this.contract.explained(answer);
      if (!explained.length) return [[answer.status, "", markdown(answer.description)]];
      return explained.map(({ status, code, text }) => [status, codeLink(code), inline(sentence(text))]);
    });
    const codes = shared.flatMap((answer) => this.contract.explained(answer).map(({ code }) => code));
    return [
      el("h4", {}, "Problems"),
      rows.length ? table(["Status", "Code", "When"], rows, "problems") : null,
      codes.length ? el("p", { class: "small" }, rows.length ? "And what any request can meet: "
        : "What any request can meet: ",
        [...new Set(codes)].flatMap((code, at) => [at ? ", " : "", codeLink(code)]), ".") : null,
    ];
  }

  /** @param {Example[]} examples @param {string} title */
  examples(examples, title) {
    return examples.map(({ name, summary, value }, index) =>
      el("details", { class: "example", open: index === 0 },
        el("summary", {}, `${title}: ${summary ?? name}`),
        framed(typeof value === "string" ? value : JSON.stringify(value, null, 2), summary ?? name)));
  }

  // Problem codes

  /** @param {Code} code */
  code({ code, statuses, meanings, isOutcome }) {
    const several = meanings.size > 1;
    const said = [...meanings].map(([text, operations]) =>
      el(several ? "li" : "div", {}, el("p", {}, inline(sentence(text))), this.places([...operations])));
    return this.part("code", code, 3, [el("code", {}, code), " ",
      [...statuses].sort().map((status) => el("b", { class: "status" }, status))],
    [code, ...statuses, ...meanings.keys()],
    several ? el("ul", {}, said) : said,
    isOutcome ? el("p", { class: "small" }, "Also of one edit among many, as the ",
      el("code", {}, "code"), " of its ",
      el("a", { href: "#schema-RejectedOutcome" }, "outcome"), ".") : null);
  }

  /**
   * Where a code is met; many places are folded up.
   *
   * @param {Operation[]} operations
   */
  places(operations) {
    if (!operations.length) return null;
    const { operations: all } = this.contract;
    /** @param {Inner[]} text */
    const small = (...text) => el("p", { class: "small" }, text);
    if (operations.length === all.length) return small("At any operation.");
    const withToken = all.filter(({ needsToken }) => needsToken);
    if (operations.length === withToken.length && operations.every(({ needsToken }) => needsToken)) {
      return small("At any operation that needs a token.");
    }
    const links = operations.flatMap(({ id }, at) => [at ? ", " : "", el("a", { href: `#${id}` }, id)]);
    if (operations.length <= 6) return small("At ", links, ".");
    return el("details", {}, el("summary", {}, `At ${operations.length} operations`), small(links));
  }

  // Schemas

  /** @param {string} name */
  schema(name) {
    const schema = this.contract.schemas[name];
    return this.part("schema", `schema-${name}`, 3, name, [name, schema.description ?? ""],
      markdown(schema.description), this.shape(schema),
      this.examples((schema.examples ?? []).map((/** @type {unknown} */ value, /** @type {number} */ index) =>
        ({ name: String(index + 1), value })), "Example"));
  }

  /**
   * A table of an object's fields, or the list of what it may be.
   *
   * @param {Described} node
   */
  shape(node) {
    const fields = this.contract.fields(node);
    if (!fields.length) {
      const alternatives = this.contract.alternatives(node);
      if (!alternatives.length || !this.contract.isShape(node)) return null;
      const mapping = Object.entries(this.contract.follow(node).discriminator?.mapping ?? {});
      return [
        el("p", {}, "One of:"),
        el("ul", { class: "choice" }, alternatives.map((part) => {
          const key = mapping.find(([, target]) => target === part.$ref)?.[0];
          const description = this.contract.follow(part).description ?? "";
          return el("li", {}, key ? [el("code", {}, key), ": "] : null, this.type(part),
            description ? [". ", inline(description.replace(/\s+/g, " ").trim())] : null);
        })),
      ];
    }
    // What is read and ignored when it is sent back: all in one row.
    /** @param {Field} field */
    const isIgnored = ({ schema }) => {
      const { readOnly, type, description } = this.contract.follow(schema);
      return readOnly && !type && description === "Ignored.";
    };
    const ignored = fields.filter(isIgnored);
    /** @type {(list: Field[], prefix: string) => Inner[][]} */
    const rows = (list, prefix) => list.flatMap(({ name, schema, required }) => {
      const followed = this.contract.follow(schema);
      const own = followed.properties && !this.contract.nameOf(schema) ? this.contract.fields(schema) : [];
      return [[
        [el("code", {}, prefix + name), required ? requiredMark() : null],
        followed.readOnly ? el("span", { class: "small" }, "read-only") : this.type(schema),
        [markdown(this.meaning(schema)), this.rules(schema, followed.description ?? "")],
      ], ...rows(own, `${prefix}${name}.`)];
    });
    const written = rows(fields.filter((field) => !isIgnored(field)), "");
    if (ignored.length) {
      written.push([ignored.flatMap(({ name }, at) => [at ? " " : "", el("code", {}, name)]),
        el("span", { class: "small" }, "read-only"), "Ignored, so that what was read can be sent back."]);
    }
    return table(["Field", "Value", "Meaning"], written, "fields");
  }

  /**
   * What a field's own place says, or else what its type says, but not what a linked type says.
   *
   * @param {Described} schema
   * @returns {string}
   */
  meaning(schema) {
    const followed = this.contract.follow(schema);
    const own = schema?.description ?? "";
    if (own || (this.contract.nameOf(schema) && this.contract.isShape(schema))) return own;
    if (followed.description) return followed.description;
    const parts = this.contract.alternatives(schema);
    return parts.length === 1 ? this.meaning(parts[0]) : "";
  }

  /**
   * A type in a few words; a link where it has a table of its own.
   *
   * @param {Described} node
   * @returns {Inner}
   */
  type(node, depth = 0) {
    const name = this.contract.nameOf(node);
    if (name && this.contract.isShape(node)) return el("a", { href: `#schema-${name}` }, name);
    const schema = this.contract.follow(node);
    if (depth > 4) return "…";
    if ("const" in schema) return el("code", {}, JSON.stringify(schema.const));
    const orNull = this.contract.isNullable(node) ? " or null" : "";
    const parts = this.contract.alternatives(node);
    if (parts.length && !schema.properties) {
      return [parts.flatMap((part, at) => [at ? " or " : "", this.type(part, depth + 1)]), orNull];
    }
    if (schema.allOf?.length === 1 && !schema.properties) return this.type(schema.allOf[0], depth + 1);
    const types = [schema.type ?? "any"].flat().filter((type) => type !== "null");
    /** @type {Inner[]} */
    const words = types.map((type) => {
      if (type === "array") return ["array of ", this.type(schema.items, depth + 1)];
      if (type === "object" && schema.additionalProperties?.type) {
        return ["object of ", this.type(schema.additionalProperties, depth + 1)];
      }
      const format = /^(uuid|date|date-time)$/.test(schema.format ?? "") ? schema.format : null;
      const formats = /** @type {Record<string, string>} */ ({ uuid: "UUID", date: "day", "date-time": "instant" });
      return format ? formats[format] : type;
    });
    return [words.flatMap((word, at) => [at ? " or " : "", word]), orNull];
  }

  /**
   * The limits of a value that its description does not tell already.
   *
   * @param {Described} node
   * @param {string} description
   */
  rules(node, description) {
    const schema = this.contract.follow(node);
    const parts = this.contract.alternatives(node);
    const isOneOrNull = parts.length === 1 && !schema.properties;
    const source = isOneOrNull ? { ...this.contract.follow(parts[0]), ...schema } : schema;
    /** @type {Inner[]} */
    const said = [];
    /** @type {(low: number | undefined, high: number | undefined, what: string) => void} */
    const range = (low, high, what) => {
      if (low === undefined && high === undefined) return;
      const text = low === undefined ? `at most ${high}` : high === undefined ? `at least ${low}`
        : low === high ? `exactly ${low}` : `${low} to ${high}`;
      said.push(`${text}${what}`);
    };
    range(source.minimum, source.maximum, "");
    if (!/code points/.test(description + (source.description ?? ""))) {
      range(source.minLength, source.maxLength, " code points");
    }
    range(source.minItems, source.maxItems, " items");
    if (source.enum) {
      said.push(["one of ", source.enum.flatMap((/** @type {unknown} */ value, /** @type {number} */ at) =>
        [at ? " " : "", el("code", {}, String(value))])]);
    }
    if ("default" in source) said.push(["default ", el("code", {}, JSON.stringify(source.default))]);
    /** @type {Inner[]} */
    const items = [said.length ? el("p", { class: "rules" },
      said.flatMap((one, at) => [at ? "; " : "", one])) : null];
    if (source.pattern && !source.format) {
      items.push(el("details", { class: "pattern" },
        el("summary", {}, "pattern"), el("code", {}, source.pattern)));
    }
    return items;
  }
}

/** @param {string} method */
function methodBadge(method) {
  return el("b", { class: `method ${method.toLowerCase()}` }, method);
}

/**
 * A path that may break before its slashes.
 *
 * @param {string} path
 */
function pathOf(path) {
  return el("code", { class: "path" },
    path.split(/(?=\/)/).flatMap((part, at) => [at ? el("wbr") : null, part]));
}

/** @param {Described} parameter */
function placeOf(parameter) {
  const places = /** @type {Record<string, string>} */ (
    { path: "in the path", query: "in the query", header: "header", cookie: "cookie" });
  return places[parameter.in];
}

function requiredMark() {
  return [" ", el("span", { class: "required" }, "required")];
}

/** @param {string} code */
function codeLink(code) {
  return el("a", { href: `#${code}` }, el("code", {}, code));
}

/** @param {string} text */
function sentence(text) {
  const first = text.startsWith("`") ? text : text[0].toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/**
 * Text that keeps its lines, in a frame that scrolls, also with the keyboard.
 *
 * @param {string} text
 * @param {string} label
 */
function framed(text, label) {
  return el("pre", { tabindex: "0", role: "group", "aria-label": label }, el("code", {}, text));
}
