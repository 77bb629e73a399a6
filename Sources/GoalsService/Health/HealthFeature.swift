import GoalsCore
import GoalsStore
import Synchronization

/// Whether the store is sound, and a copy of it.
package enum HealthUseCase: Sendable {
  /// Whether the store takes a write.
  case readiness(Completion<Void>)
  /// Sums accounts up.
  case accounts(Completion<StoreGauges.Accounts>)
  /// Looks for every fault in the database.
  case verify(Completion<Verified>)
  /// Writes a verified copy of the database into a new file, by its absolute path.
  case backUp(path: String, Completion<BackupReport>)
}

package struct Verified: Sendable {
  let accounts: Int
  let faults: [String]
}

/// Tells whether the store takes a write: by the last commit, and where none was tried of late, by
/// a probe.
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
      let answer = FirstAnswer(completion)
      queues.probes.async {
        // Another may have asked while this one waited.
        if let known = known() { return answer.give(known) }
        let probed = world.catching(store.upkeep.probe)
        answer.give(probed.mapError { _ in .unavailable })
      }
      answer.giveUp(after: patience, in: world, queues)
    case .accounts(let completion):
      let answer = FirstAnswer(completion)
      queues.reads.async {
        answer.give((try? store.upkeep.accounts()).map { .success($0) } ?? .failure(.unavailable))
      }
      answer.giveUp(after: patience, in: world, queues)
    case .verify(let completion):
      queues.upkeep.complete(completion, in: world) {
        let faults = try store.upkeep.verify()
        // Where the schema has lost something there may be nothing to count.
        let accounts = faults.isEmpty ? try store.book.count() : (try? store.book.count()) ?? 0
        return Verified(accounts: accounts, faults: faults)
      }
    case .backUp(let path, let completion):
      queues.upkeep.complete(completion, in: world) {
        do throws(BackupError) {
          let report = try store.upkeep.backUp(path)
          world.track(.backedUp(report, at: world.uptime()))
          return report
        } catch {
          throw Failure.noBackup(error.description)
        }
      }
    }
  }
}

/// After so long without an answer the store counts as one that takes no write, and tells nothing.
private let patience = Duration.seconds(2)

/// Completes with the first of several results.
private final class FirstAnswer<Response: Sendable>: Sendable {
  private let completion: Completion<Response>
  private let isGiven = Atomic(false)

  init(_ completion: @escaping Completion<Response>) { self.completion = completion }

  func give(_ result: Result<Response, Failure>) {
    if !isGiven.exchange(true, ordering: .acquiringAndReleasing) { completion(result) }
  }

  func giveUp(after limit: Duration, in world: World, _ queues: Queues) {
    world.later(limit, queues.reads) { self.give(.failure(.unavailable)) }
  }
}

extension WriteOutcome {
  /// How long an outcome holds for the disk, in milliseconds. A probe is written no more often.
  private static let lifetime: Int64 = 5000

  /// False, too, after the clock was set back: nobody knows how long ago the write was.
  fileprivate func holds(at now: Instant) -> Bool {
    (0..<Self.lifetime).contains(now.milliseconds - at.milliseconds)
  }
}
