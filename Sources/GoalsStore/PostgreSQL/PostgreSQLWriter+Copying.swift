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

  func append(_ part: CopiedPart, to account: AccountRecord, after end: LogEnd?) throws {
    var last = end
    if case .rows(let rows) = part { last = rows.last.map(LogEnd.init) ?? end }
    let start = ChainMaker.start(account.initialCalendar)
    let head = Round.Head(
      account: account.id, expected: end?.version ?? .none, before: end?.chain ?? start,
      // The tokens' seal goes into the row with the commit.
      seal: BookSeal(of: account, []), version: last?.version ?? .none,
      chain: last?.chain ?? start, logBytes: last?.bytes ?? 0, namesZone: false)
    try record(head) { round in
      switch part {
      case .rows(let rows): for row in rows { round.add(row, of: account.id) }
      case .undoChains(let chains): for chain in chains { round.add(chain, of: account.id) }
      case .snapshot(let footprint, let state): round.add(footprint, of: state, in: account.id)
      }
    }
  }
}
