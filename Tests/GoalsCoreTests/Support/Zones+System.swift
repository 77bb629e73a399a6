@testable import GoalsCore

extension Zones {
  /// The zones of the system's database that tests and vectors name, and one that it does not have.
  static let system = Zones(
    system: [
      "America/Los_Angeles", "Asia/Kathmandu", "Australia/Lord_Howe", "Europe/Berlin",
      "Europe/Paris", "Mars/Phobos", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Pago_Pago",
      "US/Pacific",
    ])

  /// Zones of the system's database; of those that it does not have it is known that there are
  /// none.
  init(system names: [String]) {
    self.init(
      names.compactMap { ZoneName($0) }.reduce(into: [:]) { lookups, name in
        let zone = systemZoneFile(name.text).flatMap { try? Zone(name: name, tzif: $0) }
        lookups[name] = zone.map { .found($0) } ?? .unknown
      })
  }
}
