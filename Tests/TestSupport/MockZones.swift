import GoalsCore

/// Looks a zone up in a world that no update of the system's database changes: UTC, and zones that
/// have always kept to the rule of the present.
@Sendable package func mockZone(_ name: ZoneName) -> ZoneLookup {
  name == .utc ? .found(.utc) : mockZones[name].map { .found($0) } ?? .unknown
}

/// POSIX TZ strings (RFC 9636 §3.3.1), as the footers of the zones' files had them in 2026.
private let mockZones: [ZoneName: Zone] = [
  "America/New_York": "EST5EDT,M3.2.0,M11.1.0",
  "Asia/Tokyo": "JST-9",
  "Europe/Berlin": "CET-1CEST,M3.5.0,M10.5.0/3",
  "Pacific/Auckland": "NZST-12NZDT,M9.5.0,M4.1.0/3",
].reduce(into: [:]) { zones, rule in
  guard let name = ZoneName(rule.key) else { return }
  zones[name] = try? Zone(name: name, tzif: tzif(rule: rule.value))
}

/// The smallest TZif file (RFC 9636 §3): no change, one type of time, and the rule in its footer.
private func tzif(rule: String) -> [UInt8] {
  let counts = [0, 0, 0, 0, 1, 1].flatMap { [0, 0, 0, $0] as [UInt8] }
  let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
  // An offset of 0, no daylight saving, and a designation of one NUL.
  let data = [UInt8](repeating: 0, count: 4 + 1 + 1 + 1)
  return header + data + header + data + Array("\n\(rule)\n".utf8)
}
