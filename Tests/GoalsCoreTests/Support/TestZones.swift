@testable import GoalsCore

/// The zones of one test case: to the core as zones, to the simple model as clocks.
struct TestZones {
  /// Summer time, also of half an hour and at midnight; an offset of a quarter of an hour; a date
  /// that never was.
  static let names = [
    "America/Los_Angeles", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu",
    "Pacific/Apia", "UTC", "America/Sao_Paulo", "America/St_Johns",
  ]

  let zones: Zones
  let clocks: SimpleClocks
  private let read: [ZoneName: Zone]

  init() {
    var read: [ZoneName: Zone] = [:]
    for text in Self.names {
      guard let name = ZoneName(text), let file = systemZoneFile(text) else { continue }
      read[name] = try? Zone(name: name, tzif: file)
    }
    zones = Zones(system: Self.names + ["Nowhere/None"])
    clocks = SimpleClocks(Array(read.values))
    self.read = read
  }

  /// Whether the system has them all.
  var isComplete: Bool { read.count == Self.names.count }

  /// When the clocks of a zone are changed from 2000 to 2037, to the minute.
  func changes(of name: ZoneName) -> [Instant] {
    guard let zone = read[name] else { return [] }
    let days = (10_957...24_837).map { Int64($0) * 86_400 }
    return zip(days, days.dropFirst()).compactMap { day, next in
      guard zone.offset(at: Instant(seconds: day)) != zone.offset(at: Instant(seconds: next)) else {
        return nil
      }
      return stride(from: day, through: next, by: 60).map { Instant(seconds: $0) }.first {
        zone.offset(at: $0) != zone.offset(at: Instant(seconds: day))
      }
    }
  }
}
