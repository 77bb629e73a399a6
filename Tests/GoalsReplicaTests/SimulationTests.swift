import Foundation
import GoalsCore
import GoalsReplica
import ReplicaTestSupport
import TestSupport
import Testing

/// Replicas of one account, over a network and disks that fail, and a server that restarts and is
/// restored from backups.
@Suite struct `Many replicas` {
  /// How many edits people make; `GOALS_TEST_EDITS` sets another number, as every night.
  private static let edits =
    ProcessInfo.processInfo.environment["GOALS_TEST_EDITS"].flatMap { Int($0) }
    ?? Tier.volume(1_500, all: 6_000)

  @Test func `come to the same goals, and nothing is lost or counted twice`() {
    var edits = 0
    var restores = 0
    var dice = SeededDice()
    while edits < Self.edits {
      let seed = SeededDice.fixedSeed ?? dice.next() >> 32
      for isRestored in [false, true] {
        let world = run(seed: seed, isRestored: isRestored)
        edits += world.edits
        restores += world.restores
      }
      if SeededDice.fixedSeed != nil { break }
    }
    #expect(restores > 0)
  }

  private func run(seed: UInt64, isRestored: Bool) -> SimulatedWorld {
    // A crash of the process would not say which seed it was.
    print("GOALS_TEST_SEED=\(seed), \(isRestored ? "restored" : "not restored")")
    var world = SimulatedWorld(SeededDice(seed: seed), isRestored: isRestored)
    for _ in 0..<2_000 { world.step() }
    if isRestored { world.restore() }
    for _ in 0..<2_000 { world.step() }
    let seen = Comment(rawValue: "GOALS_TEST_SEED=\(seed)")
    var hasSettled = world.settle()
    #expect(hasSettled, seen)
    // Edits that were kept trying after a restore are given up, where a clock was set back, too.
    world.now = world.now.adding(milliseconds: Replica.memory + 172_800_000)
    for index in world.devices.indices { world.feed(.cameToFront, to: index) }
    hasSettled = world.settle()
    #expect(hasSettled, seen)

    #expect(world.fault == nil, seen)
    let recorded = Set(world.server.log.map(\.id))
    #expect(recorded.count == world.server.log.count, seen)
    for device in world.devices {
      #expect(device.replica.kept.state == world.server.state, seen)
      #expect(device.replica.shown == world.server.state, seen)
      #expect(device.disk == device.replica.kept, seen)
      #expect(device.replica.queue.isEmpty, seen)
      let lost = device.promised.subtracting(recorded).subtracting(device.told)
      #expect(lost.isEmpty, seen)
    }
    return world
  }
}
