import GoalsCore
import GoalsStore

/// Lets callers follow what is recorded in their account.
func changesFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ hub: ChangeHub
) -> Feature<ChangesUseCase> {
  { useCase, reply in
    switch useCase {
    case .follow(let caller, let cursor):
      if let published = store.stateInMemory(caller.account),
        cursor == nil || cursor == Cursor(published)
      {
        return reply(
          .following(
            Following(caller, from: Cursor(published), published.state.calendar, through: hub)))
      }
      queues.read(world, reply) { () throws(StoreError) in
        try following(caller, after: cursor, in: store, through: hub)
      }
    case .await(let caller, let cursor, let limit, let seconds):
      let read = { @Sendable () throws(StoreError) in
        try reading(of: caller.account, after: cursor, limit: limit, in: store)
      }
      queues.read(
        world, reply,
        otherwise: {
          let version = cursor?.head.version ?? .none
          hub.wait(for: caller, after: version, seconds: seconds) { waking in
            if waking == .refused { return reply(.failed(.unknownAccount)) }
            queues.read(world, reply) { () throws(StoreError) in
              try read().map(Reply.page).orFailure
            }
          }
        }
      ) { () throws(StoreError) in
        switch try read() {
        case .success(let reading): reading.page.entries.isEmpty ? nil : .page(reading)
        case .failure(let failure): .failed(failure)
        }
      }
    }
  }
}

/// Leave to follow from a place, or from the head where the place is of another history.
private func following(
  _ caller: Caller, after cursor: Cursor?, in store: Store, through hub: ChangeHub
) throws(StoreError) -> Reply {
  guard let published = try store.state(caller.account) else { return .failed(.unknownAccount) }
  let calendar = published.state.calendar
  let head = Cursor(published)
  guard let cursor else { return .following(Following(caller, from: head, calendar, through: hub)) }
  switch try reading(of: caller.account, after: cursor, limit: 0, in: store) {
  case .success: return .following(Following(caller, from: cursor, calendar, through: hub))
  case .failure(.cursorDiverged):
    return .following(Following(caller, from: head, isReset: true, calendar, through: hub))
  case .failure(let failure): return .failed(failure)
  }
}
