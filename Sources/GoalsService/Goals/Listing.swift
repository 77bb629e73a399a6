import GoalsCore
import GoalsWire
import JSON

/// The list of an account as it reads at a moment, with the JSON of it.
package struct Listing: Sendable {
  package let goals: Goals
  package let cursor: Cursor
  /// Since when it reads so.
  private let validFrom: Instant
  /// The body of the whole list.
  package let json: [UInt8]

  init(_ goals: Goals, _ cursor: Cursor, at now: Instant) {
    self.goals = goals
    self.cursor = cursor
    validFrom = now
    json = Self.json(cursor, goals.items)
  }

  /// The body with only those goals that are active, or are not.
  package func json(active: Bool) -> [UInt8] {
    Self.json(cursor, goals.items.filter { $0.progress.isActive == active })
  }

  /// Whether the list still reads so at an instant, if nothing was recorded.
  func isValid(at now: Instant) -> Bool {
    validFrom <= now && goals.validUntil.map { now < $0 } ?? true
  }

  /// Writes the goals into the open object.
  func writeGoals(to json: inout JSONWriter) { Self.write(goals.items, to: &json) }

  private static func write(_ items: [Goals.Item], to json: inout JSONWriter) {
    json.array("goals") { json in
      for item in items { json.value(item) }
    }
  }

  private static func json(_ cursor: Cursor, _ items: [Goals.Item]) -> [UInt8] {
    var json = JSONWriter(reserving: 128 + 350 * items.count)
    json.object { json in
      json.member("version", cursor.head.version)
      json.member("cursor", cursor.description)
      write(items, to: &json)
    }
    return json.bytes
  }
}
