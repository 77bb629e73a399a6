import GoalsCore
import Synchronization

/// The counts of an account as CSV (RFC 4180), a row a day and goal: by date, then in list order,
/// deleted goals last.
///
/// Every field says exactly what is recorded. A title that begins with `=`, `+`, `-` or `@` stays
/// so, though a spreadsheet may take it for a formula: a program that reads the file must find the
/// title.
final class CountsCSV: Sendable {
  /// A goal, and how far its rows were written.
  private struct Column {
    let goal: TrackedGoal
    /// The number of its next day with a count; `none` after the last.
    var next: Int32
    /// The texts before and behind the count in its rows, once there was one.
    var frame: (before: String, behind: String)?
  }

  private let state: AccountState
  /// Nil until the first piece is asked for. So a table that nobody reads costs nothing.
  private let columns = Mutex<[Column]?>(nil)

  static let header = "date,goal,title,count,unit\r\n"
  /// About 64 KiB.
  private static let rowsAPiece = 800
  /// After every day.
  private static let none = Int32.max

  init(_ state: AccountState) { self.state = state }

  /// Whether a piece was asked for.
  var hasBegun: Bool { columns.withLock { $0 != nil } }

  /// The next rows, the header first; nil after the last. The work grows with the goals and the
  /// rows.
  func next() -> [UInt8]? {
    columns.withLock { made in
      guard var columns = made.take() else {
        made = Self.columns(of: state)
        return Array(Self.header.utf8)
      }
      var text = ""
      var rows = 0
      while rows < Self.rowsAPiece, let day = columns.lazy.map(\.next).min(), day < Self.none {
        for index in columns.indices where columns[index].next == day {
          Self.append(&columns[index], to: &text)
          rows += 1
        }
      }
      made = columns
      return rows == 0 ? nil : Array(text.utf8)
    }
  }

  /// The goals that have a count, in the order of a day's rows.
  private static func columns(of state: AccountState) -> [Column] {
    let roster = state.roster
    let deleted = (0..<roster.everMade).lazy.compactMap { roster.goal(in: $0) }
      .filter(\.isDeleted)
    return (roster.list + deleted).compactMap { goal in
      goal.days.firstCounted.map { Column(goal: goal, next: $0.number) }
    }
  }

  /// Shows a goal's next day.
  private static func append(_ column: inout Column, to text: inout String) {
    let (goal, days) = (column.goal.goal, column.goal.days)
    let frame =
      column.frame
      ?? (",\(goal.id),\(field(goal.title.text)),", ",\(field(goal.unit?.text ?? ""))\r\n")
    column.frame = frame
    let day = Day(clamping: Int64(column.next))
    text += "\(day)\(frame.before)\(days[day].count)\(frame.behind)"
    let after = day.adding(days: 1).flatMap(days.firstCounted)
    column.next = after?.number ?? none
  }

  /// A field, in quotes where it has to be (RFC 4180 §2.5 to §2.7).
  private static func field(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
        || byte == UInt8(ascii: "\n")
    }
    guard needsQuotes else { return text }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
