import GoalsCore
import GoalsWire
import Synchronization

@testable import GoalsStore

/// The data of a store that lives in memory, as long as the process does, or of several stores that
/// share their log.
final class MemoryBacking: Backing, Recorder {
  /// All of it, at one moment.
  struct Data {
    var ledgers: [Account.ID: Ledger] = [:]
    fileprivate var order: [Account.ID] = []
    var tokens: [TokenRecord] = []
    var links: [LinkRecord] = []
    var sessions: [SessionRecord] = []
  }

  private final class Memory: Sendable {
    let data: Mutex<Data>
    init(_ content: Data) { data = Mutex(content) }
  }

  private let memory: Memory
  let isLogShared: Bool
  let readByRounds = RoundReads()

  /// - Parameter content: what is there from the start.
  init(_ content: Data = Data(), isLogShared: Bool = false) {
    memory = Memory(content)
    self.isLogShared = isLogShared
  }

  /// The data of another store, which shares its log.
  init(beside other: MemoryBacking) {
    memory = other.memory
    isLogShared = other.isLogShared
  }

  func ended(of known: [Ended]) throws -> [Ended] {
    let content = content
    return known.filter { one in
      switch one {
      case .token(let id): !content.tokens.contains { $0.id == id && $0.revokedAt == nil }
      case .session(let secret): !content.sessions.contains { $0.secret == secret }
      case .account: false
      }
    }
  }

  var content: Data { memory.data.withLock { $0 } }

  func writersView() throws -> any StoreReader { View(content, isLogShared, readByRounds) }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result {
    try body(View(content, isLogShared))
  }

  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting _: Bool
  ) throws -> Persisted {
    try memory.data.withLock { data in
      guard isLogShared else { return Persisted(seals: try data.record(writes)) }
      var persisted = data.withheld(writes, books)
      let withheld = persisted.overtaken.union(persisted.known)
      persisted.seals = try data.record(writes.filter { !withheld.contains($0.account) })
      return persisted
    }
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try memory.data.withLock { data in
      let view = View(data, isLogShared)
      let result = try body(view)
      data = view.data
      return result
    }
  }

  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] {
    let ledgers = content.ledgers
    return accounts.reduce(into: [:]) { $0[$1] = ledgers[$1]?.head }
  }

  func reopen() throws {}
  func close() {}
  var sizes: StoreGauges { StoreGauges() }

  /// The data at one moment, and what a transaction makes of them.
  final class View: StoreTransaction {
    var data: Data
    private let isLogShared: Bool
    private let reads: RoundReads

    init(_ data: Data, _ isLogShared: Bool, _ reads: RoundReads = RoundReads()) {
      self.data = data
      self.isLogShared = isLogShared
      self.reads = reads
    }

    func consistently<Result>(_ body: () throws -> Result) throws -> Result {
      try body()
    }

    func snapshot(of account: Account.ID) throws -> Snapshot? {
      reads.add(snapshots: 1)
      return data.ledgers[account].map {
        Snapshot(
          state: $0.state, chain: $0.chain, logBytes: $0.logBytes,
          isSignedUp: data.signedUp.contains(account),
          book: isLogShared ? data.book(of: $0.record) : nil)
      }
    }

    func logBytes() throws -> [Account.ID: Int] {
      data.ledgers.mapValues(\.logBytes)
    }

    func recorded(_ ids: [Edit.ID], in account: Account.ID) throws -> RecordedEdits {
      reads.add(ids: ids.count)
      guard let ledger = data.ledgers[account] else { return RecordedEdits() }
      return RecordedEdits(ids.compactMap { ledger.entry($0)?.edit }, chains: ledger.chains)
    }

    func page(of account: Account.ID, after version: Version, limit: Int) throws -> LogPage? {
      guard let ledger = data.ledgers[account] else { return nil }
      var bytes = 0
      let entries = ledger.entries.dropFirst(version.number).prefix(limit).prefix { entry in
        defer { bytes += entry.seal.payload.count }
        return bytes < LogRow.bytesAtOnce
      }
      let before =
        version == .none
        ? ChainMaker.start(ledger.record.initialCalendar)
        : version <= ledger.state.version
          ? ledger.entries[version.number - 1].seal.chain : nil
      return LogPage(
        entries: entries.map { LogEntry($0) }, chainBefore: before, head: ledger.state.version)
    }

    func search(
      for goal: Goal.ID, of account: Account.ID, after version: Version, limit: Int
    ) throws -> LogPage? {
      var page = try page(of: account, after: version, limit: limit)
      let edits = page?.entries.compactMap { data.ledgers[account]?.entry($0.id)?.edit }
      page?.found = edits?.filter { $0.goals.contains(goal) } ?? []
      return page
    }

    func entry(_ id: Edit.ID, in account: Account.ID) throws -> LogEntry? {
      data.ledgers[account]?.entry(id).map { LogEntry($0) }
    }

    func advanced(
      _ snapshot: Snapshot, of account: Account.ID, upTo version: Version, limit: Int
    ) throws -> Snapshot {
      let entries = data.ledgers[account]?.entries.dropFirst(snapshot.state.version.number) ?? []
      return entries.prefix(limit).prefix { $0.edit.version <= version }.reduce(snapshot) {
        Snapshot(state: $1.edit.transform($0.state), chain: $1.seal.chain)
      }
    }

    func account(_ id: Account.ID) throws -> AccountRecord? { data.ledgers[id]?.record }
    func isSignedUp(_ account: Account.ID) throws -> Bool { data.signedUp.contains(account) }
    func signedUp() throws -> Set<Account.ID> { data.signedUp }
    func accountCount() throws -> Int { data.order.count }

    func accounts() throws -> [AccountRecord] {
      data.order.compactMap { data.ledgers[$0]?.record }
    }

    func timeZones() throws -> [Account.ID: ZoneName] {
      data.ledgers.mapValues(\.state.calendar.timeZone)
    }

    func firstFault(of account: Account.ID) throws -> String? {
      guard let ledger = data.ledgers[account] else { return nil }
      let fold = ledger.entries.reduce(
        into: AccountState(calendar: ledger.record.initialCalendar)
      ) { state, entry in entry.edit.transform(&state) }
      return fold == ledger.state ? nil : "account \(account): the snapshot is not the log's fold"
    }

    func storageFaults() throws -> [String] { [] }

    // MARK: Writing

    func admits(_ asker: Authority) throws -> Bool {
      let sessions = data.sessions
      return data.tokens.contains { $0.id == asker.token && $0.revokedAt == nil }
        && asker.session.map { secret in sessions.contains { $0.secret == secret } } ?? true
    }

    func add(_ account: AccountRecord, with token: TokenRecord?) throws {
      guard data.ledgers[account.id] == nil else {
        throw StoreError.other("the account is there already")
      }
      data.ledgers[account.id] = Ledger(
        record: account, state: AccountState(calendar: account.initialCalendar))
      data.order.append(account.id)
      if let token { try add(token) }
    }

    func rename(_ account: Account.ID, to name: String) throws -> Bool {
      (data.ledgers[account]?.record.name = name) != nil
    }

    func recordChoiceOfZone(of account: Account.ID) throws {
      data.ledgers[account]?.record.isZoneChosen = true
    }

    func stage(_ portion: StagedLog.Portion, of log: inout StagedLog) throws {}

    func discard(_ log: StagedLog) throws -> Bool { true }

    func fill(_ account: Account.ID, with staged: StagedLog) throws -> Bool {
      let log = staged.log
      guard var record = data.ledgers[account]?.record else {
        throw StoreError.other("the account is gone")
      }
      record.initialCalendar = log.calendar
      record.isZoneChosen = log.namesZone
      var ledger = Ledger(record: record, state: log.snapshot.state)
      for version in log.edits.indices.map({ $0 + 1 }) {
        guard let row = log.row(of: Version(version)) else { continue }
        ledger.append(
          Entry(
            edit: try row.readEdit { log.row(of: $0) },
            seal: Seal(
              chain: row.entry.chain, payload: row.entry.payload, logBytes: row.bytes ?? 0)))
      }
      data.ledgers[account] = ledger
      return true
    }

    func remove(_ account: Account.ID) throws -> Bool {
      data.order.removeAll { $0 == account }
      let gone = Set(data.tokens.filter { $0.account == account }.map(\.id))
      data.tokens.removeAll { $0.account == account }
      data.sessions.removeAll { gone.contains($0.token) }
      data.links.removeAll { $0.account == account }
      return data.ledgers.removeValue(forKey: account) != nil
    }

    func probe(at now: Instant) throws {}
  }
}
