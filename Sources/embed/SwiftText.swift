/// Text as Swift source that means exactly that text.
package enum SwiftText {
  /// A string literal on one line. Everything that ends a literal, starts an escape, or that the
  /// compiler would warn of or change (it reads CR LF as LF) is escaped, so any text is safe.
  package static func literal(_ text: String) -> String {
    var literal = "\""
    literal.reserveCapacity(text.utf8.count + text.utf8.count / 16 + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      case _ where isPlain(scalar): literal.unicodeScalars.append(scalar)
      default: literal += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return literal + "\""
  }

  /// A text with a character for each byte (ISO 8859-1): Swift has no literal for bytes that would
  /// compile as fast.
  package static func characters(_ bytes: [UInt8]) -> String {
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }

  /// A name between backticks, which may hold what file names hold (Swift evolution SE-0451); nil
  /// where it can't be one.
  package static func identifier(_ name: String) -> String? {
    let hasLetter = name.unicodeScalars.contains { $0.properties.isAlphabetic }
    let isAllowed = name.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", ".", "-", "_": true
      default: false
      }
    }
    return hasLetter && isAllowed ? "`\(name)`" : nil
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    // NB: open, every other category
    default: true
    }
  }
}
