import CSQLite

/// A call of SQLite that failed: why, and what was being done.
///
/// It names the database and its tables, so it is for the log, not for clients.
package struct SQLiteError: Error, Equatable, Sendable {
  /// What an owner of a database acts upon.
  package enum Kind: Equatable, Sendable {
    /// Another connection holds a lock; the same may succeed later.
    case busy
    /// The disk is full. The transaction may be tried again when there is room.
    case full
    /// Reading, writing or syncing failed. After a write or sync that failed so, nothing may be
    /// written before the database was closed, reopened and recovered: the kernel may have dropped
    /// the pages.
    case inputOutput
    /// The file contradicts itself.
    case corrupt
    /// The file is not a SQLite database (or an encrypted one).
    case notADatabase
    /// A row would break a rule of its table.
    case constraint
    /// A write through a connection, to a file or in a folder that only allows reading.
    case readOnly
    /// The file can't be opened.
    case cannotOpen
    /// `Interrupt` stopped it.
    case interrupted
    /// A column holds another type than the one asked for, or text that is not UTF-8.
    case mismatch
    /// A setting was made and read back, and something else was read.
    case notTaken
    /// The connection was closed before.
    case closed
    case other
  }

  package let kind: Kind
  /// sqlite.org/rescode.html: the primary code is its lowest byte.
  package let extendedCode: Int32
  /// SQLite's own sentence.
  package let message: String
  /// What was being done: the statement, or the step.
  package let doing: String
  /// The `errno` of the system call that failed; 0 where none is known.
  package let systemError: Int32

  package var primaryCode: Int32 { extendedCode & 0xff }

  /// Whether a row with the same key is there already.
  package var isUniqueViolation: Bool {
    extendedCode == constraintUnique || extendedCode == constraintPrimaryKey
      || extendedCode == constraintRowID
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    let system = systemError == 0 ? "" : ", errno \(systemError)"
    return "\(message) (SQLite \(extendedCode)\(system)) at: \(doing)"
  }
}

extension SQLiteError {
  /// The error that `code` stands for, with the sentence that the connection keeps for it.
  init(code: Int32, on database: OpaquePointer?, doing: String) {
    let fault = database.map { sqlite3_extended_errcode($0) } ?? code
    // A call that is refused as misuse leaves the connection's own code alone.
    let belongs = fault & 0xff == code & 0xff
    extendedCode = belongs ? fault : code
    let sentence = belongs ? database.flatMap { sqlite3_errmsg($0) } : sqlite3_errstr(code)
    message = sentence.map { String(cString: $0) } ?? "unknown error"
    kind = Kind(primaryCode: code & 0xff)
    self.doing = doing
    systemError =
      kind == .inputOutput || kind == .cannotOpen || kind == .full
      ? database.map(Self.systemError) ?? 0 : 0
  }

  /// The `errno` of the last call that failed. For a commit that failed SQLite keeps none with the
  /// connection, but its VFS keeps it with the file: the log, or the database.
  private static func systemError(of database: OpaquePointer) -> Int32 {
    let error = sqlite3_system_errno(database)
    guard error == 0 else { return error }
    for pointer in [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      var error: Int32 = 0
      guard sqlite3_file_control(database, "main", pointer, &file) == SQLITE_OK,
        let control = file?.pointee.pMethods?.pointee.xFileControl,
        control(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK, error != 0
      else { continue }
      return error
    }
    return 0
  }

  /// A refusal of this wrapper's own.
  init(_ kind: Kind, code: Int32, _ message: String, doing: String) {
    self.kind = kind
    extendedCode = code
    self.message = message
    self.doing = doing
    systemError = 0
  }

  /// A refusal by the owner of a connection, in SQLite's place: what makes `write` roll back.
  package static func refused(_ message: String, doing: String) -> SQLiteError {
    SQLiteError(.other, code: SQLITE_ABORT, message, doing: doing)
  }

  static func closed(doing: String) -> SQLiteError {
    SQLiteError(.closed, code: SQLITE_MISUSE, "the connection is closed", doing: doing)
  }
}

extension SQLiteError.Kind {
  init(primaryCode: Int32) {
    self =
      switch primaryCode {
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_IOERR: .inputOutput
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_READONLY: .readOnly
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
      case SQLITE_INTERRUPT: .interrupted
      case SQLITE_MISMATCH: .mismatch
      default: .other
      }
  }
}

// sqlite.org/rescode.html. Swift does not import these, as they are expressions of other macros.
private let constraintPrimaryKey = SQLITE_CONSTRAINT | (6 << 8)
private let constraintUnique = SQLITE_CONSTRAINT | (8 << 8)
private let constraintRowID = SQLITE_CONSTRAINT | (10 << 8)
