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
  private let base: String

  init(gathering: Bool = true) throws {
    base = "faulty-\(UUID().uuidString)"
    logs = try #require(cfaulty_vfs_register(base))
    vfs = "gathering-over-" + base
    try #require(cgathering_vfs_register(vfs, base, gathering ? 1 : 0) == SQLITE_OK)
  }

  /// - Parameter isAlone: whether there is nothing on top of the disk.
  func connect(_ path: String, alone isAlone: Bool = false) throws -> Connection {
    try Connection(path: path, access: .create, vfs: isAlone ? base : vfs, busyTimeout: 0)
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

  /// Has every read fail as SQLite's VFS for Unix says it of a device that does not read
  /// (SQLITE_IOERR_CORRUPTFS, which Swift does not import).
  func failReading(_ isFailing: Bool) {
    logs.pointee.read_error = isFailing ? SQLITE_IOERR | 33 << 8 : SQLITE_OK
  }
}
