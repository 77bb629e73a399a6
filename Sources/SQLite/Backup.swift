import CSQLite

/// A copy of a live database, made a few pages at a time (sqlite.org/backup.html).
///
/// What the source connection writes meanwhile is copied too; a write of another connection starts
/// the copy over. So it is run through the one connection that writes, on its queue. When it is let
/// go before it is done, the copy is rolled back and is not usable.
package final class Backup {
  package enum Progress: Equatable, Sendable {
    /// Pages still to be copied, of all, as of the last step.
    case going(remaining: Int, of: Int)
    /// Another connection was in the way; the next step tries again.
    case busy
    /// The copy is complete and durable.
    case done
  }

  private let source: Connection
  private let destination: Connection
  private var handle: OpaquePointer?

  /// - Parameter destination: it is overwritten, and may not be used before the copy is done.
  package init(of source: Connection, to destination: Connection) throws(SQLiteError) {
    self.source = source
    self.destination = destination
    let doing = "back up \(source.path) to \(destination.path)"
    let from = try source.live(doing: doing)
    let target = try destination.live(doing: doing)
    handle = sqlite3_backup_init(target, "main", from, "main")
    guard handle != nil else {
      throw SQLiteError(code: sqlite3_errcode(target), on: target, doing: doing)
    }
  }

  deinit {
    if let handle { sqlite3_backup_finish(handle) }
  }

  /// Copies up to `pages` more pages. After an error other than `.busy` the backup is over.
  package func step(pages: Int) throws(SQLiteError) -> Progress {
    let doing = "back up \(source.path) to \(destination.path)"
    _ = try source.live(doing: doing)
    _ = try destination.live(doing: doing)
    guard let handle else { throw .closed(doing: doing) }
    let code = sqlite3_backup_step(handle, Int32(clamping: max(1, pages)))
    switch code & 0xff {
    case SQLITE_OK:
      return .going(
        remaining: Int(sqlite3_backup_remaining(handle)), of: Int(sqlite3_backup_pagecount(handle)))
    case SQLITE_BUSY, SQLITE_LOCKED:
      return .busy
    default:
      self.handle = nil
      let last = sqlite3_backup_finish(handle)
      guard code == SQLITE_DONE, last == SQLITE_OK else {
        throw SQLiteError(
          code: last == SQLITE_OK ? code : last, on: destination.handle, doing: doing)
      }
      return .done
    }
  }
}
