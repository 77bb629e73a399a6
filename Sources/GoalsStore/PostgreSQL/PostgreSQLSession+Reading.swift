import GoalsCore
import GoalsWire
import PostgreSQL

/// What is read of accounts: their states, and the book.
extension PostgreSQLSession {
  // MARK: States

  private static let selectHead = Query(
    "account and head",
    """
    SELECT \(AccountRecord.columns), version, chain, log_bytes, seal, snapshot_format
    FROM account WHERE id = $1::uuid
    """)
  private static let selectLast = Query(
    "last edit",
    """
    SELECT \(LogRow.columns) FROM edit WHERE account = $1::uuid ORDER BY version DESC LIMIT 1
    """)
  /// The tokens that say something of the account's state: those that are revoked, and the one of a
  /// sign-up, which has the account's id.
  private static let selectTelling = Query(
    "revoked tokens, and that of a sign-up",
    """
    SELECT id, revoked_at IS NOT NULL FROM token
    WHERE account = $1::uuid AND (revoked_at IS NOT NULL OR id = account)
    """)
  private static let selectSignedUp = Query(
    "accounts made by sign-up", "SELECT account FROM token WHERE id = account")
  private static let isSignedUp = Query(
    "whether an account was made by sign-up",
    "SELECT FROM token WHERE id = $1::uuid AND account = $1::uuid")
  private static let selectList = Query(
    "list of an account",
    """
    SELECT time_zone, week_start, day_start, list FROM snapshot WHERE account = $1::uuid
    """)
  private static let selectDays = Query(
    "days of an account",
    """
    SELECT slot::bigint, day::bigint, count, excused FROM day WHERE account = $1::uuid
    ORDER BY slot, day
    """)
  private static let selectNotes = Query(
    "notes of an account",
    """
    SELECT slot::bigint, version, day::bigint, text FROM note WHERE account = $1::uuid
    ORDER BY slot, version
    """)
  private static let selectGoals = Query(
    "goals of an account",
    """
    SELECT slot::bigint, id, title, colour, unit, timelines FROM goal WHERE account = $1::uuid
    ORDER BY slot
    """)

  func snapshot(of account: Account.ID) throws -> Snapshot? {
    let key = Parameters { $0.add(account) }
    let answers = try run(
      [
        Self.selectHead, Self.selectLast, Self.selectTelling, Self.selectList, Self.selectDays,
        Self.selectNotes, Self.selectGoals,
      ].map { Call($0, key) })
    guard answers.count == 7, let head = answers[0].first else { return nil }
    return try naming(account) {
      let record = try AccountRecord(head)
      let last = try answers[1].first.map(LogRow.init)
      let version = try head.version(at: 7)
      let chain = try head.chain(at: 8)
      let end = last.map { ($0.entry.version, $0.entry.chain) }
      guard end ?? (.none, ChainMaker.start(record.initialCalendar)) == (version, chain) else {
        throw StoreError.corrupt("the log's end is not where the account says")
      }
      guard try head.smallint(at: 11) == Int16(SnapshotParts.format) else {
        throw StoreError.corrupt("its snapshot is of a format that this program does not know")
      }
      guard let list = answers[3].first else {
        throw StoreError.corrupt("its snapshot is missing")
      }
      let state = try parts(days: answers[4], notes: answers[5], goals: answers[6]).state(
        version: version, recordedAt: try last.map { try readEdit($0, account).recordedAt },
        calendar: try list.calendar(at: 0), list: try list.bytea(at: 3))
      let isSignedUp = try answers[2].contains {
        try $0.id(at: 0) == TokenRecord.ID(ofSignUp: account)
      }
      let revoked: [TokenRecord.ID] = try answers[2].filter { try $0.bool(at: 1) }
        .map { try $0.id(at: 0) }
      return Snapshot(
        state: state, chain: chain, logBytes: Int(try head.bigint(at: 9)),
        isSignedUp: isSignedUp,
        book: BookHead(seal: try head.seal(at: 10), revoked: Set(revoked)))
    }
  }

  private func parts(days: Rows, notes: Rows, goals: Rows) throws -> SnapshotParts {
    var parts = SnapshotParts()
    for row in days {
      try parts.addDay(
        row.bigint(at: 0), row.bigint(at: 1), count: row.bigint(at: 2), isExcused: row.bool(at: 3))
    }
    for row in notes {
      try parts.addNote(
        row.bigint(at: 0), row.version(at: 1), row.bigint(at: 2),
        String(decoding: row.bytea(at: 3), as: UTF8.self))
    }
    for row in goals {
      try parts.addGoal(
        row.bigint(at: 0), id: row.id(at: 1), title: row.text(at: 2), colour: row.text(at: 3),
        unit: row.optional(at: 4, row.text), timelines: row.utf8(at: 5))
    }
    return parts
  }

  private static let selectHeads = Query(
    "heads of accounts", "SELECT id, version, chain FROM account WHERE id = ANY ($1::uuid[])")

  /// Where the log of each account ends that there is.
  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] {
    var heads: [Account.ID: Head] = [:]
    for row in try rows(Self.selectHeads, { $0.add(.uuid, of: accounts) { $0.add($1) } }) {
      heads[try row.id(at: 0)] = Head(
        version: try row.version(at: 1), chain: try row.chain(at: 2))
    }
    return heads
  }

  private static let selectEndedTokens = Query(
    "which tokens were ended",
    """
    SELECT k.id FROM unnest($1::uuid[]) AS k (id)
    WHERE NOT EXISTS (SELECT FROM token AS t WHERE t.id = k.id AND t.revoked_at IS NULL)
    """)
  /// A session goes with its token.
  private static let selectEndedSessions = Query(
    "which sessions were ended",
    """
    SELECT k.secret FROM unnest($1::bytea[]) AS k (secret)
    WHERE NOT EXISTS (SELECT FROM session AS s WHERE s.secret = k.secret)
    """)

  func ended(of known: [Ended]) throws -> [Ended] {
    var tokens: [TokenRecord.ID] = []
    var sessions: [[UInt8]] = []
    for one in known {
      switch one {
      case .token(let id): tokens.append(id)
      case .session(let secret): sessions.append(secret)
      case .account: break
      }
    }
    let ended = try rows(Self.selectEndedTokens) { $0.add(.uuid, of: tokens) { $0.add($1) } }
      .map { Ended.token(try $0.id(at: 0)) }
    guard !sessions.isEmpty else { return ended }
    return try ended
      + rows(Self.selectEndedSessions) { $0.add(.bytea, of: sessions) { $0.add(bytea: $1.span) } }
      .map { .session(try $0.bytea(at: 0)) }
  }

  // MARK: Accounts

  private static let selectAccount = Query(
    "account", "SELECT \(AccountRecord.columns) FROM account WHERE id = $1::uuid")
  private static let selectAccounts = Query(
    "accounts", "SELECT \(AccountRecord.columns) FROM account ORDER BY created_at, id")
  private static let countAccounts = Query("count accounts", "SELECT count(*) FROM account")
  private static let selectLogBytes = Query("sizes of logs", "SELECT id, log_bytes FROM account")
  private static let selectZones = Query(
    "time zones",
    """
    SELECT a.id, coalesce(s.time_zone, a.time_zone)
    FROM account AS a LEFT JOIN snapshot AS s ON s.account = a.id
    """)

  func account(_ id: Account.ID) throws -> AccountRecord? {
    try rows(Self.selectAccount) { $0.add(id) }.first.map(AccountRecord.init)
  }

  func accounts() throws -> [AccountRecord] {
    try rows(Self.selectAccounts).map(AccountRecord.init)
  }

  func accountCount() throws -> Int {
    Int(try rows(Self.countAccounts).first?.bigint(at: 0) ?? 0)
  }

  func logBytes() throws -> [Account.ID: Int] {
    var bytes: [Account.ID: Int] = [:]
    for row in try rows(Self.selectLogBytes) {
      bytes[try row.id(at: 0)] = Int(try row.bigint(at: 1))
    }
    return bytes
  }

  func isSignedUp(_ account: Account.ID) throws -> Bool {
    try rows(Self.isSignedUp) { $0.add(account) }.first != nil
  }

  func signedUp() throws -> Set<Account.ID> {
    Set(try rows(Self.selectSignedUp).map { try $0.id(at: 0) })
  }

  func timeZones() throws -> [Account.ID: ZoneName] {
    var zones: [Account.ID: ZoneName] = [:]
    for row in try rows(Self.selectZones) {
      guard let name = ZoneName(try row.text(at: 1)) else {
        throw SnapshotParts.unreadable("a time zone")
      }
      zones[try row.id(at: 0)] = name
    }
    return zones
  }

  // MARK: Tokens and sessions

  private static let selectToken = Query(
    "token", "SELECT \(TokenRecord.columns) FROM token AS t WHERE t.secret = $1::bytea")
  private static let selectTokens = Query(
    "tokens of an account",
    """
    SELECT \(TokenRecord.columns) FROM token AS t WHERE t.account = $1::uuid
    ORDER BY t.created_at, t.id
    """)
  private static let selectTokensInUse = Query(
    "tokens of an account that are not revoked",
    """
    SELECT \(TokenRecord.columns) FROM token AS t
    WHERE t.account = $1::uuid AND t.revoked_at IS NULL ORDER BY t.created_at, t.id
    """)
  private static let countTokens = Query(
    "count tokens",
    """
    SELECT count(*) FILTER (WHERE revoked_at IS NULL), count(*) FROM token WHERE account = $1::uuid
    """)
  private static let selectSession = Query(
    "session of a browser",
    """
    SELECT \(TokenRecord.columns), s.secret, s.created_at, s.renewed_at
    FROM session AS s JOIN token AS t ON t.secret = s.token WHERE s.secret = $1::bytea
    """)

  private static let selectLink = Query(
    "link", "SELECT \(LinkRecord.columns) FROM link WHERE secret = $1::bytea")
  private static let selectLinks = Query(
    "links of an account",
    """
    SELECT \(LinkRecord.columns) FROM link WHERE account = $1::uuid ORDER BY ends_at, secret
    """)

  func link(secret: [UInt8]) throws -> LinkRecord? {
    try rows(Self.selectLink) { $0.add(bytea: secret.span) }.first.map { try LinkRecord($0) }
  }

  func links(of account: Account.ID) throws -> [LinkRecord] {
    try rows(Self.selectLinks) { $0.add(account) }.map { try LinkRecord($0) }
  }

  func token(secret: [UInt8]) throws -> TokenRecord? {
    try rows(Self.selectToken) { $0.add(bytea: secret.span) }.first.map(TokenRecord.init)
  }

  func tokens(of account: Account.ID) throws -> [TokenRecord] {
    try rows(Self.selectTokens) { $0.add(account) }.map(TokenRecord.init)
  }

  func tokensInUse(of account: Account.ID) throws -> [TokenRecord] {
    try rows(Self.selectTokensInUse) { $0.add(account) }.map(TokenRecord.init)
  }

  func tokenCount(of account: Account.ID) throws -> TokenCount {
    let row = try rows(Self.countTokens) { $0.add(account) }.first
    return TokenCount(
      inUse: Int(try row?.bigint(at: 0) ?? 0), everMade: Int(try row?.bigint(at: 1) ?? 0))
  }

  func session(secret: [UInt8]) throws -> (SessionRecord, TokenRecord)? {
    let row = try rows(Self.selectSession) { $0.add(bytea: secret.span) }.first
    guard let row else { return nil }
    let token = try TokenRecord(row)
    let session = SessionRecord(
      secret: try row.bytea(at: 11), token: token.id, createdAt: try row.instant(at: 12),
      renewedAt: try row.instant(at: 13))
    return (session, token)
  }

  // MARK: Verification

  private static let selectAllChains = Query(
    "all chains of undo", "SELECT root, latest, undone FROM undo_chain WHERE account = $1::uuid")

  func stored(of account: Account.ID, _ key: Account.ID) throws -> LogWalk.Stored? {
    try consistently {
      guard let record = try self.account(account), let snapshot = try snapshot(of: account) else {
        return nil
      }
      return try naming(account) {
        guard snapshot.book?.seal == BookSeal(of: record, try tokens(of: account)) else {
          throw StoreError.corrupt("it or its tokens are not as they were made")
        }
        let chains = try rows(Self.selectAllChains) { $0.add(account) }.map(UndoRow.init)
        return LogWalk.Stored(
          record: record, snapshot: snapshot, undoChains: Set(chains),
          oldBytes: snapshot.logBytes, tellsChoiceOfZone: true)
      }
    }
  }
}
