/// Percent-encoding (RFC 3986 §2.1). Decoding happens once, and gives UTF-8 or nothing.
enum PercentEncoding {
  enum Place {
    /// `%00`, `%2F` and `%5C` are refused: a decoded slash could not be told from a real one.
    case path
    /// A plus is a space; `%00` is refused.
    case query
  }

  static func decoded(_ bytes: ArraySlice<UInt8>, in place: Place) throws(Refusal) -> String {
    guard bytes.contains(where: { $0 == ASCII.percent || $0 == ASCII.plus }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      switch (byte, place) {
      case (ASCII.percent, _):
        guard bytes.endIndex - index >= 2, let high = ASCII.hex(bytes[index]),
          let low = ASCII.hex(bytes[index + 1])
        else {
          throw .malformedRequest("A % in the target is not followed by two hexadecimal digits.")
        }
        let value = high << 4 | low
        guard isAllowed(value, in: place) else {
          throw .malformedRequest("The target holds an encoded byte that is not accepted.")
        }
        result.append(value)
        index += 2
      case (ASCII.plus, .query): result.append(ASCII.space)
      case (_, .path), (_, .query): result.append(byte)
      }
    }
    guard let text = String(validating: result, as: UTF8.self) else {
      throw .malformedRequest("The target is not UTF-8 once it is decoded.")
    }
    return text
  }

  private static func isAllowed(_ byte: UInt8, in place: Place) -> Bool {
    switch place {
    case .path: byte != 0 && byte != ASCII.slash && byte != ASCII.backslash
    case .query: byte != 0
    }
  }
}
