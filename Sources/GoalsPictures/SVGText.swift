/// Escapes markup for content and attributes of XML 1.0 (§2.4), and puts U+FFFD in the place of a
/// character that no document may hold (§2.2).
func xml(_ text: String) -> String {
  var escaped = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped += "&amp;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    case "\"": escaped += "&quot;"
    case "\u{9}", "\u{A}", "\u{D}", "\u{20}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
      escaped.unicodeScalars.append(scalar)
    default: escaped += "\u{FFFD}"  // NB: open, every other scalar
    }
  }
  return escaped
}

extension String {
  /// As much of the text as fits into a width, with an ellipsis where it is cut.
  ///
  /// - Parameter width: in hundredths of the font's size.
  func fitting(_ width: Int) -> String {
    if self.width <= width { return self }
    var left = width - Unicode.Scalar("…").width
    var kept = ""
    // The characters that stand together are kept together.
    var cluster = ""
    var isJoined = false
    for scalar in unicodeScalars {
      if !scalar.joins, !isJoined {
        kept += cluster
        cluster = ""
        left -= scalar.width
        guard left >= 0 else { break }
      }
      cluster.unicodeScalars.append(scalar)
      isJoined = scalar.isJoiner
    }
    return kept + (left < 0 ? "" : cluster) + "…"
  }

  /// An estimate of the largest width of the text, in hundredths of the font's size. The reader's
  /// font is not known here; the estimate is for the wide ones of those that systems have (DejaVu
  /// Sans, bold).
  var width: Int {
    var width = 0
    var isJoined = false
    for scalar in unicodeScalars {
      if !scalar.joins, !isJoined { width += scalar.width }
      isJoined = scalar.isJoiner
    }
    return width
  }
}

/// A character of several code points is as wide as its first. Which code points stand together is
/// an estimate, too: Unicode's rules (UAX #29) need large tables.
extension Unicode.Scalar {
  /// The zero width joiner, which makes one picture of two.
  fileprivate var isJoiner: Bool { value == 0x200D }

  /// Whether the code point belongs to the one before it: an accent, a selector of a variant, a
  /// tone of skin.
  fileprivate var joins: Bool {
    switch value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200D, 0x20D0...0x20FF,
      0xFE00...0xFE0F, 0xFE20...0xFE2F, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F:
      true
    default: false  // NB: open, every other code point
    }
  }

  fileprivate var width: Int {
    switch self {
    case " ", "!", "'", "(", ")", ",", ".", "/", ":", ";", "I", "[", "\\", "]", "`", "f", "i", "j",
      "l", "r", "t", "|", "-":
      return 50
    case "M", "W", "m", "w", "%", "&", "@", "…": return 110
    case "A"..."Z", "#", "+", "<", "=", ">", "^", "~": return 87
    case "\u{20}"..."\u{7E}": return 72
    // Emoji.
    case "\u{1F000}"..."\u{1FAFF}", "\u{231A}"..."\u{231B}", "\u{23E9}"..."\u{23F3}",
      "\u{25FD}"..."\u{25FE}", "\u{2600}"..."\u{27BF}", "\u{2B1B}"..."\u{2B55}":
      return 130
    // Hangul and the code points after it: mostly Chinese and Japanese, whose characters fill their
    // squares.
    case "\u{1100}"...: return 105
    default: return 90
    }
  }
}
