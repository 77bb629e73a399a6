import GoalsCore
import GoalsStore

/// Why the domain did not do what it was asked. What a failure means over HTTP, one table says
/// (`Problem`); what an operator is told of it, another (`Administration`).
package enum Failure: Error, Hashable, Sendable {
  /// The account is gone, and with it the token; or the token was revoked on the way.
  case unknownAccount
  /// So many accounts have the name that was to mean one.
  case ambiguousName(accounts: Int)
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
  /// An import into an account in which something is recorded.
  case accountNotEmpty
  case noExport(ImportFault)
  /// The account has too much under way that takes long.
  case tooManyFolds
  /// Nobody waits for the answer any more.
  case abandoned
  /// An import takes more than an account's log may.
  case accountFull
  /// There are as many accounts as sign-up may make.
  case tooManyAccounts
  /// The disk failed or is full: nothing was recorded.
  case unavailable
  /// A time zone that is needed can't be had: nothing was recorded.
  case noCalendar
  /// Something unforeseen: nothing was recorded.
  case unforeseen
  /// The store failed in something else than deciding edits.
  case store(StoreError)
  /// No backup was made, for this reason.
  case noBackup(String)
}
