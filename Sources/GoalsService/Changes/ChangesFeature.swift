import GoalsCore
import GoalsStore

/// Following the edits of an account.
package enum ChangesUseCase: Sendable {
  /// From a cursor, or from now.
  case follow(by: Caller, after: Cursor?, Completion<Following>)
  /// The log after a cursor, or from its start, as soon as there is an edit, or when so many
  /// seconds are over.
  case await(AskedLog, by: Caller, for: Asker, seconds: Int, Completion<LogView>)
}

/// Leave to follow an account's log from a cursor.
package struct Following: Sendable {
  let caller: Caller
  let start: Cursor
  /// Whether the client's cursor is of another history, and `start` is the head instead.
  let isReset: Bool
  /// The calendar by which the account's periods end.
  let calendar: CalendarSettings
}

/// Calls back once an edit is recorded after a cursor, or after the log's start, or when so many
/// seconds are over.
package typealias Waiting =
  @Sendable (
    Caller, _ after: Cursor?, _ seconds: Int, _ wake: @escaping @Sendable (Waking) -> Void
  ) -> Void

/// Why a request that waits is called back.
package enum Waking: Sendable { case edit, timeout, refused }

func changesFeature(
  _ store: Store, _ world: World, _ queues: Queues, waitingBy wait: @escaping Waiting
) -> Feature<ChangesUseCase> {
  { useCase in
    switch useCase {
    case .follow(let caller, let cursor, let completion):
      if let published = store.stateInMemory(caller.account),
        cursor == nil || cursor == Cursor(published)
      {
        let following = Following(
          caller: caller, start: Cursor(published), isReset: false,
          calendar: published.state.calendar)
        return completion(.success(following))
      }
      queues.state(of: caller.account, for: .patient, in: store, world) { state in
        queues.reads.complete(completion, in: world) {
          try following(caller, after: cursor, state.get(), in: store)
        }
      }
    case .await(let asked, let caller, let asker, let seconds, let completion):
      let read = { @Sendable (next: @escaping Completion<LogView>) in
        queues.page(asked, of: caller.account, for: asker, in: store, world, next)
      }
      read { now in
        guard case .success(let log) = now, log.entries.isEmpty else { return completion(now) }
        wait(caller, asked.cursor, seconds) { waking in
          if waking == .refused { return completion(.failure(.unknownAccount)) }
          read(completion)
        }
      }
    }
  }
}

/// Leave to follow from a cursor, or from the head where the cursor is of another history.
private func following(
  _ caller: Caller, after cursor: Cursor?, _ published: Published, in store: Store
) throws -> Following {
  var start = cursor
  do {
    if let cursor { try store.find(cursor, in: caller.account) }
  } catch Failure.cursorDiverged {
    start = nil
  }
  return Following(
    caller: caller, start: start ?? Cursor(published), isReset: start != cursor,
    calendar: published.state.calendar)
}
