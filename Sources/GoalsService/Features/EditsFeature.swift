import GoalsCore
import GoalsStore

/// Sends edits to the one decision function, and reads what it had recorded.
func editsFeature(_ store: Store, _ world: World, _ queues: Queues) -> Feature<EditsUseCase> {
  { useCase, reply in
    switch useCase {
    case .submit(let change):
      submit(change, to: store, in: world, reply)
    case .page(let account, let cursor, let limit):
      queues.read(world, reply) { () throws(StoreError) in
        let version = cursor?.head.version ?? .none
        guard let page = try store.log.page(account, version, limit) else {
          return .failed(.unknownAccount)
        }
        guard let before = page.chainBefore, cursor?.fits(before) ?? true else {
          return .failed(.cursorDiverged)
        }
        let end = page.entries.last.map { Cursor($0.version, $0.chain) }
        return .page(page, cursor: end ?? Cursor(version, before))
      }
    case .read(let account, let id):
      queues.read(world, reply) { () throws(StoreError) in
        try store.log.entry(account, id).map(Reply.edit) ?? .failed(.unknownEdit)
      }
    }
  }
}

/// Has a batch decided, and answers with what came of it.
func submit(
  _ change: Store.Change, to store: Store, in world: World,
  _ reply: @escaping @Sendable (Reply) -> Void
) {
  store.change(change) { answer in
    switch answer {
    case .ruled(let ruling, let chain):
      let calendar = world.zones.calendar(ruling.state.calendar)
      reply(.ruled(Ruled(ruling: ruling, chain: chain, now: world.now(), calendar: calendar)))
    case .unavailable: reply(.failed(.unavailable))
    case .failed: reply(.failed(.unforeseen))
    case .unknownAccount: reply(.failed(.unknownAccount))
    }
  }
}

extension Queues {
  /// Answers with what `body` reads, away from the calling thread.
  func read(
    _ world: World, _ reply: @escaping @Sendable (Reply) -> Void,
    _ body: @escaping @Sendable () throws(StoreError) -> Reply
  ) {
    reads.async {
      do throws(StoreError) {
        reply(try body())
      } catch {
        world.track(.store(.failed(error)))
        reply(.failed(Failure(error)))
      }
    }
  }
}
