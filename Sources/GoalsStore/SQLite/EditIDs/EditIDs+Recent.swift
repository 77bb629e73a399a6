import GoalsCore
import SQLite
import Synchronization

/// An entry of the index of ids: an id, and the edit that it names.
struct IndexEntry: Equatable {
  let account: Int64
  let id: Edit.ID
  let version: Version

  /// The order of the index.
  static func areInOrder(_ first: Self, _ second: Self) -> Bool {
    (first.account, first.id) < (second.account, second.id)
  }
}

extension EditIDs {
  /// The ids of the table `recent_id` in memory: of edits that are recorded, and not in the index
  /// yet. The writer changes them, after each commit; every connection looks ids up in them.
  ///
  /// An id leaves only after it was committed to the index. So a reader that looks here first, and
  /// reads the index in a transaction that begins later, misses none.
  final class Recent: Sendable {
    private struct Key: Hashable {
      let account: Int64
      let id: Edit.ID
    }

    private struct Generation {
      var versions: [Key: Version] = [:]
      /// Of each account that has ids here.
      var largest: [Int64: Edit.ID] = [:]

      /// False, and nothing is changed, where the id is there for another edit.
      mutating func insert(_ entry: IndexEntry) -> Bool {
        let key = Key(account: entry.account, id: entry.id)
        if let known = versions[key] { return known == entry.version }
        versions[key] = entry.version
        raiseLargest(entry)
        return true
      }

      mutating func raiseLargest(_ entry: IndexEntry) {
        guard largest[entry.account].map({ $0 < entry.id }) ?? true else { return }
        largest[entry.account] = entry.id
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

    /// How many are not on their way into the index.
    var waiting: Int { generations.withLock { $0.newer.versions.count } }

    /// Rows that give one id to two edits are `.unreadable`.
    func replace(with rows: [RecentIDTable.Row]) throws {
      var generations = Generations()
      generations.newer.versions.reserveCapacity(rows.reduce(0) { $0 + $1.entries.count })
      for entry in rows.lazy.flatMap(\.entries) {
        guard generations.newer.insert(entry) else { throw SQLiteError.ambiguous(entry) }
      }
      self.generations.withLock { [generations] in $0 = generations }
    }

    /// The first of some new entries whose id is here for another edit, or is that of two of them.
    func contradiction(to entries: [IndexEntry]) -> IndexEntry? {
      guard let first = entries.first else { return nil }
      if entries.count == 1 {
        return version(of: first.id, account: first.account) == nil ? nil : first
      }
      var seen: Set<Key> = []
      seen.reserveCapacity(entries.count)
      return generations.withLock { generations in
        entries.first { entry in
          let key = Key(account: entry.account, id: entry.id)
          return !seen.insert(key).inserted || generations.newer.versions[key] != nil
            || generations.older.versions[key] != nil
        }
      }
    }

    /// - Parameter entries: none of them is a contradiction to what is here.
    func append(_ entries: [IndexEntry]) {
      generations.withLock { generations in
        for entry in entries {
          generations.newer.versions[Key(account: entry.account, id: entry.id)] = entry.version
          generations.newer.raiseLargest(entry)
        }
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
    func sortedDeparted() -> [IndexEntry] {
      generations.withLock { $0.older.versions }
        .map { IndexEntry(account: $0.key.account, id: $0.key.id, version: $0.value) }
        .sorted(by: IndexEntry.areInOrder)
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
}

extension SQLiteError {
  /// An id that two rows give to different edits.
  static func ambiguous(_ entry: IndexEntry) -> SQLiteError {
    .contradiction("the id \(entry.id) of account number \(entry.account) is that of two edits")
  }
}
