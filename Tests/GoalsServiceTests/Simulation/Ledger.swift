import GoalsCore
import GoalsStore
import GoalsWire
import JSON

@testable import GoalsService

/// The log as a watcher of the server reads it from the store, edit by edit, and its fold.
struct Ledger {
  struct Entry: Equatable {
    let id: Edit.ID
    let payload: [UInt8]
    /// The position after it.
    let cursor: String
  }

  private(set) var entries: [Entry] = []
  private(set) var fold: Replica
  private var versions: [Edit.ID: Int] = [:]
  private var chain: Chain?

  init(_ calendar: CalendarSettings) { fold = Replica(calendar) }

  var version: Int { entries.count }
  private(set) var start = ""

  /// The version at which an edit is in the log.
  func version(of id: Edit.ID) -> Int? { versions[id] }

  /// The position after a version, as a cursor.
  func cursor(after version: Int) -> String {
    version == 0 ? start : entries.indices.contains(version - 1) ? entries[version - 1].cursor : "-"
  }

  /// The version of a cursor of this log; nil for one of another.
  func version(of cursor: String) -> Int? {
    if cursor == start { return 0 }
    return entries.firstIndex { $0.cursor == cursor }.map { $0 + 1 }
  }

  /// Reads what was recorded since.
  mutating func readOn(in store: Store, of account: Account.ID, _ reader: PayloadReader) throws {
    guard let page = try store.log.page(account, Version(version), 100_000),
      let before = page.chainBefore
    else { throw Violation("the log is shorter than it was") }
    try claim(chain == nil || chain == before, "the chain is another than it was")
    if version == 0 { start = Cursor(.none, before).description }
    for entry in page.entries {
      try claim(entry.version.number == version + 1, "the log has a gap before \(entry.version)")
      try claim(versions[entry.id] == nil, "the log holds \(entry.id) twice")
      let cursor = Cursor(entry.version, entry.chain).description
      try fold.append(entry.payload, reader)
      entries.append(Entry(id: entry.id, payload: entry.payload, cursor: cursor))
      versions[entry.id] = version
    }
    chain = page.entries.last?.chain ?? before
    try claim(page.head.number == version, "the head of the log is \(page.head), not \(version)")
  }

  /// The body of the list at an instant, as the fold has it; nil where no calendar can be had.
  func list(at now: Instant, in world: World) -> [UInt8]? {
    fold.list(cursor: cursor(after: version), at: now, in: world)
  }
}

extension Replica {
  /// The body of the list as a server would write it; nil where no calendar can be had.
  func list(cursor: String, at now: Instant, in world: World) -> [UInt8]? {
    guard let calendar = world.calendar(state.calendar) else { return nil }
    var json = JSONWriter()
    json.object { json in
      json.member("version", version)
      json.member("cursor", cursor)
      json.array("goals") { json in
        for item in state.goals(at: now, in: calendar).items {
          json.value(item)
        }
      }
    }
    return json.bytes
  }
}
