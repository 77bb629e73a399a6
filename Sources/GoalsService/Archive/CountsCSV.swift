import GoalsCore
import Synchronization

/// The counts of an account as CSV (RFC 4180), a row a day and goal: by date, then in list order,
/// deleted goals last.
///
/// Every field says exactly what is recorded. A title that begins with `=`, `+`, `-` or `@` stays
/// so, though a spreadsheet may take it for a formula: a program that reads the file must find the
/// title.
final class CountsCSV: Sendable {
  /// The texts before and behind the count in the rows of a goal.
  private struct Frame {
    let before: String
    let behind: String
  }

  /// How far the table was written.
  private struct Position {
    var hasBegun = false
    /// For each goal the number of its next day with a count; `none` after the last.
    var next: [Int32]
  }

  private let goals: [(days: DayCounts, frame: Frame)]
  private let position: Mutex<Position>

  static let header = "date,goal,title,count,unit\r\n"
  /// About 64 KiB.
  private static let rowsAPiece = 800
  /// After every day.
  private static let none = Int32.max

  init(_ state: AccountState) {
    let roster = state.roster
    let deleted = (0..<roster.everMade).compactMap { roster.goal(in: $0) }.filter(\.isDeleted)
    goals = (roster.list + deleted).map { tracked in
      let goal = tracked.goal
      return (
        tracked.days,
        Frame(
          before: ",\(goal.id),\(Self.field(goal.title.text)),",
          behind: ",\(Self.field(goal.unit?.text ?? ""))\r\n")
      )
    }
    position = Mutex(Position(next: goals.map { $0.days.firstCounted?.number ?? Self.none }))
  }

  /// The next rows, the header first; nil after the last. The work grows with the goals and the
  /// rows.
  func next() -> [UInt8]? {
    position.withLock { position in
      guard position.hasBegun else {
        position.hasBegun = true
        return Array(Self.header.utf8)
      }
      var text = ""
      var rows = 0
      while rows < Self.rowsAPiece, let day = position.next.min(), day < Self.none {
        for number in goals.indices where position.next[number] == day {
          append(number, &position, to: &text)
          rows += 1
        }
      }
      return rows == 0 ? nil : Array(text.utf8)
    }
  }

  /// Shows a goal's next day.
  private func append(_ number: Int, _ position: inout Position, to text: inout String) {
    let (days, frame) = goals[number]
    let day = Day(clamping: Int64(position.next[number]))
    text += "\(day)\(frame.before)\(days[day].count)\(frame.behind)"
    let after = day.adding(days: 1).flatMap(days.firstCounted)
    position.next[number] = after?.number ?? Self.none
  }

  /// A field, in quotes where it has to be (RFC 4180 §2.5 to §2.7).
  private static func field(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else {
      return text
    }
    return "\"\(text.replacing("\"", with: "\"\""))\""
  }
}
