import Foundation
import TestSupport
import Testing

@testable import GoalsCore

/// Random edits of random accounts are decided twice, by the core and by the simple model of
/// `SimpleModel`, which was written from the specification and recounts everything; the two must
/// agree on every verdict, on everything that is recorded, and on what lists and histories read.
///
/// The fast tier makes 8,000 edits, the other 100,000; `GOALS_TEST_EDITS=1000000` makes more of
/// them. A failure says its seed and the shortest sequence found that fails; `GOALS_TEST_SEED`
/// repeats it as the first account of its zone. Should a run end without saying anything, its seed
/// was printed at its start.
@Suite("Any sequence of edits")
struct EditSequenceTests {
  /// How many edits are made in each zone.
  static let edits =
    (ProcessInfo.processInfo.environment["GOALS_TEST_EDITS"].flatMap { Int($0) }
      ?? Tier.volume(8_000, all: 100_000))
    / TestZones.names.count

  @Test("comes to what the simple model says", arguments: TestZones.names)
  func agreement(home: String) async throws {
    let zones = TestZones()
    #expect(zones.isComplete, "is tzdata installed?")
    let name = try #require(ZoneName(home))
    let changes = zones.changes(of: name)
    let place = try #require(TestZones.names.firstIndex(of: home))
    var seed = SeededDice.seedOfRun(UInt64(place))
    print("\(home): the seeds begin with \(seed)")
    var verdicts: [String: Int] = [:]
    var edits = 0
    while edits < Self.edits {
      var random = RandomScript(seed: seed, home: name, changes: changes)
      let length = random.dice.chance(1, in: 50) ? 500 : random.dice.number(in: 30...110)
      var both = SideBySide(random.account(), zones: zones)
      for place in 1...length {
        var step = random.step(on: both)
        var disagreement = both.play(step)
        for verdict in both.verdicts { verdicts[verdict, default: 0] += 1 }
        edits += both.verdicts.count - 1
        var isToLook = place == length
        while disagreement == nil, random.wantsToLook(after: step) || isToLook {
          step = random.look(on: both)
          disagreement = both.play(step)
          isToLook = false
        }
        guard let disagreement else { continue }
        Issue.record(report(disagreement, on: both.script, seed: seed, zones))
        return
      }
      seed += 1
      // Other tests want the thread as well.
      await Task.yield()
    }
    if Self.edits >= 10_000 { expectEach(of: verdicts) }
  }

  private func report(
    _ disagreement: String, on script: EditScript, seed: UInt64, _ zones: TestZones
  ) -> Comment {
    let shrunk = script.shrunk { SideBySide.disagreement(on: $0, zones: zones) != nil }
    let last = SideBySide.disagreement(on: shrunk, zones: zones) ?? disagreement
    return "repeat it with GOALS_TEST_SEED=\(seed)\n\(shrunk)\n→ \(last)"
  }

  /// A run in which a verdict hardly occurs would say nothing about it.
  private func expectEach(of verdicts: [String: Int]) {
    let names = [
      "applied", "duplicate", "unchanged", "unknown-goal", "goal-exists", "inactive-goal",
      "below-zero", "in-future", "too-old", "activity-mismatch", "id-conflict", "unknown-edit",
      "not-undoable", "limit-reached", "unknown-time-zone", "skipped",
      "version-required", "invalid", "batchRejected", "versionMismatch",
    ]
    for name in names { #expect(verdicts[name, default: 0] > 3, "\(name): \(verdicts)") }
  }
}
