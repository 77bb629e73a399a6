import GoalsCore
import GoalsStore

/// An event that an operator may want to know of. It never holds a token, a title or a note.
package enum Happening: Hashable, Sendable {
  case store(StoreEvent)
  /// Edits of an account were recorded, the last of them as this version.
  case recorded(Account.ID, edits: Int, version: Version)
  /// An account's log was imported, the last of it as this version.
  case imported(Account.ID, version: Version)
  /// A backup was made and verified, at this time of the world's uptime.
  case backedUp(BackupReport, at: Duration)
  /// A time zone could not be read, with the reason. It is told once, until the zone is read.
  case zoneFailed(ZoneName, String)
  /// At the start, so many accounts are in a time zone that this machine lacks.
  case lackingZone(ZoneName, accounts: Int)
  /// A request failed as none should. Its client was told the id.
  case failed(requestID: String, operation: String)
  case answered(Answered)
  /// Somebody who showed something in `Authorization` that opens nothing was refused, with the
  /// address of the client.
  case signInFailed(client: String)
  /// By another token, or by an operator or a link of theirs where none is named.
  case tokenMade(TokenRecord.ID, of: Account.ID, by: TokenRecord.ID?)
  case tokenRevoked(TokenRecord.ID, of: Account.ID, by: TokenRecord.ID?)
  /// By an operator.
  case accountRemoved(Account.ID)
  case sessionBegun(of: Account.ID, by: TokenRecord.ID)
  /// So many connections were turned away since the last time.
  case turnedAway(connections: Int)
  /// The server has gone on for another minute: what was held back can be told.
  case minutePassed
  case started(listeners: [String])
  /// Metrics are read here.
  case measuring(listener: String)
  case draining
  case stopped

  /// A request that was answered, or a stream that was begun.
  package struct Answered: Hashable, Sendable {
    /// The id that its client was told.
    package let requestID: String
    /// Nil where no operation has its path and method, or its head could not be read.
    package let operation: String?
    package let status: Int
    /// Whether a token or a session was let in; not where the operation is for anyone.
    package let wasLetIn: Bool
    /// The time since the request was whole.
    package let duration: Duration
  }
}

extension World {
  /// Tracks a commit. An import, which commits no edits, tells of itself.
  func record(_ commit: Commit) {
    guard !commit.edits.isEmpty else { return }
    track(.recorded(commit.account, edits: commit.edits.count, version: commit.state.version))
  }
}
