import GoalsCore
import GoalsWire
import PostgreSQL

/// Accounts, and logs that are imported.
extension PostgreSQLWriter: StoreTransaction {
  // MARK: Accounts

  private static let insertAccount = Query(
    "add an account",
    """
    INSERT INTO account (id, name, created_at, time_zone, week_start, day_start, zone_chosen, chain,
      seal, snapshot_format)
    VALUES ($1::uuid, $2::text, $3::bigint, $4::text, $5::smallint, $6::smallint, $7::bool,
      $8::bytea, $9::bytea, $10::smallint)
    """)
  private static let insertList = Query(
    "begin a list",
    """
    INSERT INTO snapshot (account, time_zone, week_start, day_start, list)
    VALUES ($1::uuid, $2::text, $3::smallint, $4::smallint, '')
    """)
  private static let renameAccount = Query(
    "rename an account", "UPDATE account SET name = $2::text WHERE id = $1::uuid")
  private static let chooseZone = Query(
    "take note of a choice of zone",
    "UPDATE account SET zone_chosen = true WHERE id = $1::uuid AND NOT zone_chosen")

  func add(_ account: AccountRecord, with token: TokenRecord?) throws {
    let calendar = account.initialCalendar
    _ = try rows(Self.insertAccount) {
      $0.add(account.id)
      $0.add(account.name)
      $0.add(account.createdAt)
      $0.add(calendar)
      $0.add(account.isZoneChosen)
      $0.add(ChainMaker.start(calendar))
      $0.add(bytea: BookSeal(of: account, token.map { [$0] } ?? []).bytes.span)
      $0.add(smallint: Int16(SnapshotParts.format))
    }
    _ = try rows(Self.insertList) {
      $0.add(account.id)
      $0.add(calendar)
    }
    if let token { try insert(token) }
  }

  /// Accounts are counted by one at a time; the count sees what the one before has added.
  private static let holdCount = Query(
    "hold the number of accounts", "SELECT pg_advisory_xact_lock(hashtext('number of accounts'))")

  func accountCountAlone() throws -> Int {
    _ = try rows(Self.holdCount)
    return try accountCount()
  }

  func rename(_ account: Account.ID, to name: String) throws -> Bool {
    guard let old = try self.account(account) else { return false }
    var new = old
    new.name = name
    _ = try rows(Self.renameAccount) {
      $0.add(account)
      $0.add(name)
    }
    try reseal(account) { $0.change(old, to: new) }
    return true
  }

  func recordChoiceOfZone(of account: Account.ID) throws {
    _ = try rows(Self.chooseZone) { $0.add(account) }
  }

  /// From `account` on, whose row every round needs.
  private static let removals =
    [
      Query("remove an account", "DELETE FROM account WHERE id = $1::uuid"),
      // This waits for a transaction that adds a session to one of the tokens, so that the session
      // is seen.
      Query(
        "hold its tokens",
        "SELECT FROM token WHERE account = $1::uuid ORDER BY secret FOR UPDATE"),
      Query(
        "end its sessions",
        """
        DELETE FROM session WHERE token IN (SELECT secret FROM token WHERE account = $1::uuid)
        """),
      Query("remove its tokens", "DELETE FROM token WHERE account = $1::uuid"),
      Query("remove its links", "DELETE FROM link WHERE account = $1::uuid"),
    ]
    + ["edit", "undo_chain", "snapshot", "goal", "day", "note"].map { table in
      Query("remove of \(table)", "DELETE FROM \(table) WHERE account = $1::uuid")
    }

  func remove(_ account: Account.ID) throws -> Bool {
    let key = Parameters { $0.add(account) }
    let answers = try run(Self.removals.map { Call($0, key) })
    forgetSeal(of: account)
    return answers.first?.changes == 1
  }

  // MARK: Imports

  // A long transaction holds nobody up, so that the log is written in one.
  func stage(_ portion: StagedLog.Portion, of log: inout StagedLog) throws {}
  func discard(_ log: StagedLog) throws -> Bool { true }

  private static let beginAnew = Query(
    "begin an account's log anew",
    """
    UPDATE account SET time_zone = $2::text, week_start = $3::smallint, day_start = $4::smallint,
      chain = $5::bytea, zone_chosen = $6::bool
    WHERE id = $1::uuid AND version = 0 RETURNING seal
    """)

  /// Records a part of an account as a round of its own, in the transaction that is open, which has
  /// the account's row.
  ///
  /// - Parameters:
  ///   - end: where its log ends so far; nil where nothing is written of it.
  ///   - start: the link of the chain before the first edit.
  func record(
    _ part: AccountPart, of account: Account.ID, after end: LogEnd?, from start: Chain,
    _ seal: BookSeal
  ) throws {
    var (round, last) = (Round(), end)
    switch part {
    case .rows(let rows):
      last = rows.last.map(LogEnd.init) ?? end
      for row in rows { round.add(row, of: account) }
    case .undoChains(let chains): for chain in chains { round.add(chain, of: account) }
    case .snapshot(let footprint, let state): round.add(footprint, of: state, in: account)
    }
    round.add(
      Round.Head(
        account: account, expected: end?.version ?? .none, before: end?.chain ?? start, seal: seal,
        version: last?.version ?? .none, chain: last?.chain ?? start, logBytes: last?.bytes ?? 0,
        namesZone: false))
    guard try run([Call(form.query, round.parameters)]).first?.count == 1 else {
      throw StoreError.other("a log was overtaken in the transaction that writes it")
    }
  }

  func fill(_ account: Account.ID, with staged: StagedLog) throws -> Bool {
    let log = staged.log
    let start = ChainMaker.start(log.calendar)
    let row = try rows(Self.beginAnew) {
      $0.add(account)
      $0.add(log.calendar)
      $0.add(start)
      $0.add(log.namesZone)
    }.first
    guard let row else { return false }
    let seal = try row.seal(at: 0)
    // Nothing of it was written when its portions were staged.
    var (portions, end) = (StagedLog(log), nil as LogEnd?)
    while let portion = portions.next() {
      guard case .part(let part) = portion else { continue }
      try record(part, of: account, after: end, from: start, seal)
      if case .rows(let rows) = part { end = rows.last.map(LogEnd.init) ?? end }
    }
    return true
  }
}

extension Parameters {
  /// Zone, week start and day start.
  fileprivate mutating func add(_ calendar: CalendarSettings) {
    add(calendar.timeZone.text)
    add(smallint: Int16(calendar.weekStart.isoNumber))
    add(smallint: Int16(calendar.dayStart.minutes))
  }
}
