import Glibc

/// What the file system says of a path.
struct FileStatus: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case file, folder, link, other
  }

  enum Access: Equatable, Sendable {
    case granted, denied, readOnlyFileSystem
  }

  /// What a file keeps when it is written or renamed.
  struct Identity: Equatable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  let kind: Kind
  let owner: UInt32
  let group: UInt32
  /// The twelve lowest bits of the mode.
  let permissions: UInt32
  let size: Int64
  /// How many hard links there are.
  let names: UInt64
  let identity: Identity

  /// Nil only when there is certainly nothing; whatever else keeps it from being known throws.
  static func of(_ path: String, following: Bool) throws(OpeningError) -> FileStatus? {
    var info = stat()
    let code = following ? stat(path, &info) : lstat(path, &info)
    guard code == 0 else {
      let error = errno
      guard error == ENOENT else { throw .system("look at \(path)", errno: error) }
      return nil
    }
    return FileStatus(info)
  }

  init(_ info: stat) {
    kind =
      switch UInt32(info.st_mode) & UInt32(S_IFMT) {
      case UInt32(S_IFREG): .file
      case UInt32(S_IFDIR): .folder
      case UInt32(S_IFLNK): .link
      default: .other
      }
    owner = info.st_uid
    group = info.st_gid
    permissions = UInt32(info.st_mode) & 0o7777
    size = Int64(info.st_size)
    names = UInt64(info.st_nlink)
    identity = Identity(
      device: UInt64(truncatingIfNeeded: info.st_dev), inode: UInt64(info.st_ino))
  }

  /// Whether this process may read and write a path, and enter it when it is a folder, with its
  /// effective user id.
  static func access(to path: String, isFolder: Bool) throws(OpeningError) -> Access {
    let mode = R_OK | W_OK | (isFolder ? X_OK : 0)
    guard faccessat(AT_FDCWD, path, mode, AT_EACCESS) != 0 else { return .granted }
    switch errno {
    case EACCES, EPERM: return .denied
    case EROFS: return .readOnlyFileSystem
    case let error: throw .system("look at \(path)", errno: error)
    }
  }

  static func sentence(_ error: Int32) -> String {
    error == ENOSPC ? "the disk is full" : String(cString: strerror(error))
  }
}
