/// A string of a document: a view of the bytes as they came.
///
/// A string without escapes is read in place. A string with escapes is unescaped again for each
/// use. Strings are equal where they hold the same code points. Unlike `String`, nothing is
/// normalised.
package struct JSONString: Sendable {
  let tape: JSONTape
  let index: Int

  /// Calls `body` with the unescaped string: valid UTF-8, which may hold NUL.
  package func withUTF8<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if tape.words[index].hasEscapes {
      return try unescaped().span.withUnsafeBytes(body)
    }
    let bytes = tape.bytes
    return try bytes.span.extracting(content).withUnsafeBytes(body)
  }

  /// Does the same. It is not generic, so that a call from another target costs no more than a
  /// call; a recorded edit needs seven.
  package func visitUTF8(_ body: (UnsafeRawBufferPointer) -> Void) {
    withUTF8(body)
  }

  /// The number of bytes of the string in the text, with the escapes as they are written.
  package var encodedCount: Int { tape.words[index].length }

  package static func == (left: JSONString, right: StaticString) -> Bool {
    left.tape.string(at: left.index, says: right)
  }

  /// Lets `switch` tell names apart: `case "title":`.
  package static func ~= (pattern: StaticString, string: JSONString) -> Bool {
    string == pattern
  }

  /// The offsets of the bytes between the quotes.
  var content: Range<Int> {
    let word = tape.words[index]
    let start = Int(word.start) + 1
    return start..<start + word.length
  }

  fileprivate func holds(_ bytes: UnsafeRawBufferPointer) -> Bool {
    withUTF8 { own in own.count == bytes.count && own.elementsEqual(bytes) }
  }
}

extension JSONTape {
  /// Whether the string at `index` has this text.
  func string(at index: Int, says text: StaticString) -> Bool {
    let word = words[index]
    if word.hasEscapes {
      return text.withUTF8Buffer { text in
        JSONString(tape: self, index: index).holds(UnsafeRawBufferPointer(text))
      }
    }
    // Most names of an object differ in their length already.
    guard word.length == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      let start = Int(word.start) + 1
      for offset in text.indices where bytes[start + offset] != text[offset] { return false }
      return true
    }
  }
}

extension JSONString: Hashable {
  package static func == (left: JSONString, right: JSONString) -> Bool {
    right.withUTF8 { right in left.holds(right) }
  }

  package func hash(into hasher: inout Hasher) {
    withUTF8 { bytes in hasher.combine(bytes: bytes) }
    hasher.combine(0xFF as UInt8)
  }
}

extension String {
  package init(_ string: JSONString) {
    self = string.withUTF8 { bytes in String(decoding: bytes, as: UTF8.self) }
  }
}

extension JSONString {
  /// The string with the escapes of RFC 8259 §7 resolved.
  private func unescaped() -> [UInt8] {
    var result: [UInt8] = []
    var rest = tape.bytes[content]
    result.reserveCapacity(rest.count)
    while let byte = rest.popFirst() {
      guard byte == .backslash else {
        result.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "t"): result.append(.tab)
      case UInt8(ascii: "n"): result.append(.lineFeed)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "r"): result.append(.carriageReturn)
      case UInt8(ascii: "u"): result.append(contentsOf: String(Self.takeScalar(from: &rest)).utf8)
      case let itself?: result.append(itself)
      case nil: break
      }
    }
    return result
  }

  /// Takes the digits after `\u`, with the second half of a pair.
  private static func takeScalar(from rest: inout ArraySlice<UInt8>) -> Unicode.Scalar {
    var value = takeCodeUnit(from: &rest)
    if (0xD800...0xDBFF).contains(value) {
      rest = rest.dropFirst(2)
      let low = takeCodeUnit(from: &rest)
      value = 0x10000 + (value & 0x3FF) << 10 + (low & 0x3FF)
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private static func takeCodeUnit(from rest: inout ArraySlice<UInt8>) -> UInt32 {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return digits.reduce(0) { unit, digit in unit << 4 | (digit.hexadecimalValue ?? 0) }
  }
}
