import Testing

@testable import GoalsCore

@Suite("A streak")
struct StreakTests {
  /// Periods of these states, one after the other.
  private func streak(
    _ states: [JudgedPeriod.State], beginningAt beginnings: Set<Int> = [0]
  ) -> Streak {
    Streak(
      of: states.enumerated().map { place, state in
        JudgedPeriod(
          interval: .daily, period: .from("2026-11-19", to: "2026-11-20"), count: 0,
          frequency: .times(1), state: state, beginsInterval: beginnings.contains(place))
      })
  }

  @Test(
    "is the run of met periods",
    arguments: [
      ([], 0, 0), ([.met], 1, 1), ([.missed], 0, 0), ([.met, .met, .met], 3, 3),
      ([.met, .met, .missed], 0, 2), ([.met, .met, .missed, .met], 1, 2),
      ([.missed, .met], 1, 1), ([.met, .missed, .met, .met], 2, 2),
    ] as [([JudgedPeriod.State], Int, Int)])
  func runs(_ states: [JudgedPeriod.State], current: Int, longest: Int) {
    #expect(streak(states) == Streak(current: current, longest: longest))
  }

  @Test(
    "is neither broken nor lengthened by what is no verdict",
    arguments: [JudgedPeriod.State.skipped, .paused, .pending])
  func neutral(_ state: JudgedPeriod.State) {
    #expect(streak([.met, state, .met, state]) == Streak(current: 2, longest: 2))
    #expect(streak([state]) == Streak(current: 0, longest: 0))
    #expect(streak([.missed, state]) == Streak(current: 0, longest: 0))
  }

  @Test("begins anew with an interval")
  func beginnings() {
    #expect(
      streak([.met, .met, .met, .met, .met], beginningAt: [0, 3]) == Streak(current: 2, longest: 3))
    #expect(streak([.met, .met, .missed], beginningAt: [0, 2]) == Streak(current: 0, longest: 2))
    #expect(streak([.met, .met, .pending], beginningAt: [0, 2]) == Streak(current: 0, longest: 2))
  }
}
