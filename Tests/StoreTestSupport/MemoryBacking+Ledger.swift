import GoalsCore
import GoalsWire
import Synchronization

@testable import GoalsStore

extension MemoryBacking {
  struct Entry {
    let edit: RecordedEdit
    let seal: Seal
  }

  /// What is kept of an account.
  struct Ledger {
    var record: AccountRecord
    var state: AccountState
    var entries: [Entry] = []
    var versions: [Edit.ID: Version] = [:]
    var chains: [Version: RecordedEdits.UndoChain] = [:]

    var logBytes: Int { entries.last?.seal.logBytes ?? 0 }
    var chain: Chain { entries.last?.seal.chain ?? ChainMaker.start(record.initialCalendar) }
    var head: Head { Head(version: state.version, chain: chain) }
  }
}

extension MemoryBacking.Data {
  var signedUp: Set<Account.ID> {
    Set(tokens.filter { $0.id == TokenRecord.ID(ofSignUp: $0.account) }.map(\.account))
  }
}

extension MemoryBacking.Ledger {
  func entry(_ id: Edit.ID) -> MemoryBacking.Entry? {
    versions[id].map { entries[$0.number - 1] }
  }

  mutating func append(_ entry: MemoryBacking.Entry) {
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
  init(_ entry: MemoryBacking.Entry) {
    self.init(
      version: entry.edit.version, id: entry.edit.id, format: ChainMaker.payloadFormat,
      payload: entry.seal.payload, chain: entry.seal.chain)
  }
}

extension MemoryBacking.Data {
  func book(of account: AccountRecord) -> BookHead {
    let tokens = tokens.filter { $0.account == account.id }
    return BookHead(
      seal: BookSeal(of: account, tokens),
      revoked: Set(tokens.filter { $0.revokedAt != nil }.map(\.id)))
  }

  /// Whether the account or its book was changed since the write was decided.
  func overtakes(_ write: Write, _ book: BookHead?) -> Bool {
    guard let ledger = ledgers[write.account] else { return true }
    return book?.seal != self.book(of: ledger.record).seal
      || ledger.head != Head(version: write.before.version, chain: write.chain)
  }

  /// The accounts of which nothing is recorded, because another store was there before.
  func withheld(_ writes: [Write], _ books: [Account.ID: BookHead]) -> Persisted {
    var persisted = Persisted(seals: [:])
    for write in writes {
      if overtakes(write, books[write.account]) {
        persisted.overtaken.insert(write.account)
      } else if write.edits.contains(where: { ledgers[write.account]?.versions[$0.id] != nil }) {
        persisted.known.insert(write.account)
      }
    }
    return persisted
  }

  mutating func record(_ writes: [Write]) throws -> [Account.ID: [Seal]] {
    guard writes.allSatisfy({ ledgers[$0.account] != nil }) else {
      throw StoreError.other("the account is gone")
    }
    for write in writes {
      let versions = ledgers[write.account]?.versions ?? [:]
      guard write.edits.allSatisfy({ versions[$0.id] == nil }) else {
        throw StoreError.corrupt("an id of account \(write.account) is that of two edits")
      }
    }
    var seals: [Account.ID: [Seal]] = [:]
    for write in writes where !write.edits.isEmpty {
      var sealed = ChainMaker.seal(write.edits, after: write.chain)
      var bytes = write.logBytes
      for (index, edit) in write.edits.enumerated() {
        let inverse = edit.storedInverse { _ in nil }
        bytes += LogRow.size(payload: sealed[index].payload.count, inverse: inverse)
        sealed[index].logBytes = bytes
      }
      seals[write.account] = sealed
      for (edit, seal) in zip(write.edits, sealed) {
        ledgers[write.account]?.append(MemoryBacking.Entry(edit: edit, seal: seal))
      }
      ledgers[write.account]?.state = write.after
      if write.edits.contains(where: { $0.edit.namedZone != nil }) {
        ledgers[write.account]?.record.isZoneChosen = true
      }
    }
    return seals
  }
}

/// How much rounds have read by themselves.
final class RoundReads: Sendable {
  private let atomicSnapshots = Atomic(0)
  private let atomicIDs = Atomic(0)

  var snapshots: Int { atomicSnapshots.load(ordering: .relaxed) }
  var ids: Int { atomicIDs.load(ordering: .relaxed) }

  func add(snapshots: Int = 0, ids: Int = 0) {
    atomicSnapshots.add(snapshots, ordering: .relaxed)
    atomicIDs.add(ids, ordering: .relaxed)
  }
}
