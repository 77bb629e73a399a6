import GoalsCore
import GoalsStore

/// Why the domain did not do what it was asked. `Problem` has the answers of HTTP to each failure,
/// and `Administration` the sentences for an operator.
package enum Failure: Error, Hashable, Sendable {
  /// The account is gone, and its tokens with it; or the token was revoked on the way.
  case unknownAccount
  /// The things of these ids have a name that has to be one's alone.
  case ambiguous(Kind, [String])
  /// Another account has the name already.
  case nameTaken(Title)
  case unknownGoal
  case unknownEdit
  case unknownToken
  /// A token or a code that opens nothing.
  case wrongCredential
  /// What the token that signs in lacks for it.
  case insufficientScope(TokenRecord.Scope)
  /// The machine has no time zone of that name.
  case unknownZone
  /// A token was to bump a goal that the account does not have.
  case unknownTokenGoal(Goal.ID)
  /// The account has as many tokens as it may.
  case tooManyTokens
  /// The account has as many links that wait to be used as it may.
  case tooManyLinks
  /// What was sent breaks rules, or would change what can't be changed.
  case invalid([Fault])
  /// The account was to be in a time zone that there is none of.
  case unknownTimeZone(Fault)
  /// A window of no day, or of too many.
  case window(HistoryWindow)
  /// The days of a window have more bumps than are shown together.
  case tooManyBumps
  /// The log does not reach that version.
  case unknownVersion
  /// The cursor is of another history.
  case cursorDiverged
  /// The account of an import has recorded edits already.
  case accountNotEmpty
  case noExport(ImportFault)
  /// Too much long work of the account is under way.
  case tooManyAtOnce
  /// Nobody waits for the answer any more.
  case abandoned
  /// An import takes more than an account's log may.
  case accountFull
  /// There are as many accounts as sign-up may make.
  case tooManyAccounts
  /// The database can't be used: the disk failed or is full, or the answer of a database on a
  /// server was lost. What was to be recorded may be, now or later.
  case unavailable
  /// The server lacks a time zone that is needed: nothing was recorded.
  case noCalendar
  /// Something unforeseen: nothing was recorded.
  case unforeseen
  /// The store failed in other work than deciding edits.
  case store(StoreError)
  /// No backup was made, with the reason in words.
  case noBackup(String)

  /// What an operator may name.
  package enum Kind: Sendable { case accounts, goals, tokens }

  /// The same failure, if it came after edits were decided. They may be recorded, so an answer by
  /// which nothing is recorded becomes `unavailable`.
  var afterDeciding: Failure {
    if case .store(let error) = self { return error.passes ? .unavailable : self }
    return self == .noCalendar ? .unavailable : self
  }
}

extension Array {
  /// The one of an id, or of a name that only one has; nil where there is none.
  func named<Subject>(
    _ reference: String, _ kind: Failure.Kind, by id: (Element) -> ID<Subject>,
    where isCalled: (Element) -> Bool
  ) throws(Failure) -> Element? {
    if let asked = ID<Subject>(reference), let one = first(where: { id($0) == asked }) {
      return one
    }
    let called = filter(isCalled)
    guard called.count < 2 else { throw .ambiguous(kind, called.map { id($0).description }) }
    return called.first
  }
}
