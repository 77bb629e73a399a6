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
        lookups[name] = Zone.system(name).map { .found($0) } ?? .unknown
      })
  }
}

extension Zone {
  /// The zone of this name in the system's database; nil where there is none.
  static func system(_ name: ZoneName) -> Zone? {
    systemZoneFile(name.text).flatMap { try? Zone(name: name, tzif: $0) }
  }
}
