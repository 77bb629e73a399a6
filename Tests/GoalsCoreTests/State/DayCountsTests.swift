import Testing

@testable import GoalsCore

@Suite("The days of a goal")
struct DayCountsTests {
  @Test("have no count where nothing was counted")
  func empty() {
    let days = DayCounts()
    #expect(days[.on("2026-11-20")] == .init(day: .on("2026-11-20"), count: 0, isExcused: false))
    #expect(days.all.isEmpty)
    #expect(days.first == nil)
    #expect(days.firstCounted == nil)
  }

  @Test("add up what is counted on a day")
  func adding() {
    var days = DayCounts()
    days.add(2, on: .on("2026-11-20"))
    days.add(3, on: .on("2026-11-20"))
    days.add(1, on: .on("2026-11-19"))
    #expect(days[.on("2026-11-20")].count == 5)
    #expect(days.all.map(\.count) == [1, 5])
  }

  @Test("forget a day on which nothing is left")
  func forgetting() {
    var days = DayCounts()
    days.add(2, on: .on("2026-11-20"))
    days.add(-2, on: .on("2026-11-20"))
    #expect(days == DayCounts())
    days.setExcused(true, on: .on("2026-11-20"))
    days.setExcused(false, on: .on("2026-11-20"))
    #expect(days == DayCounts())
    days.add(0, on: .on("2026-11-20"))
    #expect(days == DayCounts())
  }

  @Test("keep an excuse beside a count")
  func excuses() {
    var days = DayCounts()
    days.setExcused(true, on: .on("2026-11-20"))
    #expect(days.first == .on("2026-11-20"))
    #expect(days.firstCounted == nil)
    days.add(1, on: .on("2026-11-20"))
    #expect(days[.on("2026-11-20")] == .init(day: .on("2026-11-20"), count: 1, isExcused: true))
    days.add(-1, on: .on("2026-11-20"))
    #expect(days[.on("2026-11-20")].isExcused)
    #expect(days.firstCounted == nil)
  }

  @Test("never go below 0 and never trap")
  func floor() {
    var days = DayCounts()
    days.add(-5, on: .on("2026-11-20"))
    #expect(days == DayCounts())
    days.add(.max, on: .on("2026-11-20"))
    days.add(.max, on: .on("2026-11-20"))
    #expect(days[.on("2026-11-20")].count >= 0)
    days.add(.min, on: .on("2026-11-20"))
    #expect(days[.on("2026-11-20")].count >= 0)
  }

  @Test("tell of a range from its first day to before its last")
  func ranges() {
    var days = DayCounts()
    for day in ["2026-11-18", "2026-11-19", "2026-11-20"] { days.add(1, on: .on(day)) }
    days.setExcused(true, on: .on("2026-11-20"))
    let tally = days.tally(in: .from("2026-11-18", to: "2026-11-20"))
    #expect(tally.count == 2)
    #expect(!tally.isExcused)
    #expect(days.tally(in: .from("2026-11-20", to: "2026-11-21")).isExcused)
    #expect(days.entries(in: .on("2026-11-19")..<(.on("2026-11-20"))).map(\.count) == [1])
    #expect(days.entries(in: .on("2026-11-19")..<(.on("2026-11-19"))).isEmpty)
  }

  @Test("may be the first and the last there are")
  func ends() {
    var days = DayCounts()
    days.add(1, on: .first)
    days.add(2, on: .last)
    #expect(days.all.map(\.day) == [.first, .last])
    #expect(days.entries(in: .first..<Day.last).map(\.count) == [1])
  }

  @Test("agree with a plain dictionary, across the borders of chunks")
  func againstDictionary() {
    var dice = TimeDice()
    for _ in 0..<20 {
      let spread = Int64.random(in: 1...400, using: &dice)
      let middle = Int64.random(in: -300...300, using: &dice)
      let pair = DayCountsPair(around: middle - spread...middle + spread, dice: &dice)
      pair.compare(&dice)
    }
  }
}

/// The days of a goal, and a plain dictionary to which the same was done.
private struct DayCountsPair {
  let numbers: ClosedRange<Int64>
  var days = DayCounts()
  var naive: [Day: (count: Int, isExcused: Bool)] = [:]

  /// Days to which something random was done 400 times.
  init(around numbers: ClosedRange<Int64>, dice: inout TimeDice) {
    self.numbers = numbers
    for _ in 0..<400 {
      let day = day(&dice)
      var entry = naive[day] ?? (0, false)
      if Bool.random(using: &dice) {
        let amount = Int.random(in: -min(3, entry.count)...3, using: &dice)
        days.add(amount, on: day)
        entry.count += amount
      } else {
        entry.isExcused.toggle()
        days.setExcused(entry.isExcused, on: day)
      }
      naive[day] = entry.count == 0 && !entry.isExcused ? nil : entry
    }
  }

  func day(_ dice: inout TimeDice) -> Day {
    Day(clamping: Int64.random(in: numbers, using: &dice))
  }

  func compare(_ dice: inout TimeDice) {
    let sorted = naive.sorted { $0.key < $1.key }.map { day, entry in
      DayCounts.Entry(day: day, count: entry.count, isExcused: entry.isExcused)
    }
    #expect(days.all == sorted, dice.note)
    #expect(days.first == sorted.first?.day, dice.note)
    #expect(days.firstCounted == sorted.first { $0.count > 0 }?.day, dice.note)
    #expect(DayCounts(sorted.shuffled(using: &dice)) == days, dice.note)
    for _ in 0..<200 {
      let pair = [day(&dice), day(&dice)].sorted()
      let inside = sorted.filter { pair[0] <= $0.day && $0.day < pair[1] }
      #expect(days.entries(in: pair[0]..<pair[1]) == inside, dice.note)
      #expect(days[pair[0]].count == naive[pair[0]]?.count ?? 0, dice.note)
      guard let period = Period(start: pair[0], end: pair[1]) else { continue }
      let tally = days.tally(in: period)
      #expect(tally.count == inside.reduce(0) { $0 + $1.count }, dice.note)
      #expect(tally.isExcused == inside.contains { $0.isExcused }, dice.note)
    }
  }
}
