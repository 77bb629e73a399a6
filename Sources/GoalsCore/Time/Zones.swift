/// What came of looking a time zone up by its name.
public enum ZoneLookup: Hashable, Sendable {
  case found(Zone)
  /// The time-zone database has none of that name.
  case unknown
  /// It can't be had now, and whether there is one is not known: reading failed, or what was read is no
  /// zone.
  case unavailable

  public var zone: Zone? {
    if case .found(let zone) = self { zone } else { nil }
  }
}

/// Time zones that were looked up, by name. UTC is always among them.
public struct Zones: Sendable {
  private var lookups: [ZoneName: ZoneLookup]

  public init(_ lookups: [ZoneName: ZoneLookup] = [:]) { self.lookups = lookups }

  /// What came of looking a name up; for one that was not looked up, `unavailable`.
  public subscript(name: ZoneName) -> ZoneLookup {
    name == .utc ? .found(.utc) : lookups[name] ?? .unavailable
  }

  /// The calendar of these settings; nil where their zone was not found.
  public func calendar(_ settings: CalendarSettings) -> Calendar? {
    settings.calendar(in: self[settings.timeZone])
  }

  /// Looks a name up, unless that was done before.
  public mutating func add(_ name: ZoneName, by lookUp: (ZoneName) -> ZoneLookup) {
    guard name != .utc, lookups[name] == nil else { return }
    lookups[name] = lookUp(name)
  }
}

extension CalendarSettings {
  /// The calendar of these settings, by what came of looking their zone up; nil where it was not found.
  ///
  /// NB: there is no other zone to fall back on. It would have other days, and what is recorded on a wrong
  /// day stays there.
  public func calendar(in lookup: ZoneLookup) -> Calendar? {
    lookup.zone.map { Calendar(zone: $0, weekStart: weekStart, dayStart: dayStart) }
  }
}
