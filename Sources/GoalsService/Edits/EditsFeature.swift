import GoalsCore
import GoalsStore

/// Sending edits, and reading the log.
package enum EditsUseCase: Sendable {
  case submit(Store.Change, Completion<DecidedBatch>)
  /// Sends edits, if any, and reads the log after a cursor, or from its start. Nothing is recorded
  /// where the log has no such place.
  case sync(Store.Change, after: Cursor?, limit: Int, Completion<Synced>)
  /// The log after a cursor, or from its start.
  case list(of: Account.ID, after: Cursor?, limit: Int, Completion<LogView>)
  /// The log backwards, or as far as it is of one goal.
  case search(AskedLog, of: Account.ID, for: Asker, Completion<LogView>)
  case read(Edit.ID, of: Account.ID, Completion<LogEntry>)
}

/// What a sync comes to.
package enum Synced: Sendable {
  /// What became of the edits, and the log with them.
  case log([Outcome], LogView)
  /// The batch was refused as a whole.
  case refused(DecidedBatch)
}

/// Has a batch decided: a use case, and a part of others.
typealias Submission = @Sendable (Store.Change, @escaping Completion<DecidedBatch>) -> Void

/// Sends edits to the one decision function, and reads what it had recorded.
func editsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ submit: @escaping Submission
) -> Feature<EditsUseCase> {
  { useCase in
    switch useCase {
    case .submit(let change, let completion):
      submit(change, completion)
    case .sync(let change, let cursor, let limit, let completion):
      sync(
        change, after: cursor, limit: limit, with: store, by: submit, on: queues, in: world,
        completion)
    case .list(let account, let cursor, let limit, let completion):
      queues.reads.complete(completion, in: world) { () throws(StoreError) in
        try LogView.read(of: account, after: cursor, limit: limit, in: store)
      }
    case .search(let asked, let account, let asker, let completion):
      let goOn = LogSearch.making(asked, of: account, in: store)
      if asked.goal == nil {
        // That is one page, of which the portions are few.
        queues.reads.complete(completion, in: world) { () throws(StoreError) in
          while true { if let view = try goOn() { return view } }
        }
      } else {
        queues.folds.run(
          of: account, for: asker, in: world, { (_) throws(StoreError) in try goOn() }, completion)
      }
    case .read(let id, let account, let completion):
      queues.reads.complete(completion, in: world) { () throws(StoreError) in
        try store.log.entry(account, id).orFailure(.unknownEdit)
      }
    }
  }
}

/// Looks whether the cursor is in the log, has the edits decided, and reads on from the cursor. A
/// log only grows, so the cursor is still in it once they are decided.
private func sync(
  _ change: Store.Change, after cursor: Cursor?, limit: Int, with store: Store,
  by submit: @escaping Submission, on queues: Queues, in world: World,
  _ completion: @escaping Completion<Synced>
) {
  let account = change.account
  let fetch = { @Sendable (outcomes: [Outcome]) in
    queues.reads.complete(completion, in: world) { () throws(StoreError) in
      try LogView.read(of: account, after: cursor, limit: limit, in: store)
        .map { .log(outcomes, $0) }
    }
  }
  let send = { @Sendable in
    submit(change) { result in
      switch result {
      case .success(let batch) where batch.ruling.result == .decided: fetch(batch.ruling.outcomes)
      // The writer, which tells this, goes on.
      case .success(let batch): queues.reads.async { completion(.success(.refused(batch))) }
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }
  if change.batch.proposals.isEmpty { return fetch([]) }
  if cursor == nil || cursor == store.stateInMemory(account).map(Cursor.init) { return send() }
  queues.reads.async {
    let known = world.catching { () throws(StoreError) in
      try LogView.read(of: account, after: cursor, limit: 0, in: store)
    }
    switch known {
    case .success: send()
    case .failure(let failure): completion(.failure(failure))
    }
  }
}

/// Has batches decided by a store.
func submission(
  to store: Store, in world: World, _ listings: Listings, _ receivers: [Receiver]
) -> Submission {
  let decided = { @Sendable in DecidedBatch($1, chain: $2, of: $0, in: world, listings) }
  return { change, completion in
    // NB: what a completion holds is counted for each request, so it holds no more than it needs.
    store.change(change) { answer in
      switch answer {
      case .ruled(let ruling, _) where ruling.result == .noCalendar:
        completion(.failure(.noCalendar))
      case .ruled(let ruling, let chain):
        for receiver in receivers { receiver(change.batch, ruling.outcomes) }
        completion(.success(decided(change.account, ruling, chain)))
      case .unavailable: completion(.failure(.unavailable))
      case .failed: completion(.failure(.unforeseen))
      case .unknownAccount, .refused: completion(.failure(.unknownAccount))
      }
    }
  }
}
