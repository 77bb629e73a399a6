import GoalsCore
import GoalsPictures
import GoalsStore
import Synchronization

/// What a client asks for of a goal's history.
package struct AskedHistory: Sendable {
  let goal: Goal.ID
  let window: HistoryWindow
  /// Whether the days show the bumps that stand.
  let showsBumps: Bool
}

/// A goal of an account with what its history is made of.
package struct HistoryView: Sendable {
  let cursor: Cursor
  fileprivate let goal: TrackedGoal
  fileprivate let days: Range<Day>
  fileprivate let today: Day
  fileprivate let calendar: Calendar
  fileprivate let now: Instant
  fileprivate var streak = Streak(current: 0, longest: 0)
  /// Nil where they were not asked for.
  fileprivate var bumps: StandingBumps?

  /// It reads so until the running day ends.
  var tag: EntityTag { EntityTag(cursor, validUntil: calendar.end(of: today)) }

  /// The history itself: made when it is asked for, which a client that has it already does not.
  package var history: GoalHistory {
    goal.history(of: days, at: now, in: calendar, streak, bumps)
  }

  /// The same as a picture.
  var heatMap: HeatMap {
    HeatMap(of: goal, history: history, window: days, today: today, calendar: calendar)
  }
}

/// Reads the history of a goal in a window of days, in portions: first its streak, then the bumps
/// if they are asked for.
final class HistoryReader: Sendable {
  private struct Progress {
    var view: HistoryView
    /// Nil once the streak is counted.
    var reader: GoalsReader?
    /// Nil where no bumps are asked for.
    var search: BumpSearch?
  }

  private let account: Account.ID
  private let progress: Mutex<Progress>

  /// The reader of what is asked for, or why there is none.
  static func make(
    _ asked: AskedHistory, of account: Account.ID, _ published: Published, in world: World
  ) -> Result<HistoryReader, Failure> {
    let now = world.now()
    let state = published.state
    guard let calendar = world.calendar(state.calendar) else { return .failure(.noCalendar) }
    let today = calendar.day(of: now)
    guard let goal = state.roster.listed(asked.goal),
      let reader = GoalsReader(of: asked.goal, in: state, at: now, in: calendar)
    else { return .failure(.unknownGoal) }
    guard let days = asked.window.days(today: today) else {
      return .failure(.window(asked.window))
    }
    let view = HistoryView(
      cursor: Cursor(published), goal: goal, days: days, today: today, calendar: calendar, now: now)
    let search =
      asked.showsBumps ? BumpSearch(of: goal, in: days, account, upTo: state.version) : nil
    return .success(
      HistoryReader(account, Progress(view: view, reader: reader, search: search)))
  }

  private init(_ account: Account.ID, _ progress: Progress) {
    self.account = account
    self.progress = Mutex(progress)
  }

  /// Reads on for about so many steps. Answers the history once it is read.
  func read(
    _ steps: Int, in store: Store, _ listings: Listings
  ) throws(StoreError) -> Result<HistoryView, Failure>? {
    try progress.withLock { progress throws(StoreError) in
      if var reader = progress.reader {
        var steps = steps
        let goals = listings.counting(streaksOf: account) { reader.read(&steps, counting: &$0) }
        progress.reader = goals == nil ? reader : nil
        guard let streak = goals?.entries.first?.streak else { return nil }
        progress.view.streak = streak
      }
      guard var search = progress.search else { return .success(progress.view) }
      let found = try search.goOn(in: store)
      progress.search = search
      return found?.map { bumps in
        var view = progress.view
        view.bumps = bumps
        return view
      }
    }
  }
}
