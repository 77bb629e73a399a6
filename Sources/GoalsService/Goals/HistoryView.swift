import GoalsCore
import GoalsPictures
import GoalsStore
import Synchronization

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
  fileprivate let calendar: GoalCalendar
  fileprivate let now: Instant
  fileprivate var streak = Streak(current: 0, longest: 0)
  /// Nil where they were not asked for.
  fileprivate var bumps: StandingBumps?

  /// It reads so until the running day ends.
  var validUntil: Instant { calendar.end(of: today) }

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

  init(
    _ asked: AskedHistory, of account: Account.ID, _ published: Published, in world: World
  ) throws(Failure) {
    let now = world.now()
    let state = published.state
    let calendar = try world.calendar(state.calendar).or(.noCalendar)
    let today = calendar.day(of: now)
    let goal = try state.roster.listed(asked.goal).or(.unknownGoal)
    let days = try asked.window.days(today: today).or(.window(asked.window))
    let view = HistoryView(
      cursor: Cursor(published), goal: goal, days: days, today: today, calendar: calendar, now: now)
    self.account = account
    progress = Mutex(
      Progress(
        view: view, reader: GoalsReader(of: asked.goal, in: state, at: now, in: calendar),
        search: asked.showsBumps
          ? BumpSearch(of: goal, in: days, account, upTo: state.version) : nil))
  }

  /// Reads on for about so many steps. Answers the history once it is read.
  func read(_ steps: Int, in store: Store, _ listings: Listings) throws -> HistoryView? {
    try progress.withLock { progress in
      if var reader = progress.reader {
        var steps = steps
        let goals = listings.counting(streaksOf: account) { reader.read(&steps, counting: &$0) }
        progress.reader = goals == nil ? reader : nil
        guard let streak = goals?.items.first?.streak else { return nil }
        progress.view.streak = streak
      }
      guard progress.search != nil else { return progress.view }
      progress.view.bumps = try progress.search?.goOn(in: store)
      return progress.view.bumps == nil ? nil : progress.view
    }
  }
}
