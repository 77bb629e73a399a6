import GoalsCore
import GoalsPictures
import GoalsStore
import Synchronization

/// A goal of an account with what its history is made of.
package struct HistoryView: Sendable {
  let cursor: Cursor
  private let goal: TrackedGoal
  private let days: Range<Day>
  private let today: Day
  private let calendar: Calendar
  private let now: Instant
  private let streak: Streak

  /// It reads so until the running day ends.
  var tag: EntityTag { EntityTag(cursor, validUntil: calendar.end(of: today)) }

  /// The history itself: made when it is asked for, which a client that has it already does not.
  package var history: GoalHistory { goal.history(of: days, at: now, in: calendar, streak) }

  /// The same as a picture.
  var heatMap: HeatMap {
    HeatMap(of: goal, history: history, window: days, today: today, calendar: calendar)
  }

  /// Reads the history of a goal in a window of days, in portions: a function of how many steps to
  /// take at most, nil where it is not read yet. Or why it can't be.
  static func making(
    _ id: Goal.ID, in window: HistoryWindow, _ account: Account.ID, _ published: Published,
    _ listings: Listings, _ world: World
  ) -> Result<@Sendable (_ steps: Int) -> HistoryView?, Failure> {
    let now = world.now()
    let state = published.state
    guard let calendar = world.calendar(state.calendar) else { return .failure(.noCalendar) }
    let today = calendar.day(of: now)
    guard let goal = state.roster.listed(id),
      let goalReader = GoalsReader(of: id, in: state, at: now, in: calendar)
    else { return .failure(.unknownGoal) }
    guard let days = window.days(today: today) else { return .failure(.window(window)) }
    let reader = Mutex(goalReader)
    return .success { steps in
      reader.withLock { reader in
        var steps = steps
        let goals = listings.counting(streaksOf: account) { streaks in
          reader.read(&steps, counting: &streaks)
        }
        return goals?.entries.first.map { entry in
          HistoryView(
            cursor: Cursor(published), goal: goal, days: days, today: today, calendar: calendar,
            now: now, streak: entry.streak)
        }
      }
    }
  }
}
