import GoalsCore
import GoalsWire
import StoreTestSupport
import TestSupport

@testable import GoalsService
@testable import GoalsStore

extension Harness {
  /// An export, with its last line or without: then that is written which makes it whole, so that
  /// what is made up gets past the chain.
  ///
  /// Any bytes are refused, with a line that they have, or become an account that verifies, folds
  /// to the state that was read, and is exported as the same log.
  static let archive = Harness(name: "archive") { bytes in
    let log: ImportedLog
    do throws(ImportFault) {
      log = try ImportedLog(reading: completed(bytes))
    } catch {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") }
      try claim((1...lines + 3).contains(error.line), "a fault in no line")
      return
    }
    try checkState(log.snapshot.state)
    let store = Store.memory(
      environment: StoreEnvironment(now: { noon }, zone: mockZone, track: { _ in }))
    defer { store.destroy() }
    let account = Account.ID(high: 0, low: 1)
    try store.book.addAccount(
      AccountRecord(id: account, name: "x", createdAt: noon, initialCalendar: .initial), nil)
    let imported = store.beginImport(log, account, nil)
    while try imported.advance() == nil {}
    let faults = try store.upkeep.verify()
    try claim(faults.isEmpty, "what was taken in does not verify: \(faults)")
    let published = try store.state(account)
    try claim(published?.state == log.snapshot.state, "another state than was read")
    let exported = try export(of: account, from: store)
    let again = try ImportedLog(reading: exported)
    try claim(
      again.snapshot == log.snapshot && again.calendar == log.calendar
        && again.edits.map(\.chain) == log.edits.map(\.chain), "exported as another log")
    try claim(isFold(again), "the fold of what was recorded is another state")
  }
}

private let noon = Instant(seconds: 1_795_176_000)

/// The bytes with the last line that they lack.
private func completed(_ bytes: [UInt8]) -> [UInt8] {
  let whole = bytes.last == UInt8(ascii: "\n") || bytes.isEmpty ? bytes : bytes + [0x0A]
  var importer = LogImporter(whole)
  _ = try? importer.read(bytes: .max)
  guard importer.fold.state.version.number == whole.count(where: { $0 == 0x0A }) - 1 else {
    return bytes
  }
  return whole + ExportLine.last(importer.fold.state.version, importer.chain)
}

private func export(of account: Account.ID, from store: Store) throws -> [UInt8] {
  guard let reader = try ExportReader.make(of: account, in: store) else { return [] }
  var bytes: [UInt8] = []
  while let piece = try reader.next() { bytes += piece }
  return bytes
}

private func isFold(_ log: ImportedLog) -> Bool {
  let state = log.edits.indices.reduce(AccountState(calendar: log.calendar)) { state, index in
    let edit = log.row(of: Version(index + 1))?.edit { log.row(of: $0) }
    return edit?.transform(state) ?? state
  }
  return state == log.snapshot.state
}
