import Testing

@testable import GoalsCore

@Suite("The days of a goal")
struct DayCountsTests {
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

  @Test("may be the first and the last there are")
  func ends() {
    var days = DayCounts()
    days.add(1, on: .first)
    days.add(2, on: .last)
    #expect(days.all.map(\.day) == [.first, .last])
    #expect(days.counts(in: .first..<Day.last).map(\.count) == [1])
  }

  @Test("agree with a plain dictionary, across the borders of chunks")
  func againstDictionary() {
    var dice = SeededDice()
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
  init(around numbers: ClosedRange<Int64>, dice: inout SeededDice) {
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

  func day(_ dice: inout SeededDice) -> Day {
    Day(clamping: Int64.random(in: numbers, using: &dice))
  }

  func compare(_ dice: inout SeededDice) {
    let sorted = naive.sorted { $0.key < $1.key }.map { day, entry in
      DayCounts.DayCount(day: day, count: entry.count, isExcused: entry.isExcused)
    }
    #expect(days.all == sorted, dice.note)
    #expect(days.first == sorted.first?.day, dice.note)
    #expect(days.firstCounted == sorted.first { $0.count > 0 }?.day, dice.note)
    #expect(DayCounts(sorted.shuffled(using: &dice)) == days, dice.note)
    for _ in 0..<200 {
      let pair = [day(&dice), day(&dice)].sorted()
      let inside = sorted.filter { pair[0] <= $0.day && $0.day < pair[1] }
      #expect(days.counts(in: pair[0]..<pair[1]) == inside, dice.note)
      #expect(days[pair[0]].count == naive[pair[0]]?.count ?? 0, dice.note)
      guard let period = Period(start: pair[0], end: pair[1]) else { continue }
      let today = day(&dice)
      let tally = days.tally(in: period, today: today)
      let counted = period.contains(today) ? naive[today]?.count ?? 0 : 0
      #expect(tally.today == counted, dice.note)
      #expect(tally.count == inside.reduce(0) { $0 + $1.count }, dice.note)
      #expect(tally.isExcused == inside.contains { $0.isExcused }, dice.note)
    }
  }
}
