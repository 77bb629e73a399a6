import GoalsCore
import JSON

extension CalendarSettings {
  /// Reads a whole calendar, as `writeMembers` writes it. It does not check whether the zone is in
  /// this server's database.
  package static func read(
    _ value: JSONValue, at pointer: JSONPointer = .root
  ) -> Validated<CalendarSettings> {
    var object = ObjectReader(value, at: pointer)
    let zone = object.required("timeZone", .text("a time zone is a name") { ZoneName($0) })
    let weekStart = object.required("weekStart", .weekday)
    let dayStart = object.required("dayStart", .dayStart)
    let faults = object.finish()
    guard faults.isEmpty, let zone, let weekStart, let dayStart else { return .invalid(faults) }
    return .valid(CalendarSettings(timeZone: zone, weekStart: weekStart, dayStart: dayStart))
  }
}
