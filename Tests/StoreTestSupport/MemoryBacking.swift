import GoalsCore
import GoalsWire
import Synchronization

@testable import GoalsStore

/// The data of a store that lives in memory, as long as the process does.
final class MemoryBacking: Backing {
  /// All of it, at one moment.
  struct Data {
    fileprivate var ledgers: [Account.ID: Ledger] = [:]
    fileprivate var order: [Account.ID] = []
    fileprivate var tokens: [TokenRecord] = []
    fileprivate var sessions: [SessionRecord] = []
  }

  private let data: Mutex<Data>

  /// - Parameter content: what is there from the start.
  init(_ content: Data = Data()) { data = Mutex(content) }

  var content: Data { data.withLock { $0 } }

  func writersView() throws(StoreError) -> any StoreReader { View(content) }

  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try body(View(content))
  }

  func persist(_ writes: [Write]) throws(StoreError) -> [Account.ID: [Seal]] {
    try data.withLock { data throws(StoreError) in
      guard writes.allSatisfy({ data.ledgers[$0.account] != nil }) else {
        throw .other("the account is gone")
      }
      for write in writes {
        let versions = data.ledgers[write.account]?.versions ?? [:]
        guard write.edits.allSatisfy({ versions[$0.id] == nil }) else {
          throw .corrupt("an id of account \(write.account) is that of two edits")
        }
      }
      var seals: [Account.ID: [Seal]] = [:]
      for write in writes {
        var sealed = ChainMaker.seal(write.edits, after: write.chain)
        var bytes = write.logBytes
        for (index, edit) in write.edits.enumerated() {
          let inverse = edit.storedInverse { _ in nil }
          bytes += LogRow.size(payload: sealed[index].payload.count, inverse: inverse)
          sealed[index].logBytes = bytes
        }
        seals[write.account] = sealed
        for (edit, seal) in zip(write.edits, sealed) {
          data.ledgers[write.account]?.append(Entry(edit: edit, seal: seal))
        }
        data.ledgers[write.account]?.state = write.after
        if write.edits.contains(where: { $0.edit.namedZone != nil }) {
          data.ledgers[write.account]?.record.isZoneChosen = true
        }
      }
      return seals
    }
  }

  func write<Result>(
    _ body: (any StoreTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let view = View(content)
    let result = try body(view)
    data.withLock { $0 = view.data }
    return result
  }

  func reopen() throws(StoreError) {}
  func close() {}
  var sizes: StoreGauges { StoreGauges() }

  /// The data at one moment, and what a transaction makes of them.
  private final class View: StoreTransaction {
    private(set) var data: Data

    init(_ data: Data) { self.data = data }

    func consistently<Result>(
      _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      try body()
    }

    func snapshot(of account: Account.ID) throws(StoreError) -> Snapshot? {
      data.ledgers[account].map {
        Snapshot(state: $0.state, chain: $0.chain, logBytes: $0.logBytes)
      }
    }

    func logBytes() throws(StoreError) -> [Account.ID: Int] {
      data.ledgers.mapValues(\.logBytes)
    }

    func recorded(
      _ ids: [Edit.ID], in account: Account.ID
    ) throws(StoreError) -> RecordedEdits {
      guard let ledger = data.ledgers[account] else { return RecordedEdits() }
      return RecordedEdits(ids.compactMap { ledger.entry($0)?.edit }, chains: ledger.chains)
    }

    func page(
      of account: Account.ID, after version: Version, limit: Int
    ) throws(StoreError) -> LogPage? {
      guard let ledger = data.ledgers[account] else { return nil }
      let entries = ledger.entries.dropFirst(version.number).prefix(limit)
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
    ) throws(StoreError) -> SearchedPage? {
      try page(of: account, after: version, limit: limit).map { page in
        let edits = page.entries.compactMap { data.ledgers[account]?.entry($0.id)?.edit }
        return SearchedPage(page: page, found: edits.filter { $0.goals.contains(goal) })
      }
    }

    func entry(_ id: Edit.ID, in account: Account.ID) throws(StoreError) -> LogEntry? {
      data.ledgers[account]?.entry(id).map { LogEntry($0) }
    }

    func beginning(of account: Account.ID) throws(StoreError) -> Snapshot? {
      data.ledgers[account].map { Snapshot(beginning: $0.record) }
    }

    func advanced(
      _ snapshot: Snapshot, of account: Account.ID, upTo version: Version, limit: Int
    ) throws(StoreError) -> Snapshot {
      let entries = data.ledgers[account]?.entries.dropFirst(snapshot.state.version.number) ?? []
      return entries.prefix(limit).prefix { $0.edit.version <= version }.reduce(snapshot) {
        Snapshot(state: $1.edit.transform($0.state), chain: $1.seal.chain)
      }
    }

    func account(_ id: Account.ID) throws(StoreError) -> AccountRecord? { data.ledgers[id]?.record }

    func accountCount() throws(StoreError) -> Int { data.order.count }

    func accounts() throws(StoreError) -> [AccountRecord] {
      data.order.compactMap { data.ledgers[$0]?.record }
    }

    func timeZones() throws(StoreError) -> [Account.ID: ZoneName] {
      data.ledgers.mapValues(\.state.calendar.timeZone)
    }

    func token(secret: [UInt8]) throws(StoreError) -> TokenRecord? {
      data.tokens.first { $0.secret == secret }
    }

    func tokens(of account: Account.ID) throws(StoreError) -> [TokenRecord] {
      data.tokens.filter { $0.account == account }
        .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func tokenCount(of account: Account.ID) throws(StoreError) -> TokenCount {
      let tokens = try tokens(of: account)
      return TokenCount(
        inUse: tokens.count { $0.revokedAt == nil }, everMade: tokens.count)
    }

    func session(secret: [UInt8]) throws(StoreError) -> (SessionRecord, TokenRecord)? {
      guard let session = data.sessions.first(where: { $0.secret == secret }),
        let token = data.tokens.first(where: { $0.id == session.token })
      else { return nil }
      return (session, token)
    }

    func firstFault(of account: Account.ID) throws(StoreError) -> String? {
      guard let ledger = data.ledgers[account] else { return nil }
      let fold = ledger.entries.reduce(
        into: AccountState(calendar: ledger.record.initialCalendar)
      ) { state, entry in entry.edit.transform(&state) }
      return fold == ledger.state ? nil : "account \(account): the snapshot is not the log's fold"
    }

    func storageFaults() throws(StoreError) -> [String] { [] }

    // MARK: Writing

    func add(_ account: AccountRecord, with token: TokenRecord?) throws(StoreError) {
      guard data.ledgers[account.id] == nil else { throw .other("the account is there already") }
      data.ledgers[account.id] = Ledger(
        record: account, state: AccountState(calendar: account.initialCalendar))
      data.order.append(account.id)
      if let token { try add(token) }
    }

    func rename(_ account: Account.ID, to name: String) throws(StoreError) -> Bool {
      (data.ledgers[account]?.record.name = name) != nil
    }

    func recordChoiceOfZone(of account: Account.ID) throws(StoreError) {
      data.ledgers[account]?.record.isZoneChosen = true
    }

    func stage(_ portion: StagedLog.Portion, of log: inout StagedLog) throws(StoreError) {}

    func discard(_ log: StagedLog) throws(StoreError) -> Bool { true }

    func fill(_ account: Account.ID, with staged: StagedLog) throws(StoreError) {
      let log = staged.log
      guard var record = data.ledgers[account]?.record else { throw .other("the account is gone") }
      record.initialCalendar = log.calendar
      record.isZoneChosen = [log.calendar, log.snapshot.state.calendar].contains {
        $0.timeZone != .utc
      }
      var ledger = Ledger(record: record, state: log.snapshot.state)
      for version in log.entries.indices.map({ $0 + 1 }) {
        guard let row = log.row(of: Version(version)) else { continue }
        ledger.append(
          Entry(
            edit: try row.readEdit { log.row(of: $0) },
            seal: Seal(
              chain: row.entry.chain, payload: row.entry.payload, logBytes: row.bytes ?? 0)))
      }
      data.ledgers[account] = ledger
    }

    func remove(_ account: Account.ID) throws(StoreError) -> Bool {
      data.order.removeAll { $0 == account }
      let gone = Set(data.tokens.filter { $0.account == account }.map(\.id))
      data.tokens.removeAll { $0.account == account }
      data.sessions.removeAll { gone.contains($0.token) }
      return data.ledgers.removeValue(forKey: account) != nil
    }

    func add(_ token: TokenRecord) throws(StoreError) {
      guard data.ledgers[token.account] != nil else { throw .other("there is no such account") }
      guard !data.tokens.contains(where: { $0.id == token.id || $0.secret == token.secret }) else {
        throw .other("the token is there already")
      }
      data.tokens.append(token)
    }

    func revoke(
      _ token: TokenRecord.ID, of account: Account.ID?, at now: Instant
    ) throws(StoreError) -> Bool {
      let index = data.tokens.firstIndex {
        $0.id == token && $0.revokedAt == nil && $0.account == account ?? $0.account
      }
      guard let index else { return false }
      data.tokens[index] = data.tokens[index].revoked(at: now)
      data.sessions.removeAll { $0.token == token }
      return true
    }

    func add(_ session: SessionRecord) throws(StoreError) -> [[UInt8]] {
      guard data.tokens.contains(where: { $0.id == session.token }),
        !data.sessions.contains(where: { $0.secret == session.secret })
      else { throw .other("no such token, or there already") }
      let surplus = data.sessions.filter { $0.token == session.token }
        .sorted { $0.renewedAt > $1.renewedAt }
        .dropFirst(SessionRecord.maximumPerToken - 1).map(\.secret)
      data.sessions.removeAll { surplus.contains($0.secret) }
      data.sessions.append(session)
      return surplus
    }

    func endSession(secret: [UInt8]) throws(StoreError) -> Bool {
      let count = data.sessions.count
      data.sessions.removeAll { $0.secret == secret }
      return data.sessions.count < count
    }

    func renewSessions(_ renewals: [[UInt8]: Instant]) throws(StoreError) {
      data.sessions = data.sessions.map { session in
        renewals[session.secret].map { session.renewed(at: $0) } ?? session
      }
    }

    func recordUses(_ uses: [TokenRecord.ID: Instant]) throws(StoreError) {
      data.tokens = data.tokens.map { token in
        uses[token.id].map { token.used(at: $0) } ?? token
      }
    }

    func probe(at now: Instant) throws(StoreError) {}
  }
}
