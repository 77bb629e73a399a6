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
  case read(Edit.ID, of: Account.ID, Completion<LogEntry>)
}

/// What a sync comes to.
package enum Synced: Sendable {
  /// What became of the edits, and the log with them.
  case log([Outcome], LogView)
  /// The batch was refused as a whole.
  case refused(DecidedBatch)
}

/// The log after a cursor.
package struct LogView: Sendable {
  let page: LogPage
  /// The place after the last edit of the page.
  let cursor: Cursor

  /// The log after a cursor, or why it can't be read from there.
  static func read(
    of account: Account.ID, after cursor: Cursor?, limit: Int, in store: Store
  ) throws(StoreError) -> Result<LogView, Failure> {
    let version = cursor?.head.version ?? .none
    guard let page = try store.log.page(account, version, limit) else {
      return .failure(.unknownAccount)
    }
    guard let before = page.chainBefore, cursor?.fits(before) ?? true else {
      return .failure(.cursorDiverged)
    }
    let end = page.entries.last.map { Cursor($0.version, $0.chain) }
    return .success(LogView(page: page, cursor: end ?? Cursor(version, before)))
  }
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
  to store: Store, in world: World, _ queues: Queues, _ listings: Listings,
  _ receivers: [Receiver]
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
        let batch = decided(change.account, ruling, chain)
        guard change.batch.namesZone(by: ruling) else { return completion(.success(batch)) }
        queues.access.complete(completion, in: world) { () throws(StoreError) in
          if try store.book.account(change.account)?.isZoneChosen == false {
            try store.book.recordChoiceOfZone(change.account)
          }
          return .success(batch)
        }
      case .unavailable: completion(.failure(.unavailable))
      case .failed: completion(.failure(.unforeseen))
      case .unknownAccount, .refused: completion(.failure(.unknownAccount))
      }
    }
  }
}

extension Batch {
  /// Whether it named the account's time zone, be it the one in which the account is already.
  fileprivate func namesZone(by ruling: Ruling) -> Bool {
    guard !isDryRun, ruling.result == .decided else { return false }
    return zip(proposals, ruling.outcomes).contains { proposal, outcome in
      guard case .edit(let proposed) = proposal,
        case .account(.configure(let changes)) = proposed.edit, changes.timeZone != nil
      else { return false }
      switch outcome.status {
      case .applied, .duplicate, .unchanged: return true
      case .rejected, .skipped: return false
      }
    }
  }
}
