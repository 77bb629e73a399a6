/// How an account cuts time into days, weeks and months. With the zone that `timeZone` names it
/// makes a `GoalCalendar`.
public struct CalendarSettings: Hashable, Sendable {
  /// Those of an account that never chose any: UTC, Monday and midnight.
  public static let initial = CalendarSettings(
    timeZone: .utc, weekStart: .monday, dayStart: .midnight)

  /// The zone of the account's days.
  public let timeZone: ZoneName
  /// The day on which a week begins.
  public let weekStart: Weekday
  /// The time on the clock at which a day begins.
  public let dayStart: DayStart

  /// Settings that are all given.
  public init(timeZone: ZoneName, weekStart: Weekday, dayStart: DayStart) {
    self.timeZone = timeZone
    self.weekStart = weekStart
    self.dayStart = dayStart
  }

  /// Which of these settings to change; nil leaves one as it is.
  public struct Changes: Hashable, Sendable {
    /// The new zone; nil where it stays.
    public let timeZone: ZoneName?
    /// The new day on which weeks begin; nil where it stays.
    public let weekStart: Weekday?
    /// The new time at which days begin; nil where it stays.
    public let dayStart: DayStart?

    /// Changes of the settings that are given.
    public init(timeZone: ZoneName? = nil, weekStart: Weekday? = nil, dayStart: DayStart? = nil) {
      self.timeZone = timeZone
      self.weekStart = weekStart
      self.dayStart = dayStart
    }
  }

  func changed(by changes: Changes) -> CalendarSettings {
    CalendarSettings(
      timeZone: changes.timeZone ?? timeZone, weekStart: changes.weekStart ?? weekStart,
      dayStart: changes.dayStart ?? dayStart)
  }

  /// The changes that differ from the present settings.
  func difference(to changes: Changes) -> Changes {
    Changes(
      timeZone: changes.timeZone == timeZone ? nil : changes.timeZone,
      weekStart: changes.weekStart == weekStart ? nil : changes.weekStart,
      dayStart: changes.dayStart == dayStart ? nil : changes.dayStart)
  }

  /// The present values of the settings that the changes name.
  func values(of changes: Changes) -> Changes {
    Changes(
      timeZone: changes.timeZone == nil ? nil : timeZone,
      weekStart: changes.weekStart == nil ? nil : weekStart,
      dayStart: changes.dayStart == nil ? nil : dayStart)
  }
}
