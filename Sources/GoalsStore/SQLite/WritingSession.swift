import GoalsCore
import SQLite

/// The session of the connection that writes, with what it knows of what it has written. Confined
/// to the writer's queue.
final class WritingSession: SQLiteSession, StoreTransaction {
  let writer: SnapshotWriter
  private let imports: ImportTables
  /// The numbers of accounts whose snapshots are known to be of the present format, for as many as
  /// are worth keeping.
  private var numbers: [Account.ID: Int64] = [:]
  private static let maximumNumbers = 100_000
  /// What is done once the transaction that is open is committed.
  private var afterCommit: [() -> Void] = []
  private let beforeCommit: () throws -> Void

  /// - Parameters:
  ///   - recentIDs: filled with what the database holds of them, and kept so.
  ///   - idBatch: so many ids go into their index together.
  ///   - beforeCommit: the last thing that is done in each transaction; it is rolled back if this
  ///     throws.
  init(
    _ connection: Connection, _ migrator: Migrator, _ recentIDs: EditIDs.Recent, idBatch: Int,
    beforeCommit: @escaping () throws -> Void = {}
  ) throws {
    self.beforeCommit = beforeCommit
    writer = try SnapshotWriter(on: connection)
    imports = ImportTables(StatementCache(on: connection))
    try super.init(connection, migrator, recentIDs: recentIDs, idBatch: idBatch)
  }

  /// Runs `body` in one transaction.
  func write<Result>(_ body: (WritingSession) throws -> Result) throws -> Result {
    afterCommit = []
    let result = try connection.write {
      let result = try body(self)
      try beforeCommit()
      return result
    }
    for act in afterCommit { act() }
    return result
  }

  override func key(of account: Account.ID) throws -> Int64? {
    if let number = numbers[account] { return number }
    return try super.key(of: account)
  }

  // MARK: Edits

  func persist(_ writes: [Write]) throws -> [Account.ID: [Seal]] {
    ids.begin()
    let (seals, numbers) = try write { _ in
      var seals: [Account.ID: [Seal]] = [:]
      var numbers: [Int64] = []
      for write in writes {
        guard let number = try key(of: write.account) else {
          throw StoreError.other("the account is gone")
        }
        numbers.append(number)
        seals[write.account] = try persist(write, number)
      }
      try ids.finish()
      return (seals, numbers)
    }
    ids.committed()
    for (write, number) in zip(writes, numbers) { ids.learn(write.edits, account: number) }
    return seals
  }

  private func persist(_ write: Write, _ number: Int64) throws -> [Seal] {
    var sealed = ChainMaker.seal(write.edits, after: write.chain)
    try log.append(write.edits, &sealed, account: number, after: write.logBytes)
    try ids.append(write.edits, account: number)
    if write.edits.contains(where: { $0.edit.namedZone != nil }) {
      try book.recordChoiceOfZone(of: write.account)
    }
    if try hasPresentSnapshot(write.account, number) {
      try writer.write(Footprint(of: write.edits), of: write.after, account: number)
    } else {
      // A row of the present format among others would have them all taken for it.
      try writer.rewrite(write.after, account: number)
    }
    return sealed
  }

  private func hasPresentSnapshot(_ account: Account.ID, _ number: Int64) throws -> Bool {
    if numbers[account] != nil { return true }
    guard try snapshots.format(account: number) == SnapshotParts.format else { return false }
    if numbers.count >= Self.maximumNumbers { numbers = [:] }
    numbers[account] = number
    return true
  }

  // MARK: Accounts

  func add(_ account: AccountRecord, with token: TokenRecord?) throws {
    let number = try book.add(account)
    let state = AccountState(calendar: account.initialCalendar)
    try writer.write(Footprint(whole: state), of: state, account: number)
    if let token { try book.add(token) }
  }

  func rename(_ account: Account.ID, to name: String) throws -> Bool {
    try book.rename(account, to: name)
  }

  func recordChoiceOfZone(of account: Account.ID) throws {
    try book.recordChoiceOfZone(of: account)
  }

  func remove(_ account: Account.ID) throws -> Bool {
    guard let number = try key(of: account) else { return false }
    numbers[account] = nil
    try book.remove(account)
    try ids.remove(account: number)
    afterCommit.append { [ids] in ids.forget(account: number) }
    return true
  }

  func stage(_ portion: StagedLog.Portion, of staged: inout StagedLog) throws {
    let log = staged.log
    let number = try staged.number ?? imports.begin(log.calendar)
    switch portion {
    case .ids(let indices):
      try ids.append(
        indices.lazy.map { (log.edits[$0].id, Version($0 + 1)) }, account: number)
    case .part(let part): try write(part, account: number)
    }
    staged.number = number
  }

  /// Writes a part of an account; the ids of its rows are left to the caller.
  func write(_ part: AccountPart, account: Int64) throws {
    switch part {
    case .rows(let rows): try log.append(rows, account: account)
    case .undoChains(let chains): try log.append(chains, account: account)
    case .snapshot(let footprint, let state):
      try writer.write(footprint, of: state, account: account)
    }
  }

  func fill(_ account: Account.ID, with staged: StagedLog) throws -> Bool {
    guard let number = try key(of: account), let staging = staged.number else {
      throw StoreError.other("the account is gone")
    }
    numbers[account] = nil
    try imports.finish(staging, as: number, namesZone: staged.log.namesZone)
    // It may have been the number of an account whose log was known to be empty.
    afterCommit.append { [ids] in ids.forget(account: staging) }
    return true
  }

  func discard(_ staged: StagedLog) throws -> Bool {
    guard let number = staged.number else { return true }
    return try imports.discard(number)
  }

  /// Removes what imports left behind that were cut off, in several transactions.
  func discardEverythingStaged() throws {
    for number in try imports.staged() {
      var isGone = false
      while !isGone {
        isGone = try write { _ in
          try imports.discard(number)
        }
      }
    }
  }

  // MARK: Tokens and sessions

  func admits(_ asker: Authority) throws -> Bool {
    guard let token = try book.token(asker.token), token.revokedAt == nil else { return false }
    return try asker.session.map { try sessions.session(secret: $0) != nil } ?? true
  }

  func add(_ token: TokenRecord) throws { try book.add(token) }

  func revoke(_ token: TokenRecord.ID, of account: Account.ID, at now: Instant) throws -> Bool {
    guard try book.revoke(token, of: account, at: now) else { return false }
    try sessions.endAll(of: token)
    return true
  }

  func add(_ link: LinkRecord) throws { try book.add(link) }

  func removeLink(secret: [UInt8]) throws -> Bool { try book.removeLink(secret: secret) }

  func add(_ session: SessionRecord) throws -> [[UInt8]] { try sessions.add(session) }

  func endSession(secret: [UInt8]) throws -> Bool { try sessions.end(secret: secret) }

  func renewSessions(_ renewals: [[UInt8]: Instant]) throws {
    for (secret, instant) in renewals { try sessions.renew(secret: secret, at: instant) }
  }

  func recordUses(_ uses: [TokenRecord.ID: Instant]) throws {
    for (id, instant) in uses { try book.recordUse(of: id, at: instant) }
  }

  func probe(at now: Instant) throws {
    try connection.rows(
      """
      INSERT INTO probe (number, written_at) VALUES (1, ?1)
      ON CONFLICT (number) DO UPDATE SET written_at = ?1
      """, .integer(now.milliseconds))
  }
}
