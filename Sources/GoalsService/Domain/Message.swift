import GoalsCore
import GoalsStore

/// Everything that the domain can be asked: the use cases, by feature. HTTP is one way to ask.
package enum Message: Sendable {
  case goals(GoalsUseCase)
  case edits(EditsUseCase)
  case account(AccountUseCase)
  case health(HealthUseCase)
}

/// Reading goals.
package enum GoalsUseCase: Sendable {
  /// The list as it reads now.
  case list(Account.ID)
  /// One goal as it reads now.
  case read(Account.ID, Goal.ID)
}

/// Sending edits, and reading what was recorded.
package enum EditsUseCase: Sendable {
  case submit(Store.Change)
  /// The log after a place, or from its start.
  case page(Account.ID, after: Cursor?, limit: Int)
  case read(Account.ID, Edit.ID)
}

package enum AccountUseCase: Sendable {
  case read(Account.ID)
  /// Sends a `configure`, and reads the account after it.
  case configure(Store.Change)
}

package enum HealthUseCase: Sendable {
  /// Whether the store takes a write.
  case readiness
}

/// What the domain answers.
package enum Reply: Sendable {
  case list(Listing)
  case goal(Goals.Entry, EntityTag)
  case ruled(Ruled)
  case page(LogPage, cursor: Cursor)
  case edit(LogEntry)
  case account(AccountReading)
  case configured(Ruled, AccountReading)
  case ready
  case failed(Failure)
}

/// What came of edits, with the account as it was then.
package struct Ruled: Sendable {
  package let ruling: Ruling
  package let chain: Chain
  package let now: Instant
  package let calendar: Calendar

  /// The place in the log at which the ruling's state is.
  package var cursor: Cursor { Cursor(ruling.state.version, chain) }
  package var goals: Goals { ruling.state.goals(at: now, in: calendar) }
  package var tag: EntityTag { EntityTag(cursor, validUntil: goals.validUntil) }

  /// A goal as it reads in that state; nil where it is not in the list.
  package func entry(_ id: Goal.ID) -> Goals.Entry? {
    ruling.state.roster.listed(id)?.entry(on: calendar.day(of: now), at: now, in: calendar)
  }
}

/// An account as it reads at a moment.
package struct AccountReading: Sendable {
  package let record: AccountRecord
  package let calendar: CalendarSettings
  package let cursor: Cursor
}

/// Why the domain did not do what it was asked. What it means over HTTP, one table says.
package enum Failure: Hashable, Sendable {
  /// The account is gone, and with it the token.
  case unknownAccount
  case unknownGoal
  case unknownEdit
  /// The cursor is of another history.
  case cursorDiverged
  /// The disk failed or is full: nothing was recorded.
  case unavailable
  /// Something unforeseen: nothing was recorded.
  case unforeseen

  init(_ error: StoreError) { self = error.passes ? .unavailable : .unforeseen }
}
