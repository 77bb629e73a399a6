/// The result of looking a time zone up by its name.
public enum ZoneLookup: Hashable, Sendable {
  /// The zone of this name.
  case found(Zone)
  /// The time-zone database has no zone of this name.
  case unknown
  /// Reading the zone failed, or its file is no time zone. The database may or may not have the
  /// zone.
  case unavailable

  /// The zone; nil where it was not found.
  public var zone: Zone? {
    if case .found(let zone) = self { zone } else { nil }
  }
}

/// Time zones that were looked up, by name. UTC is always among them.
public struct Zones: Hashable, Sendable {
  private var lookups: [ZoneName: ZoneLookup]

  /// What was looked up so far.
  public init(_ lookups: [ZoneName: ZoneLookup] = [:]) { self.lookups = lookups }

  /// The result of looking a name up; `unavailable` for one that was not looked up.
  public subscript(name: ZoneName) -> ZoneLookup {
    name == .utc ? .found(.utc) : lookups[name] ?? .unavailable
  }

  /// The calendar of these settings; nil where their zone was not found.
  public func calendar(_ settings: CalendarSettings) -> GoalCalendar? {
    settings.calendar(in: self[settings.timeZone])
  }

  /// Looks a name up, unless it was looked up before.
  public mutating func add(_ name: ZoneName, by lookUp: (ZoneName) -> ZoneLookup) {
    guard name != .utc, lookups[name] == nil else { return }
    lookups[name] = lookUp(name)
  }
}

extension CalendarSettings {
  /// The calendar of these settings in the zone that was looked up; nil where it was not found.
  ///
  /// NB: no other zone takes its place. Another zone has other days, and a count on a wrong day
  /// would stay there.
  public func calendar(in lookup: ZoneLookup) -> GoalCalendar? {
    lookup.zone.map { GoalCalendar(zone: $0, weekStart: weekStart, dayStart: dayStart) }
  }
}
