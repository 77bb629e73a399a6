import GoalsCore
import GoalsStore

/// Sending edits, and reading the log.
package enum EditsUseCase: Sendable {
  case submit(Store.Change, Completion<DecidedBatch>)
  /// Sends edits, if any, and reads the log after a cursor, or from its start, and with its last
  /// page the list, if that is asked for. Nothing is recorded where the log has no such position.
  case sync(Store.Change, after: Cursor?, limit: Int, list: AskedList?, Completion<Synced>)
  /// The log after a cursor, or from its start.
  case list(of: Account.ID, after: Cursor?, limit: Int, Completion<LogView>)
  /// The log backwards, or as far as it is of one goal.
  case search(AskedLog, of: Account.ID, for: Asker, Completion<LogView>)
  case read(Edit.ID, of: Account.ID, Completion<LogEntry>)
}

/// The list, asked for by somebody who may have it already.
package struct AskedList: Sendable {
  /// The validator of the list that the client has; nil where it has none.
  let tag: String?
  let asker: Asker
}

/// What a sync comes to.
package enum Synced: Sendable {
  /// What became of the edits, and the log with them. The list is there where it was asked for and
  /// the page is the last: it is that of the log's version.
  case log([Outcome], LogView, SyncedList?)
  /// The batch was refused as a whole.
  case refused(DecidedBatch)
}

package enum SyncedList: Sendable {
  /// The client has it already.
  case same
  case other(Listing)
}

/// Has a batch decided: a use case, and a part of others.
typealias Submission = @Sendable (Store.Change, @escaping Completion<DecidedBatch>) -> Void

/// Sends edits to the one decision function, and reads what it had recorded.
func editsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ listings: Listings,
  _ submit: @escaping Submission
) -> Feature<EditsUseCase> {
  { useCase in
    switch useCase {
    case .submit(let change, let completion):
      submit(change, completion)
    case .sync(let change, let cursor, let limit, let asked, let completion):
      sync(change, after: cursor, with: store, by: submit, on: queues, in: world, completion) {
        outcomes in
        fetch(
          of: change.account, after: cursor, limit: limit, asked, from: listings, with: store,
          on: queues, in: world
        ) { result in completion(result.map { .log(outcomes, $0, $1) }) }
      }
    case .list(let account, let cursor, let limit, let completion):
      queues.reads.complete(completion, in: world) {
        try LogView.read(of: account, after: cursor, limit: limit, in: store)
      }
    case .search(let asked, let account, let asker, let completion):
      let goOn = LogSearch.making(asked, of: account, in: store)
      if asked.goal == nil {
        // That is one page, of which the portions are few.
        queues.reads.complete(completion, in: world) {
          while true { if let view = try goOn() { return view } }
        }
      } else {
        queues.folds.run(of: account, for: asker, in: world, { _ in try goOn() }, completion)
      }
    case .read(let id, let account, let completion):
      queues.reads.complete(completion, in: world) {
        try store.log.entry(account, id).or(.unknownEdit)
      }
    }
  }
}

/// Reads the log after a cursor, and with its last page the list that is asked for.
///
/// The list is of the state that is read first, and the page goes no further than that state: so
/// the two agree, whatever is recorded meanwhile.
private func fetch(
  of account: Account.ID, after cursor: Cursor?, limit: Int, _ asked: AskedList?,
  from listings: Listings, with store: Store, on queues: Queues, in world: World,
  _ completion: @escaping Completion<(LogView, SyncedList?)>
) {
  guard let asked else {
    return queues.reads.complete(completion, in: world) {
      (try LogView.read(of: account, after: cursor, limit: limit, in: store), nil)
    }
  }
  queues.state(of: account, in: store, world) { result in
    queues.reads.async {
      let read = world.catching {
        let published = try result.get()
        let log = try LogView.read(
          of: account, after: cursor, limit: limit, upTo: published.state.version, in: store)
        return (published, log)
      }
      switch read {
      case .failure(let failure): completion(.failure(failure))
      case .success((_, let log)) where log.isMore: completion(.success((log, nil)))
      case .success((let published, let log)):
        listings.read(of: account, published, for: asked.asker, on: queues) { list in
          completion(
            list.map { (log, $0.tag.description == asked.tag ? .same : .other($0)) })
        }
      }
    }
  }
}

/// Looks whether the cursor is in the log, has the edits decided, and reads on from the cursor by
/// `fetch`. A log only grows, so the cursor is still in it once they are decided.
private func sync(
  _ change: Store.Change, after cursor: Cursor?, with store: Store,
  by submit: @escaping Submission, on queues: Queues, in world: World,
  _ completion: @escaping Completion<Synced>, _ fetch: @escaping @Sendable ([Outcome]) -> Void
) {
  let account = change.account
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
    let known = world.catching {
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
  let decide = store.change
  let unavailable: Failure = store.others == nil ? .unavailable : .outcomeUnknown
  let decided = { @Sendable in DecidedBatch($1, chain: $2, of: $0, in: world, listings) }
  let recordChoice = recordingChoiceOfZone(in: store, world, queues)
  // NB: a completion is made for each request, so it holds functions: a copy of the store, the
  // world or the queues counts a reference for each of theirs.
  return { change, completion in
    decide(change) { answer in
      switch answer {
      case .ruled(let ruling, _) where ruling.result == .noCalendar:
        completion(.failure(.noCalendar))
      case .ruled(let ruling, let chain):
        for receiver in receivers { receiver(change.batch, ruling.outcomes) }
        let batch = decided(change.account, ruling, chain)
        guard change.batch.namesPresentZone(by: ruling) else {
          return completion(.success(batch))
        }
        recordChoice(batch, completion)
      case .unavailable: completion(.failure(unavailable))
      case .failed: completion(.failure(.unforeseen))
      case .unknownAccount, .refused: completion(.failure(.unknownAccount))
      }
    }
  }
}

/// Takes note that the time zone of a batch's account was named, and hands the batch on.
private func recordingChoiceOfZone(
  in store: Store, _ world: World, _ queues: Queues
) -> @Sendable (DecidedBatch, @escaping Completion<DecidedBatch>) -> Void {
  { batch, completion in
    queues.access.complete(completion, in: world) {
      if try store.book.account(batch.account)?.isZoneChosen == false {
        try store.book.recordChoiceOfZone(batch.account)
      }
      return batch
    }
  }
}

extension Batch {
  /// Whether it named the account's time zone by an edit of which nothing is recorded now. With one
  /// that is recorded, the store takes note of it.
  fileprivate func namesPresentZone(by ruling: Ruling) -> Bool {
    guard !isDryRun, ruling.result == .decided else { return false }
    return zip(proposals, ruling.outcomes).contains { proposal, outcome in
      guard case .edit(let proposed) = proposal, proposed.edit.namedZone != nil else {
        return false
      }
      switch outcome.status {
      case .duplicate, .unchanged: return true
      case .applied, .rejected, .skipped: return false
      }
    }
  }
}
