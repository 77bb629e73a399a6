import GoalsCore
import GoalsWire
import PostgreSQL

/// A connection, opened when it is needed and anew after it was lost, and what is read through it.
/// Confined to one queue by its owner.
class PostgreSQLSession: LogReader {
  private enum Moment {
    /// Each call sees what is committed when it runs.
    case any
    /// All calls are to see one moment: that of the first.
    case one
    /// The first was made.
    case begun
  }

  let database: PostgreSQLDatabase
  private var opened: Connection?
  /// How rounds are recorded on the connection.
  private(set) var form = Round.Form.locking
  private var moment = Moment.any
  /// Of the ids that were foreseen, the edits that are recorded.
  private var foreseen: [Account.ID: [LogRow]] = [:]

  /// How long a statement may take that reads or writes the rows of one account, or of a round.
  static let limit = Duration.seconds(10)

  init(_ database: PostgreSQLDatabase) { self.database = database }

  /// Whether there is a connection that was not lost, as far as is known here.
  var isOpen: Bool { opened?.isOpen ?? false }

  func close() {
    opened?.close()
    opened = nil
    moment = .any
  }

  func connection() throws -> Connection {
    if let opened, opened.isOpen { return opened }
    if case .begun = moment {
      // What was read before is of another moment than what would follow: an edit that is in the
      // one would be missing in the other.
      throw PostgreSQLError(
        .unavailable, "the connection was lost while one moment was read", doing: "connect")
    }
    let (connection, form) = try database.connectToRecord()
    self.form = form
    do {
      try check(connection)
    } catch {
      connection.close()
      throw error
    }
    opened = connection
    return connection
  }

  /// Throws where a connection that was opened anew is not to be used.
  func check(_ connection: Connection) throws {}

  /// Runs queries in one round trip, all of one moment. A connection that was idle may have been
  /// lost without anybody's noticing: then they are run once more, on another.
  func run(_ calls: [Call]) throws -> [Rows] {
    let wasIdle = isOpen && opened?.isInTransaction == false
    do {
      return try run(calls, on: connection())
    } catch  where wasIdle && !isOpen {
      return try run(calls, on: connection())
    }
  }

  private func run(_ calls: [Call], on connection: Connection) throws -> [Rows] {
    let wasInTransaction = connection.isInTransaction
    do {
      return try runOfMoment(calls, on: connection)
    } catch {
      if !wasInTransaction { rollBack(connection) }
      throw error
    }
  }

  /// Ends a transaction that a statement has failed in, if there is one: until then the server
  /// refuses everything else that is asked on the connection.
  func rollBack(_ connection: Connection) {
    guard connection.isOpen, connection.isInTransaction else { return }
    do { try connection.run(Connection.rollBack, within: Self.limit) } catch { close() }
  }

  private func runOfMoment(_ calls: [Call], on connection: Connection) throws -> [Rows] {
    let begin = Call(Connection.beginReading)
    switch moment {
    case .any where calls.count > 1 && !connection.isInTransaction:
      let rows = try connection.run(
        [begin] + calls + [Call(Connection.commit)], within: Self.limit)
      return Array(rows.dropFirst().dropLast())
    case .any, .begun:
      return try connection.run(calls, within: Self.limit)
    case .one:
      let rows = try connection.run([begin] + calls, within: Self.limit)
      moment = .begun
      return Array(rows.dropFirst())
    }
  }

  func rows(
    _ query: Query, _ fill: (inout Parameters) -> Void = { _ in }
  ) throws -> Rows {
    guard let rows = try run([Call(query, Parameters(fill))]).first else {
      throw StoreError.other("there is no answer to: \(query.name)")
    }
    return rows
  }

  func consistently<Result>(_ body: () throws -> Result) throws -> Result {
    guard case .any = moment, opened?.isInTransaction != true else { return try body() }
    moment = .one
    defer {
      if case .begun = moment, isOpen {
        do { try opened?.run(Connection.commit, within: Self.limit) } catch { close() }
      }
      moment = .any
    }
    return try body()
  }

  // MARK: The log

  /// Whether there is such an account is seen by its rows.
  func key(of account: Account.ID) throws -> Account.ID? { account }

  private static let selectRows = Query(
    "rows of the log",
    """
    SELECT \(LogRow.columns) FROM (
      SELECT *, sum(octet_length(payload) + coalesce(octet_length(inverse), 0) + 128)
        OVER (ORDER BY version ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
      FROM edit WHERE account = $1::uuid AND version > $2::bigint
      ORDER BY version LIMIT $3::bigint) AS e
    WHERE coalesce(before, 0) < \(LogRow.bytesAtOnce) ORDER BY version
    """)
  private static let selectRow = Query(
    "row of the log",
    "SELECT \(LogRow.columns) FROM edit WHERE account = $1::uuid AND version = $2::bigint")
  private static let selectVersion = Query(
    "version of an edit",
    "SELECT version FROM edit WHERE account = $1::uuid AND id = $2::uuid")
  private static let selectStart = Query(
    "head of an account",
    """
    SELECT time_zone, week_start, day_start, version FROM account WHERE id = $1::uuid
    """)

  func rows(_ key: Account.ID, after version: Version, limit: Int) throws -> [LogRow] {
    try rows(Self.selectRows) {
      $0.add(key)
      $0.add(version)
      $0.add(Int64(limit))
    }.map(LogRow.init)
  }

  func row(_ key: Account.ID, _ version: Version) throws -> LogRow? {
    try rows(Self.selectRow) {
      $0.add(key)
      $0.add(version)
    }.first.map(LogRow.init)
  }

  func version(of id: Edit.ID, _ key: Account.ID) throws -> Version? {
    try rows(Self.selectVersion) {
      $0.add(key)
      $0.add(id)
    }.first.map { try $0.version(at: 0) }
  }

  func stretch(
    of account: Account.ID, after version: Version, limit: Int
  ) throws -> LogStretch<Account.ID>? {
    func call(_ query: Query, _ numbers: Int64...) -> Call {
      Call(
        query,
        Parameters {
          $0.add(account)
          for number in numbers { $0.add(number) }
        })
    }
    let number = Int64(version.number)
    let answers = try run([
      call(Self.selectStart), call(Self.selectRows, number, Int64(limit)),
      call(Self.selectRow, number),
    ])
    guard answers.count == 3, let head = answers[0].first else { return nil }
    guard let calendar = try head.calendar(at: 0) else {
      throw SnapshotParts.unreadable("account \(account): its calendar")
    }
    return LogStretch(
      key: account, rows: try answers[1].map(LogRow.init), start: ChainMaker.start(calendar),
      before: try answers[2].first.map { (try $0.version(at: 0), try $0.chain(at: 5)) },
      head: try head.version(at: 3))
  }

  private static let selectRecorded = Query(
    "edits by their ids",
    """
    SELECT \(LogRow.named("e")), e.account
    FROM unnest($1::uuid[], $2::uuid[]) AS n (account, id)
    JOIN edit AS e ON e.account = n.account AND e.id = n.id
    """)
  private static let selectChains = Query(
    "chains of undo",
    """
    SELECT root, latest, undone FROM undo_chain
    WHERE account = $1::uuid AND root = ANY ($2::bigint[])
    """)

  func foresee(_ ids: [Account.ID: [Edit.ID]]) throws {
    let named = ids.flatMap { account, ids in ids.map { (account, $0) } }
    foreseen = [:]
    if named.isEmpty { return }
    for row in try rows(
      Self.selectRecorded,
      {
        $0.add(.uuid, of: named) { $0.add($1.0) }
        $0.add(.uuid, of: named) { $0.add($1.1) }
      })
    {
      foreseen[try row.id(at: 6), default: []].append(try LogRow(row))
    }
  }

  func recorded(_ ids: [Edit.ID], in account: Account.ID) throws -> RecordedEdits {
    guard !ids.isEmpty else { return RecordedEdits() }
    return try naming(account) {
      let edits = try (foreseen[account] ?? []).map { try readEdit($0, account) }
      guard !edits.isEmpty else { return RecordedEdits() }
      let found = try rows(Self.selectChains) {
        $0.add(account)
        $0.add(.bigint, of: edits) { $0.add($1.root) }
      }.map(UndoRow.init)
      var chains: [Version: RecordedEdits.UndoChain] = [:]
      for chain in found { chains[chain.root] = try undoChain(chain, account) }
      return RecordedEdits(edits, chains: chains)
    }
  }
}
