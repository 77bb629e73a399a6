// Why something was refused: by its field, else by its code, in words for a person.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { useBrowser } from "./fakes/browser.js";

useBrowser();
const { fieldOf, reason } = await import("../../Sources/PageFiles/reason.js");

describe("A reason", () => {
  for (const [name, refused, words] of [
    ["by its code", { code: "below-zero" }, "No day can count less than 0."],
    ["by its field before its code", { code: "invalid", errors: [{ pointer: "/edits/0/by" }] }, "A whole number up to 1,000,000, and not 0."],
    ["by its code where the field has no words", { code: "invalid", errors: [{ pointer: "/edits/0/nonsense" }] }, "Something in it is not allowed."],
    ["where nobody knows the code", { code: "nonsense" }, "The server did not take it."],
    ["where a proxy answered", {}, "The server did not take it."],
  ]) {
    test(name, () => assert.equal(reason(refused), words));
  }

  test("is about the first field that is wrong", () => {
    assert.equal(fieldOf({ errors: [{ pointer: "/edits/0/goal/title" }, { pointer: "/edits/0/goal/unit" }] }), "title");
    assert.equal(fieldOf({}), undefined);
  });
});
