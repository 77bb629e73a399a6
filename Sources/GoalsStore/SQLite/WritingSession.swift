import GoalsCore
import SQLite

/// The session of the connection that writes, with what it knows of what it has written. Confined to the
/// writer's queue.
final class WritingSession {
  let session: SQLiteSession
  private let snapshots: SnapshotWriter
  private let indexer: IDIndexer
  private let imports: ImportTables
  /// The numbers of accounts whose snapshots are known to be of the present format, for as many as
  /// are worth keeping.
  private var numbers: [Account.ID: Int64] = [:]
  private static let maximumNumbers = 100_000

  /// - Parameters:
  ///   - recentIDs: filled with what the database holds of them, and kept so.
  ///   - idBatch: so many ids go into their index together.
  init(
    _ connection: Connection, _ migrator: Migrator, _ recentIDs: RecentIDs, idBatch: Int
  ) throws(SQLiteError) {
    session = try SQLiteSession(connection, migrator, recentIDs: recentIDs, ends: LogEnds())
    snapshots = try SnapshotWriter(on: connection)
    indexer = try IDIndexer(session, batch: idBatch)
    imports = try ImportTables(on: connection)
    session.ends?.recorded.insert(recentIDs.ids)
    session.ends?.recorded.read(session.ids)
  }

  /// Runs `body` in one transaction.
  func write(_ body: (SQLiteSession) throws(SQLiteError) -> Void) throws(StoreError) {
    try reading { () throws(SQLiteError) in
      try session.connection.write { () throws(SQLiteError) in try body(session) }
    }
  }

  func persist(_ writes: [Write]) throws(StoreError) -> [Account.ID: [Seal]] {
    var seals: [Account.ID: [Seal]] = [:]
    var change = indexer.begin()
    try write { _ throws(SQLiteError) in
      for write in writes { seals[write.account] = try persist(write, &change) }
      try indexer.finish(&change)
    }
    indexer.apply(change)
    for write in writes { session.ends?.append(write.edits, to: write.account) }
    return seals
  }

  private func persist(
    _ write: Write, _ change: inout IDIndexer.Change
  ) throws(SQLiteError) -> [Seal] {
    let number = try number(of: write.account)
    var sealed = ChainMaker.seal(write.edits, after: write.chain)
    try session.log.append(write.edits, &sealed, account: number, after: write.logBytes)
    try indexer.append(write.edits, account: number, in: &change)
    if try hasPresentSnapshot(write.account, number) {
      try snapshots.write(Footprint(of: write.edits), of: write.after, account: number)
    } else {
      // A row of the present format among others would have them all taken for it.
      try snapshots.rewrite(write.after, account: number)
    }
    return sealed
  }

  private func number(of account: Account.ID) throws(SQLiteError) -> Int64 {
    if let number = numbers[account] { return number }
    guard let number = try session.book.number(of: account) else {
      throw .refused("the account is gone", doing: "persisting edits")
    }
    return number
  }

  private func hasPresentSnapshot(
    _ account: Account.ID, _ number: Int64
  ) throws(SQLiteError) -> Bool {
    if numbers[account] != nil { return true }
    guard try session.snapshots.isCurrent(account: number) else { return false }
    if numbers.count >= Self.maximumNumbers { numbers = [:] }
    numbers[account] = number
    return true
  }

  func add(_ account: AccountRecord, with token: TokenRecord?) throws(StoreError) {
    try write { session throws(SQLiteError) in
      let number = try session.book.add(account)
      let state = AccountState(calendar: account.initialCalendar)
      try snapshots.write(Footprint(whole: state), of: state, account: number)
      if let token { try session.book.add(token) }
    }
  }

  func stage(_ portion: StagedLog.Portion, of staged: inout StagedLog) throws(StoreError) {
    var number = staged.number
    try write { session throws(SQLiteError) in
      if number == nil { number = try imports.begin(staged.log.calendar) }
      guard let staging = number else { return }
      switch portion {
      case .ids(let indices): try session.ids.append(staged.log, indices, account: staging)
      case .entries(let range): try session.log.append(staged.log, range, account: staging)
      case .undoChains(let chains): try session.log.append(chains, account: staging)
      case .snapshot(let footprint):
        try snapshots.write(footprint, of: staged.log.snapshot.state, account: staging)
      }
    }
    staged.number = number
    if case .ids(let indices) = portion {
      session.ends?.recorded.insert(indices.map { staged.log.entries[$0].id })
    }
  }

  func fill(_ account: Account.ID, with staged: StagedLog) throws(StoreError) {
    forget(account)
    try write { session throws(SQLiteError) in
      guard let number = try session.book.number(of: account), let staging = staged.number else {
        throw .refused("the account is gone", doing: "importing a log")
      }
      try imports.finish(staging, as: number)
    }
  }

  /// Removes a portion of what an import has left; true once nothing is left of it.
  func discard(_ number: Int64) throws(SQLiteError) -> Bool {
    try session.connection.write { () throws(SQLiteError) in try imports.discard(number) }
  }

  /// Removes what imports left behind that were cut off.
  func discardEverythingStaged() throws(SQLiteError) {
    for number in try imports.staged() {
      var isGone = false
      while !isGone { isGone = try discard(number) }
    }
  }

  /// False where there is no such account.
  func remove(_ account: Account.ID) throws(StoreError) -> Bool {
    guard let number = try session.number(of: account) else { return false }
    forget(account)
    try write { session throws(SQLiteError) in
      try session.book.remove(account)
      try session.recentRows.retain { $0.account != number }
    }
    // Another account may be given the number.
    indexer.forget(number)
    return true
  }

  /// Has what is known of an account read anew, because its log changes otherwise than by an edit.
  private func forget(_ account: Account.ID) {
    numbers[account] = nil
    session.ends?.forget(account)
  }
}
