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
  fileprivate static func after(_ days: String) -> TestAccount {
    let date = { (number: Int) in "2026-11-\(number < 10 ? "0" : "")\(number)" }
    var account = TestAccount.living(
      now: "\(date(days.count))T12:00:00Z", with: .some(1))
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
    "is the run of met periods, which what is skipped or paused neither breaks nor lengthens",
    arguments: [
      (".", 0, 0), ("m", 1, 1), ("m.", 1, 1), ("x.", 0, 0), ("xm", 1, 1), ("mmm.", 3, 3),
      ("mmx.", 0, 2), ("mmxm", 1, 2), ("mmmxmm.", 2, 3), ("mxmmmxxmm", 2, 3),
      ("mmmmmmmmmmmmmmmmmmx.", 0, 18), ("s", 0, 0), ("ms.", 1, 1), ("msm.", 2, 2), ("sm.", 1, 1),
      ("mssssm", 2, 2), ("mmsxs.", 0, 2), ("msxm.", 1, 1), ("mmsmxmsm.", 2, 3), ("p.", 0, 0),
      ("mp.", 1, 1), ("mpm.", 2, 2), ("mppppm", 2, 2), ("mmpxp.", 0, 2), ("mpxm.", 1, 1),
      ("mpspm.", 2, 2), ("mspxspm.", 1, 1), ("mmpmxmpm.", 2, 3),
    ] as [(String, Int, Int)])
  func runs(_ days: String, current: Int, longest: Int) {
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
}
