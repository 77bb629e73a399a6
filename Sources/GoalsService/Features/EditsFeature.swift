import GoalsCore
import GoalsStore

/// Sends edits to the one decision function, and reads what it had recorded.
func editsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ listings: Listings
) -> Feature<EditsUseCase> {
  let submit = submission(to: store, in: world, listings)
  return { useCase, reply in
    switch useCase {
    case .submit(let change):
      submit(change, reply)
    case .sync(let change, let cursor, let limit):
      sync(
        change, after: cursor, limit: limit, with: store, by: submit, on: queues, in: world, reply)
    case .page(let account, let cursor, let limit):
      queues.read(world, reply) { () throws(StoreError) in
        try reading(of: account, after: cursor, limit: limit, in: store).map(Reply.page).orFailure
      }
    case .read(let account, let id):
      queues.read(world, reply) { () throws(StoreError) in
        try store.log.entry(account, id).map(Reply.edit) ?? .failed(.unknownEdit)
      }
    }
  }
}

/// The log after a place, or why it can't be read from there.
func reading(
  of account: Account.ID, after cursor: Cursor?, limit: Int, in store: Store
) throws(StoreError) -> Result<LogReading, Failure> {
  let version = cursor?.head.version ?? .none
  guard let page = try store.log.page(account, version, limit) else {
    return .failure(.unknownAccount)
  }
  guard let before = page.chainBefore, cursor?.fits(before) ?? true else {
    return .failure(.cursorDiverged)
  }
  let end = page.entries.last.map { Cursor($0.version, $0.chain) }
  return .success(LogReading(page: page, cursor: end ?? Cursor(version, before)))
}

/// Looks whether the place is in the log, has the edits decided, and reads on from the place. A log
/// only grows, so the place is still in it once they are decided.
private func sync(
  _ change: Store.Change, after cursor: Cursor?, limit: Int, with store: Store,
  by submit: @escaping Feature<Store.Change>, on queues: Queues, in world: World,
  _ reply: @escaping @Sendable (Reply) -> Void
) {
  let fetch = { @Sendable (outcomes: [Outcome]) in
    queues.read(world, reply) { () throws(StoreError) in
      try reading(of: change.account, after: cursor, limit: limit, in: store)
        .map { .synced(outcomes, $0) }.orFailure
    }
  }
  let send = { @Sendable in
    submit(change) { answer in
      if case .ruled(let ruled) = answer, ruled.ruling.result == .decided {
        fetch(ruled.ruling.outcomes)
      } else {
        reply(answer)
      }
    }
  }
  if change.batch.proposals.isEmpty { return fetch([]) }
  if cursor == nil || cursor == store.stateInMemory(change.account).map(Cursor.init) {
    return send()
  }
  queues.read(world, reply, otherwise: send) { () throws(StoreError) in
    switch try reading(of: change.account, after: cursor, limit: 0, in: store) {
    case .success: nil
    case .failure(let failure): .failed(failure)
    }
  }
}

/// Has a batch decided, and answers with what came of it.
func submission(
  to store: Store, in world: World, _ listings: Listings
) -> Feature<Store.Change> {
  let ruled = { @Sendable in Ruled($1, chain: $2, of: $0, in: world, listings) }
  return { change, reply in
    // NB: what an answer holds is counted for each request, so it holds no more than it needs.
    let account = change.account
    store.change(change) { answer in
      switch answer {
      case .ruled(let ruling, _) where ruling.result == .noCalendar: reply(.failed(.noCalendar))
      case .ruled(let ruling, let chain): reply(.ruled(ruled(account, ruling, chain)))
      case .unavailable: reply(.failed(.unavailable))
      case .failed: reply(.failed(.unforeseen))
      case .unknownAccount, .refused: reply(.failed(.unknownAccount))
      }
    }
  }
}
