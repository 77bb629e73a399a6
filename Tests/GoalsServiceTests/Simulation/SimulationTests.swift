import Foundation
import TestSupport
import Testing

@Suite("Five devices over a network that loses, doubles and reorders") struct SimulationTests {
  /// `GOALS_TEST_SCHEDULES` sets how many schedules each test runs, `GOALS_TEST_SEED` the first
  /// one's seed; given the seed alone, that one schedule is run. If neither is given, the fast tier
  /// runs 50 of each kind, and the other two thousand: in parts, so that every core has its share.
  private static let count =
    ProcessInfo.processInfo.environment["GOALS_TEST_SCHEDULES"].flatMap { Int($0) }

  @Test("end with the server's list, over a store in memory", arguments: 0..<Tier.volume(1, all: 3))
  func memory(_ part: Int) async throws {
    try await run(Tier.volume(50, all: 500), .memory, isCrowded: false, part: part)
  }

  @Test("end with the server's list, over a database that crashes and is restored")
  func sqlite() async throws {
    try await run(Tier.volume(50, all: 80), .sqlite, isCrowded: false)
  }

  @Test("end with the server's list, whatever reaches the server at once")
  func crowd() async throws {
    try await run(Tier.volume(50, all: 450), .memory, isCrowded: true)
  }

  private func run(
    _ usual: Int, _ home: Schedule.Home, isCrowded: Bool, part: Int = 0
  ) async throws {
    let isOne = SeededDice.fixedSeed != nil && Self.count == nil
    if isOne, part > 0 { return }
    let count = Self.count ?? (isOne ? 1 : usual)
    let first = SeededDice.seedOfRun() &+ UInt64(part) &* UInt64(count)
    var tally = Tally()
    for number in 0..<UInt64(count) {
      let schedule = Schedule(seed: first &+ number, home: home, isCrowded: isCrowded)
      let simulation = try Simulation(schedule)
      do {
        try await simulation.run()
        try await simulation.settle()
        try await simulation.judge()
      } catch {
        Issue.record(
          "\(error)\n\(simulation.journal)\nrepeat it with GOALS_TEST_SEED=\(schedule.seed)")
        return
      }
      tally.add(simulation.tally)
    }
    // What never happens proves nothing.
    let expected =
      (count >= 50 ? Tally.often : []) + (count >= 200 && home == .memory ? Tally.sometimes : [])
    for what in expected where tally.counts[what] == nil {
      Issue.record("\(what) never happened: \(tally)")
    }
  }
}

extension Tally {
  /// What happens in any fifty schedules.
  fileprivate static let often = [
    "sync", "send", "fetch", "list", "more", "crash", "restart", "restore",
    "409 version-mismatch", "409 batch-rejected", "applied", "duplicate", "unchanged", "skipped",
    "invalid", "unknown-goal", "goal-exists", "inactive-goal", "in-future",
  ]

  /// What happens in any two hundred, where the disk may be full.
  fileprivate static let sometimes = [
    "410 cursor-diverged",
    "503 store-unavailable", "too-old", "activity-mismatch", "version-required", "id-conflict",
    "not-undoable", "below-zero", "unknown-edit", "unknown-time-zone", "brought back",
  ]
}
