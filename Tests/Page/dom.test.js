// Elements are made of names and values, and brought into the document in place.

import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { useDocument } from "./fakes/document.js";

useDocument();
const { draft, h, show } = await import("../../Sources/PageFiles/dom.js");

let main;
beforeEach(() => {
  useDocument();
  main = document.getElementById("main");
});

const item = (key, ...children) => h("li", { "data-key": key }, ...children);
const button = (key) => h("button", { "data-key": key }, key);

describe("An element", () => {
  test("has the attributes that are something", () => {
    const element = h("input", { name: "by", value: 0, required: true, checked: false, list: null, step: undefined });
    assert.deepEqual(element.getAttributeNames(), ["name", "value", "required"]);
    assert.equal(element.getAttribute("value"), "0");
    assert.equal(element.getAttribute("required"), "");
  });

  test("has the children that are something, from lists of lists", () => {
    assert.equal(h("p", {}, "a", [null, ["b", false]], undefined, h("b", {}, "c"), 0).textContent, "abc0");
  });

  test("has variables of its style, which are not written as a text", () => {
    assert.equal(h("i", { variables: { "--part": "50%" } }).variables.get("--part"), "50%");
  });
});

describe("What is shown anew", () => {
  test("stays the same element where it fits, with what changed", () => {
    show(main, h("p", { class: "a", title: "x" }, "one"));
    const [before] = main.children;
    show(main, h("p", { class: "b" }, "two"));
    assert.equal(main.children[0], before);
    assert.equal(before.textContent, "two");
    assert.deepEqual([before.getAttribute("class"), before.hasAttribute("title")], ["b", false]);
  });

  test("is another element where it has another name", () => {
    show(main, h("p", {}));
    show(main, h("div", {}));
    assert.deepEqual(main.children.map(({ nodeName }) => nodeName), ["DIV"]);
  });

  test("is found by its key, and moved", () => {
    show(main, item("a"), item("b"), item("c"));
    const [a, b, c] = main.children;
    show(main, item("c"), item("d"), item("a"));
    assert.deepEqual([main.children[0], main.children[2]], [c, a]);
    assert.equal(main.children.length, 3);
    assert.equal(b.isConnected, false);
  });

  test("takes over a style by its variables", () => {
    show(main, h("i", { variables: { "--part": "50%" } }));
    show(main, h("i", { variables: { "--part": "60%" } }));
    assert.equal(main.children[0].variables.get("--part"), "60%");
  });

  test("leaves to a person what they opened and filled in", () => {
    show(main, h("details", {}, h("summary", {})), h("select", {}, h("option", { value: 1 })));
    main.children[0].setAttribute("open", "");
    show(main, h("details", {}, h("summary", {})), h("select", {}, h("option", { value: 1 }), h("option", { value: 2 })));
    assert.equal(main.children[0].hasAttribute("open"), true);
    assert.equal(main.children[1].children.length, 1);
  });
});

describe("The focus", () => {
  test("stays on what is moved", () => {
    show(main, button("a"), button("b"));
    const [a] = main.children;
    a.focus();
    show(main, button("b"), button("a"));
    assert.equal(document.activeElement, a);
  });

  test("goes to what was around that which is gone", () => {
    const row = (...children) => h("li", { "data-key": "row", tabindex: -1 }, ...children);
    show(main, row(button("undo")));
    main.children[0].children[0].focus();
    show(main, row());
    assert.equal(document.activeElement.dataset.key, "row");
  });

  test("stays where it is elsewhere", () => {
    const toast = document.getElementById("toast");
    toast.focus();
    show(main, button("a"));
    show(main);
    assert.equal(document.activeElement, toast);
  });
});

describe("A draft", () => {
  const counted = (mark, made) => draft("li", "a", mark, () => {
    made.push(mark);
    return item("a", mark);
  });

  test("is made once for a mark", () => {
    const made = [];
    show(main, counted("1", made));
    show(main, counted("1", made));
    assert.deepEqual(made, ["1"]);
    show(main, counted("2", made));
    assert.deepEqual(made, ["1", "2"]);
    assert.equal(main.textContent, "2");
  });

  test("is made within what is made", () => {
    const made = [];
    const list = (mark) => h("ul", { "data-key": "list" }, h("li", {}, "first"), counted(mark, made));
    show(main, list("1"));
    const [, before] = main.children[0].children;
    show(main, list("1"));
    assert.equal(main.children[0].children[1], before);
    assert.equal(made.length, 1, "the one that is there is not made again");
    assert.equal(main.textContent, "first1");
  });
});
