import GoalsCore

/// Copies accounts from one database to another with all that they have: an account a transaction,
/// so that a copy that was cut off goes on with the next one when it is made again.
package enum Copying {
  /// What came of it.
  package struct Report: Hashable, Sendable {
    /// How many accounts there were to copy.
    package internal(set) var accounts = 0
    /// How many were copied, and the edits in their logs.
    package internal(set) var copied = 0
    package internal(set) var edits = 0
    /// What is not the same on both sides in the end, a sentence an account. Of an account that was
    /// there before nothing was altered.
    package internal(set) var differences: [String] = []

    /// How many were there before.
    package var present: Int { accounts - copied }
  }

  /// Why it ended early. What was copied before stays.
  package struct Failure: Error, Sendable {
    /// Of the account that was being copied or compared; nil where it was none.
    package let account: String?
    package let error: StoreError
  }

  package static func run(
    from source: CopySide, to target: CopySide, now: Instant
  ) throws -> Report {
    // Nothing is made in the target's place before the source is known to be there.
    let from = try source.claim(ifMissing: .refuse)
    let to = try target.claim(ifMissing: .create)
    let reader = try from(now)
    defer { reader.close() }
    let writer = try to(now)
    defer { writer.close() }
    return try copy(from: reader, to: writer)
  }

  static func copy(from: some CopySession, to: some CopySession) throws(Failure) -> Report {
    var report = Report()
    let accounts = try naming(nil, from.accounts)
    for account in accounts {
      report.accounts += 1
      let edits: Int? = try naming(account) {
        try to.account(account.id) == nil ? copy(account, from, to) : nil
      }
      if let edits {
        report.copied += 1
        report.edits += edits
      }
    }
    for account in accounts {
      let sentence = try naming(account) { try difference(in: account.id, from, to) }
      if let sentence {
        report.differences.append("\(account.name) (\(account.id)) \(sentence)")
      }
    }
    return report
  }

  private static func naming<Value>(
    _ account: AccountRecord?, _ body: () throws -> Value
  ) throws(Failure) -> Value {
    do throws(StoreError) {
      return try inStore(body)
    } catch {
      throw Failure(account: account?.name, error: error)
    }
  }

  /// How many edits are read and written at a time, so that no log is ever held whole.
  private static let stretch = 500

  /// Copies one account, and answers how many edits it has; nil where it was removed meanwhile.
  private static func copy<From: CopySession, To: CopySession>(
    _ account: AccountRecord, _ from: From, _ to: To
  ) throws -> Int? {
    if let fault = try from.firstFault(of: account.id) { throw StoreError.corrupt(fault) }
    return try to.write { to in
      // In the store's words, by which the writer does not take what the reader meets for its own.
      try inStore {
        try from.consistently {
          guard let key = try from.key(of: account.id),
            let stored = try from.stored(of: account.id, key)
          else { return nil }
          try to.add(stored.record, with: nil)
          let state = stored.snapshot.state
          let end = try copyLog(of: stored.record, upTo: state.version, from, key, to)
          func append(_ part: AccountPart) throws {
            try to.append(part, to: stored.record, after: end)
          }
          try append(.undoChains(Array(stored.undoChains)))
          for footprint in Footprint.portions(of: state, rows: StagedLog.rows) {
            try append(.snapshot(footprint, state))
          }
          for token in try from.tokens(of: account.id) { try to.add(token) }
          for session in try from.sessions(of: account.id) { _ = try to.add(session) }
          return state.version.number
        }
      }
    }
  }

  /// Copies the rows of a log, and answers where it ends.
  private static func copyLog<From: CopySession>(
    of account: AccountRecord, upTo head: Version, _ from: From, _ key: From.Key,
    _ to: some CopySession
  ) throws -> LogEnd? {
    var end: LogEnd?
    while case let version = end?.version ?? .none, version < head {
      var bytes = end?.bytes ?? 0
      let limit = min(stretch, head.number - version.number)
      let rows = try from.rows(key, after: version, limit: limit).map { row in
        bytes += row.size
        var row = row
        row.bytes = bytes
        return row
      }
      guard let last = rows.last else {
        throw StoreError.other("its log went away while it was copied")
      }
      try to.append(.rows(rows), to: account, after: end)
      end = LogEnd(last)
    }
    return end
  }

  /// In what an account is not the same on both sides; nil where it is. That the log there leads to
  /// the state there is worked out anew.
  private static func difference(
    in account: Account.ID, _ from: some CopySession, _ to: some CopySession
  ) throws -> String? {
    let (here, there) = (try Face(of: account, in: from), try Face(of: account, in: to))
    switch (here, there) {
    case (nil, nil): return nil
    case (nil, _?): return "was removed meanwhile, and is in the copy"
    case (_?, nil): return "is missing in the copy"
    case (let here?, let there?):
      guard here.version == there.version else {
        return "ends at version \(there.version) there, and at \(here.version) here"
      }
      guard here.chain == there.chain else { return "has another history there" }
      guard here.state == there.state else { return "has other goals there" }
      guard here.record == there.record else {
        return "has another name or time zone there"
      }
      guard here.tokens == there.tokens else {
        return "has other tokens there, or tokens that were used at another time"
      }
      guard here.sessions == there.sessions else { return "has other sessions there" }
      return try to.firstFault(of: account).map { "is damaged there: \($0)" }
    }
  }

  /// What is compared of an account.
  private struct Face {
    let record: AccountRecord
    let state: AccountState
    let chain: Chain
    let tokens: [TokenRecord]
    let sessions: [SessionRecord]

    var version: Version { state.version }

    init?<Session: CopySession>(of account: Account.ID, in session: Session) throws {
      let read = try session.consistently {
        (
          try session.account(account), try session.snapshot(of: account),
          try session.tokens(of: account), try session.sessions(of: account)
        )
      }
      guard let record = read.0, let snapshot = read.1 else { return nil }
      self.record = record
      (state, chain) = (snapshot.state, snapshot.chain)
      (tokens, sessions) = (read.2, read.3)
    }
  }
}

/// A database that is copied from or to.
package enum CopySide: Sendable {
  /// In the file at a path.
  case file(String)
  case server(SharedDatabase)

  /// Answers how to open it, once it is known that it may be copied from or to. From then on nobody
  /// else opens a file.
  fileprivate func claim(
    ifMissing missing: OwnedDatabase.Missing
  ) throws -> (_ now: Instant) throws -> any CopySession {
    switch self {
    case .file(let path):
      return try OwnedDatabase.claim(path: path, ifMissing: missing).copySession
    case .server(let database):
      _ = try database.check(to: .copy)
      return { _ in try database.copySession() }
    }
  }
}

/// Where a log ends that is being written.
struct LogEnd {
  let version: Version
  let chain: Chain
  /// What it takes up to there.
  let bytes: Int

  init(_ row: LogRow) {
    (version, chain, bytes) = (row.entry.version, row.entry.chain, row.bytes ?? 0)
  }
}

/// What is written of an account at once.
enum AccountPart {
  /// Of the log. Each says what the log takes up to it.
  case rows([LogRow])
  case undoChains([UndoRow])
  case snapshot(Footprint, AccountState)
}

/// A connection of its own to a database that accounts are copied from or to.
protocol CopySession: LogReader, StoreTransaction {
  /// Those of all tokens of an account, in the order of their secrets.
  func sessions(of account: Account.ID) throws -> [SessionRecord]
  /// Runs `body` in one durable transaction.
  func write<Result>(_ body: (Self) throws -> Result) throws -> Result
  /// Writes a part of an account that was added in the same transaction.
  ///
  /// - Parameter end: where its log ends so far; nil where nothing is written of it.
  func append(_ part: AccountPart, to account: AccountRecord, after end: LogEnd?) throws
  func close()
}
