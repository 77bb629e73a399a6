extension String {
  /// The text on one line, without what would turn or hide the rest of it, and cut where it takes
  /// more cells of a terminal than this.
  package func shown(within widest: Int = .max) -> String {
    let scalars = unicodeScalars.map { scalar in
      scalar == "\n" || scalar == "\t" ? " " : Self.turns(scalar) ? "\u{FFFD}" : scalar
    }
    let shown = String(String.UnicodeScalarView(scalars))
    guard shown.cells > widest else { return shown }
    var room = widest - 1
    let kept = shown.prefix { character in
      room -= character.cells
      return room >= 0
    }
    return String(kept) + "…"
  }

  /// How many cells of a terminal the text takes: none for a mark on the letter before it, two for
  /// what is wide in East Asia, and for emoji (Unicode UAX #11, UTS #51).
  package var cells: Int { reduce(0) { $0 + $1.cells } }

  /// The text with spaces behind it, so that it takes so many cells.
  package func padded(to cells: Int) -> String {
    self + String(repeating: " ", count: max(0, cells - self.cells))
  }

  /// Whether a scalar sets the direction of writing (Unicode UAX #9), or controls a terminal.
  private static func turns(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    default: scalar.properties.generalCategory == .control  // NB: open, every other scalar
    }
  }
}

extension Character {
  fileprivate var cells: Int {
    // A flag, a family or a letter in a box is one picture, of however many scalars.
    let isPicture =
      unicodeScalars.first?.properties.isEmojiPresentation ?? false
      || unicodeScalars.dropFirst().contains("\u{FE0F}")
    return isPicture ? 2 : unicodeScalars.reduce(0) { $0 + $1.cells }
  }
}

extension Unicode.Scalar {
  fileprivate var cells: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break  // NB: open, every other category
    }
    switch value {
    // Vowels and ends of Korean syllables stand in the cells of what is before them.
    case 0x1160...0x11FF: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
      0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
      return 2
    default: return 1  // NB: open, every other scalar
    }
  }
}
