import GoalsCore
import GoalsStore

/// Whether the store is sound, and a copy of it.
package enum HealthUseCase: Sendable {
  /// Whether the store takes a write.
  case readiness(Completion<Void>)
  /// Looks for everything that is wrong with what is stored.
  case verify(Completion<Verified>)
  /// Writes a verified copy of the database into a new file, by its absolute path.
  case backUp(path: String, Completion<BackupReport>)
}

package struct Verified: Sendable {
  let accounts: Int
  let faults: [String]
}

/// Tells whether the store takes a write: by what came of the last commit, and where none was tried
/// of late, by a probe.
func healthFeature(_ store: Store, _ world: World, _ queues: Queues) -> Feature<HealthUseCase> {
  let known: @Sendable () -> Result<Void, Failure>? = {
    store.upkeep.lastWrite().flatMap { write in
      guard write.holds(at: world.now()) else { return nil }
      return write.isDurable ? .success(()) : .failure(.unavailable)
    }
  }
  return { useCase in
    switch useCase {
    case .readiness(let completion):
      if let known = known() { return completion(known) }
      queues.probes.async {
        // Another may have asked while this one waited.
        if let known = known() { return completion(known) }
        let probed = world.catching { () throws(StoreError) in .success(try store.upkeep.probe()) }
        completion(probed.mapError { _ in .unavailable })
      }
    case .verify(let completion):
      queues.upkeep.complete(completion, in: world) { () throws(StoreError) in
        let faults = try store.upkeep.verify()
        return .success(Verified(accounts: try store.book.accounts().count, faults: faults))
      }
    case .backUp(let path, let completion):
      queues.upkeep.async {
        do throws(BackupError) {
          completion(.success(try store.upkeep.backUp(path)))
        } catch {
          completion(.failure(.noBackup(error.description)))
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
