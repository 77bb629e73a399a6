import GoalsCore
import SQLite

/// The accounts and tokens of a database that is about to be replaced: what was removed or revoked
/// stays so, and what the backup lacks is named.
struct PresentBook {
  private struct Token {
    let name: Restoration.TokenName
    let revokedAt: Instant?
  }

  private var accounts: [Restoration.AccountName] = []
  private var tokens: [Token] = []
  private var removed: [Account.ID] = []

  /// Reads them without changing the database; nil if it is gone or damaged, which may be why it is
  /// replaced. Throws `.presentUnread` if it may be read another time: what was removed or revoked
  /// would come back.
  init?(of file: DatabaseFile) throws(BackupError) {
    do {
      // SQLite would delete the log beside an empty file.
      guard let size = try DatabaseFile.size(of: file.path), size > 0 else { return nil }
      let hasLog = try DatabaseFile.size(of: file.log) ?? 0 > 0
      let connection = try Connection(path: file.path, access: .readWrite, busyTimeout: 0)
      try connection.harden()
      try connection.set(.queryOnly, to: 1)
      // A log that is there is moved aside with its database; without one, closing removes what
      // opening made.
      try connection.set(.noCheckpointOnClose, to: hasLog)
      try read(connection)
      try connection.close()
    } catch let error as SQLiteError where error.isOfTheFile {
      return nil
    } catch {
      throw .presentUnread(file.path, reason: "\(error)")
    }
  }

  /// Reads the columns that a database of any version has: this one is not migrated.
  private mutating func read(_ connection: Connection) throws {
    // The account of an import that was cut off is nobody's.
    let isAnybodys = "NOT (a.name = '' AND a.created_at = 0)"
    for row in try connection.rows(
      "SELECT a.id, a.name FROM account AS a WHERE \(isAnybodys) ORDER BY a.created_at, a.number")
    {
      accounts.append(try Self.account(row[...]))
    }
    for row in try connection.rows(
      """
      SELECT a.id, a.name, t.id, t.name, t.revoked_at
      FROM token AS t JOIN account AS a ON a.number = t.account
      ORDER BY a.created_at, a.number, t.created_at, t.id
      """)
    {
      guard case .blob(let bytes) = row[2], let id = TokenRecord.ID(bytes: bytes),
        case .text(let name) = row[3]
      else { throw SQLiteError.unreadable("a token") }
      var revokedAt: Instant?
      if case .integer(let milliseconds) = row[4] {
        revokedAt = Instant(milliseconds: milliseconds)
      }
      tokens.append(
        Token(
          name: .init(id: id, name: name, account: try Self.account(row[..<2])),
          revokedAt: revokedAt))
    }
    let isRemembered = try connection.rows(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'removed_account'")
    guard !isRemembered.isEmpty else { return }
    for row in try connection.rows(
      "SELECT id FROM removed_account WHERE id NOT IN (SELECT id FROM account)")
    {
      guard case .blob(let bytes) = row[0], let id = Account.ID(bytes: bytes) else {
        throw SQLiteError.unreadable("an account that was removed")
      }
      removed.append(id)
    }
  }

  private static func account(_ row: ArraySlice<Value>) throws -> Restoration.AccountName {
    guard case .blob(let bytes)? = row.first, let id = Account.ID(bytes: bytes),
      case .text(let name)? = row.dropFirst().first
    else { throw SQLiteError.unreadable("an account") }
    return .init(id: id, name: name)
  }

  /// Removes and revokes in another database what is removed and revoked in this one.
  ///
  /// - Parameter connection: within a transaction, and with foreign keys on.
  func carry(into connection: Connection) throws -> Restoration.Differences {
    let book = AccountTables(StatementCache(on: connection))
    let removed = try remove(from: book, on: connection)
    var revoked = 0
    var lostTokens: [Restoration.TokenName] = []
    for token in tokens {
      if let instant = token.revokedAt {
        let (id, account) = (token.name.id, token.name.account.id)
        guard try book.revoke(id, of: account, at: instant) else { continue }
        revoked += 1
        // With those that it has made, of which the database may know nothing.
        for made in try book.tokensInUse(of: account).made(with: [id])
        where try book.revoke(made, of: account, at: instant) {
          revoked += 1
        }
      } else if try book.token(token.name.id) == nil {
        lostTokens.append(token.name)
      }
    }
    var lostAccounts: [Restoration.AccountName] = []
    for account in accounts where try book.number(of: account.id) == nil {
      lostAccounts.append(account)
    }
    let present = Set(accounts.map(\.id))
    let returning = try book.accounts().filter { !present.contains($0.id) }
    return Restoration.Differences(
      removed: removed, returning: returning.map { .init(id: $0.id, name: $0.name) },
      revoked: revoked, lostAccounts: lostAccounts, lostTokens: lostTokens)
  }

  private func remove(
    from book: AccountTables, on connection: Connection
  ) throws -> [Restoration.AccountName] {
    var names: [Restoration.AccountName] = []
    for id in removed {
      if let account = try book.account(id), let number = try book.number(of: id) {
        names.append(.init(id: id, name: account.name))
        try EditIDs.remove(account: number, on: connection)
      }
      try book.remove(id)
    }
    return names
  }
}

extension SQLiteError {
  /// Whether the file is to blame, so that reading it again comes to the same.
  fileprivate var isOfTheFile: Bool {
    switch kind {
    case .corrupt, .notADatabase, .mismatch: true
    // SQLITE_ERROR: a table or a column that is not there.
    case .other: isUnreadable || primaryCode == 1
    case .busy, .full, .inputOutput, .constraint, .readOnly, .cannotOpen, .interrupted, .notTaken,
      .closed:
      false
    }
  }
}
