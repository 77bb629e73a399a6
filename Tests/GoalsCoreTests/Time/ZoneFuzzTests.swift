import GoalsCore
import Testing

@Suite("A damaged TZif file")
struct ZoneFuzzTests {
  @Test(
    "is refused, or is a zone with a total calendar",
    arguments: [
      "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Etc/UTC", "Africa/Cairo",
    ])
  func mutations(name: String) throws {
    var dice = SeededDice()
    let original = try TimeFixtures.bytes(of: name)
    for _ in 0..<300 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &dice) { mutate(&bytes, &dice) }
      guard let zone = try? Zone(name: .utc, tzif: bytes) else { continue }
      let calendar = GoalCalendar(
        zone: zone, weekStart: .sunday, dayStart: try #require(DayStart("02:30")))
      for milliseconds in [.min, .max, 0, Int64.random(in: -1 << 43...1 << 43, using: &dice)] {
        let instant = Instant(milliseconds: milliseconds)
        #expect((-89_999...93_599).contains(zone.offset(at: instant)), dice.note)
        let day = calendar.day(of: instant)
        #expect(calendar.exists(day), dice.note)
        #expect(day == .first || calendar.start(of: day) <= instant, dice.note)
        #expect(day == .last || instant < calendar.end(of: day), dice.note)
      }
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ dice: inout SeededDice) {
    guard !bytes.isEmpty else { return }
    let place =
      switch Int.random(in: 0..<3, using: &dice) {
      // The headers, the footer, anywhere.
      case 0: Int.random(in: 0..<min(44, bytes.count), using: &dice)
      case 1: Int.random(in: max(0, bytes.count - 40)..<bytes.count, using: &dice)
      default: Int.random(in: bytes.indices, using: &dice)
      }
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: bytes[place] = UInt8.random(in: 0...255, using: &dice)
    case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &dice)
    case 2: bytes[place] = Bool.random(using: &dice) ? 0 : 0xFF
    case 3: bytes.insert(UInt8.random(in: 0...255, using: &dice), at: place)
    case 4: bytes.remove(at: place)
    default: bytes.removeLast(min(bytes.count, Int.random(in: 1...60, using: &dice)))
    }
  }
}
