import GoalsCore
import GoalsWire

/// Reads a log that a database keeps in rows. What is made of the rows is the same for each.
protocol LogReader: StoreReader {
  /// What the rows know an account by.
  associatedtype Key: Equatable

  /// Nil where there is no such account.
  func key(of account: Account.ID) throws -> Key?
  /// The rows after a version, oldest first: as many as `LogRow.bytesAtOnce` allows, and at least
  /// one where there is any.
  func rows(_ key: Key, after version: Version, limit: Int) throws -> [LogRow]
  func row(_ key: Key, _ version: Version) throws -> LogRow?
  /// The version that the edit with this id is said to have; nil where there is none.
  func version(of id: Edit.ID, _ key: Key) throws -> Version?
  /// The rows after a version with what they follow, all of one moment; nil where there is no such
  /// account.
  func stretch(
    of account: Account.ID, after version: Version, limit: Int
  ) throws -> LogStretch<Key>?
  /// What is to fit the log, all of one moment: others may be writing. Nil where there is no such
  /// account.
  func stored(of account: Account.ID, _ key: Key) throws -> LogWalk.Stored?
}

/// Rows of an account's log, with what they follow.
struct LogStretch<Key> {
  let key: Key
  let rows: [LogRow]
  /// The link of the chain before the first edit.
  let start: Chain
  /// The version that the rows follow, and the link there; nil where the log does not reach it.
  let before: (version: Version, chain: Chain)?
  /// The version of the account's last edit.
  let head: Version

  func page(after version: Version) -> LogPage {
    let chain = before.flatMap { $0.version == version ? $0.chain : nil }
    return LogPage(
      entries: rows.map(\.entry), chainBefore: version == .none ? start : chain, head: head)
  }
}

extension LogReader {
  // MARK: Edits

  /// The edit that a row of an account's log records.
  func readEdit(_ row: LogRow, _ key: Key) throws -> RecordedEdit {
    try row.readEdit { try self.row(key, $0) }
  }

  /// The edit as it is recorded; nil where it is not.
  func edit(_ id: Edit.ID, _ key: Key) throws -> RecordedEdit? {
    guard let version = try version(of: id, key) else { return nil }
    guard let row = try row(key, version), row.entry.id == id else {
      throw StoreError.corrupt("the id \(id) is said to be that of version \(version), and is not")
    }
    return try readEdit(row, key)
  }

  /// How a chain of undo and redo stands, with what takes its latest edit back.
  func undoChain(_ chain: UndoRow, _ key: Key) throws -> RecordedEdits.UndoChain {
    guard let latest = try row(key, chain.latest) else {
      throw StoreError.corrupt("the chain of undo from version \(chain.root) ends at no edit")
    }
    return RecordedEdits.UndoChain(
      latest: chain.latest, isUndone: chain.isUndone,
      reversal: try readEdit(latest, key).reversal)
  }

  // MARK: Pages

  func page(of account: Account.ID, after version: Version, limit: Int) throws -> LogPage? {
    try soundStretch(of: account, after: version, limit: limit)?.page
  }

  func search(
    for goal: Goal.ID, of account: Account.ID, after version: Version, limit: Int
  ) throws -> LogPage? {
    let text = Array(goal.description.utf8)
    return try consistently {
      let found = try soundStretch(of: account, after: version, limit: limit)
      guard let (stretch, page) = found else { return nil }
      return try naming(account) {
        var edits: [RecordedEdit] = []
        let unread = try readEdits(of: stretch.rows.filter { $0.mayName(text) }, stretch.key) {
          if $1.goals.contains(goal) { edits.append($1) }
        }
        return page.found(edits, before: unread)
      }
    }
  }

  /// Reads edits in order, until so many bytes were read for them as are read at once. An undo
  /// reads the edit that it takes back, which may be long. Answers the version of the first edit
  /// that is not read; nil where all are.
  private func readEdits(
    of rows: [LogRow], _ key: Key, _ visit: (LogRow, RecordedEdit) throws -> Void
  ) throws -> Version? {
    var bytes = 0
    for row in rows {
      if bytes > LogRow.bytesAtOnce { return row.entry.version }
      bytes += row.size
      let edit = try row.readEdit { version in
        let other = try self.row(key, version)
        bytes += other?.size ?? 0
        return other
      }
      try visit(row, edit)
    }
    return nil
  }

  private func soundStretch(
    of account: Account.ID, after version: Version, limit: Int
  ) throws -> (stretch: LogStretch<Key>, page: LogPage)? {
    guard let stretch = try stretch(of: account, after: version, limit: limit) else { return nil }
    let page = stretch.page(after: version)
    guard page.isSound else {
      throw StoreError.corrupt(
        "account \(account): the log after version \(version) does not fit its chain")
    }
    return (stretch, page)
  }

  func entry(_ id: Edit.ID, in account: Account.ID) throws -> LogEntry? {
    guard let key = try key(of: account), let version = try version(of: id, key) else { return nil }
    // Read as a page of one, so that what is shown is what the chain was made over.
    return try page(of: account, after: Version(version.number - 1), limit: 1)?.entries.first
  }

  func advanced(
    _ snapshot: Snapshot, of account: Account.ID, upTo version: Version, limit: Int
  ) throws -> Snapshot {
    guard let key = try key(of: account) else { return snapshot }
    return try naming(account) {
      let rows = try rows(key, after: snapshot.state.version, limit: limit)
      var state = snapshot.state
      var chain = snapshot.chain
      _ = try readEdits(of: rows.filter { $0.entry.version <= version }, key) { row, edit in
        edit.transform(&state)
        chain = row.entry.chain
      }
      return Snapshot(state: state, chain: chain)
    }
  }

  // MARK: Walking the log again, from its start

  /// The state that the log leads to.
  func fold(_ record: AccountRecord, _ key: Key) throws -> AccountState {
    var state = AccountState(calendar: record.initialCalendar)
    try walk(key, upTo: nil) { rows in
      for row in rows { try readEdit(row, key).transform(&state) }
    }
    return state
  }

  /// - Parameters:
  ///   - check: is given the entries in order, and throws where one is not found by its id.
  ///   - finish: throws what `check` has found and not thrown yet.
  func firstFault(
    of account: Account.ID, check: ([LogEntry], Key) throws -> Void,
    finish: () throws -> Void = {}
  ) throws -> String? {
    guard let key = try key(of: account) else { return nil }
    do throws(StoreError) {
      return try inStore {
        guard let stored = try stored(of: account, key) else { return nil }
        try naming(account) {
          let walked = Result {
            var walk = LogWalk(stored.record)
            try self.walk(key, upTo: stored.snapshot.state.version) { rows in
              for row in rows {
                try walk.step(
                  row, read: { try readEdit($0, key) }, lookUp: { try edit($0, key) })
              }
              try check(rows.map(\.entry), key)
            }
            try walk.compare(with: stored)
          }
          // The ids that are still being checked are of entries before the one at which the walk
          // ended.
          try finish()
          try walked.get()
        }
        return nil
      }
    } catch .corrupt(let fault) {
      // An account that was removed meanwhile left no log to walk.
      return try self.key(of: account) == key ? fault : nil
    }
  }

  /// How many rows are read at a time, so that the log is never held in memory whole.
  private static var stretch: Int { 1000 }

  /// Visits the rows in order, a stretch at a time: a transaction that stayed open throughout would
  /// keep what is outdated from being cleared away.
  private func walk(
    _ key: Key, upTo end: Version?, _ visit: ([LogRow]) throws -> Void
  ) throws {
    var version = Version.none
    while true {
      var rows = try rows(key, after: version, limit: Self.stretch)
      if let end { rows.removeAll { $0.entry.version > end } }
      guard let last = rows.last?.entry.version else { return }
      try visit(rows)
      version = last
    }
  }

  // MARK: Faults

  /// Has what is found corrupt in `body` say of which account it is.
  func naming<Result>(_ account: Account.ID, _ body: () throws -> Result) throws -> Result {
    do throws(StoreError) {
      return try inStore(body)
    } catch .corrupt(let fault) {
      throw StoreError.corrupt("account \(account): \(fault)")
    }
  }
}
