import GoalsCore

/// An imported log on its way into a store, in portions of which none takes the writer long.
struct StagedLog {
  /// What one transaction writes.
  enum Portion {
    /// The ids of these edits, in the order of the ids.
    case ids(ArraySlice<Int>)
    case part(AccountPart)
  }

  /// How many rows a transaction writes at most: about 10 ms.
  static let rows = 1000
  /// How many bytes of the export it writes at most, if it is more than one edit.
  static let bytes = 1 << 18

  let log: ImportedLog
  /// The number under which the log lies meanwhile; nil before its first portion.
  var number: Int64?
  private var ids: ArraySlice<Int>
  private var edits: Range<Int>
  private var undoChains: ArraySlice<UndoRow>
  private var footprints: ArraySlice<Footprint>

  init(_ log: ImportedLog) {
    self.log = log
    edits = log.edits.indices
    ids = edits.sorted { log.edits[$0].id < log.edits[$1].id }[...]
    undoChains = log.undoChains[...]
    footprints = Footprint.portions(of: log.snapshot.state, rows: Self.rows)[...]
  }

  /// The next portion; nil after the last.
  mutating func next() -> Portion? {
    if !ids.isEmpty { return .ids(ids.takeFirst(Self.rows)) }
    if !edits.isEmpty {
      return .part(.rows(takeEntries().compactMap { log.row(of: Version($0 + 1)) }))
    }
    if !undoChains.isEmpty {
      return .part(.undoChains(Array(undoChains.takeFirst(Self.rows))))
    }
    return footprints.popFirst().map { .part(.snapshot($0, log.snapshot.state)) }
  }

  private mutating func takeEntries() -> Range<Int> {
    var bytes = 0
    let end = edits.prefix(Self.rows).dropFirst().first { index in
      bytes += log.edits[index - 1].payload.count
      return bytes + log.edits[index].payload.count > Self.bytes
    }
    let taken =
      edits.lowerBound..<(end ?? min(edits.upperBound, edits.lowerBound + Self.rows))
    edits = taken.upperBound..<edits.upperBound
    return taken
  }
}

extension ArraySlice {
  fileprivate mutating func takeFirst(_ count: Int) -> ArraySlice {
    defer { self = dropFirst(count) }
    return prefix(count)
  }
}
