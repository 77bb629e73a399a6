/// How far the ids that left `recent_id` together have got: first each into the index, in the index's
/// order, then their rows out of the table. Every commit does a share of it, so that none takes long.
struct IDMerge {
  /// What one commit does of it.
  enum Share: Equatable {
    case none
    case index(ArraySlice<RecentIDs.Entry>)
    /// Removes the rows up to this number.
    case drop(through: Int64)
  }

  private enum Stage {
    case idle
    case indexing(ArraySlice<RecentIDs.Entry>, rows: ClosedRange<Int64>)
    case dropping(rows: ClosedRange<Int64>)
  }

  private var stage = Stage.idle

  var isIdle: Bool { if case .idle = stage { true } else { false } }
  var isIndexing: Bool { if case .indexing = stage { true } else { false } }

  /// - Parameters:
  ///   - entries: in the order of the index; not empty.
  ///   - rows: the numbers of their rows.
  mutating func begin(_ entries: [RecentIDs.Entry], rows: ClosedRange<Int64>) {
    stage = .indexing(entries[...], rows: rows)
  }

  /// The share of a commit that records so many edits: more than it adds, so that a merge ends before as
  /// many ids wait again.
  mutating func takeShare(edits count: Int) -> Share {
    switch stage {
    case .idle:
      return .none
    case .indexing(let entries, let rows):
      let share = entries.prefix(2 * count)
      let rest = entries.dropFirst(share.count)
      stage = rest.isEmpty ? .dropping(rows: rows) : .indexing(rest, rows: rows)
      return .index(share)
    case .dropping(let rows):
      let end = min(rows.lowerBound + Int64(4 * count) - 1, rows.upperBound)
      stage = end < rows.upperBound ? .dropping(rows: end + 1...rows.upperBound) : .idle
      return .drop(through: end)
    }
  }

  mutating func forget(_ account: Int64) {
    guard case .indexing(let entries, let rows) = stage else { return }
    stage = .indexing(entries.filter { $0.account != account }[...], rows: rows)
  }
}
