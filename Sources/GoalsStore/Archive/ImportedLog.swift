import GoalsCore
import GoalsWire
import JSON

/// A log that was read from an export and folded: everything that is written of it, worked out from
/// the payloads alone.
///
/// It is checked that it is a log, and whole: the lines, the versions, the instants, the ids, the
/// chain, and that each edit can have been recorded after those before it.
package struct ImportedLog: Sendable {
  /// An edit as it was read.
  struct ReadEdit: Sendable {
    let id: Edit.ID
    /// Where its bytes are.
    let payload: Range<Int>
    /// What undoing it needs, where the payload does not say enough.
    let inverse: [UInt8]?
    let chain: Chain
    /// What the log takes with it.
    let logBytes: Int
  }

  package let calendar: CalendarSettings
  /// The time zones that it names, each with the first line that does.
  package let timeZones: [ZoneName: Int]
  /// Whether its time zone counts as one that was named: UTC is also that of accounts for which
  /// nobody named one.
  var namesZone: Bool { timeZones.keys.contains { $0 != .utc } }
  /// The last edit's state and chain.
  package let snapshot: Snapshot
  /// All of the export.
  let bytes: [UInt8]
  /// Oldest first.
  let edits: [ReadEdit]
  let undoChains: [UndoRow]

  package init(
    reading bytes: [UInt8], maximumGoals: Int = AccountState.maximumGoals
  ) throws(ImportFault) {
    var importer = LogImporter(bytes, maximumGoals: maximumGoals)
    while true {
      guard let log = try importer.read(bytes: bytes.count) else { continue }
      self = log
      return
    }
  }

  /// What an importer has read, to the end.
  init(_ importer: LogImporter) {
    bytes = importer.bytes
    calendar = importer.calendar
    timeZones = importer.timeZones
    edits = importer.edits
    undoChains = importer.fold.undoRows
    snapshot = Snapshot(
      state: importer.fold.state, chain: importer.chain, logBytes: edits.last?.logBytes ?? 0)
  }

  /// The chain that the last line of an export quotes, and after how many edits; nil where it is no
  /// last line. The rest is not looked at.
  package static func quote(in bytes: [UInt8]) -> (version: Version, chain: Chain)? {
    let text = bytes.last == .lineFeed ? bytes.dropLast() : bytes[...]
    let start = text.lastIndex(of: .lineFeed).map { $0 + 1 } ?? text.startIndex
    guard text.endIndex - start <= LogImporter.maximumLine,
      let document = try? JSONDocument(parsing: Array(text[start...])),
      case .valid(let end) = LogImporter.End.read(document.root)
    else { return nil }
    return (Version(end.edits), end.chain)
  }

  /// What the log takes before its last edit.
  var bytesBeforeLast: Int { edits.dropLast().last?.logBytes ?? 0 }

  func row(of version: Version) -> LogRow? { edits.row(of: version, in: bytes) }
}

extension [ImportedLog.ReadEdit] {
  /// The row that an edit will have; nil where there is none.
  func row(of version: Version, in bytes: [UInt8]) -> LogRow? {
    guard indices.contains(version.number - 1) else { return nil }
    let edit = self[version.number - 1]
    return LogRow(
      entry: LogEntry(
        version: version, id: edit.id, format: ChainMaker.payloadFormat,
        payload: [UInt8](bytes[edit.payload]), chain: edit.chain),
      inverse: edit.inverse, bytes: edit.logBytes)
  }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
}
