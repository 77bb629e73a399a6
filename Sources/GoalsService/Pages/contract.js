"use strict";

/** What the page says of the contract: openapi.yaml with its references followed. */
class Contract {
  static METHODS = ["get", "put", "post", "delete", "patch"];

  /** @param {Described} document */
  constructor(document) {
    this.document = document;
    this.info = document.info;
    this.tags = document.tags ?? [];
    this.schemas = document.components?.schemas ?? {};
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Contract.METHODS.filter((method) => item[method]).map((method) =>
        this.operation(path, method, item)));
    this.everywhere = this.sharedResponses();
    this.codes = this.collectCodes();
  }

  /**
   * The node itself or what it refers to; what stands beside a reference counts more (OpenAPI 3.1).
   *
   * @param {Described} node
   * @returns {Described}
   */
  follow(node) {
    if (!node?.$ref) return node ?? {};
    const { $ref, ...beside } = node;
    const target = $ref.slice(2).split("/").reduce(
      (/** @type {Described} */ found, /** @type {string} */ part) => found[part.replaceAll("~1", "/").replaceAll("~0", "~")], this.document);
    return { ...this.follow(target), ...beside };
  }

  /**
   * @param {string} path
   * @param {string} method
   * @param {Described} item
   * @returns {Operation}
   */
  operation(path, method, item) {
    const own = item[method];
    const body = own.requestBody && this.follow(own.requestBody);
    return {
      id: own.operationId, path, method: method.toUpperCase(),
      summary: own.summary ?? own.operationId,
      description: own.description ?? "",
      tag: own.tags?.[0] ?? "Other",
      needsToken: (own.security ?? this.document.security ?? []).some((/** @type {object} */ way) => "bearer" in way),
      parameters: [...(item.parameters ?? []), ...(own.parameters ?? [])].map((one) => this.follow(one)),
      body: body && { required: body.required === true, contents: this.contents(body) },
      answers: Object.entries(own.responses).map(([status, response]) =>
        this.answer(status, response)),
    };
  }

  /**
   * @param {string} status
   * @param {Described} response
   * @returns {Answer}
   */
  answer(status, response) {
    const followed = this.follow(response);
    return {
      status, reference: response.$ref ?? null,
      description: followed.description ?? "",
      headers: Object.entries(followed.headers ?? {}).map(([name, header]) =>
        ({ name, ...this.follow(header) })),
      contents: this.contents(followed),
      links: Object.values(followed.links ?? {}).map((link) => this.follow(link)),
      isProblem: status === "default" || Number(status) >= 400,
    };
  }

  /**
   * The media types of a body, each with its schema and its examples.
   *
   * @param {Described} node
   * @returns {Content[]}
   */
  contents(node) {
    /** @type {[string, Described][]} */
    const entries = Object.entries(node.content ?? {});
    return entries.map(([type, media]) => {
      /** @type {Example[]} */
      const examples = Object.entries(media.examples ?? {}).map(([name, example]) =>
        ({ name, ...this.follow(example) }));
      if ("example" in media) examples.push({ name: "example", value: media.example });
      return { type, schema: media.schema, examples: examples.filter((one) => "value" in one) };
    });
  }

  // Problems

  /**
   * The codes that an answer's description explains: `code`: text, often in a list.
   *
   * @param {Answer} answer
   */
  explained(answer) {
    const pattern = /^(?:- )?(?:(\d{3}) )?`([a-z0-9-]+)`[^:]*: ([^]*)$/;
    const parts = answer.description.split(/\n(?=\n|- |(?:\d{3} )?`[a-z0-9-]+`[^:\n]*: )/);
    return parts.flatMap((part) => {
      const [, status = answer.status, code, text] = pattern.exec(part.trim()) ?? [];
      return code ? [{ status, code, text: text.replace(/\s+/g, " ") }] : [];
    });
  }

  /**
   * The codes that an answer's schema names, also those that nothing explains.
   *
   * @param {Described} node
   * @param {Set<string>} found
   * @returns {Set<string>}
   */
  named(node, found = new Set(), depth = 0) {
    const schema = this.follow(node);
    const code = this.follow(schema.properties?.code);
    if (typeof code.const === "string") found.add(code.const);
    for (const one of code.enum ?? []) found.add(one);
    if (depth < 8) {
      for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
        this.named(part, found, depth + 1);
      }
    }
    return found;
  }

  /** The problems that every operation can meet. */
  sharedResponses() {
    const counts = new Map();
    for (const operation of this.operations) {
      for (const { reference, isProblem } of operation.answers) {
        if (reference && isProblem) counts.set(reference, (counts.get(reference) ?? 0) + 1);
      }
    }
    return new Set([...counts].filter(([, count]) => count === this.operations.length).map(([name]) => name));
  }

  /** Every code by its name: the statuses it comes with, what it means, and where it is met. */
  collectCodes() {
    /** @type {Map<string, Code>} */
    const codes = new Map();
    /** @param {string} code */
    const entry = (code) => {
      /** @type {Code} */
      const found = codes.get(code) ?? { code, statuses: new Set(), meanings: new Map() };
      codes.set(code, found);
      return found;
    };
    /** @type {(code: string, text: string, operation?: Operation) => void} */
    const met = (code, text, operation) => {
      const { meanings } = entry(code);
      const places = meanings.get(text) ?? new Set();
      meanings.set(text, places);
      if (operation) places.add(operation);
    };
    for (const operation of this.operations) {
      for (const answer of operation.answers.filter((one) => one.isProblem)) {
        for (const { status, code, text } of this.explained(answer)) {
          entry(code).statuses.add(status);
          met(code, text, operation);
        }
        for (const { schema } of answer.contents) {
          for (const code of this.named(schema)) {
            if (answer.status !== "default") entry(code).statuses.add(answer.status);
          }
        }
      }
    }
    const rejections = this.schemas.RejectionCode ?? {};
    /** @type {[string | undefined, number | null, number, number][]} */
    const tables = [[rejections.description, null, 0, 1], [this.info.description, 0, 1, 2]];
    for (const [text, status, code, meaning] of tables) {
      for (const line of (text ?? "").split("\n").filter((one) => one.startsWith("|"))) {
        const cells = line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
        for (const [, name] of (cells[code] ?? "").matchAll(/`([a-z0-9-]+)`/g)) {
          const found = entry(name);
          if (status !== null && /^\d{3}$/.test(cells[status])) found.statuses.add(cells[status]);
          if (!found.meanings.size && cells[meaning]) met(name, cells[meaning]);
        }
      }
    }
    for (const code of rejections.enum ?? []) entry(code).isOutcome = true;
    return [...codes.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
  }

  // Schemas

  /**
   * The name of the schema that a node refers to.
   *
   * @param {Described} node
   */
  nameOf(node) {
    return /^#\/components\/schemas\/(.+)$/.exec(node?.$ref ?? "")?.[1] ?? null;
  }

  /**
   * Whether a schema has a table of its own: an object with fields, or a choice among such.
   *
   * @param {Described} node
   * @returns {boolean}
   */
  isShape(node, depth = 0) {
    const schema = this.follow(node);
    if (schema.properties) return true;
    return depth < 8 && [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
      .some((part) => this.isShape(part, depth + 1));
  }

  get shapes() {
    return Object.keys(this.schemas).filter((name) => this.isShape(this.schemas[name]));
  }

  /**
   * The fields of an object, with those of what it includes.
   *
   * @param {Described} node
   * @returns {Field[]}
   */
  fields(node, depth = 0) {
    const schema = this.follow(node);
    const found = new Map();
    const required = new Set(schema.required ?? []);
    if (depth < 8) {
      for (const part of schema.allOf ?? []) {
        for (const field of this.fields(part, depth + 1)) {
          found.set(field.name, field);
          if (field.required) required.add(field.name);
        }
      }
    }
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      found.set(name, { name, schema: field });
    }
    return [...found.values()].map((field) => ({ ...field, required: required.has(field.name) }));
  }

  /**
   * The alternatives of a choice, without null.
   *
   * @param {Described} node
   * @returns {Described[]}
   */
  alternatives(node) {
    const schema = this.follow(node);
    return (schema.oneOf ?? schema.anyOf ?? []).filter((/** @type {Described} */ part) => this.follow(part).type !== "null");
  }

  /** @param {Described} node */
  isNullable(node) {
    const schema = this.follow(node);
    return schema.type === "null" || [schema.type].flat().includes("null")
      || (schema.oneOf ?? schema.anyOf ?? []).some((/** @type {Described} */ part) => this.follow(part).type === "null");
  }
}
