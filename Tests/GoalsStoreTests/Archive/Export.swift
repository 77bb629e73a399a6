import GoalsCore
import GoalsWire
import JSON
import Testing

@testable import GoalsStore

/// An export as text, and what a test does to it.
struct Export: Hashable {
  var lines: [String]

  /// Of an account's log.
  init(of account: UInt64 = 1, in store: Store) throws {
    let reader = try #require(try ExportReader.make(of: .number(account), in: store))
    try self.init(reader)
  }

  init(lines: [String]) { self.lines = lines }

  init(_ reader: ExportReader) throws {
    var bytes: [UInt8] = []
    while let piece = try reader.next() { bytes += piece }
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  var bytes: [UInt8] { Array((lines.joined(separator: "\n") + "\n").utf8) }

  /// A whole export of these edits, whether they can have happened or not: one a millisecond, and
  /// what counts counts on the first of January 2020. The edit at index n has the id `ID(high: 1,
  /// low: n)`.
  static func bytes(of edits: [Edit]) throws -> [UInt8] {
    let day = try #require(Day(year: 2020, month: 1, day: 1))
    var bytes = ExportLine.first(.initial)
    var chain = ChainMaker.start(.initial)
    for (index, edit) in edits.enumerated() {
      let instant = Instant(milliseconds: 1_577_836_800_000 + Int64(index))
      let isProgress = if case .progress = edit { true } else { false }
      let isUndo = if case .account(.undo) = edit { true } else { false }
      let recorded = RecordedEdit(
        version: Version(index + 1), id: ID(high: 1, low: UInt64(index)), at: instant,
        recordedAt: instant, device: "phone", edit: edit, day: isProgress ? day : nil,
        undone: isUndo ? .init(root: Version(1), effect: .setActivity([:])) : nil,
        reversal: { _ in Reversal(.setActivity([:])) })
      var json = JSONWriter()
      try #require(recorded).write(to: &json)
      chain = ChainMaker.next(after: chain, format: ChainMaker.payloadFormat, payload: json.bytes)
      bytes += json.bytes + [.lineFeed]
    }
    return bytes + ExportLine.last(Version(edits.count), chain)
  }

  /// What it is read as, or why it is not.
  var read: Result<ImportedLog, ImportFault> {
    Result { () throws(ImportFault) in try ImportedLog(reading: bytes) }
  }

  var fault: ImportFault? {
    if case .failure(let fault) = read { fault } else { nil }
  }
}

extension Store {
  /// Adopts what was exported.
  func adopt(
    _ export: Export, by account: UInt64 = 1, with token: TokenRecord.ID? = nil
  ) throws -> Import.Outcome {
    try adopt(try export.read.get(), by: account, with: token)
  }

  func adopt(
    _ log: ImportedLog, by account: UInt64 = 1, with token: TokenRecord.ID? = nil
  ) throws -> Import.Outcome {
    let imported = beginImport(log, .number(account), token.map { Authority(token: $0) })
    while true {
      if let outcome = try imported.advance() { return outcome }
    }
  }
}
