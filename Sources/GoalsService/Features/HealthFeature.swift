import GoalsCore
import GoalsStore
import Synchronization

/// Tells whether the store takes a write. Who asks often is told what was found a moment ago.
func healthFeature(_ store: Store, _ world: World, _ queues: Queues) -> Feature<HealthUseCase> {
  let readiness = Readiness()
  return { useCase, reply in
    switch useCase {
    case .readiness:
      if let isReady = readiness.known(at: world.now()) {
        return reply(isReady ? .ready : .failed(.unavailable))
      }
      queues.administration.async {
        // Another may have asked while this one waited.
        let isReady = readiness.known(at: world.now()) ?? ((try? store.upkeep.probe()) != nil)
        readiness.learn(isReady, at: world.now())
        reply(isReady ? .ready : .failed(.unavailable))
      }
    }
  }
}

/// What was found when the store was last probed.
private final class Readiness: Sendable {
  private struct Finding {
    var isReady: Bool
    var at: Instant
  }

  private let last = Mutex<Finding?>(nil)
  /// How long a finding holds, in milliseconds: a store that takes writes for a moment, one that
  /// does not only as long as a client waits before it asks again.
  private static let hold: (ready: Int64, unready: Int64) = (1000, 200)

  func known(at now: Instant) -> Bool? {
    last.withLock { last in
      guard let last else { return nil }
      let age = now.milliseconds - last.at.milliseconds
      return (0..<(last.isReady ? Self.hold.ready : Self.hold.unready)).contains(age)
        ? last.isReady : nil
    }
  }

  func learn(_ isReady: Bool, at now: Instant) {
    last.withLock { $0 = Finding(isReady: isReady, at: now) }
  }
}
