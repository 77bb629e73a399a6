import GoalsCore
import GoalsWire
import JSON

/// An entry with what undoing it needs.
struct LogRow {
  let entry: LogEntry
  /// Nil where the payload says enough.
  let inverse: [UInt8]?
  /// What the log takes up to here; nil in a row from before that was kept.
  var bytes: Int?

  /// What it takes of an account's quota.
  var size: Int { Self.size(payload: entry.payload.count, inverse: inverse) }

  /// How many bytes of payloads and inverses are read at once: where they are over, the rows end.
  /// An edit that turns 1,000 goals takes 44 kB.
  static let bytesAtOnce = 524_288

  /// Whether the edit may name the goal whose id has this text. An undo may say what it takes back
  /// by its version alone.
  func mayName(_ goal: [UInt8]) -> Bool {
    payload.contains(goal)
      || inverse.map { $0.contains(goal) || KeptInverse.mayMirror($0) } ?? false
  }

  private var payload: [UInt8] { entry.payload }

  /// The edit that the row records; nil where it can't be read.
  ///
  /// - Parameter row: gives the row of an earlier version.
  func edit<Failure>(row: (Version) throws(Failure) -> LogRow?) throws(Failure) -> RecordedEdit? {
    guard entry.format == ChainMaker.payloadFormat, let payload = RecordedPayload(entry.payload)
    else { return nil }
    guard let inverse else {
      return payload.impliedReversal.flatMap { reversal in payload.with { _ in reversal } }
    }
    return try KeptInverse(inverse)?.edit(payload) { version throws(Failure) in
      // It is no undo, and so needs no other.
      try row(version)?.edit { _ in nil }
    }
  }

  /// The same, of a row that has to be readable.
  func readEdit(row: (Version) throws -> LogRow?) throws -> RecordedEdit {
    guard let edit = try edit(row: row) else {
      throw StoreError.corrupt("the edit of version \(entry.version) can't be read")
    }
    return edit
  }

  /// What an edit takes of its account's quota: its own bytes, and 128 for its id, its hash and its
  /// row of the index.
  static func size(payload: Int, inverse: [UInt8]?) -> Int { payload + (inverse?.count ?? 0) + 128 }
}

/// A chain of undo and redo, by the versions of its first and last edits.
struct UndoRow: Hashable {
  let root: Version
  let latest: Version
  let isUndone: Bool
}

extension RecordedEdit {
  /// From how many bytes on it is worth a look at another row to keep what undoing needs in short.
  private static let longInverse = 256

  /// What undoing it needs, as the log keeps it; nil where its payload says enough.
  ///
  /// - Parameter row: gives the row of an earlier version.
  func storedInverse<Failure>(
    row: (Version) throws(Failure) -> LogRow?
  ) throws(Failure) -> [UInt8]? {
    switch edit {
    case .goal(.add), .progress: return nil
    case .goal, .account:
      var json = JSONWriter()
      json.value(KeptInverse(of: self))
      guard let undone, json.bytes.count >= Self.longInverse else { return json.bytes }
      let root = try row(undone.root)?.edit { _ in nil }
      json.removeAll()
      json.value(KeptInverse(of: self, root: root))
      return json.bytes
    }
  }
}

extension [UInt8] {
  /// Whether a text, which is not empty, is a part of this.
  fileprivate func contains(_ text: [UInt8]) -> Bool {
    let (bytes, wanted) = (span, text.span)
    var start = 0
    while start + wanted.count <= bytes.count {
      var length = 0
      while length < wanted.count, bytes[start + length] == wanted[length] { length += 1 }
      if length == wanted.count { return true }
      start += 1
    }
    return false
  }
}
