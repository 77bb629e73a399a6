import GoalsCore
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
    let imported = beginImport(log, .number(account), token)
    while true {
      if let outcome = try imported.advance() { return outcome }
    }
  }
}
