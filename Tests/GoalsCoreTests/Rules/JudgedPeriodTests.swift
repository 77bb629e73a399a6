import Testing

@testable import GoalsCore

/// The first of November is a Sunday, the twentieth, which is today, a Friday.
@Suite("A period")
struct JudgedPeriodTests {
  /// Of a period that is reached, excused, running or off, the first of these states that holds.
  private static func state(
    isReached: Bool, isExcused: Bool, isRunning: Bool, isOff: Bool
  ) -> JudgedPeriod.State {
    isReached ? .met : isExcused ? .skipped : isRunning ? .pending : isOff ? .paused : .missed
  }

  @Test(
    "is the first of met, skipped, pending, paused and missed that holds",
    arguments: 0..<16, [Interval.daily, .weekly, .monthly])
  func order(_ situation: Int, _ interval: Interval) {
    let (isReached, isExcused) = (situation & 1 != 0, situation & 2 != 0)
    let (isRunning, isOff) = (situation & 4 != 0, situation & 8 != 0)
    let (start, end) =
      switch interval {
      case .daily: ("2026-11-20", "2026-11-21")
      case .weekly: ("2026-11-16", "2026-11-23")
      case .monthly: ("2026-11-01", "2026-12-01")
      }
    var account = TestAccount.living(
      since: "2026-10-01T00:00:00Z", with: .some(1, "Goal", interval, times: 3))
    account.count(isReached ? 3 : 2, on: "2026-11-20")
    if isExcused { account.record(.skip(1), at: .at("2026-11-20T01:00:00Z")) }
    if isOff { account.turn(on: false, at: "2026-11-20T02:00:00Z") }
    account.now = .at("\(end)T00:00:00Z").adding(milliseconds: isRunning ? -1 : 0)
    let expected = Self.state(
      isReached: isReached, isExcused: isExcused, isRunning: isRunning, isOff: isOff)
    #expect(account.judgement(of: 1, start) == expected)
  }
}
