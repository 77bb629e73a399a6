import Dispatch
import GoalsCore
import GoalsStore

/// Where features do what takes time, so that nobody waits who serves others.
package struct Queues: Sendable {
  /// Reads that go to the disk.
  let reads: DispatchQueue
  /// What waits for the writer: administration and probes.
  let administration: DispatchQueue
  /// What waits for the writer because a client makes or takes away a token.
  let access: DispatchQueue
  /// What reads a body that is large, and writes its answer; of those that are not the largest, so that
  /// some edits wait behind nobody's thousands. One at a time, so that it never takes more than one core
  /// from the small requests, which the server's own queue and the writer's take care of.
  let mediumRequests: DispatchQueue
  /// The same, of the largest.
  let largeRequests: DispatchQueue
  /// What reads all that is stored, one at a time: neither a probe nor a short command waits for it.
  let upkeep: DispatchQueue
  /// What grows with an account's past.
  let folds = Folds()

  package init() {
    reads = DispatchQueue(label: "GoalsService.reads", attributes: .concurrent)
    administration = DispatchQueue(label: "GoalsService.administration")
    access = DispatchQueue(label: "GoalsService.access")
    mediumRequests = DispatchQueue(label: "GoalsService.mediumRequests")
    largeRequests = DispatchQueue(label: "GoalsService.largeRequests")
    upkeep = DispatchQueue(label: "GoalsService.upkeep", qos: .utility)
  }
}

extension Queues {
  /// Answers with what `body` reads, away from the calling thread.
  func read(
    _ world: World, _ reply: @escaping @Sendable (Reply) -> Void,
    _ body: @escaping @Sendable () throws(StoreError) -> Reply
  ) {
    run(on: reads, world, reply, otherwise: {}, body)
  }

  /// As above; goes on with `next` where nothing is to be answered yet.
  func read(
    _ world: World, _ reply: @escaping @Sendable (Reply) -> Void,
    otherwise next: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable () throws(StoreError) -> Reply?
  ) {
    run(on: reads, world, reply, otherwise: next, body)
  }

  /// Answers with what came of a change of who may come in, one after the other.
  func changeAccess(
    _ world: World, _ reply: @escaping @Sendable (Reply) -> Void,
    _ body: @escaping @Sendable () throws(StoreError) -> Reply
  ) {
    run(on: access, world, reply, otherwise: {}, body)
  }

  /// The published state of an account: from memory at once, else from the disk, away from the calling thread.
  func state(
    of account: Account.ID, in store: Store, _ world: World,
    _ next: @escaping @Sendable (Result<Published, Failure>) -> Void
  ) {
    if let published = store.stateInMemory(account) { return next(.success(published)) }
    reads.async {
      do throws(StoreError) {
        next(try store.state(account).map { .success($0) } ?? .failure(.unknownAccount))
      } catch {
        world.track(.store(.failed(error)))
        next(.failure(Failure(error)))
      }
    }
  }

  private func run(
    on queue: DispatchQueue, _ world: World, _ reply: @escaping @Sendable (Reply) -> Void,
    otherwise next: @escaping @Sendable () -> Void,
    _ body: @escaping @Sendable () throws(StoreError) -> Reply?
  ) {
    queue.async {
      do throws(StoreError) {
        guard let answer = try body() else { return next() }
        reply(answer)
      } catch {
        world.track(.store(.failed(error)))
        reply(.failed(Failure(error)))
      }
    }
  }
}
