import GoalsCore

extension Harness {
  /// The bytes of a TZif file, or behind a `#` the rule in the footer of one.
  ///
  /// They are no zone, or one in which every instant has an offset that RFC 9636 §3.2 allows, and
  /// lies in the one day that begins before it and ends after it.
  static let zones = Harness(name: "zones") { bytes in
    let file = bytes.first == UInt8(ascii: "#") ? tzif(rule: bytes.dropFirst()) : bytes
    guard let zone = try? Zone(name: .utc, tzif: file) else { return }
    let days: [Int64] = [-719_529, -719_528, -25_568, -1, 0, 10_957, 20_776, 24_855, 2_932_896]
    let seconds = days.flatMap { day in [-1, 0, 7_200, 43_200].map { day * 86_400 + $0 } }
    for second in seconds + [.min / 1000, .max / 1000] {
      let offset = zone.offset(at: Instant(seconds: second))
      try claim((-89_999...93_599).contains(offset), "an offset of \(offset) seconds")
    }
    for start in [0, 180, 720].compactMap({ DayStart(minutes: $0) }) {
      let calendar = GoalCalendar(zone: zone, weekStart: .monday, dayStart: start)
      try check(calendar, at: seconds.map { Instant(seconds: $0) })
    }
  }
}

private func check(_ calendar: GoalCalendar, at instants: [Instant]) throws(Broken) {
  var last = Day.first
  for instant in instants {
    let day = calendar.day(of: instant)
    try claim(day >= last, "days go back")
    last = day
    let isInside = (Day.first..<Day.last).contains(day) && day != .first
    try claim(
      !isInside
        || (calendar.start(of: day)...).contains(instant) && instant < calendar.end(of: day),
      "an instant is not in its day")
    try claim(!isInside || calendar.exists(day), "a day that does not exist")
    for interval in Interval.allCases {
      let period = calendar.period(of: interval, holding: day)
      try claim(period.start <= day && day < period.end || day == .last, "not in its own period")
    }
  }
}

/// The smallest TZif file (RFC 9636 §3): no change, one type of time, and the rule in its footer.
private func tzif(rule: ArraySlice<UInt8>) -> [UInt8] {
  let counts = [0, 0, 0, 0, 1, 1].flatMap { [0, 0, 0, $0] as [UInt8] }
  let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
  let data = [UInt8](repeating: 0, count: 4 + 1 + 1 + 1)
  return header + data + header + data + [0x0A] + rule + [0x0A]
}
