import Dispatch
import GoalsCore
import GoalsStore

/// The queues on which features do slow work, so that the queues that serve everybody never wait.
package struct Queues: Sendable {
  /// Pages of the log, states and other reads of as much. A database in a file has two connections
  /// for such.
  let pages = FairQueue(
    DispatchQueue(label: "GoalsService.pages", attributes: .concurrent), width: 4)
  /// Smaller reads that go to the disk.
  let reads = DispatchQueue(label: "GoalsService.reads", attributes: .concurrent)
  /// Looks for tokens and sessions in a store that is reached over a network.
  let lookUps = DispatchQueue(label: "GoalsService.lookUps", attributes: .concurrent)
  /// Probes, which wait for the writer.
  let probes = DispatchQueue(label: "GoalsService.probes")
  /// Changes of accounts, tokens and sessions, which wait for the writer. Accounts take turns.
  let access = FairQueue(DispatchQueue(label: "GoalsService.access"))
  /// Reads large bodies, except the largest, and writes their answers: so a hundred edits never
  /// wait behind thousands. It never takes more than one core from the small requests on the
  /// server's queue and the writer's.
  let mediumRequests = FairQueue(DispatchQueue(label: "GoalsService.mediumRequests"))
  /// The same for the largest bodies.
  let largeRequests = FairQueue(DispatchQueue(label: "GoalsService.largeRequests"))
  /// Reads of all that is stored, one at a time: neither a probe nor a short command waits for it.
  let upkeep = DispatchQueue(label: "GoalsService.upkeep", qos: .utility)
  /// Work that grows with an account's past: long lists, histories and pages, past states, tables,
  /// imports.
  let folds = FairQueue(DispatchQueue(label: "GoalsService.folds", qos: .utility))

  package init() {}
}

extension DispatchQueue {
  /// Completes a use case with the result of `body`, on this queue.
  func complete<Response: Sendable>(
    _ completion: @escaping Completion<Response>, in world: World,
    _ body: @escaping @Sendable () throws -> Response
  ) {
    async { completion(world.catching(body)) }
  }
}

extension FairQueue {
  /// Completes a use case with the result of `body`, which is done in one portion, however much of
  /// the account waits.
  func complete<Response: Sendable>(
    of account: Account.ID, for asker: Asker = .patient,
    _ completion: @escaping Completion<Response>, in world: World,
    _ body: @escaping @Sendable () throws -> Response
  ) {
    run(of: account, for: asker, isOwed: true, in: world, { _ in try body() }, completion)
  }
}

extension World {
  /// What `body` answers, or why it fails. A failure of the store is tracked.
  func catching<Response>(_ body: () throws -> Response) -> Result<Response, Failure> {
    do {
      return .success(try body())
    } catch let failure as Failure {
      return .failure(failure)
    } catch StoreError.refused {
      return .failure(.unknownAccount)
    } catch let error as StoreError {
      track(.store(.failed(error)))
      return .failure(.store(error))
    } catch {
      return .failure(.unforeseen)
    }
  }
}

extension Queues {
  /// The published state of an account: from memory at once, else from the disk, away from the
  /// calling thread. To read it takes the time of the account's past, so accounts take turns.
  func state(
    of account: Account.ID, for asker: Asker, in store: Store, _ world: World,
    _ next: @escaping Completion<Published>
  ) {
    if let published = store.stateInMemory(account) { return next(.success(published)) }
    let read = { @Sendable [pages] in
      pages.complete(of: account, for: asker, next, in: world) {
        try store.state(account).or(.unknownAccount)
      }
    }
    guard let others = store.others else { return read() }
    reads.async {
      switch world.catching({ try others.presentState(account) }) {
      case .success(nil): read()
      case .success(let published?): next(.success(published))
      case .failure(let failure): next(.failure(failure))
      }
    }
  }
}

extension Store {
  /// Reads an account or a token that is to be taken away, and throws this failure where there is
  /// none. In a log that is shared it reads again, behind a commit, before it says so: the
  /// transaction that took the record away may be lost with the database.
  func confirmed<Record>(or failure: Failure, _ read: () throws -> Record?) throws -> Record {
    if let found = try read() { return found }
    guard others != nil else { throw failure }
    try upkeep.probe()
    return try read().or(failure)
  }
}

extension Optional {
  /// The value; throws this failure where there is none.
  func or(_ failure: Failure) throws(Failure) -> Wrapped {
    guard let self else { throw failure }
    return self
  }
}
