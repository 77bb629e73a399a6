import GoalsCore
import GoalsStore
import Synchronization

package struct AskedLog: Sendable {
  /// The position at which to begin. Nil for the start of the log, or for its end where the newest
  /// come first.
  var cursor: Cursor?
  var limit: Int
  /// Only the edits that change this goal; nil for all.
  var goal: Goal.ID?
  var isNewestFirst = false
  /// The version at which the log ends for the client; nil for its end.
  var end: Version?
  /// After how many bytes the page ends, with the portion that reaches them.
  var bytes = 4_194_304
}

/// Looks through the log for what is asked for, in portions. Edits may be long, and a goal's rare:
/// so the page also ends after so many bytes, and after so many edits that were looked at.
struct LogSearch {
  /// How many edits a portion looks at for those of a goal: few enough that no other reader waits
  /// long.
  private static let portion = 500
  /// How many edits are looked at for a page.
  static let maximum = 10_000

  private var asked: AskedLog
  private let account: Account.ID
  /// The version of the edit before the next one, in the order of the log. Nil where it has yet to
  /// begin.
  private var position: Version?
  private var head = Version.none
  private var entries: [LogEntry] = []
  private var looked = 0
  /// How many edits before its end a portion begins at the most. After a portion that did not reach
  /// its end, it is half of the edits that were read. After that it grows again.
  private var reach: Int?
  private var bytes = 0

  /// A function that makes the next portion, and answers the page once it is whole.
  static func making(
    _ asked: AskedLog, of account: Account.ID, in store: Store
  ) -> @Sendable () throws -> LogView? {
    let search = Mutex(LogSearch(asked: asked, account: account))
    return {
      try search.withLock { search in
        search.asked.isNewestFirst ? try search.goBack(in: store) : try search.goOn(in: store)
      }
    }
  }

  private init(asked: AskedLog, account: Account.ID) {
    self.asked = asked
    self.account = account
    position = asked.cursor?.head.version
  }

  /// A stretch of the log, the chain before it, and what is wanted of it, oldest first.
  private mutating func stretch(
    after version: Version, _ count: Int, in store: Store
  ) throws -> (page: LogPage, chainBefore: Chain, wanted: [LogEntry]) {
    let page =
      if let goal = asked.goal { try store.log.search(account, goal, version, count) } else {
        try store.log.page(account, version, count)
      }
    guard var page else { throw Failure.unknownAccount }
    if let end = asked.end { page = page.upTo(end) }
    looked += page.entries.count
    head = max(head, page.head)
    let found = Set(page.found.map(\.version))
    return (
      page, try page.chainBefore.or(.cursorDiverged),
      asked.goal == nil ? page.entries : page.entries.filter { found.contains($0.version) }
    )
  }

  /// How many edits the next portion looks at.
  private var count: Int { asked.goal == nil ? asked.limit - entries.count : Self.portion }

  // MARK: Oldest first

  private mutating func goOn(in store: Store) throws -> LogView? {
    let start = position ?? .none
    let stretch = try stretch(after: start, count, in: store)
    if let cursor = asked.cursor, cursor.head.version == start, !cursor.fits(stretch.chainBefore) {
      throw Failure.cursorDiverged
    }
    let room = asked.limit - entries.count
    take(stretch.wanted.prefix(room))
    let last = stretch.wanted.count > room ? entries.last : stretch.page.entries.last
    let end = last.map { Cursor($0.version, $0.chain) } ?? Cursor(start, stretch.chainBefore)
    position = end.head.version
    // The next portion checks that the log still has this position: its history may be another by
    // then.
    asked.cursor = end
    return page(endingAt: end, isMore: end.head.version < stretch.page.head)
  }

  // MARK: Newest first

  private mutating func goBack(in store: Store) throws -> LogView? {
    if position == nil {
      position = try store.log.page(account, .none, 0).or(.unknownAccount).head
    }
    let end = position ?? .none
    let start = Version(end.number - min(count, reach ?? count))
    let stretch = try stretch(after: start, end.number - start.number, in: store)
    // The bytes that are read at once did not reach the end, so the next portion reads fewer edits.
    if let last = stretch.page.entries.last?.version, last < min(end, stretch.page.head) {
      reach = max(1, (last.number - start.number) / 2)
      return nil
    }
    reach = reach.map { $0 + $0 / 2 + 1 }
    let chain = try stretch.page.chain(at: end).or(.cursorDiverged)
    if let cursor = asked.cursor, cursor.head.version == end, !cursor.fits(chain) {
      throw Failure.cursorDiverged
    }
    let room = asked.limit - entries.count
    let taken = stretch.wanted.reversed().prefix(room)
    take(taken)
    let isWhole = taken.count == stretch.wanted.count
    let position = isWhole ? start : Version((taken.last?.version.number ?? 1) - 1)
    self.position = position
    let cursor = Cursor(position, stretch.page.chain(at: position) ?? stretch.chainBefore)
    // No edit from before the goal was made changes the goal.
    let isBeginning = stretch.page.found.contains {
      if case .insert = $0.effect { true } else { false }
    }
    return page(endingAt: cursor, isMore: position > .none && !(isWhole && isBeginning))
  }

  private mutating func take(_ wanted: some Sequence<LogEntry>) {
    for entry in wanted {
      entries.append(entry)
      bytes += entry.payload.count
    }
  }

  /// The page, if it ends here.
  private func page(endingAt cursor: Cursor, isMore: Bool) -> LogView? {
    let isFull =
      entries.count >= asked.limit || looked >= Self.maximum || bytes >= asked.bytes
    guard isFull || !isMore else { return nil }
    return LogView(entries: entries, head: head, cursor: cursor, isMore: isMore)
  }
}

extension LogPage {
  /// The chain at a position of the page; nil where the page does not reach it.
  fileprivate func chain(at version: Version) -> Chain? {
    if let last = entries.last, last.version == version { return last.chain }
    if let next = entries.firstIndex(where: { $0.version > version }) {
      return next == 0 ? chainBefore : entries[next - 1].chain
    }
    return version == .none ? chainBefore : nil
  }
}
