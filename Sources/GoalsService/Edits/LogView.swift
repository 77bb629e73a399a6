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
}

extension Store {
  /// Throws `Failure.cursorDiverged` where the log has no such position.
  func find(_ cursor: Cursor, in account: Account.ID) throws {
    let page = try log.page(account, cursor.head.version, 0).or(.unknownAccount)
    guard let chain = page.chainBefore, cursor.fits(chain) else { throw Failure.cursorDiverged }
  }
}

extension Queues {
  /// Reads a page of the log in portions, because the edits may be long, or those of the goal rare.
  func page(
    _ asked: AskedLog, of account: Account.ID, for asker: Asker, in store: Store, _ world: World,
    _ completion: @escaping Completion<LogView>
  ) {
    let goOn = LogSearch.making(asked, of: account, in: store)
    pages.run(
      of: account, for: asker, isOwed: true, in: world, { _ in try goOn() }, completion)
  }
}
