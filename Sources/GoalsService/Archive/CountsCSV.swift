import GoalsCore
import Synchronization

/// What was counted in an account, a row a day and goal, as CSV (RFC 4180): by date, then in list order,
/// deleted goals last.
///
/// Every field says exactly what is recorded. A title that begins with `=`, `+`, `-` or `@` stays so,
/// though a spreadsheet may take it for a formula: whoever reads the file back must find the title.
final class CountsCSV: Sendable {
  private struct Row {
    let day: Day
    /// Which of the goals.
    let goal: Int32
    let count: Int
  }

  /// What comes before and behind the count in the rows of a goal.
  private struct Frame {
    let before: String
    let behind: String
  }

  private let frames: [Frame]
  private let rows: [Row]
  private let place = Mutex<Int?>(nil)

  static let header = "date,goal,title,count,unit\r\n"
  /// About 64 KiB.
  private static let rowsAPiece = 800

  init(_ state: AccountState) {
    let roster = state.roster
    let deleted = (0..<roster.everMade).compactMap { roster.goal(in: $0) }.filter(\.isDeleted)
    let goals = roster.list + deleted
    frames = goals.map { tracked in
      let goal = tracked.goal
      return Frame(
        before: ",\(goal.id),\(Self.field(goal.title.text)),",
        behind: ",\(Self.field(goal.unit?.text ?? ""))\r\n")
    }
    rows = goals.enumerated().flatMap { place, tracked in
      tracked.days.all.filter { $0.count > 0 }
        .map { Row(day: $0.day, goal: Int32(clamping: place), count: $0.count) }
    }.sorted { ($0.day, $0.goal) < ($1.day, $1.goal) }
  }

  /// The next rows, the header first; nil after the last.
  func next() -> [UInt8]? {
    let start = place.withLock { place -> Int? in
      defer { place = place.map { $0 + Self.rowsAPiece } ?? 0 }
      return place
    }
    guard let start else { return Array(Self.header.utf8) }
    guard start < rows.count else { return nil }
    var text = ""
    for row in rows[start..<min(rows.count, start + Self.rowsAPiece)] {
      let frame = frames[Int(row.goal)]
      text += "\(row.day)\(frame.before)\(row.count)\(frame.behind)"
    }
    return Array(text.utf8)
  }

  /// A field, in quotes where it has to be (RFC 4180 §2.5 to §2.7).
  private static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
