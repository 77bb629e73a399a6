import JSON
import TestSupport

/// What the document says, written again.
func rewritten(_ text: String) throws -> String { try rewritten(Array(text.utf8)) }

func rewritten(_ bytes: [UInt8]) throws -> String {
  let document = try JSONDocument(parsing: bytes)
  return written { json in json.value(document.root) }
}

func written(_ body: (inout JSONWriter) -> Void) -> String {
  var json = JSONWriter()
  body(&json)
  return String(decoding: json.bytes, as: UTF8.self)
}

func value(_ text: String) throws -> JSONValue {
  try JSONDocument(parsing: Array(text.utf8)).root
}

func refusal(_ bytes: [UInt8]) -> JSONError? {
  do throws(JSONError) {
    _ = try JSONDocument(parsing: bytes)
    return nil
  } catch {
    return error
  }
}

/// Calls `body` with some random seeds; `GOALS_TEST_SEED=…` repeats the one that was seen to fail.
func forRandomSeeds(_ count: UInt64, _ body: (UInt64) throws -> Void) rethrows {
  try SeededDice.each(of: count) { try body($0.seed) }
}
