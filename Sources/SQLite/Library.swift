import CGatheringVFS
import CSQLite

/// The SQLite that this process is linked with.
package enum Library {
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Whether connections may live on different threads. Made so once, before the first connection.
  static let isThreadSafe: Bool = {
    // Memory statistics cost a mutex that all connections share. Refused, harmlessly, when someone
    // else initialised SQLite before.
    _ = csqlite_config_int(SQLITE_CONFIG_MEMSTATUS, 0)
    return sqlite3_initialize() == SQLITE_OK && sqlite3_threadsafe() != 0
  }()

  /// The VFS by which a connection gathers what it writes into the log.
  static let gatheringVFS = "goals-gathering"

  /// Makes `gatheringVFS` known, once; SQLite's result.
  static let gatheringVFSCode =
    isThreadSafe ? cgathering_vfs_register(gatheringVFS, nil) : SQLITE_MISUSE
}
