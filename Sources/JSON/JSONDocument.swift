/// A JSON text (RFC 8259) that was read to its end and is correct.
///
/// Reading is strict: one value with nothing but white space around it, valid UTF-8 (RFC 3629)
/// without a byte order mark, no lone surrogates in escapes, nesting of at most 64. The reader
/// repairs nothing. The grammar allows repeated member names and numbers of any size, and so does
/// the reader; it keeps numbers as they were written.
///
/// A document keeps its bytes as they came, and a tape with 8 bytes for each value and each member
/// name. A text of n bytes has at most (n + 1) / 2 of these. With the tape's spare room, a document
/// takes at most 9 bytes of memory for each byte of input; while the tape grows, 13. Values are
/// views that keep the whole document alive.
package struct JSONDocument: Sendable {
  /// The largest number of arrays and objects that are open at once. No request needs 8. The bound
  /// lets the parser recurse, and every function that walks a document.
  package static var maximumDepth: Int { 64 }

  /// The largest number of bytes of a text: the 31 bits of the tape can address no more.
  package static var maximumBytes: Int { Int(JSONTape.Word.maximumExtent) }

  private let tape: JSONTape

  /// Reads `bytes`: at most `limit` of them, and never more than `maximumBytes`.
  package init(
    parsing bytes: [UInt8], limit: Int = JSONDocument.maximumBytes
  ) throws(JSONError) {
    guard bytes.count <= min(limit, Self.maximumBytes) else {
      throw JSONError(.tooLong, at: max(0, min(limit, Self.maximumBytes)))
    }
    var parser = JSONParser(bytes)
    try parser.readDocument()
    tape = JSONTape(bytes: bytes, words: parser.words)
  }

  /// The document's outermost value.
  package var root: JSONValue { JSONValue(tape: tape, index: 0) }
}
