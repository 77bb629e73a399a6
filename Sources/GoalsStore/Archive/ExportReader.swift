import GoalsCore
import Synchronization

/// Gives an account's log line by line, as it was when the reader was made, in pages: so that no
/// log is ever held whole, and none keeps the write-ahead log from being written back.
package final class ExportReader: Sendable {
  private enum Position {
    case start
    case after(Version)
    case end
  }

  private let account: Account.ID
  private let calendar: CalendarSettings
  private let head: Version
  private let log: Store.Log
  private let position = Mutex<(position: Position, chain: Chain)>(
    (.start, Chain(words: (0, 0, 0, 0))))

  /// How many edits are read at once: few enough that no other reader waits long.
  private static let stretch = 500

  private init(
    _ account: Account.ID, _ calendar: CalendarSettings, upTo head: Version, in log: Store.Log
  ) {
    self.account = account
    self.calendar = calendar
    self.head = head
    self.log = log
  }

  /// The reader of an account's log up to its present end; nil where there is no such account.
  package static func make(
    of account: Account.ID, in store: Store
  ) throws(StoreError) -> ExportReader? {
    while true {
      guard let record = try store.book.account(account),
        let page = try store.log.page(account, .none, 0)
      else { return nil }
      // NB: as long as nothing is recorded, an import may give the account another calendar between
      // the two.
      guard page.chainBefore == ChainMaker.start(record.initialCalendar) else { continue }
      return ExportReader(account, record.initialCalendar, upTo: page.head, in: store.log)
    }
  }

  /// The next lines; nil after the last. Where the account is gone meanwhile there are no more, and
  /// the last line is missing.
  package func next() throws(StoreError) -> [UInt8]? {
    try position.withLock { now throws(StoreError) in
      switch now.position {
      case .start:
        now = (.after(.none), ChainMaker.start(calendar))
        return ExportLine.first(calendar)
      case .after(let version) where version >= head:
        now.position = .end
        return ExportLine.last(head, now.chain)
      case .after(let version):
        let limit = min(Self.stretch, head.number - version.number)
        guard let page = try log.page(account, version, limit), let last = page.entries.last else {
          now.position = .end
          return nil
        }
        now = (.after(last.version), last.chain)
        return ExportLine.edits(page.entries)
      case .end:
        return nil
      }
    }
  }
}
