import GoalsCore
import GoalsStore
import GoalsWire
import JSON

/// An account as it is asked for.
package struct AskedAccount: Hashable, Sendable {
  let name: Title
  let timeZone: ZoneName
  /// Whether the zone was asked for; else it is the machine's.
  let isZoneChosen: Bool

  /// Reads `{"name", "timeZone"}`, of which the name has to be there.
  static func read(_ value: JSONValue, in world: World) -> Validated<AskedAccount> {
    var object = ObjectReader(value)
    let name = object.required("name", .label)
    let timeZone = object.optional("timeZone", Reading<ZoneName>.zone(in: world).orNothing) ?? nil
    let faults = object.finish()
    guard faults.isEmpty, let name else { return .invalid(faults) }
    return .valid(
      AskedAccount(
        name: name, timeZone: timeZone ?? world.machineZone(), isZoneChosen: timeZone != nil))
  }

  func record(in world: World) -> AccountRecord {
    let initial = CalendarSettings.initial
    return AccountRecord(
      id: world.makeID(), name: name.text, createdAt: world.now(),
      initialCalendar: CalendarSettings(
        timeZone: timeZone, weekStart: initial.weekStart, dayStart: initial.dayStart),
      isZoneChosen: isZoneChosen)
  }

  /// Whether its zone can be had now.
  func hasZone(in world: World) -> Bool { world.zone(timeZone).zone != nil }
}

extension Reading where Value == ZoneName {
  /// Refuses what is known to be none. A zone that can't be had now is not the client's fault.
  static func zone(in world: World) -> Reading {
    Reading("a time zone is one of the IANA database, such as Europe/Berlin") { value in
      Reading<String>.string.read(value).flatMap { ZoneName($0) }
        .flatMap { world.zone($0) == .unknown ? nil : $0 }
    }
  }
}
