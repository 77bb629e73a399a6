// A form that was filled in, as what is done with it asks for it (HTML §4.10.3).

export class FakeForm {
  #drawn;

  /** @param drawn what is in its fields before a person fills them in */
  constructor(drawn, filled = {}) {
    this.#drawn = drawn;
    this.values = { ...drawn, ...filled };
    this.fault = { textContent: "" };
    this.elements = Object.fromEntries(Object.keys(drawn).map((name) => [name, {
      attributes: {},
      isFocused: false,
      setAttribute(attribute, value) { this.attributes[attribute] = value; },
      focus() { this.isFocused = true; },
    }]));
  }

  cloneNode() { return new FakeForm(this.#drawn, this.values); }
  reset() { this.values = { ...this.#drawn }; }
  querySelector(selectors) { return selectors === "[data-fault=all]" ? this.fault : null; }
}

/** What is in its fields, by their names. */
globalThis.FormData = class {
  #values;

  constructor(form) {
    this.#values = form.values;
  }

  get(name) { return this.#values[name] ?? null; }
  [Symbol.iterator]() { return Object.entries(this.#values)[Symbol.iterator](); }
};
