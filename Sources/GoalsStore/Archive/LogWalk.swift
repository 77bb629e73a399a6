import GoalsCore

/// What has to hold of an account's log, entry by entry, and of what is stored beside it. What does
/// not is thrown as `.corrupt`.
///
/// The chain is made over the payloads alone. So everything else is worked out from them anew:
/// states, what undoes an edit, and what an undo took back.
struct LogWalk {
  /// What is stored beside the log, and is to fit it.
  struct Stored {
    let record: AccountRecord
    let snapshot: Snapshot
    let undoChains: Set<UndoRow>
    /// How many bytes the rows take that do not state the log's size.
    let oldBytes: Int
    /// Whether the record has to say that a time zone was chosen where the log names another one
    /// than its first. A record in a file need not: it may be older than that rule.
    var tellsChoiceOfZone = false
  }

  private var fold: LogFold
  private var chain: Chain
  /// How many bytes the log takes so far, and how many of them its first rows take, which may not
  /// state the log's size.
  private var (bytes, oldBytes) = (0, 0)
  private let firstZone: ZoneName
  private var namesZone = false

  private var state: AccountState { fold.state }

  init(_ record: AccountRecord) {
    fold = LogFold(record.initialCalendar)
    chain = ChainMaker.start(record.initialCalendar)
    firstZone = record.initialCalendar.timeZone
  }

  /// Takes the next entry. `read` reads its edit, and `lookUp` finds one by its id.
  mutating func step(
    _ row: LogRow, read: (LogRow) throws -> RecordedEdit,
    lookUp: (Edit.ID) throws -> RecordedEdit?
  ) throws {
    let entry = row.entry
    func fault(_ sentence: String) -> StoreError {
      .corrupt("at version \(entry.version) \(sentence)")
    }
    guard entry.version == state.version.next else {
      throw StoreError.corrupt("version \(state.version.next) is missing from the log")
    }
    chain = ChainMaker.next(after: chain, format: entry.format, payload: entry.payload)
    guard chain == entry.chain else {
      throw fault("the chain does not fit what is recorded")
    }
    let edit = try read(row)
    guard edit.id == entry.id, edit.version == entry.version else {
      throw fault("the edit's id or version is not that of its row")
    }
    guard state.recordedAt.map({ $0 <= edit.recordedAt }) ?? true else {
      throw fault("the edit was recorded before the one before it")
    }
    guard try edit.undone == fold.undone(by: edit.edit, target: target(of: edit, lookUp)) else {
      throw fault("what was taken back is not what the log says")
    }
    guard edit.effect.reversal(in: state) == edit.reversal else {
      throw fault("what undoing it needs is not what it did")
    }
    let isOld = row.bytes == nil && oldBytes == bytes
    bytes += row.size
    if isOld { oldBytes = bytes }
    guard isOld || row.bytes == bytes else {
      throw fault("it is not said that the log takes \(bytes) bytes")
    }
    fold.apply(edit)
    if let zone = edit.edit.namedZone, zone != firstZone { namesZone = true }
  }

  private func target(
    of edit: RecordedEdit, _ lookUp: (Edit.ID) throws -> RecordedEdit?
  ) throws -> RecordedEdit? {
    guard case .account(.undo(let id)) = edit.edit else { return nil }
    return try lookUp(id)
  }

  /// Compares what is stored with what the log came to.
  func compare(with stored: Stored) throws(StoreError) {
    let snapshot = stored.snapshot
    guard stored.undoChains == Set(fold.undoRows) else {
      throw .corrupt("the chains of undo are not those of the log")
    }
    guard snapshot.chain == chain, snapshot.state.version == state.version else {
      throw .corrupt("the log's end is not where its chain ends")
    }
    guard stored.oldBytes == oldBytes, snapshot.logBytes == bytes else {
      throw .corrupt("it is not said that the log takes \(bytes) bytes")
    }
    guard !stored.tellsChoiceOfZone || stored.record.isZoneChosen || !namesZone else {
      throw .corrupt("its log names another time zone, and it is not said that one was chosen")
    }
    guard snapshot.state.calendar == state.calendar else {
      throw .corrupt("the calendar is not that of the log")
    }
    let (roster, folded) = (snapshot.state.roster, state.roster)
    guard roster.order == folded.order else {
      throw .corrupt("the list's order is not that of the log")
    }
    for slot in 0..<max(roster.everMade, folded.everMade)
    where roster.goal(in: slot) != folded.goal(in: slot) {
      let id = (folded.goal(in: slot) ?? roster.goal(in: slot))?.goal.id
      throw .corrupt("goal \(id.map(String.init) ?? "?") is not as the log tells it")
    }
    guard snapshot.state == state else {
      throw .corrupt("the snapshot is not as the log tells it")
    }
  }
}
