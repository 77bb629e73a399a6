import CSQLite
import Synchronization

/// Counts what SQLite does for the databases of one folder: the steps of its virtual machine
/// (sqlite.org/c3ref/c_stmtstatus_counter.html), a number that is the same each time.
final class StepCount: Sendable {
  private struct Work {
    var folders: [String: [String]] = [:]
  }

  /// By folder: what each statement that ended has taken.
  private static let work = Mutex(Work())
  /// Has SQLite tell of every connection that is opened from now on.
  private static let isOn: Bool = {
    // NB: the C interface declares the function without its arguments
    // (sqlite.org/c3ref/auto_extension.html).
    let opened: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> CInt
    opened = { connection, _, _ in
      sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_PROFILE),
        { _, _, statement, _ in
          StepCount.note(OpaquePointer(statement))
          return 0
        }, nil)
      return 0
    }
    // Unsafe: what SQLite calls is what is given, with the arguments that it passes.
    return sqlite3_auto_extension(unsafeBitCast(opened, to: (@convention(c) () -> Void).self))
      == SQLITE_OK
  }()

  private let folder: String

  init(of folder: String) {
    self.folder = folder
    precondition(Self.isOn, "SQLite tells of no connection")
    Self.work.withLock { $0.folders[folder] = [] }
  }

  /// What was done since it was asked last.
  func take() -> [String] {
    Self.work.withLock { work in
      defer { work.folders[folder] = [] }
      return work.folders[folder] ?? []
    }
  }

  private static func note(_ statement: OpaquePointer?) {
    let steps = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1)
    guard let connection = sqlite3_db_handle(statement),
      let name = sqlite3_db_filename(connection, "main"), let text = sqlite3_sql(statement)
    else { return }
    let file = String(cString: name)
    let folder = String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.startIndex))
    let line = "\(steps) \(String(cString: text))"
    work.withLock { $0.folders[folder]?.append(line) }
  }
}
