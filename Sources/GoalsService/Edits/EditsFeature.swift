import GoalsCore
import GoalsStore

/// Sending edits, and reading the log.
package enum EditsUseCase: Sendable {
  case submit(Store.SentBatch, Completion<DecidedBatch>)
  /// Sends edits, if any, and reads the log after a cursor, or from its start, and with its last
  /// page the list, if that is asked for. Nothing is recorded where the log has no such position.
  case sync(Store.SentBatch, AskedLog, for: Asker, list: AskedList?, Completion<Synced>)
  /// A page of the log.
  case log(AskedLog, of: Account.ID, for: Asker, Completion<LogView>)
  case read(Edit.ID, of: Account.ID, Completion<LogEntry>)
}

/// The list, asked for by somebody who may have it already.
package struct AskedList: Sendable {
  /// Whether the list is the one that the client has.
  let isKnown: @Sendable (Listing) -> Bool
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
typealias Submit = @Sendable (Store.SentBatch, @escaping Completion<DecidedBatch>) -> Void

/// Sends edits to the one decision function, and reads what it had recorded.
func editsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ listings: Listings,
  _ submit: @escaping Submit
) -> Feature<EditsUseCase> {
  { useCase in
    switch useCase {
    case .submit(let sent, let completion):
      submit(sent, completion)
    case .sync(let sent, let log, let asker, let list, let completion):
      sync(sent, after: log.cursor, with: store, by: submit, on: queues, in: world, completion) {
        outcomes in
        fetch(
          log, of: sent.account, for: asker, list, from: listings, with: store, on: queues,
          in: world
        ) { result in
          let log = result.map { Synced.log(outcomes, $0, $1) }
          completion(outcomes.isEmpty ? log : log.mapError(\.afterDeciding))
        }
      }
    case .log(let asked, let account, let asker, let completion):
      queues.page(asked, of: account, for: asker, in: store, world, completion)
    case .read(let id, let account, let completion):
      queues.reads.complete(completion, in: world) {
        try store.log.entry(account, id).or(.unknownEdit)
      }
    }
  }
}

/// Reads a page of the log, and with the last one the list that is asked for.
///
/// The list is of the state that is read first, and the page goes no further than that state: so
/// the two agree, whatever is recorded meanwhile.
private func fetch(
  _ asked: AskedLog, of account: Account.ID, for asker: Asker, _ list: AskedList?,
  from listings: Listings, with store: Store, on queues: Queues, in world: World,
  _ completion: @escaping Completion<(LogView, SyncedList?)>
) {
  guard let list else {
    return queues.page(asked, of: account, for: asker, in: store, world) {
      completion($0.map { ($0, nil) })
    }
  }
  queues.state(of: account, for: asker, in: store, world) { state in
    let published: Published
    switch state {
    case .failure(let failure): return completion(.failure(failure))
    case .success(let read): published = read
    }
    var asked = asked
    asked.end = published.state.version
    queues.page(asked, of: account, for: asker, in: store, world) { result in
      switch result {
      case .failure(let failure): completion(.failure(failure))
      case .success(let log) where log.isMore: completion(.success((log, nil)))
      case .success(let log):
        listings.read(of: account, published, for: asker, on: queues) { read in
          completion(read.map { (log, list.isKnown($0) ? .same : .other($0)) })
        }
      }
    }
  }
}

/// Looks whether the cursor is in the log, has the edits decided, and reads on from the cursor by
/// `fetch`. A log only grows, so the cursor is still in it once they are decided.
private func sync(
  _ sent: Store.SentBatch, after cursor: Cursor?, with store: Store,
  by submit: @escaping Submit, on queues: Queues, in world: World,
  _ completion: @escaping Completion<Synced>, _ fetch: @escaping @Sendable ([Outcome]) -> Void
) {
  let account = sent.account
  let send = { @Sendable in
    submit(sent) { result in
      switch result {
      case .success(let batch) where batch.ruling.result == .decided: fetch(batch.ruling.outcomes)
      // Another queue completes this, so that the writer, which tells it, can go on.
      case .success(let batch): queues.reads.async { completion(.success(.refused(batch))) }
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }
  if sent.batch.proposals.isEmpty { return fetch([]) }
  guard let cursor, cursor != store.stateInMemory(account).map(Cursor.init) else { return send() }
  queues.reads.async {
    switch world.catching({ try store.find(cursor, in: account) }) {
    case .success: send()
    case .failure(let failure): completion(.failure(failure))
    }
  }
}

/// Has batches decided by a store.
func submission(
  to store: Store, in world: World, _ queues: Queues, _ listings: Listings,
  _ receivers: [Receiver]
) -> Submit {
  let decide = store.submit
  let decided = { @Sendable in DecidedBatch($1, chain: $2, of: $0, in: world, listings) }
  let recordChoice = recordingChoiceOfZone(in: store, world, queues)
  // NB: a completion is made for each request, so it holds functions: a copy of the store, the
  // world or the queues counts a reference for each of theirs.
  return { sent, completion in
    decide(sent) { answer in
      switch answer {
      case .ruled(let ruling, _) where ruling.result == .noCalendar:
        completion(.failure(.noCalendar))
      case .ruled(let ruling, let chain):
        for receiver in receivers { receiver(sent.batch, ruling.outcomes) }
        let batch = decided(sent.account, ruling, chain)
        guard sent.batch.namesPresentZone(by: ruling) else {
          return completion(.success(batch))
        }
        recordChoice(batch, completion)
      case .unavailable: completion(.failure(.unavailable))
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
    let noted: Completion<DecidedBatch> = { completion($0.mapError(\.afterDeciding)) }
    queues.access.complete(of: batch.account, noted, in: world) {
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
    outcomesOfZones(in: ruling).contains { outcome in
      switch outcome {
      case .duplicate, .unchanged: true
      case .applied, .rejected, .skipped: false
      }
    }
  }

  /// Whether the account's time zone was named by it.
  func namesZone(by ruling: Ruling) -> Bool {
    outcomesOfZones(in: ruling).contains { outcome in
      switch outcome {
      case .applied, .duplicate, .unchanged: true
      case .rejected, .skipped: false
      }
    }
  }

  /// What became of the edits that name a time zone, where any was decided for good.
  private func outcomesOfZones(in ruling: Ruling) -> [Outcome.Status] {
    guard !isDryRun, ruling.result == .decided else { return [] }
    return zip(proposals, ruling.outcomes).compactMap { proposal, outcome in
      guard case .edit(let proposed) = proposal, proposed.edit.namedZone != nil else { return nil }
      return outcome.status
    }
  }
}
