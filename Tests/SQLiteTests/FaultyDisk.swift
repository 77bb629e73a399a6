import CFaultyVFS
import CGatheringVFS
import CSQLite
import Foundation
import Testing

@testable import SQLite

/// The gathering VFS on top of one whose write-ahead logs count their calls, and fail when told to.
struct FaultyDisk {
  private let logs: UnsafeMutablePointer<cfaulty_logs>
  private let vfs: String

  init() throws {
    let base = "faulty-\(UUID().uuidString)"
    logs = try #require(cfaulty_vfs_register(base))
    vfs = "gathering-over-" + base
    try #require(cgathering_vfs_register(vfs, base) == SQLITE_OK)
  }

  func connect(_ path: String) throws -> Connection {
    try Connection(path: path, access: .create, vfs: vfs, busyTimeout: 0)
  }

  /// Calls that went well.
  var writes: Int { Int(logs.pointee.writes) }
  var syncs: Int { Int(logs.pointee.syncs) }

  /// What fails, and with what of SQLite's result codes.
  struct Fault: CustomTestStringConvertible {
    var write = SQLITE_OK
    var sync = SQLITE_OK
    let kind: SQLiteError.Kind
    let testDescription: String
  }

  static let faults = [
    Fault(write: SQLITE_FULL, kind: .full, testDescription: "writing: full"),
    // SQLITE_IOERR_WRITE and SQLITE_IOERR_FSYNC, which Swift does not import.
    Fault(write: SQLITE_IOERR | 3 << 8, kind: .inputOutput, testDescription: "writing"),
    Fault(sync: SQLITE_IOERR | 4 << 8, kind: .inputOutput, testDescription: "syncing"),
  ]

  func fail(_ fault: Fault?) {
    logs.pointee.write_error = fault?.write ?? SQLITE_OK
    logs.pointee.sync_error = fault?.sync ?? SQLITE_OK
  }
}
