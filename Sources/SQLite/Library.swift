import CGatheringVFS
import CSQLite

/// The SQLite that this process is linked with.
package enum Library {
  /// Whether connections may live on different threads. Made so once, before the first connection.
  static let isThreadSafe: Bool = {
    // Memory statistics cost a mutex that all connections share. Refused, harmlessly, when someone
    // else initialised SQLite before.
    _ = csqlite_config_int(SQLITE_CONFIG_MEMSTATUS, 0)
    // Each connection would take room for 20 pages at once, 87 kB, and most need few: an idle
    // server is 0.55 MB smaller.
    _ = csqlite_config_page_cache(0)
    return sqlite3_initialize() == SQLITE_OK && sqlite3_threadsafe() != 0
  }()

  /// The VFS by which a connection reaches its files.
  enum VFS {
    /// It gathers what is written into the log.
    static let gathering = "goals-gathering"
    static let direct = "goals-direct"

    /// Makes both known, once; SQLite's result.
    static let code = register()

    private static func register() -> Int32 {
      guard isThreadSafe else { return SQLITE_MISUSE }
      let code = cgathering_vfs_register(gathering, nil, 1)
      return code == SQLITE_OK ? cgathering_vfs_register(direct, nil, 0) : code
    }
  }
}
