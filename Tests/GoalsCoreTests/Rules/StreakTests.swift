import Testing

@testable import GoalsCore

/// A day of a goal, to be done once a day: met, skipped, paused (off all day), missed or pending.
private enum DayOfRun: Character {
  case met = "m"
  case skipped = "s"
  case paused = "p"
  case missed = "x"
  case pending = "."
}

extension TestAccount {
  /// An account with a goal since the first of November whose days were these; the last is today.
  fileprivate static func after(_ days: String, interval: Interval = .daily) -> TestAccount {
    let date = { (number: Int) in "2026-11-\(number < 10 ? "0" : "")\(number)" }
    var account = TestAccount.living(
      now: "\(date(days.count))T12:00:00Z", with: .some(1, "Goal", interval))
    for (place, day) in days.compactMap(DayOfRun.init).enumerated() {
      switch day {
      case .met: account.count(1, on: date(place + 1))
      case .skipped: account.record(.skip(1), at: .at("\(date(place + 1))T12:00:00Z"))
      case .paused:
        account.turn(on: false, at: "\(date(place + 1))T00:00:00Z")
        if place + 1 < days.count { account.turn(on: true, at: "\(date(place + 2))T00:00:00Z") }
      case .missed, .pending: break
      }
    }
    return account
  }

  /// How each period was judged, in those letters.
  fileprivate var letters: String {
    String(
      periods(of: 1).map { judged in
        switch judged.state {
        case .met: DayOfRun.met.rawValue
        case .skipped: DayOfRun.skipped.rawValue
        case .paused: DayOfRun.paused.rawValue
        case .missed: DayOfRun.missed.rawValue
        case .pending: DayOfRun.pending.rawValue
        }
      })
  }

  /// The streak, which the judged periods must tell too.
  fileprivate func expectStreak(
    _ current: Int, _ longest: Int, location: SourceLocation = #_sourceLocation
  ) {
    let expected = Streak(current: current, longest: longest)
    #expect(streak(of: 1) == expected, sourceLocation: location)
    #expect(Streak(of: periods(of: 1)) == expected, sourceLocation: location)
  }
}

@Suite("A streak")
struct StreakTests {
  @Test(
    "is the run of met periods: the current one, and the longest there was",
    arguments: [
      (".", 0, 0), ("m", 1, 1), ("m.", 1, 1), ("x.", 0, 0), ("xm", 1, 1), ("mmm", 3, 3),
      ("mmm.", 3, 3), ("mmx.", 0, 2), ("mmxm", 1, 2), ("mxmm.", 2, 2), ("mmmxmm.", 2, 3),
      ("mxmmmxxmm", 2, 3), ("xxxx.", 0, 0), ("mmmmmmmmmmmmmmmmmmmm", 20, 20),
      ("mmmmmmmmmmmmmmmmmmx.", 0, 18),
    ] as [(String, Int, Int)])
  func runs(_ days: String, current: Int, longest: Int) { expect(days, current, longest) }

  @Test(
    "is neither broken nor lengthened by what is skipped",
    arguments: [
      ("s", 0, 0), ("ms.", 1, 1), ("msm.", 2, 2), ("sm.", 1, 1), ("mssssm", 2, 2),
      ("mmsxs.", 0, 2), ("xsm.", 1, 1), ("ms", 1, 1), ("msxm.", 1, 1), ("mmsmxmsm.", 2, 3),
    ] as [(String, Int, Int)])
  func skipped(_ days: String, current: Int, longest: Int) { expect(days, current, longest) }

  @Test(
    "is neither broken nor lengthened by what is paused",
    arguments: [
      ("p.", 0, 0), ("mp.", 1, 1), ("mpm.", 2, 2), ("pm.", 1, 1), ("mppppm", 2, 2),
      ("mmpxp.", 0, 2), ("xpm.", 1, 1), ("mpxm.", 1, 1), ("mpspm.", 2, 2), ("mspxspm.", 1, 1),
      ("mmpmxmpm.", 2, 3),
    ] as [(String, Int, Int)])
  func paused(_ days: String, current: Int, longest: Int) { expect(days, current, longest) }

  private func expect(_ days: String, _ current: Int, _ longest: Int) {
    let account = TestAccount.after(days)
    #expect(account.letters == days)
    account.expectStreak(current, longest)
  }

  @Test("is broken by a pending period only when that is over")
  func pending() {
    var account = TestAccount.after("mmm.")
    account.now = .at("2026-11-04T23:59:59.999Z")
    account.expectStreak(3, 3)
    account.now = .at("2026-11-05T00:00:00Z")
    account.expectStreak(0, 3)
  }

  @Test("is mended by a count that arrives late, and by one taken back broken again")
  func late() {
    var account = TestAccount.after("mmxmm.")
    account.expectStreak(2, 2)
    let bump = account.record(.bump(1, by: .one, note: nil), at: .at("2026-11-03T23:59:59.999Z"))
    account.expectStreak(5, 5)
    account.record(.undo(bump))
    account.expectStreak(2, 2)
  }

  @Test("begins with counts from before the goal's creation")
  func beforeCreation() {
    var account = TestAccount.living(
      since: "2026-11-05T12:00:00Z", now: "2026-11-06T12:00:00Z", with: .some(1))
    account.count(1, on: "2026-11-01", "2026-11-03", "2026-11-06")
    #expect(account.letters == "mpmppm")
    account.expectStreak(3, 3)
  }

  @Test("goes through weeks and months likewise")
  func longer() {
    var weekly = TestAccount.living(
      since: "2026-10-05T00:00:00Z", with: .some(1, "Goal", .weekly, times: 2))
    weekly.count(1, on: "2026-10-05", "2026-10-11", "2026-10-13", "2026-10-14", "2026-10-20")
    weekly.count(2, on: "2026-11-08", "2026-11-12")
    #expect(weekly.letters == "mmxxmm.")
    weekly.expectStreak(2, 2)
    var monthly = TestAccount.living(
      since: "2025-12-01T00:00:00Z", now: "2026-04-30T12:00:00Z",
      with: .some(1, "Goal", .monthly))
    monthly.count(1, on: "2025-12-31", "2026-01-01", "2026-02-28", "2026-04-01")
    #expect(monthly.letters == "mmmxm")
    monthly.expectStreak(1, 3)
  }
}

/// The first of November is a Sunday: weeks begin on the second, the ninth and the sixteenth.
@Suite("A streak, where the interval changes")
struct StreakOfIntervalTests {
  /// Changes of the interval, one after the other, and the streak after each.
  private func expect(
    _ days: String, _ steps: [(interval: Interval, at: String, current: Int, longest: Int)]
  ) {
    var account = TestAccount.after(days)
    for step in steps {
      account.record(.alter(1, [.rescheduling(to: step.interval)]), at: .at(step.at))
      account.expectStreak(step.current, step.longest)
    }
  }

  @Test("has its current run in the present interval only, and the longest of any")
  func present() {
    // Daily to Monday the ninth; then weeks, of which that is the first.
    expect("xxxxmmmmm..", [(.weekly, "2026-11-10T12:00:00Z", 1, 5)])
    expect("mmmmmmmmm..", [(.monthly, "2026-11-10T12:00:00Z", 1, 9)])
  }

  @Test("goes back to the last change, though the interval is the same again")
  func thereAndBack() {
    expect(
      "mmmmmmmmmm",
      [
        (.weekly, "2026-11-06T10:00:00Z", 2, 5), (.daily, "2026-11-06T12:00:00Z", 5, 5),
      ])
    expect(
      "mmmmmmmmmm",
      [
        (.weekly, "2026-11-07T10:00:00Z", 2, 6), (.daily, "2026-11-09T12:00:00Z", 2, 6),
      ])
  }

  @Test("passes no change to make a longer run")
  func apart() {
    // Of days 2; then of weeks 1 that had ended; then of days 3 again.
    expect(
      "mxmmx.mx.m..mmm",
      [
        (.weekly, "2026-11-06T12:00:00Z", 2, 2), (.daily, "2026-11-13T12:00:00Z", 3, 3),
      ])
  }

  @Test("is whole again where the change is overridden")
  func overridden() {
    var account = TestAccount.after("mmmmmmmmmm")
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-06T12:00:00Z"))
    account.expectStreak(2, 5)
    account.record(.alter(1, [.rescheduling(to: .daily)]), at: .at("2026-11-01T00:00:00Z"))
    account.expectStreak(10, 10)
  }

  @Test("goes on when other fields change")
  func otherFields() {
    var account = TestAccount.after("mmmmm.")
    account.record(.alter(1, [.retitling(to: .of("Other"))]), at: .at("2026-11-03T12:00:00Z"))
    account.record(.update(.some(1, "Third", times: 1)), at: .at("2026-11-03T12:00:00Z"))
    account.expectStreak(5, 5)
    // Two are wanted from the fourth on.
    account.record(.alter(1, [.targeting(.times(2))]), at: .at("2026-11-04T12:00:00Z"))
    account.expectStreak(0, 3)
  }
}
