extension JSONWriter {
  /// Whether there is a byte that RFC 8259 §7 requires to be escaped: a quote, a backslash or a
  /// control.
  static func needsEscapes(_ utf8: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset + 8 <= utf8.count {
      let word = utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard !needsEscape(anywhereIn: word) else { return true }
      offset += 8
    }
    while offset < utf8.count {
      guard !needsEscape(utf8[offset]) else { return true }
      offset += 1
    }
    return false
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == .quote || byte == .backslash
  }

  /// Whether one of eight bytes needs an escape. A subtraction marks every byte that was less. Its
  /// borrow may mark later bytes wrongly, but one right mark is enough.
  private static func needsEscape(anywhereIn word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8.quote))
    let backslash = word ^ (ones &* UInt64(UInt8.backslash))
    let less =
      (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
    return less & (ones &* 0x80) != 0
  }

  /// Appends a string with the escapes that must be and no others.
  mutating func appendEscaped(_ utf8: UnsafeRawBufferPointer) {
    output.append(.quote)
    for byte in utf8 {
      if Self.needsEscape(byte) { appendEscape(of: byte) } else { output.append(byte) }
    }
    output.append(.quote)
  }

  private mutating func appendEscape(of byte: UInt8) {
    output.append(.backslash)
    switch byte {
    case .quote, .backslash: output.append(byte)
    case 0x08: output.append(UInt8(ascii: "b"))
    case .tab: output.append(UInt8(ascii: "t"))
    case .lineFeed: output.append(UInt8(ascii: "n"))
    case 0x0C: output.append(UInt8(ascii: "f"))
    case .carriageReturn: output.append(UInt8(ascii: "r"))
    // NB: open, every other byte
    default:
      let digits: StaticString = "0123456789abcdef"
      for byte in [UInt8(ascii: "u"), .zero, .zero] { output.append(byte) }
      digits.withUTF8Buffer { digits in
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 0xF)])
      }
    }
  }
}
