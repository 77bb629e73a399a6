import GoalsCore
import GoalsStore

/// Tells whether the store takes a write: by what came of the last commit, and where none was tried
/// of late, by a probe.
func healthFeature(_ store: Store, _ world: World, _ queues: Queues) -> Feature<HealthUseCase> {
  let isReady: @Sendable () -> Bool? = {
    store.upkeep.lastWrite().flatMap { $0.holds(at: world.now()) ? $0.isDurable : nil }
  }
  return { useCase, reply in
    switch useCase {
    case .readiness:
      if let isReady = isReady() { return reply(isReady ? .ready : .failed(.unavailable)) }
      queues.administration.async {
        // Another may have asked while this one waited.
        if let isReady = isReady() { return reply(isReady ? .ready : .failed(.unavailable)) }
        do throws(StoreError) {
          try store.upkeep.probe()
          reply(.ready)
        } catch {
          world.track(.store(.failed(error)))
          reply(.failed(.unavailable))
        }
      }
    }
  }
}

extension WriteOutcome {
  /// How long it tells about the disk, in milliseconds; so often, at most, a probe is written.
  private static let lifetime: Int64 = 5000

  /// False, too, after the clock was set back: that is no time in which nothing can have happened.
  fileprivate func holds(at now: Instant) -> Bool {
    (0..<Self.lifetime).contains(now.milliseconds - at.milliseconds)
  }
}
