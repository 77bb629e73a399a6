extension String {
  /// The text without what would turn or hide the rest of the line, and cut where it takes more
  /// cells of a terminal than this.
  package func shown(within widest: Int) -> String {
    let scalars = unicodeScalars.map { Self.turns($0) ? "\u{FFFD}" : $0 }
    var shown = String(String.UnicodeScalarView(scalars))
    guard shown.cells > widest else { return shown }
    while shown.cells >= widest { shown.removeLast() }
    return shown + "…"
  }

  /// How many cells of a terminal the text takes: two for what is wide in East Asia, and for emoji
  /// (Unicode UAX #11).
  package var cells: Int {
    reduce(0) { width, character in
      let first = character.unicodeScalars.first?.value ?? 0
      let isWide =
        switch first {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
          0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
          true
        default: false  // NB: open, every other scalar
        }
      return width + (isWide ? 2 : 1)
    }
  }

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
