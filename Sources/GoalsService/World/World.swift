import Dispatch
import GoalsCore

/// Everything that the service asks of the world, as functions. A test hands in a clock and
/// randomness of its own. Nothing else may ask for these.
package struct World: Sendable {
  package var now: @Sendable () -> Instant
  /// The time since some moment: it is never set, and only goes on.
  package var uptime: @Sendable () -> Duration
  /// Random bits that nobody can foretell.
  package var random: @Sendable () -> UInt64
  /// Looks a time zone up by its name. UTC is always found.
  package var zone: @Sendable (ZoneName) -> ZoneLookup
  /// The time zone whose name has the letters of this one, some of them in another case.
  package var zoneInAnotherCase: @Sendable (ZoneName) -> ZoneName?
  /// The time zone that the machine is set to, which can be read.
  package var machineZone: @Sendable () -> ZoneName
  /// Calls back on a queue, after at least this time.
  package var later: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
  /// Takes a happening: for the log and the metrics in the live world, for a list to compare in a
  /// test.
  package var track: @Sendable (Happening) -> Void

  /// The same world, of which `hear` is told everything that happens, too.
  func tracking(_ hear: @escaping @Sendable (Happening) -> Void) -> World {
    var world = self
    world.track = { [track] happening in
      hear(happening)
      track(happening)
    }
    return world
  }

  /// The calendar of these settings; nil where the world lacks their zone.
  func calendar(_ settings: CalendarSettings) -> GoalCalendar? {
    settings.calendar(in: zone(settings.timeZone))
  }

  /// The calendar of an account for which nobody asks for another.
  package var usualCalendar: CalendarSettings {
    let initial = CalendarSettings.initial
    return CalendarSettings(
      timeZone: machineZone(), weekStart: initial.weekStart, dayStart: initial.dayStart)
  }

  /// Why a text names no time zone; nil where it names one, or may do so.
  package func refusal(ofZone text: String) -> String? {
    let name = ZoneName(text)
    guard name.map(zone) ?? .unknown == .unknown else { return nil }
    let shown = text.count > 64 ? "\(text.prefix(64))…" : text.isEmpty ? "of no name" : text
    if let like = name.flatMap(zoneInAnotherCase) {
      return "there is no time zone \(shown), but there is \(like)"
    }
    return "there is no time zone \(shown) in the IANA database (one is Europe/Berlin)"
  }

  /// A UUIDv7 of now.
  package func makeID<Subject>() -> ID<Subject> {
    ID(time: now(), randomness: (random(), random()))
  }
}
