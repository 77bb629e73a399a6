import SQLite

/// A copy of the database in the making, through the one connection that writes
/// (docs/decisions/0005-backups.md). Confined to the writer's queue, as that connection is.
///
/// Between two steps nothing is held: neither a lock nor a position in the log. What is committed
/// meanwhile is in the copy, which is the database as it is at the last step.
final class DatabaseCopy {
  /// How many pages a step copies (1 MiB): a commit waits for it a millisecond or two.
  private static let pages = 256

  private let destination: Connection
  private let backup: Backup

  /// - Parameter path: an empty file, which is the copy's alone until it is done.
  init(of source: Connection, to path: String) throws {
    destination = try Connection(path: path, access: .readWrite, busyTimeout: 0)
    // Half a copy is of no use, so nothing is spent on taking it back. The caller syncs the whole
    // copy.
    try destination.set(.lockingMode, to: "exclusive")
    try destination.set(.journalMode, to: "off")
    try destination.set(.synchronous, to: 0)
    backup = try Backup(of: source, to: destination)
  }

  /// Copies some more; true once the copy is whole and closed.
  func step() throws -> Bool {
    switch try backup.step(pages: Self.pages) {
    case .going, .busy: return false
    case .done:
      try destination.close()
      return true
    }
  }
}
