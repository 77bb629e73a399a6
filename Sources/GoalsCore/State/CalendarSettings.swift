/// How an account cuts time into days, weeks and months. With the zone that `timeZone` names it
/// makes a `Calendar`.
public struct CalendarSettings: Hashable, Sendable {
  public static let initial = CalendarSettings(
    timeZone: .utc, weekStart: .monday, dayStart: .midnight)

  public let timeZone: ZoneName
  public let weekStart: Weekday
  public let dayStart: DayStart

  public init(timeZone: ZoneName, weekStart: Weekday, dayStart: DayStart) {
    self.timeZone = timeZone
    self.weekStart = weekStart
    self.dayStart = dayStart
  }

  /// Which of these settings to change; nil leaves one as it is.
  public struct Changes: Hashable, Sendable {
    public let timeZone: ZoneName?
    public let weekStart: Weekday?
    public let dayStart: DayStart?

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
