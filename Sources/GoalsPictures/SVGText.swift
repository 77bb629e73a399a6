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
    var left = width - Character("…").width
    var kept = ""
    for character in self {
      left -= character.width
      guard left >= 0 else { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// An estimate of the largest width of the text, in hundredths of the font's size. The reader's
  /// font is not known here; the estimate is for the wide ones of those that systems have (DejaVu
  /// Sans, bold).
  var width: Int { reduce(0) { $0 + $1.width } }
}

extension Character {
  fileprivate var width: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar {
    case " ", "!", "'", "(", ")", ",", ".", "/", ":", ";", "I", "[", "\\", "]", "`", "f", "i", "j",
      "l", "r", "t", "|", "-":
      return 50
    case "M", "W", "m", "w", "%", "&", "@", "…": return 110
    case "A"..."Z", "#", "+", "<", "=", ">", "^", "~": return 87
    case "\u{20}"..."\u{7E}": return 72
    case let scalar where scalar.properties.isEmojiPresentation: return 130
    // Hangul and the code points after it: mostly Chinese and Japanese, whose characters fill their
    // squares.
    case let scalar where scalar.value >= 0x1100: return 105
    default: return 90
    }
  }
}
