/// Text as XML 1.0 has it in content and in attributes: markup escaped (§2.4), and in the place of
/// a character that no document may hold (§2.2) U+FFFD.
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
  /// As much of the text as fits into a width, with an ellipsis where it is cut. The width is in
  /// ems of half a Latin letter's: Chinese, Japanese and Korean characters and emoji take two.
  func fitting(_ width: Int) -> String {
    var left = width
    var kept = ""
    for character in self {
      left -= character.isWide ? 2 : 1
      guard left >= 0 else { return kept + "…" }
      kept.append(character)
    }
    return kept
  }
}

extension Character {
  fileprivate var isWide: Bool { (unicodeScalars.first?.value ?? 0) >= 0x1100 }
}
