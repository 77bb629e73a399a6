import GoalsCore
import GoalsWire
import Synchronization

/// The data of a store that lives in memory, as long as the process does.
final class MemoryBacking: Backing {
  fileprivate struct Entry {
    let edit: RecordedEdit
    let seal: Seal
  }

  fileprivate struct Ledger {
    var record: AccountRecord
    var state: AccountState
    var entries: [Entry] = []
    var versions: [Edit.ID: Version] = [:]
    var chains: [Version: RecordedEdits.UndoChain] = [:]

    var logBytes: Int { entries.last?.seal.logBytes ?? 0 }
    var chain: Chain { entries.last?.seal.chain ?? ChainMaker.start(record.initialCalendar) }
  }

  private struct Data {
    var ledgers: [Account.ID: Ledger] = [:]
    var order: [Account.ID] = []
    var tokens: [TokenRecord] = []
    var sessions: [SessionRecord] = []

    func checkIsNew(_ token: TokenRecord) throws(StoreError) {
      guard !tokens.contains(where: { $0.id == token.id || $0.secret == token.secret }) else {
        throw .other("the token is there already")
      }
    }
  }

  private let data = Mutex(Data())

  func writersView() throws(StoreError) -> any Reading { View(backing: self) }

  func read<Result>(
    _ length: ReadLength, _ body: (any Reading) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try body(View(backing: self))
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
        for (place, edit) in write.edits.enumerated() {
          let inverse = edit.storedInverse { _ in nil }
          bytes += LogTable.size(payload: sealed[place].payload.count, inverse: inverse)
          sealed[place].logBytes = bytes
        }
        seals[write.account] = sealed
        for (edit, seal) in zip(write.edits, sealed) {
          data.ledgers[write.account]?.append(Entry(edit: edit, seal: seal))
        }
        data.ledgers[write.account]?.state = write.after
      }
      return seals
    }
  }

  func add(_ account: AccountRecord, with token: TokenRecord?) throws(StoreError) {
    try data.withLock { data throws(StoreError) in
      if let token { try data.checkIsNew(token) }
      guard data.ledgers[account.id] == nil else { throw .other("the account is there already") }
      data.ledgers[account.id] = Ledger(
        record: account, state: AccountState(calendar: account.initialCalendar))
      data.order.append(account.id)
      if let token { data.tokens.append(token) }
    }
  }

  func stage(_ portion: StagedLog.Portion, of log: inout StagedLog) throws(StoreError) {}

  func discard(_ log: StagedLog) throws(StoreError) -> Bool { true }

  func fill(_ account: Account.ID, with staged: StagedLog) throws(StoreError) {
    let log = staged.log
    try data.withLock { data throws(StoreError) in
      guard let record = data.ledgers[account]?.record else { throw .other("the account is gone") }
      var ledger = Ledger(record: record.with(log.calendar), state: log.snapshot.state)
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
  }

  func remove(_ account: Account.ID) throws(StoreError) -> Bool {
    data.withLock { data in
      data.order.removeAll { $0 == account }
      let gone = Set(data.tokens.filter { $0.account == account }.map(\.id))
      data.tokens.removeAll { $0.account == account }
      data.sessions.removeAll { gone.contains($0.token) }
      return data.ledgers.removeValue(forKey: account) != nil
    }
  }

  func add(_ token: TokenRecord) throws(StoreError) {
    try data.withLock { data throws(StoreError) in
      guard data.ledgers[token.account] != nil else { throw .other("there is no such account") }
      try data.checkIsNew(token)
      data.tokens.append(token)
    }
  }

  func revoke(
    _ token: TokenRecord.ID, of account: Account.ID?, at now: Instant
  ) throws(StoreError) -> Bool {
    data.withLock { data in
      let place = data.tokens.firstIndex {
        $0.id == token && $0.revokedAt == nil && $0.account == account ?? $0.account
      }
      guard let place else { return false }
      data.tokens[place] = data.tokens[place].revoked(at: now)
      data.sessions.removeAll { $0.token == token }
      return true
    }
  }

  func add(_ session: SessionRecord) throws(StoreError) -> [[UInt8]] {
    return try data.withLock { data throws(StoreError) in
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
  }

  func endSession(secret: [UInt8]) throws(StoreError) -> Bool {
    data.withLock { data in
      let count = data.sessions.count
      data.sessions.removeAll { $0.secret == secret }
      return data.sessions.count < count
    }
  }

  func renewSessions(_ renewals: [[UInt8]: Instant]) throws(StoreError) {
    data.withLock { data in
      data.sessions = data.sessions.map { session in
        renewals[session.secret].map { session.renewed(at: $0) } ?? session
      }
    }
  }

  func recordUses(_ uses: [TokenRecord.ID: Instant]) throws(StoreError) {
    data.withLock { data in
      data.tokens = data.tokens.map { token in
        uses[token.id].map { token.used(at: $0) } ?? token
      }
    }
  }

  func probe(at now: Instant) throws(StoreError) {}
  func reopen() throws(StoreError) {}
  func close() {}
  var sizes: StoreGauges { StoreGauges() }

  private struct View: Reading {
    let backing: MemoryBacking

    func consistently<Result>(
      _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
      try body()
    }

    private func ledger(_ account: Account.ID) -> Ledger? {
      backing.data.withLock { $0.ledgers[account] }
    }

    func snapshot(of account: Account.ID) throws(StoreError) -> Snapshot? {
      ledger(account).map {
        Snapshot(state: $0.state, chain: $0.chain, logBytes: $0.logBytes)
      }
    }

    func logBytes() throws(StoreError) -> [Account.ID: Int] {
      backing.data.withLock { $0.ledgers.mapValues(\.logBytes) }
    }

    func recorded(
      _ ids: [Edit.ID], in account: Account.ID
    ) throws(StoreError) -> RecordedEdits {
      guard let ledger = ledger(account) else { return RecordedEdits() }
      return RecordedEdits(ids.compactMap { ledger.entry($0)?.edit }, chains: ledger.chains)
    }

    func page(
      of account: Account.ID, after version: Version, limit: Int
    ) throws(StoreError) -> LogPage? {
      guard let ledger = ledger(account) else { return nil }
      let entries = ledger.entries.dropFirst(version.number).prefix(limit)
      let before =
        version == .none
        ? ChainMaker.start(ledger.record.initialCalendar)
        : version <= ledger.state.version
          ? ledger.entries[version.number - 1].seal.chain : nil
      return LogPage(
        entries: entries.map { LogEntry($0) }, chainBefore: before, head: ledger.state.version)
    }

    func entry(_ id: Edit.ID, in account: Account.ID) throws(StoreError) -> LogEntry? {
      ledger(account)?.entry(id).map { LogEntry($0) }
    }

    func beginning(of account: Account.ID) throws(StoreError) -> Snapshot? {
      ledger(account).map { Snapshot(beginning: $0.record) }
    }

    func advanced(
      _ snapshot: Snapshot, of account: Account.ID, upTo version: Version, limit: Int
    ) throws(StoreError) -> Snapshot {
      let entries = ledger(account)?.entries.dropFirst(snapshot.state.version.number) ?? []
      return entries.prefix(limit).prefix { $0.edit.version <= version }.reduce(snapshot) {
        Snapshot(state: $1.edit.transform($0.state), chain: $1.seal.chain)
      }
    }

    func account(_ id: Account.ID) throws(StoreError) -> AccountRecord? { ledger(id)?.record }

    func accountCount() throws(StoreError) -> Int { backing.data.withLock { $0.order.count } }

    func accounts() throws(StoreError) -> [AccountRecord] {
      backing.data.withLock { data in data.order.compactMap { data.ledgers[$0]?.record } }
    }

    func timeZones() throws(StoreError) -> [ZoneName: Int] {
      backing.data.withLock { data in
        data.ledgers.values.reduce(into: [:]) { $0[$1.state.calendar.timeZone, default: 0] += 1 }
      }
    }

    func token(secret: [UInt8]) throws(StoreError) -> TokenRecord? {
      backing.data.withLock { $0.tokens.first { $0.secret == secret } }
    }

    func tokens(of account: Account.ID) throws(StoreError) -> [TokenRecord] {
      backing.data.withLock { $0.tokens.filter { $0.account == account } }
        .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    func tokenCount(of account: Account.ID) throws(StoreError) -> TokenCount {
      let tokens = try tokens(of: account)
      return TokenCount(
        inUse: tokens.count { $0.revokedAt == nil }, everMade: tokens.count)
    }

    func session(secret: [UInt8]) throws(StoreError) -> (SessionRecord, TokenRecord)? {
      backing.data.withLock { data in
        guard let session = data.sessions.first(where: { $0.secret == secret }),
          let token = data.tokens.first(where: { $0.id == session.token })
        else { return nil }
        return (session, token)
      }
    }

    func firstFault(of account: Account.ID) throws(StoreError) -> String? {
      guard let ledger = ledger(account) else { return nil }
      let fold = ledger.entries.reduce(
        into: AccountState(calendar: ledger.record.initialCalendar)
      ) { state, entry in entry.edit.transform(&state) }
      return fold == ledger.state ? nil : "account \(account): the snapshot is not the log's fold"
    }

    func storageFaults() throws(StoreError) -> [String] { [] }
  }
}

extension MemoryBacking.Ledger {
  fileprivate func entry(_ id: Edit.ID) -> MemoryBacking.Entry? {
    versions[id].map { entries[$0.number - 1] }
  }

  fileprivate mutating func append(_ entry: MemoryBacking.Entry) {
    entries.append(entry)
    versions[entry.edit.id] = entry.edit.version
    if let root = entry.edit.undone?.root {
      chains[root] = RecordedEdits.UndoChain(
        latest: entry.edit.version, isUndone: !(chains[root]?.isUndone ?? false),
        reversal: entry.edit.reversal)
    }
  }
}

extension LogEntry {
  fileprivate init(_ entry: MemoryBacking.Entry) {
    self.init(
      version: entry.edit.version, id: entry.edit.id, format: ChainMaker.payloadFormat,
      payload: entry.seal.payload, chain: entry.seal.chain)
  }
}
