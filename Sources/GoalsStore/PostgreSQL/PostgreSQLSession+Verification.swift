import GoalsCore
import PostgreSQL

/// What is checked of the schema, of what is of no account, and of each account at one moment of
/// its own, while servers write.
///
/// It is read a few rows at a time, however much there is. The pages of the tables are for
/// PostgreSQL's own tools (pg_amcheck, data checksums).
extension PostgreSQLSession {
  /// Everything that is wrong, and the first thing with each account. Where the schema has lost
  /// something, that is all: accounts may not be readable then, or only by reading everything.
  func faults() throws -> [String] {
    let schema = SchemaPart.faults(in: try SchemaPart.found(by: self))
    guard schema.lost.isEmpty else { return schema.lost + schema.added }
    var faults = try schema.added + strangers() + sessionFaults()
    try walkAccounts(Self.selectAccounts) { account, _ in
      if let fault = try firstFault(of: account) { faults.append(fault) }
    }
    return faults
  }

  func storageFaults() throws -> [String] {
    let schema = SchemaPart.faults(in: try SchemaPart.found(by: self))
    return schema.lost + schema.added
  }

  func firstFault(of account: Account.ID) throws -> String? {
    // A unique index finds each edit by its id.
    guard let fault = try firstFault(of: account, check: { _, _ in }) else { return nil }
    // One that was removed meanwhile left no log to walk.
    return try heads(of: [account]).isEmpty ? nil : fault
  }

  // MARK: What is of no account

  private static let tables = [
    "token", "link", "edit", "undo_chain", "snapshot", "goal", "day", "note",
  ]

  /// The accounts that a table has rows of, each found by an index, and whether they are known to
  /// be there. On Citus no server knows of all, so more is read, and each is looked for.
  private func selectAccounts(in table: String) -> Query {
    switch form {
    case .locking:
      Query(
        "accounts of \(table)",
        """
        WITH RECURSIVE found (account) AS (
          (SELECT account FROM \(table) WHERE account >= $1::uuid ORDER BY account LIMIT 1)
          UNION ALL
          SELECT (
            SELECT t.account FROM \(table) AS t WHERE t.account > f.account
            ORDER BY t.account LIMIT 1)
          FROM found AS f WHERE f.account IS NOT NULL
        )
        SELECT f.account, EXISTS (SELECT FROM account AS a WHERE a.id = f.account)
        FROM found AS f WHERE f.account IS NOT NULL LIMIT \(Self.portion)
        """)
    case .updating:
      Query(
        "all accounts of \(table)",
        """
        SELECT DISTINCT account, false FROM \(table) WHERE account >= $1::uuid
        ORDER BY account LIMIT \(Self.portion)
        """)
    }
  }

  private func strangers() throws -> [String] {
    var faults: [String] = []
    for table in Self.tables {
      let query = selectAccounts(in: table)
      try walkAccounts(query) { account, row in
        if try row.bool(at: 1) || !heads(of: [account]).isEmpty { return }
        // One that was removed meanwhile has left no row.
        let next = try rows(query) { $0.add(account) }.first
        guard let next, try next.id(at: 0) == account else { return }
        faults.append("the table \(table) has rows of account \(account), which is not there")
      }
    }
    return faults
  }

  private static let selectSessions = Query(
    "sessions and their tokens",
    """
    SELECT s.secret, s.created_at, t.id, t.account, t.revoked_at IS NOT NULL,
      s.renewed_at < s.created_at
    FROM (
      SELECT * FROM session WHERE secret >= $1::bytea ORDER BY secret LIMIT \(portion)) AS s
    LEFT JOIN token AS t ON t.secret = s.token
    ORDER BY s.secret
    """)

  private func sessionFaults() throws -> [String] {
    var faults: [String] = []
    try walk(
      Self.selectSessions, from: [], { $0.add(bytea: $1.span) }, { try $0.bytea(at: 0) }
    ) { _, row in
      let session = "the session that began at \(try row.instant(at: 1))"
      guard !row.isNull(at: 2) else {
        faults.append("\(session) is of no token")
        return
      }
      let (token, account): (TokenRecord.ID, Account.ID) = try (row.id(at: 2), row.id(at: 3))
      if try row.bool(at: 4) {
        faults.append("account \(account): \(session) is of token \(token), which is revoked")
      }
      if try row.bool(at: 5) {
        faults.append("account \(account): \(session) was renewed before that")
      }
    }
    return faults
  }

  // MARK: Walking a table

  /// How many rows are read at a time.
  private static let portion = 1000

  private static let selectAccounts = Query(
    "ids of accounts",
    "SELECT id FROM account WHERE id >= $1::uuid ORDER BY id LIMIT \(portion)")

  private func walkAccounts(
    _ query: Query, _ visit: (Account.ID, Row) throws -> Void
  ) throws {
    try walk(
      query, from: Account.ID(high: 0, low: 0), { $0.add($1) }, { try $0.id(at: 0) }, visit)
  }

  /// Visits rows in the order of their keys, a portion at a time.
  ///
  /// - Parameter query: is given the key to begin with.
  private func walk<Key: Equatable>(
    _ query: Query, from first: Key, _ add: (inout Parameters, Key) -> Void,
    _ key: (Row) throws -> Key, _ visit: (Key, Row) throws -> Void
  ) throws {
    var last: Key?
    while true {
      let begun = last
      for row in try rows(query, { add(&$0, begun ?? first) }) {
        let next = try key(row)
        // It was the last of the portion before.
        guard next != begun else { continue }
        try visit(next, row)
        last = next
      }
      guard last != begun else { return }
    }
  }
}
