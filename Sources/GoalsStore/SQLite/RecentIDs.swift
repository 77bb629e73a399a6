import GoalsCore
import Synchronization

/// The ids of the table `recent_id` in memory: of edits that are recorded, and not in the index yet. The
/// writer changes them, after each commit; every connection looks ids up in them.
///
/// An id leaves only after it was committed to the index. So whoever looks here first, and reads the
/// index in a transaction that begins later, misses none.
final class RecentIDs: Sendable {
  /// An id and what it names.
  struct Entry: Equatable {
    let account: Int64
    let id: Edit.ID
    let version: Version

    /// The order of the index.
    static func areInOrder(_ first: Self, _ second: Self) -> Bool {
      (first.account, first.id) < (second.account, second.id)
    }
  }

  private struct Key: Hashable {
    let account: Int64
    let id: Edit.ID
  }

  private struct Generation {
    var versions: [Key: Version] = [:]
    /// Of each account that has ids here.
    var largest: [Int64: Edit.ID] = [:]

    mutating func insert(_ entry: Entry) {
      versions[Key(account: entry.account, id: entry.id)] = entry.version
      largest[entry.account] = max(largest[entry.account] ?? entry.id, entry.id)
    }

    mutating func forget(_ account: Int64) {
      versions = versions.filter { $0.key.account != account }
      largest[account] = nil
    }
  }

  private struct Generations {
    var newer = Generation()
    /// What is on its way into the index.
    var older = Generation()
  }

  private let generations = Mutex(Generations())

  func version(of id: Edit.ID, account: Int64) -> Version? {
    let key = Key(account: account, id: id)
    return generations.withLock { $0.newer.versions[key] ?? $0.older.versions[key] }
  }

  /// Nil where none is an account's.
  func largest(account: Int64) -> Edit.ID? {
    generations.withLock { generations in
      [generations.newer.largest[account], generations.older.largest[account]]
        .compactMap(\.self).max()
    }
  }

  /// All of them, in no order.
  var ids: [Edit.ID] {
    generations.withLock { ($0.newer.versions.keys.map(\.id)) + $0.older.versions.keys.map(\.id) }
  }

  /// How many are not on their way into the index.
  var waiting: Int { generations.withLock { $0.newer.versions.count } }

  func replace(with rows: [RecentIDTable.Row]) {
    var generations = Generations()
    generations.newer.versions.reserveCapacity(rows.reduce(0) { $0 + $1.entries.count })
    for row in rows { for entry in row.entries { generations.newer.insert(entry) } }
    self.generations.withLock { [generations] in $0 = generations }
  }

  func append(_ entries: [Entry]) {
    generations.withLock { generations in
      for entry in entries { generations.newer.insert(entry) }
    }
  }

  /// Sends all that wait on their way.
  func depart() {
    generations.withLock { generations in
      generations.older = generations.newer
      generations.newer = Generation()
    }
  }

  /// Those that are on their way, in the order of the index.
  func sortedDeparted() -> [Entry] {
    generations.withLock { $0.older.versions }
      .map { Entry(account: $0.key.account, id: $0.key.id, version: $0.value) }
      .sorted(by: Entry.areInOrder)
  }

  /// Forgets those that were on their way: they have arrived.
  func arrive() {
    generations.withLock { $0.older = Generation() }
  }

  func forget(_ account: Int64) {
    generations.withLock { generations in
      generations.newer.forget(account)
      generations.older.forget(account)
    }
  }
}
