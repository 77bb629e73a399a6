/// Reads the parts of a structured field value (RFC 9110 §5.6).
struct TokenReader {
  var rest: ArraySlice<UInt8>

  mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  mutating func skipSpace() {
    rest = rest.drop(while: ASCII.isSpace)
  }

  mutating func token() -> String? {
    let token = rest.prefix(while: ByteSet.token.contains)
    rest = rest[token.endIndex...]
    return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
  }

  /// The content of a `quoted-string` (§5.6.4): a backslash takes any other meaning from the byte
  /// after it.
  mutating func quoted() -> String? {
    guard take(ASCII.quote) else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == ASCII.quote { return String(decoding: bytes, as: UTF8.self) }
      guard let meant = byte == ASCII.backslash ? rest.popFirst() : byte, !ASCII.isControl(meant)
      else { return nil }
      bytes.append(meant)
    }
    return nil
  }
}
