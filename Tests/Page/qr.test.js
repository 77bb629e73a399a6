// QR codes are what another encoder draws.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { qrCode } from "../../Sources/PageFiles/qr.js";

// By the Python package qrcode 8.2, as bytes with error correction M: of each text the version, and for each mask the
// first 16 digits of the SHA-256 of the rows, in 0 and 1, with a line feed between them. Each version is there at its most.
const drawn = JSON.parse(readFileSync(new URL("qr.json", import.meta.url), "utf8"));

describe("A code", () => {
  for (const { text, version, masks } of drawn) {
    test(`of ${JSON.stringify(text.slice(0, 30))}, ${text.length} long`, () => {
      const rows = qrCode(text);
      assert.equal(rows.length, 17 + 4 * version);
      const written = rows.map((row) => row.map(Number).join("")).join("\n");
      const digest = createHash("sha256").update(written).digest("hex").slice(0, 16);
      // Which mask is the easiest to read is a matter of how it is weighed.
      assert.ok(masks.includes(digest), written);
    });
  }

  test("is not there of a text that is longer than 666 bytes", () => {
    assert.equal(qrCode("q".repeat(667)), null);
    assert.equal(qrCode(`${"q".repeat(665)}ä`), null);
  });
});
