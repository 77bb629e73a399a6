import GoalsCore
import SQLite

/// The seals of accounts, in their rows.
struct BookSeals {
  private let statement: StatementCache

  init(_ statements: StatementCache) { statement = statements }

  /// Seals an account that was made with no token.
  func seal(_ account: AccountRecord) throws { try put(BookSeal(of: account, []), of: account.id) }

  /// Has `body` change an account's seal, as what it is over changes.
  func change(_ account: Account.ID, _ body: (inout BookSeal) -> Void) throws {
    guard var seal = try stored(account).flatMap({ BookSeal($0) }) else {
      throw SQLiteError.unreadable("the seal of account \(account)")
    }
    body(&seal)
    try put(seal, of: account)
  }

  /// Whether an account and its tokens are as they were sealed; true where there is no such
  /// account.
  func holds(_ account: Account.ID) throws -> Bool {
    try stored(account).map { try sum(of: account).bytes == $0 } ?? true
  }

  /// Seals every account as it is now, without a check.
  ///
  /// NB: a migration uses it, so it may name no column that a later one makes.
  func sealAll() throws {
    let accounts: [Account.ID] = try statement("SELECT id FROM account").all { row in
      try row.id(at: 0, of: "an account")
    }
    for account in accounts { try put(sum(of: account, withMakers: false), of: account) }
  }

  private func put(_ seal: BookSeal, of account: Account.ID) throws {
    try statement("UPDATE account SET seal = ?2 WHERE id = ?1").run(account, seal.bytes)
  }

  private func stored(_ account: Account.ID) throws -> [UInt8]? {
    try statement("SELECT seal FROM account WHERE id = ?").first(account) { try $0.blob(at: 0) }
  }

  /// That of the rows as they are, whatever is in them.
  private func sum(of account: Account.ID, withMakers: Bool = true) throws -> BookSeal {
    var seal = BookSeal()
    try statement("SELECT name, created_at FROM account WHERE id = ?").each(account) { row in
      seal.add(
        BookSeal.digest(of: account, name: try row.text(at: 0), createdAt: try row.instant(at: 1)))
    }
    try statement(
      """
      SELECT id, name, scope, goal, secret, created_at, expires_at, revoked_at,
        \(withMakers ? "made_by" : "NULL") FROM token WHERE account = (SELECT number FROM account WHERE id = ?)
      """
    ).each(account) { row in
      var fields: [BookSeal.Field] = []
      for column in 0..<row.columnCount { fields.append(.init(try row.value(at: column))) }
      seal.add(BookSeal.digest(ofTokenOf: account, fields))
    }
    return seal
  }
}

extension BookSeal.Field {
  fileprivate init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .real(let real): .real(real)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      }
  }
}
