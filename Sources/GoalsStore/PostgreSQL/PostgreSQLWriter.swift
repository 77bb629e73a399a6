import GoalsCore
import GoalsWire
import PostgreSQL

/// The session of a connection that writes. Confined to the writer's queue.
final class PostgreSQLWriter: PostgreSQLSession {
  private static let stillThere = Query(
    "accounts that stand where they stood",
    """
    SELECT a.id, false
    FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bytea[]) AS r (id, version, chain, seal)
    JOIN account AS a
      ON a.id = r.id AND a.version = r.version AND a.chain = r.chain AND a.seal = r.seal
    """)

  /// How long a statement waits for a row that somebody holds, in milliseconds; 0 for as long as it
  /// may take.
  private let lockTimeout: Int
  /// Where others wait behind the statement. Longer than PostgreSQL takes to see that two wait for
  /// each other.
  static let patience = 2000

  init(_ database: PostgreSQLDatabase, lockTimeout: Int = 0) {
    self.lockTimeout = lockTimeout
    super.init(database)
  }

  /// A role that may not see a standby's state still sees that there is a standby.
  private static let selectStandbys = Query(
    "standbys",
    """
    SELECT count(*), coalesce(current_setting('synchronous_standby_names', true), '') <> ''
      AND NOT EXISTS (
        SELECT FROM pg_stat_replication WHERE sync_state IS DISTINCT FROM 'async'),
      set_config('lock_timeout', $1::text, false)
    FROM pg_stat_activity
    WHERE usename = current_user AND wait_event = 'SyncRep'
      AND state_change < clock_timestamp() - interval '9 s'
    """)

  override func check(_ connection: Connection) throws {
    try Self.checkStandby(of: connection, lockTimeout: form == .locking ? lockTimeout : 0)
  }

  /// Throws where a commit would wait in vain: no standby is there, or none has confirmed a commit
  /// for so long that its client has given it up. Each that waits leaves another of the server's
  /// connections behind, until it has none left for reads.
  static func checkStandby(
    of connection: Connection, lockTimeout: Int = 0
  ) throws(PostgreSQLError) {
    let limit = Parameters { $0.add("\(lockTimeout)") }
    let row = try connection.run(selectStandbys, limit, within: Self.limit).first
    let waiting = try row?.bigint(at: 0) ?? 0
    let lacks = try row?.bool(at: 1) ?? false
    guard lacks || waiting > 0 else { return }
    throw PostgreSQLError(
      .unavailable,
      (lacks ? "no standby is connected" : "\(waiting) commits wait for a standby")
        + ": start it, or take it out of synchronous_standby_names",
      doing: "connect")
  }

  // MARK: Edits

  /// Records a round, or learns that nothing of it is recorded where an error is thrown.
  ///
  /// - Parameters:
  ///   - books: where each account's book stood when the round was decided.
  ///   - isWaiting: whether it waits for rows that others hold.
  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting: Bool
  ) throws -> Persisted {
    var round = Round()
    var asked: [Round.Head] = []
    var persisted = Persisted(seals: [:])
    for write in writes {
      guard let book = books[write.account] else {
        persisted.overtaken.insert(write.account)
        continue
      }
      if write.edits.isEmpty && !write.confirms {
        asked.append(Round.Head(write, book, []))
      } else {
        let seals = try add(write, book, to: &round)
        if !seals.isEmpty { persisted.seals[write.account] = seals }
      }
    }
    let answers = try commit(asked, round, isWaiting: isWaiting)
    var standing: Set<Account.ID> = []
    for row in answers.rows.joined() {
      let account: Account.ID = try row.id(at: 0)
      if try row.bool(at: 1) { persisted.known.insert(account) } else { standing.insert(account) }
    }
    for head in asked + round.heads where !standing.contains(head.account) {
      if !persisted.known.contains(head.account) { persisted.overtaken.insert(head.account) }
      persisted.seals[head.account] = nil
    }
    if answers.hasPassed { persisted.held = persisted.overtaken }
    return persisted
  }

  private static let limitWaiting = Query(
    "limit the wait for rows", "SELECT set_config('lock_timeout', $1::text, true)")

  /// Runs a round in one transaction and one round trip. Where it waits in vain for a row, it runs
  /// once more, without the accounts whose rows are held. Nothing is recorded where the second run
  /// waits in vain as well, as for a table, or where the round has one account only.
  private func commit(
    _ asked: [Round.Head], _ round: Round, isWaiting: Bool
  ) throws -> (rows: [Rows], hasPassed: Bool) {
    func run(_ query: Query, on connection: Connection) throws -> [Rows]? {
      var calls: [Call] = []
      if form == .locking {
        let limit = Parameters { $0.add("\(database.roundsPatience)") }
        calls.append(Call(Self.limitWaiting, limit))
      }
      let settings = calls.count
      if !asked.isEmpty { calls.append(Call(Self.stillThere, asked.parameters)) }
      if !round.heads.isEmpty { calls.append(Call(query, round.parameters)) }
      do {
        return Array(try connection.run(calls, within: Self.limit).dropFirst(settings))
      } catch {
        guard error.state == .lockNotAvailable else { throw error }
        return nil
      }
    }
    return try patiently {
      // The form of the round is known once there is a connection.
      let connection = try self.connection()
      if isWaiting || form != .locking {
        if let rows = try run(form.query, on: connection) { return (rows, false) }
        if round.heads.count == 1 { return ([], true) }
      }
      return (try run(Round.Form.passing, on: connection) ?? [], true)
    }
  }

  private func add(
    _ write: Write, _ book: BookHead, to round: inout Round
  ) throws -> [Seal] {
    let account = write.account
    var seals = ChainMaker.seal(write.edits, after: write.chain)
    var bytes = write.logBytes
    var chains: [Version: UndoRow] = [:]
    for (index, edit) in write.edits.enumerated() {
      let inverse = try edit.storedInverse { try self.row(account, $0) }
      let recorded = LogRow(edit, seals[index], inverse: inverse)
      bytes += recorded.size
      seals[index].logBytes = bytes
      round.add(recorded, of: account)
      if let root = edit.undone?.root {
        let isUndone = !(chains[root]?.isUndone ?? false)
        chains[root] = UndoRow(root: root, latest: edit.version, isUndone: isUndone)
      }
    }
    for chain in chains.values { round.add(chain, of: account) }
    round.add(Round.Head(write, book, seals))
    round.add(Footprint(of: write.edits), of: write.after, in: account)
    return seals
  }

  // MARK: Everything else

  /// Seals as they were when they were read, and as they are to be.
  private var seals: [Account.ID: (old: BookSeal, new: BookSeal)] = [:]

  /// Runs `body` in one transaction. It is run again where others were in the way, or the server
  /// was lost before it was asked to commit.
  func write<Result>(_ body: (PostgreSQLWriter) throws -> Result) throws -> Result {
    try patiently {
      seals = [:]
      let connection = try self.connection()
      do {
        let result = try beforeCommit {
          try connection.run(Self.beginWriting, within: Self.limit)
          return try body(self)
        }
        try commitSeals(connection)
        return result
      } catch {
        rollBack(connection)
        throw error
      }
    }
  }

  /// Runs what comes before a transaction is asked to commit: whatever is lost there, nothing of it
  /// is recorded.
  private func beforeCommit<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PostgreSQLError where error.kind == .unknown {
      throw PostgreSQLError(
        .unavailable, state: error.state, error.message, doing: error.doing)
    }
  }

  private static let beginWriting = Connection.beginWriting
  /// A transaction that changed the account's book meanwhile has changed the seal: null is refused.
  private static let putSeal = Query(
    "seal an account",
    """
    UPDATE account SET seal = CASE WHEN seal = $2::bytea THEN $3::bytea END WHERE id = $1::uuid
    """)

  /// Puts the new seals into their rows, and commits in the same round trip: no row of an account
  /// that rounds wait for is held longer.
  private func commitSeals(_ connection: Connection) throws {
    let calls = seals.sorted { $0.key < $1.key }.map { account, seal in
      Call(
        Self.putSeal,
        Parameters {
          $0.add(account)
          $0.add(bytea: seal.old.bytes.span)
          $0.add(bytea: seal.new.bytes.span)
        })
    }
    let answers = try connection.run(calls + [Call(Connection.commit)], within: Self.limit)
    // A server answers COMMIT, too, where a statement had failed: by rolling back.
    guard answers.last?.command == "COMMIT" else {
      throw StoreError.other("nothing of it is recorded, as a statement had failed")
    }
  }

  /// A removal of the account waits for this, so that nothing is left of it.
  private static let selectSeal = Query(
    "seal of an account", "SELECT seal FROM account WHERE id = $1::uuid FOR KEY SHARE")

  /// Changes an account's seal with the transaction.
  func reseal(_ account: Account.ID, _ change: (inout BookSeal) -> Void) throws {
    if seals[account] == nil {
      guard let row = try rows(Self.selectSeal, { $0.add(account) }).first else {
        throw StoreError.other("there is no such account")
      }
      let seal = try row.seal(at: 0)
      seals[account] = (seal, seal)
    }
    if var new = seals[account]?.new {
      change(&new)
      seals[account]?.new = new
    }
  }

  /// Has an account that is removed in the transaction not be sealed.
  func forgetSeal(of account: Account.ID) { seals[account] = nil }

  /// How often others may be in the way. Of servers that change one account's tokens at once, one
  /// gets through in each try.
  private static let tries = 200

  /// Runs what may be run again as long as nothing of it is recorded.
  private func patiently<Result>(_ body: () throws -> Result) throws -> Result {
    var attempts = 0
    while true {
      let wasOpen = isOpen
      do {
        return try body()
      } catch let error as PostgreSQLError {
        attempts += 1
        let isOvertaken =
          error.kind == .retryable && error.state != .lockNotAvailable
          || error.state == .notNullViolation
        // A connection that was idle may have been lost without anybody's noticing.
        let isStale = wasOpen && error.kind == .unavailable
        guard attempts < Self.tries, isOvertaken || isStale else { throw error }
      }
    }
  }
}

extension Round.Head {
  fileprivate init(_ write: Write, _ book: BookHead, _ seals: [Seal]) {
    self.init(
      account: write.account, expected: write.before.version, before: write.chain, seal: book.seal,
      version: write.after.version, chain: seals.last?.chain ?? write.chain,
      logBytes: seals.last?.logBytes ?? write.logBytes,
      namesZone: write.edits.contains { $0.edit.namedZone != nil })
  }
}

extension [Round.Head] {
  /// As heads that are only asked for.
  fileprivate var parameters: Parameters {
    Parameters { all in
      all.add(.uuid, of: self) { $0.add($1.account) }
      all.add(.bigint, of: self) { $0.add($1.expected) }
      all.add(.bytea, of: self) { $0.add($1.before) }
      all.add(.bytea, of: self) { $0.add(bytea: $1.seal.bytes.span) }
    }
  }
}

extension LogRow {
  init(_ edit: RecordedEdit, _ seal: Seal, inverse: [UInt8]?) {
    entry = LogEntry(
      version: edit.version, id: edit.id, format: ChainMaker.payloadFormat, payload: seal.payload,
      chain: seal.chain)
    self.inverse = inverse
    bytes = nil
  }
}
