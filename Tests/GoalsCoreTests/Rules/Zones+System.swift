@testable import GoalsCore

extension Zones {
  /// Every zone of the system's database.
  static let system = Zones { name in
    systemZoneFile(name.text).flatMap { try? Zone(name: name, tzif: $0) }
  }
}
