import GoalsCore
import GoalsStore

/// A goal of an account with what its history is made of.
package struct HistoryReading: Sendable {
  package let tag: EntityTag
  private let goal: TrackedGoal
  private let days: Range<Day>
  private let today: Day
  private let calendar: Calendar
  private let make: @Sendable () -> GoalHistory

  /// The history itself: made when it is asked for, since who has it already does not.
  package var history: GoalHistory { make() }

  /// The same as a picture.
  var heatMap: HeatMap {
    HeatMap(of: goal, history: history, window: days, today: today, calendar: calendar)
  }

  /// Finds the goal and the days in an account's published state.
  static func of(
    _ id: Goal.ID, in window: HistoryWindow, _ account: Account.ID, _ published: Published,
    _ listings: Listings, _ world: World
  ) -> Result<HistoryReading, Failure> {
    let now = world.now()
    guard let goal = published.state.roster.listed(id) else { return .failure(.unknownGoal) }
    guard let calendar = world.calendar(published.state.calendar) else {
      return .failure(.noCalendar)
    }
    let today = calendar.day(of: now)
    guard let days = window.days(today: today) else { return .failure(.window(window)) }
    let tag = EntityTag(Cursor(published), validUntil: calendar.end(of: today))
    return .success(
      HistoryReading(tag: tag, goal: goal, days: days, today: today, calendar: calendar) {
        listings.counting(streaksOf: account) { streaks in
          goal.history(of: days, at: now, in: calendar, counting: &streaks)
        }
      })
  }
}
