import GoalsCore
import GoalsStore

/// A page of the log.
package struct LogView: Sendable {
  /// In the order in which they are asked for.
  let entries: [LogEntry]
  /// The version of the account's last edit.
  let head: Version
  /// The position from which to go on.
  let cursor: Cursor
  /// Whether the log goes on from there.
  let isMore: Bool

  /// The log after a cursor, as it reads or as it read at a version; or why it can't be read.
  static func read(
    of account: Account.ID, after cursor: Cursor?, limit: Int, upTo end: Version? = nil,
    in store: Store
  ) throws -> LogView {
    let version = cursor?.head.version ?? .none
    let whole = try store.log.page(account, version, limit).or(.unknownAccount)
    let page = end.map { whole.upTo($0) } ?? whole
    guard let before = page.chainBefore, cursor?.fits(before) ?? true else {
      throw Failure.cursorDiverged
    }
    let position = page.entries.last.map { Cursor($0.version, $0.chain) } ?? Cursor(version, before)
    return LogView(
      entries: page.entries, head: page.head, cursor: position,
      isMore: position.head.version < page.head)
  }
}
