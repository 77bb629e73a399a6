import GoalsCore

/// Words for people.
enum Words {
  /// How long ago an instant was; its date once that is more than a month.
  static func ago(_ text: String?, at now: Instant) -> String {
    guard let text else { return "never" }
    guard let instant = Instant(text) else { return text }
    let minutes = (now.milliseconds - instant.milliseconds) / 60_000
    switch minutes {
    case ..<1: return "just now"
    case ..<60: return count(minutes, "minute") + " ago"
    case ..<1440: return count(minutes / 60, "hour") + " ago"
    case ..<44_640: return count(minutes / 1440, "day") + " ago"
    // NB: open: a switch over numbers.
    default: return date(text)
    }
  }

  /// The date of an instant, in UTC.
  static func date(_ instant: String) -> String { String(instant.prefix(10)) }

  /// The minute of an instant; `never` for none.
  static func minute(_ instant: String?) -> String {
    instant.map { "\($0.prefix(10)) \($0.dropFirst(11).prefix(5)) UTC" } ?? "never"
  }

  static func count(_ number: some BinaryInteger, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }
}
