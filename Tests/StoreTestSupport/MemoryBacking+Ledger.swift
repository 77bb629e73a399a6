import GoalsCore
import GoalsWire

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
