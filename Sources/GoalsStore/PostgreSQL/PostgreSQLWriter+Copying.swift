import GoalsCore
import PostgreSQL

extension PostgreSQLWriter: CopySession {
  private static let selectSessions = Query(
    "sessions of an account",
    """
    SELECT s.secret, t.id, s.created_at, s.renewed_at
    FROM token AS t JOIN session AS s ON s.token = t.secret
    WHERE t.account = $1::uuid ORDER BY s.secret
    """)

  func sessions(of account: Account.ID) throws -> [SessionRecord] {
    try rows(Self.selectSessions) { $0.add(account) }.map { row in
      SessionRecord(
        secret: try row.bytea(at: 0), token: try row.id(at: 1), createdAt: try row.instant(at: 2),
        renewedAt: try row.instant(at: 3))
    }
  }

  func append(_ part: AccountPart, to account: AccountRecord, after end: LogEnd?) throws {
    // The tokens' seal goes into the row with the commit.
    try record(
      part, of: account.id, after: end, from: ChainMaker.start(account.initialCalendar),
      BookSeal(of: account, []))
  }
}
