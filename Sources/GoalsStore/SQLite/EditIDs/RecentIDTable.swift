import GoalsCore
import SQLite

/// The rows of `recent_id`, where ids wait for the index: one for each commit, so that a commit of
/// many edits costs one row more.
final class RecentIDTable {
  struct Row {
    let number: Int64
    let entries: [IndexEntry]
  }

  private let select: Statement
  private let selectFirst: Statement
  private let insert: Statement
  private let update: Statement
  private let delete: Statement
  private let deleteFirst: Statement

  init(on connection: Connection) throws {
    select = try connection.prepare("SELECT number, ids FROM recent_id ORDER BY number")
    selectFirst = try connection.prepare(
      "SELECT number, ids FROM recent_id WHERE number <= ? ORDER BY number LIMIT 1")
    insert = try connection.prepare("INSERT INTO recent_id (number, ids) VALUES (?, ?)")
    update = try connection.prepare("UPDATE recent_id SET ids = ?2 WHERE number = ?1")
    delete = try connection.prepare("DELETE FROM recent_id WHERE number = ?")
    deleteFirst = try connection.prepare(
      """
      DELETE FROM recent_id WHERE number IN (
        SELECT number FROM recent_id WHERE number <= ? ORDER BY number LIMIT ?)
      """)
  }

  /// All of them, in the order of their numbers. One that nobody here wrote is `.unreadable`.
  func rows() throws -> [Row] {
    try select.all(read: Row.init)
  }

  /// - Parameter entries: not empty.
  func append(_ entries: [IndexEntry], number: Int64) throws {
    // One by one: see `LogTable`.
    try insert.bind(number, at: 1)
    try insert.bind(blob: IndexEntry.bytes(of: entries).span, at: 2)
    try insert.run()
  }

  func removeFirst(_ count: Int, through number: Int64) throws {
    try deleteFirst.run(number, count)
  }

  /// Takes the first so many ids out of the rows up to a number; fewer where there are no more.
  func takeFirst(_ count: Int, through number: Int64) throws -> [IndexEntry] {
    var taken: [IndexEntry] = []
    while taken.count < count {
      guard let row = try selectFirst.first(number, read: Row.init) else { break }
      let part = row.entries.prefix(count - taken.count)
      taken += part
      try keep(row.entries[part.endIndex...], of: row)
    }
    return taken
  }

  /// Takes out of the rows what is not to be kept; where nothing is left of one, it goes. Looks at
  /// all of them, so it is for what is rare.
  func retain(_ isKept: (IndexEntry) throws -> Bool) throws {
    for row in try rows() {
      var kept: [IndexEntry] = []
      for entry in row.entries where try isKept(entry) { kept.append(entry) }
      try keep(kept[...], of: row)
    }
  }

  /// Leaves only some of a row's ids in it; without any, it goes.
  private func keep(_ kept: ArraySlice<IndexEntry>, of row: Row) throws {
    if kept.isEmpty {
      try delete.run(row.number)
    } else if kept.count < row.entries.count {
      try update.run(row.number, IndexEntry.bytes(of: kept))
    }
  }
}

extension RecentIDTable.Row {
  fileprivate init(_ row: Statement) throws {
    let number = try row.integer(at: 0)
    // So many that the next can be counted on from there.
    guard (1..<1 << 62).contains(number),
      let entries = try row.visitBlob(at: 1, { $0.withUnsafeBytes(IndexEntry.all(in:)) })
    else { throw SQLiteError.unreadable("row \(number) of recent ids") }
    self.init(number: number, entries: entries)
  }
}

extension IndexEntry {
  /// In a row: the row id in the log and the edit's id, each with the most significant byte first.
  private static let width = 24

  fileprivate static func bytes(of entries: some Collection<Self>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * width)
    func append(_ word: UInt64) {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
    for entry in entries {
      append(UInt64(bitPattern: LogTable.rowID(entry.account, entry.version)))
      append(entry.id.high)
      append(entry.id.low)
    }
    return bytes
  }

  /// Nil for bytes that are not those of one or more.
  fileprivate static func all(in bytes: UnsafeRawBufferPointer) -> [Self]? {
    guard !bytes.isEmpty, bytes.count.isMultiple(of: width) else { return nil }
    var entries: [Self] = []
    entries.reserveCapacity(bytes.count / width)
    for start in stride(from: 0, to: bytes.count, by: width) {
      guard let entry = Self(bytes[start..<start + width]) else { return nil }
      entries.append(entry)
    }
    return entries
  }

  /// Nil where the row id is none of a log.
  private init?(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let rowID = Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    guard rowID > 0, let id = Edit.ID(bytes: UnsafeRawBufferPointer(rebasing: bytes[8...])) else {
      return nil
    }
    self.init(
      account: LogTable.account(ofRowID: rowID), id: id, version: LogTable.version(ofRowID: rowID))
  }
}
