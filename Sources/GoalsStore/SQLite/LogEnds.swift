import GoalsCore

/// What the writer knows of the accounts' logs without a look at them: under which number an account's
/// edits lie, and the largest id among them; and of all logs together, which ids may be recorded.
///
/// Ids that grow with time, as those of UUIDv7 do (RFC 9562 §5.7), are larger than all that were recorded
/// before, so nothing has to be looked up for them. It is right only as long as whoever keeps it is told of
/// everything that changes a log.
struct LogEnds {
  struct End {
    let number: Int64
    /// Nil for an empty log.
    fileprivate(set) var largest: Edit.ID?

    /// Whether an edit with this id may be in the log.
    func mayHold(_ id: Edit.ID) -> Bool { largest.map { id <= $0 } ?? false }
  }

  /// As many accounts as are worth keeping: about 8 MB.
  private static let maximum = 100_000
  private var ends: [Account.ID: End] = [:]
  var recorded = RecordedIDs()

  subscript(account: Account.ID) -> End? { ends[account] }

  mutating func add(_ end: End, of account: Account.ID) {
    if ends.count >= Self.maximum { ends = [:] }
    ends[account] = end
  }

  /// These are in the log from now on.
  mutating func append(_ edits: [RecordedEdit], to account: Account.ID) {
    recorded.insert(edits.lazy.map(\.id))
    guard var end = ends[account] else { return }
    end.largest = edits.reduce(end.largest) { largest, edit in max(largest ?? edit.id, edit.id) }
    ends[account] = end
  }

  mutating func forget(_ account: Account.ID) { ends[account] = nil }
}
