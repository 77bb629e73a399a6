import GoalsWire

@testable import GoalsCore

/// What a device knows of the account: the fold of the pages it was given.
///
/// It reads recorded edits as any client may, and works out for itself what an `undo` takes back.
/// One that goes on from a cursor within the log knows what came after it, and the list that it
/// read.
struct Replica {
  struct Entry {
    let id: Edit.ID
    let payload: [UInt8]
  }

  /// The version from which it has the log.
  let start: Int
  private(set) var log: [Entry] = []
  private(set) var state: AccountState
  private var recorded = RecordedEdits()
  private var listed: [Goal.ID]

  /// The replica of a log from its start.
  init(_ calendar: CalendarSettings) {
    start = 0
    state = AccountState(calendar: calendar)
    listed = []
  }

  /// The replica of a list that was read.
  init(after version: Int, listed goals: [Goal.ID]) {
    start = version
    state = AccountState()
    listed = goals
  }

  var version: Int { start + log.count }

  /// The list, as far as it is known.
  var goals: [Goal.ID] { start == 0 ? state.roster.ids : listed }

  /// Takes the next edit of the log.
  mutating func append(_ payload: [UInt8], _ reader: PayloadReader) throws(Violation) {
    guard let read = reader.read(payload) else {
      throw Violation("no recorded edit: \(String(decoding: payload, as: UTF8.self))")
    }
    try claim(
      read.version.number == version + 1, "version \(read.version) came after version \(version)")
    if start == 0 {
      let edit = try recordedEdit(read)
      edit.transform(&state)
      recorded.record(edit)
    } else if case .goal(.add(let goal)) = read.edit {
      listed.insert(goal.id, at: 0)
    }
    log.append(Entry(id: read.id, payload: payload))
  }

  /// What somebody may want to take back: the latest edits, and what of them was taken back.
  var recent: [Edit.ID] {
    log.suffix(12).flatMap { entry in
      if case .account(.undo(let target)) = recorded[entry.id]?.edit { return [target, entry.id] }
      return [entry.id]
    }
  }

  func edit(_ id: Edit.ID) -> RecordedEdit? { recorded[id] }

  private func recordedEdit(_ read: RecordedPayload) throws(Violation) -> RecordedEdit {
    var undone: RecordedEdit.Undone?
    if case .account(.undo(let id)) = read.edit {
      guard let target = recorded[id] else { throw Violation("an undo of \(id), which is unknown") }
      let reversal = recorded.chain(from: target.root)?.reversal ?? target.reversal
      undone = RecordedEdit.Undone(root: target.root, effect: reversal.effect)
    }
    guard let edit = read.with(undone: undone, reversal: { $0.reversal(in: state) }) else {
      throw Violation("\(read.id) can't have been recorded")
    }
    return edit
  }
}

/// Reads recorded edits, each text once for all who read it.
final class PayloadReader {
  private var known: [[UInt8]: RecordedPayload] = [:]

  func read(_ text: [UInt8]) -> RecordedPayload? {
    if let payload = known[text] { return payload }
    let payload = RecordedPayload(text)
    known[text] = payload
    return payload
  }
}
