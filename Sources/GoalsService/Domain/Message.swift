import GoalsCore
import GoalsStore

/// Everything that the domain can be asked: the use cases, by feature. HTTP is one way to ask.
package enum Message: Sendable {
  case goals(GoalsUseCase, for: Asker = .patient)
  case edits(EditsUseCase)
  case account(AccountUseCase)
  case tokens(TokensUseCase)
  case changes(ChangesUseCase)
  case archive(ArchiveUseCase, for: Asker = .patient)
  case sessions(SessionsUseCase)
  case health(HealthUseCase)
}

/// Reading goals.
package enum GoalsUseCase: Sendable {
  /// The list as it reads now.
  case list(Account.ID)
  /// The list as it was when a version was recorded.
  case past(Account.ID, Version)
  /// What became of a goal in a window of days.
  case history(Account.ID, Goal.ID, HistoryWindow)
  /// One goal as it reads now.
  case read(Account.ID, Goal.ID)
}

/// Sending edits, and reading what was recorded.
package enum EditsUseCase: Sendable {
  case submit(Store.Change)
  /// Sends edits, if any, and reads the log after a place, or from its start. Nothing is recorded where
  /// the place is not in the log.
  case sync(Store.Change, after: Cursor?, limit: Int)
  /// The log after a place, or from its start.
  case page(Account.ID, after: Cursor?, limit: Int)
  case read(Account.ID, Edit.ID)
}

/// Following what is recorded.
package enum ChangesUseCase: Sendable {
  /// From a place in the log, or from now.
  case follow(Caller, after: Cursor?)
  /// The log after a place, or from its start, as soon as there is an edit, or when so many seconds
  /// are over.
  case await(Caller, after: Cursor?, limit: Int, seconds: Int)
}

package enum AccountUseCase: Sendable {
  case read(Account.ID)
  case add(AskedAccount)
  /// Sends a `configure`, and reads the account after it.
  case configure(Store.Change)
}

/// Managing the tokens of an account.
package enum TokensUseCase: Sendable {
  case list(Account.ID)
  case add(AskedToken, by: Caller)
  case revoke(TokenRecord.ID, by: Caller)
}

/// An account's history as a whole.
package enum ArchiveUseCase: Sendable {
  /// The log, to be taken in elsewhere.
  case export(Account.ID)
  /// What was counted, as a table.
  case counts(Account.ID)
  /// Takes an export in.
  case take(Caller, [UInt8])
}

/// Opening and closing sessions.
package enum SessionsUseCase: Sendable {
  case begin(TokenRecord)
  /// By the SHA-256 of its key; nil where there is nothing to end.
  case end([UInt8]?)
}

package enum HealthUseCase: Sendable {
  /// Whether the store takes a write.
  case readiness
}

/// What the domain answers.
package enum Reply: Sendable {
  case list(Listing)
  case goal(Goals.Entry, EntityTag)
  case history(HistoryReading)
  case ruled(Ruled)
  case page(LogReading)
  case synced([Outcome], LogReading)
  case edit(LogEntry)
  case following(Following)
  case account(AccountReading)
  case configured(Ruled, AccountReading)
  /// With its first token, whose text is told this once.
  case addedAccount(AccountReading, Token)
  case tokens([TokenRecord])
  /// With its text, which is told this once.
  case addedToken(TokenRecord, Token)
  case revokedToken
  case archive(Archive)
  /// The end of what was taken in.
  case imported(Cursor)
  case session(SessionKey)
  case endedSession
  case ready
  case failed(Failure)
}

/// The log after a place.
package struct LogReading: Sendable {
  package let page: LogPage
  /// The place after the last edit of the page.
  package let cursor: Cursor
}

/// An account as it reads at a moment.
package struct AccountReading: Sendable {
  package let record: AccountRecord
  package let calendar: CalendarSettings
  package let cursor: Cursor
}

/// Why the domain did not do what it was asked. What it means over HTTP, one table says.
package enum Failure: Hashable, Sendable {
  /// The account is gone, and with it the token; or the token was revoked on the way.
  case unknownAccount
  case unknownGoal
  case unknownEdit
  case unknownToken
  /// A token was to bump a goal that the account does not have.
  case unknownTokenGoal(Goal.ID)
  /// The account has as many tokens as it may.
  case tooManyTokens
  /// A window of no day, or of too many.
  case window(HistoryWindow)
  /// The log does not reach that version.
  case unknownVersion
  /// The cursor is of another history.
  case cursorDiverged
  /// Something is recorded in the account, and it is not what was to be taken in.
  case accountNotEmpty
  case noExport(ImportFault)
  /// The account has too much under way that takes long.
  case tooManyFolds
  /// Who asked has gone.
  case abandoned
  /// It takes more than an account's log may.
  case accountFull
  /// There are as many accounts as may be made by who is not known.
  case tooManyAccounts
  /// The disk failed or is full: nothing was recorded.
  case unavailable
  /// A time zone that is needed can't be had: nothing was recorded.
  case noCalendar
  /// Something unforeseen: nothing was recorded.
  case unforeseen

  init(_ error: StoreError) { self = error.passes ? .unavailable : .unforeseen }
}
