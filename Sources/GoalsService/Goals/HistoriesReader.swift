import GoalsCore
import GoalsStore
import GoalsWire
import JSON
import Synchronization

package struct AskedHistories: Sendable {
  let window: HistoryWindow
  /// The goal after which the page begins; nil for the first page.
  let after: Goal.ID?
  /// Makes the empty text to which the page is written; nil where that can't be had.
  let makeText: @Sendable () -> PackedText?
  /// Whether the histories of this cursor, which read so until then, are wanted. Where they are
  /// not, none is made.
  let areWanted: @Sendable (Cursor, _ validUntil: Instant) -> Bool
}

/// A page of the histories of all goals.
package struct Histories: Sendable {
  let cursor: Cursor
  /// They read so until the running day ends.
  let validUntil: Instant
  /// The JSON text, compressed where that was asked for; nil where it is not wanted.
  let body: [UInt8]?
}

/// Reads a page of the histories of all goals, in portions.
final class HistoriesReader: Sendable {
  /// How many goals a page has.
  static let goalsAPage = 64
  /// To judge, write and compress a period takes as long as so many steps of a list.
  private static let stepsAPeriod = 10

  private enum Progress {
    /// The streaks of the page are being counted.
    case streaks(GoalsReader)
    /// The histories of these goals are yet to be written.
    case histories(ArraySlice<Goals.Item>, PackedText)
  }

  private let asked: AskedHistories
  private let cursor: Cursor
  private let validUntil: Instant
  private let state: AccountState
  private let now: Instant
  private let calendar: GoalCalendar
  private let days: Range<Day>
  /// The goal after which the next page begins; nil for the last page.
  private let next: Goal.ID?
  private let progress: Mutex<Progress>

  init(_ asked: AskedHistories, of published: Published, in world: World) throws(Failure) {
    state = published.state
    now = world.now()
    self.asked = asked
    calendar = try world.calendar(state.calendar).or(.noCalendar)
    let today = calendar.day(of: now)
    days = try asked.window.days(today: today).or(.window(asked.window))
    let roster = state.roster
    let before = asked.after.map { roster.index(of: $0) } ?? -1
    let start = try before.or(.cursorDiverged) + 1
    let last = start + Self.goalsAPage - 1
    next = last + 1 < roster.count ? roster.goal(in: roster.order[last])?.goal.id : nil
    cursor = Cursor(published)
    validUntil = calendar.end(of: today)
    progress = Mutex(
      .streaks(
        GoalsReader(of: state, from: start, count: Self.goalsAPage, at: now, in: calendar)))
  }

  /// The page without its text; nil where its text is wanted.
  var unwanted: Histories? { asked.areWanted(cursor, validUntil) ? nil : page(nil) }

  private func page(_ body: [UInt8]?) -> Histories {
    Histories(cursor: cursor, validUntil: validUntil, body: body)
  }

  /// Reads on for about so many steps. Answers the page once it is whole.
  func read(_ steps: Int, of account: Account.ID, _ listings: Listings) throws -> Histories? {
    try progress.withLock { progress in
      var steps = steps
      if case .streaks(var reader) = progress {
        let goals = listings.counting(streaksOf: account) { reader.read(&steps, counting: &$0) }
        progress = .streaks(reader)
        guard let goals else { return nil }
        let text = try asked.makeText().or(.unforeseen)
        text.append("{\"goals\":[")
        progress = .histories(goals.items[...], text)
      }
      guard case .histories(var left, let text) = progress else { return nil }
      while steps > 0, let item = left.popFirst() {
        steps -= write(item, to: text)
        if !left.isEmpty { text.append(",") }
      }
      progress = .histories(left, text)
      guard left.isEmpty else { return nil }
      text.append("],\"next\":" + (next.map { "\"\($0)\"" } ?? "null") + "}")
      return page(try text.finish().or(.unforeseen))
    }
  }

  /// Writes the history of a goal, and answers how many steps that takes.
  private func write(_ item: Goals.Item, to text: PackedText) -> Int {
    guard let goal = state.roster.goal(item.goal.id) else { return 0 }
    let history = goal.history(of: days, at: now, in: calendar, item.streak, showsNotes: false)
    var json = JSONWriter(reserving: 200 + 40 * history.days.count + 90 * history.periods.count)
    json.object { json in
      json.member("id", goal.goal.id)
      history.writeMembers(to: &json)
    }
    text.append(json.bytes)
    return Self.stepsAPeriod * (1 + history.days.count + history.periods.count)
  }
}
