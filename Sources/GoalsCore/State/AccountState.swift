/// The state of an account: the fold of its log.
///
/// A value: a later edit does not change a copy of it. Only `RecordedEdit.transform` makes the next
/// state.
public struct AccountState: Hashable, Sendable {
  /// The version of the last recorded edit.
  public internal(set) var version: Version
  /// When the last edit was recorded; nil for an empty log.
  public internal(set) var recordedAt: Instant?
  /// How the account cuts time into days, weeks and months.
  public internal(set) var calendar: CalendarSettings
  /// The goals, with all that was counted.
  public internal(set) var roster: Roster

  /// The state of an empty log.
  public init(calendar: CalendarSettings = .initial) {
    version = .none
    self.calendar = calendar
    roster = Roster()
  }

  /// A state as it was stored.
  public init(
    version: Version, recordedAt: Instant?, calendar: CalendarSettings, roster: Roster
  ) {
    self.version = version
    self.recordedAt = recordedAt
    self.calendar = calendar
    self.roster = roster
  }
}
