import Testing

@testable import GoalsCore

/// Axioms of days and progress, each tried at random instants. docs/laws.md lists them.
@Suite("Whenever it is asked")
struct TimeLawTests {
  @Test("progress is that of the day: every instant of a day reads the same")
  func progress() {
    RandomAccount.each(of: 30) { random in
      let (account, calendar) = (random.account, random.account.calendar)
      for _ in 0..<10 {
        let someTime = account.now.adding(
          milliseconds: random.dice.number(in: Int64(-40)...40) * 3_600_000)
        let day = calendar.day(of: someTime)
        let (start, end) = (calendar.start(of: day), calendar.end(of: day))
        let inside = random.dice.number(in: start.milliseconds...end.milliseconds - 1)
        let read = [start.milliseconds, inside, end.milliseconds - 1].map { milliseconds in
          account.state.goals(at: Instant(milliseconds: milliseconds), in: calendar).items
            .map(\.progress)
        }
        #expect(read[0] == read[1] && read[1] == read[2], "\(day). \(random.dice.note)")
      }
    }
  }

  @Test("progress is the sum of what was counted on the days of the running period")
  func sum() {
    RandomAccount.each(of: 30) { random in
      let account = random.account
      for item in account.state.goals(at: account.now, in: account.calendar).items {
        guard case .active(let running) = item.progress else { continue }
        let today = account.calendar.day(of: account.now)
        let all = account.state.roster.goal(item.goal.id)?.days.all ?? []
        let days = all.filter { running.period.contains($0.day) }
        #expect(running.count == days.reduce(0) { $0 + $1.count }, random.dice.note)
        #expect(running.period.contains(today), random.dice.note)
        #expect(running.today == all.first { $0.day == today }?.count ?? 0, random.dice.note)
        let isMet = running.count >= item.goal.frequency.value
        #expect((running.state == .met) == isMet, random.dice.note)
        let isExcused = days.contains(where: \.isExcused)
        #expect((running.state == .excused) == (!isMet && isExcused), random.dice.note)
      }
    }
  }

  @Test("a later instant is never of an earlier day", arguments: CalendarPropertyTests.zones)
  func monotone(zone: String) throws {
    let zone = try TimeFixtures.zone(zone)
    SeededDice.each(of: 20) { dice in
      let dayStart = DayStart(minutes: dice.number(in: 0...720)) ?? .midnight
      let calendar = GoalCalendar(zone: zone, dayStart: dayStart)
      let middle = dice.number(in: Int64(-60_000)...60_000) * 86_400_000
      let instants = (0..<50).map { _ in
        Instant(milliseconds: middle + dice.number(in: Int64(-300_000_000)...300_000_000))
      }
      let days = instants.sorted().map { calendar.day(of: $0) }
      #expect(days == days.sorted(), dice.note)
    }
  }

  @Test("the list reads the same until it says that it may not")
  func validity() {
    RandomAccount.each(of: 20, after: 0) { random in
      for _ in 0..<20 {
        for _ in 0..<random.dice.number(in: 1...3) { _ = random.step() }
        expectValid(&random)
      }
    }
  }

  private func expectValid(_ random: inout RandomAccount) {
    let account = random.account
    let calendar = account.calendar
    let goals = account.state.goals(at: account.now, in: calendar)
    let day: Int64 = 86_400_000
    let end = goals.validUntil ?? account.now.adding(milliseconds: 40 * day)
    #expect(end > account.now, random.dice.note)
    let last = end.milliseconds - 1
    let between = (0..<3).map { _ in
      random.dice.number(in: account.now.milliseconds...last)
    }
    for milliseconds in between + [last] {
      let instant = Instant(milliseconds: milliseconds)
      let later = account.state.goals(at: instant, in: calendar)
      #expect(
        later.items == goals.items, "from \(account.now) to \(instant). \(random.dice.note)")
    }
  }
}
