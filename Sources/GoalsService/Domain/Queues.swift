import Dispatch
import GoalsCore
import GoalsStore

/// Where features do what takes time, so that nobody waits who serves others.
package struct Queues: Sendable {
  /// Reads that go to the disk.
  let reads = DispatchQueue(label: "GoalsService.reads", attributes: .concurrent)
  /// Probes, which wait for the writer.
  let probes = DispatchQueue(label: "GoalsService.probes")
  /// Changes of accounts, tokens and sessions, which wait for the writer.
  let access = DispatchQueue(label: "GoalsService.access")
  /// Reads a body that is large, and writes its answer; those that are not the largest, so that
  /// some edits wait behind nobody's thousands. One at a time, so that it never takes more than one
  /// core from the small requests, which the server's own queue and the writer's take care of.
  let mediumRequests = DispatchQueue(label: "GoalsService.mediumRequests")
  /// The same, of the largest.
  let largeRequests = DispatchQueue(label: "GoalsService.largeRequests")
  /// Reads of all that is stored, one at a time: neither a probe nor a short command waits for it.
  let upkeep = DispatchQueue(label: "GoalsService.upkeep", qos: .utility)
  /// What grows with an account's past.
  let folds = Folds()

  package init() {}
}

extension DispatchQueue {
  /// Completes a use case with what `body` comes to, away from the calling thread.
  func complete<Response: Sendable>(
    _ completion: @escaping Completion<Response>, in world: World,
    _ body: @escaping @Sendable () throws(StoreError) -> Result<Response, Failure>
  ) {
    async { completion(world.catching(body)) }
  }
}

extension World {
  /// What `body` comes to; a failure of the store is tracked.
  func catching<Response>(
    _ body: () throws(StoreError) -> Result<Response, Failure>
  ) -> Result<Response, Failure> {
    do throws(StoreError) {
      return try body()
    } catch {
      track(.store(.failed(error)))
      return .failure(.store(error))
    }
  }
}

extension Queues {
  /// The published state of an account: from memory at once, else from the disk, away from the
  /// calling thread.
  func state(
    of account: Account.ID, in store: Store, _ world: World,
    _ next: @escaping Completion<Published>
  ) {
    if let published = store.stateInMemory(account) { return next(.success(published)) }
    reads.complete(next, in: world) { () throws(StoreError) in
      try store.state(account).orFailure(.unknownAccount)
    }
  }
}

extension Optional {
  /// What is there, or why there is nothing.
  func orFailure(_ failure: Failure) -> Result<Wrapped, Failure> {
    map { .success($0) } ?? .failure(failure)
  }
}
