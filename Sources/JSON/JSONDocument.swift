/// A JSON text (RFC 8259) that was read whole and found correct.
///
/// Reading is strict: one value with nothing but white space around it, valid UTF-8 (RFC 3629)
/// without a byte order mark, no lone surrogates in escapes, nesting of at most 64. Nothing is
/// repaired. What the grammar leaves open stays open here: member names may repeat, and numbers of
/// any size are kept as they were written.
///
/// The bytes are kept as they came, beside a tape of 8 bytes for each value and each member name,
/// of which a text of n bytes has at most (n + 1) / 2. With the tape's spare room, a document takes
/// at most 9 bytes of memory for each byte of input; while the tape grows, 13. Values are views
/// that keep the whole document alive.
package struct JSONDocument: Sendable {
  /// How many arrays and objects may be open at once. No request needs 8; the reader, and whoever
  /// walks what it read, may recurse.
  package static var maximumDepth: Int { 64 }

  /// How long a text may be: what the 31 bits of the tape can address.
  package static var maximumBytes: Int { Int(JSONTape.Entry.maximumExtent) }

  private let tape: JSONTape

  /// Reads `bytes`, of which there may be `limit`; no more than `maximumBytes` in any case.
  package init(
    parsing bytes: [UInt8], limit: Int = JSONDocument.maximumBytes
  ) throws(JSONError) {
    guard bytes.count <= min(limit, Self.maximumBytes) else {
      throw JSONError(.tooLong, at: max(0, min(limit, Self.maximumBytes)))
    }
    var parser = JSONParser(bytes)
    try parser.readDocument()
    tape = JSONTape(bytes: bytes, entries: parser.entries)
  }

  /// The value that is the document.
  package var root: JSONValue { JSONValue(tape: tape, index: 0) }
}
