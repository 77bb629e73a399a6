import GoalsCore

/// Rows for people: columns under their headings, each as wide as its longest text, up to a width
/// that leaves room for the others.
struct Table {
  /// The most cells that a column takes of a terminal's line.
  private static let widest = 40

  private var rows: [[String]]

  init(_ headings: String...) { rows = [headings] }

  mutating func add(_ cells: String...) { rows.append(cells.map(Self.shown)) }

  /// A text without what would turn or hide the rest of the line, and cut where it is too long.
  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { turns($0) ? "\u{FFFD}" : $0 }
    var shown = String(String.UnicodeScalarView(scalars))
    guard width(of: shown) > widest else { return shown }
    while width(of: shown) >= widest { shown.removeLast() }
    return shown + "…"
  }

  /// Whether a scalar sets the direction of writing (Unicode UAX #9), or controls a terminal.
  private static func turns(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: true
    default: scalar.properties.generalCategory == .control  // NB: open, every other scalar
    }
  }

  /// How many cells of a terminal a text takes: two for what is wide in East Asia, and for emoji
  /// (Unicode UAX #11).
  private static func width(of text: String) -> Int {
    text.reduce(0) { width, character in
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

  var text: String {
    let widths = rows[0].indices.map { column in rows.map { Self.width(of: $0[column]) }.max() ?? 0
    }
    return rows.map { row in
      let padded = zip(row, widths).dropLast().map { cell, width in
        cell + String(repeating: " ", count: width - Self.width(of: cell) + 2)
      }
      return padded.joined() + (row.last ?? "") + "\n"
    }.joined()
  }
}

/// Words for people.
enum Words {
  /// How long ago an instant was; its date once that is more than a month.
  static func ago(_ text: String?, at now: Instant) -> String {
    guard let text else { return "never" }
    guard let instant = Instant(text) else { return text }
    let minutes = (now.milliseconds - instant.milliseconds) / 60_000
    switch minutes {
    case ..<1: return "just now"
    case ..<60: return count(minutes, "minute") + " ago"
    case ..<1440: return count(minutes / 60, "hour") + " ago"
    case ..<44_640: return count(minutes / 1440, "day") + " ago"
    // NB: open: a switch over numbers.
    default: return date(text)
    }
  }

  /// The date of an instant, in UTC.
  static func date(_ instant: String) -> String { String(instant.prefix(10)) }

  /// The minute of an instant; `never` for none.
  static func minute(_ instant: String?) -> String {
    instant.map { "\($0.prefix(10)) \($0.dropFirst(11).prefix(5)) UTC" } ?? "never"
  }

  static func count(_ number: some BinaryInteger, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }
}
