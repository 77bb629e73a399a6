/// How far the ids that left `recent_id` together have got. First each id goes into the index, in
/// the index's order. Then their rows go out of the table. Every commit does a share of it, so that
/// none takes long, and a merge ends before as many ids wait again.
///
/// Ids that waited when the database was opened go another way: from the first row on, each portion
/// goes into the index and out of its rows in the same commit. So runs of the program may be too
/// short for a merge, and opening need not find out how far the last merge got.
struct IDMerge {
  /// What one commit does of it.
  enum Share: Equatable {
    case none
    case index(ArraySlice<IndexEntry>)
    /// Removes the first so many of the rows up to a number.
    case drop(first: Int, through: Int64)
    /// Takes the first so many ids of the rows up to a number into the index, and out of their
    /// rows.
    case move(first: Int, through: Int64)
  }

  private enum Stage {
    case idle
    case indexing(ArraySlice<IndexEntry>, Rows)
    case dropping(Rows)
    /// - Parameter due: how many ids the commits since the last portion have to move.
    case catchingUp(through: Int64, due: Int)
  }

  /// The rows whose ids left together.
  private struct Rows {
    let ids: Int
    let count: Int
    let last: Int64
    private var left: Int

    var isEmpty: Bool { left == 0 }

    init(ids: Int, _ numbers: ClosedRange<Int64>) {
      self.ids = ids
      // Not each number has to have a row, but each row has an id.
      count = min(ids, numbers.count)
      last = numbers.upperBound
      left = count
    }

    /// 4 × edits × rows / ids, rounded up: a commit may have had a row for one edit or for two
    /// thousand.
    mutating func takeShare(edits: Int) -> Int {
      let share = min(left, (4 * edits * count + ids - 1) / ids)
      left -= share
      return share
    }
  }

  /// So many ids move together at least, because a row of two thousand is written anew for each
  /// portion.
  static let portion = 64

  private var stage = Stage.idle

  var isIdle: Bool { if case .idle = stage { true } else { false } }

  /// Whether not all of them are in the index.
  var isIndexing: Bool {
    switch stage {
    case .indexing, .catchingUp: true
    case .idle, .dropping: false
    }
  }

  /// - Parameters:
  ///   - entries: in the order of the index; not empty.
  ///   - rows: the numbers of their rows.
  mutating func begin(_ entries: [IndexEntry], rows: ClosedRange<Int64>) {
    stage = .indexing(entries[...], Rows(ids: entries.count, rows))
  }

  /// - Parameter last: the number of the last row that waited when the database was opened.
  mutating func catchUp(through last: Int64) {
    // The first commit moves a portion, so that no run is too short.
    stage = .catchingUp(through: last, due: Self.portion)
  }

  /// Fewer were left to move than a share asked for.
  mutating func hasCaughtUp() {
    if case .catchingUp = stage { stage = .idle }
  }

  /// The share of a commit that records so many edits: twice as many ids, or four times their part
  /// of the rows. So a merge takes three quarters as many edits as it has ids.
  mutating func takeShare(edits count: Int) -> Share {
    switch stage {
    case .idle:
      return .none
    case .indexing(let entries, let rows):
      let share = entries.prefix(2 * count)
      let rest = entries.dropFirst(share.count)
      stage = rest.isEmpty ? .dropping(rows) : .indexing(rest, rows)
      return .index(share)
    case .dropping(var rows):
      let share = rows.takeShare(edits: count)
      stage = rows.isEmpty ? .idle : .dropping(rows)
      return .drop(first: share, through: rows.last)
    case .catchingUp(let last, var due):
      due += 2 * count
      let moves = due >= Self.portion
      stage = .catchingUp(through: last, due: moves ? 0 : due)
      return moves ? .move(first: due, through: last) : .none
    }
  }

  mutating func forget(_ account: Int64) {
    guard case .indexing(let entries, let rows) = stage else { return }
    stage = .indexing(entries.filter { $0.account != account }[...], rows)
  }
}
