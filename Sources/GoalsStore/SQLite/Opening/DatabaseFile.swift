import Glibc

/// Where a database is, and the files that belong to it: every link followed, so that two ways to
/// the same database find the same lock and the same log beside it.
package struct DatabaseFile: Equatable, Sendable {
  package let path: String
  package let folder: String

  package var log: String { path + "-wal" }
  package var lock: String { path + ".lock" }
  var index: String { path + "-shm" }
  var journal: String { path + "-journal" }

  /// Follows the path and checks that it can be worked with: the folder is there, and it and every
  /// file of the database that exists can be read and written. Changes nothing.
  ///
  /// - Parameter user: the effective user id, for what is said when it may not.
  package init(path given: String, user: UInt32 = geteuid()) throws(OpeningError) {
    (folder, path) = try DatabaseFile.resolve(given, user: user, followingLink: true)
    try DatabaseFile.require(folder, .folder, user: user)
    for file in [path, log, index, journal, lock] {
      try DatabaseFile.require(file, .file, user: user)
    }
    if let status = try FileStatus.of(path, following: false), status.names > 1 {
      throw .severalNames(path)
    }
  }

  /// How many bytes a file has, nil when there is none.
  static func size(of file: String) throws(OpeningError) -> Int64? {
    try FileStatus.of(file, following: false)?.size
  }

  /// The first bytes of the file, at most `count`.
  ///
  /// NB: closing a descriptor drops every lock that this process has on the file through SQLite
  /// (sqlite.org/howtocorrupt.html §2.2), so this is only for before the first connection.
  static func head(_ count: Int, of path: String) throws(OpeningError) -> [UInt8] {
    let descriptor = try Files.openForReading(path)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw .system("read \(path)", errno: errno) }
      if got == 0 { break }
      filled += got
    }
    return Array(bytes[..<filled])
  }

  // MARK: Checks

  private static func resolve(
    _ given: String, user: UInt32, followingLink: Bool
  ) throws(OpeningError) -> (folder: String, path: String) {
    let name = given.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard name != "", name != ".", name != "..", !given.utf8.contains(0) else {
      throw .notAFile(given, found: "no file name")
    }
    var parent = given.dropLast(name.count)
    while parent.last == "/" && parent.count > 1 { parent.removeLast() }
    let folder = try real(parent.isEmpty ? "." : String(parent), user: user)
    let path = folder == "/" ? "/" + name : folder + "/" + name
    if try FileStatus.of(path, following: false)?.kind == .link {
      guard followingLink, let target = realpath(path, nil) else {
        // Its file system may just not be mounted.
        throw .notAFile(path, found: "a link that leads nowhere")
      }
      defer { free(target) }
      return try resolve(String(cString: target), user: user, followingLink: false)
    }
    return (folder, path)
  }

  private static func real(_ folder: String, user: UInt32) throws(OpeningError) -> String {
    if let resolved = realpath(folder, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    switch errno {
    case ENOENT: throw .noFolder(folder, user: user)
    case ENOTDIR: throw .notAFile(folder, found: "below a file, not a folder")
    case EACCES: throw .unreachable(folder, through: obstacle(to: folder), user: user)
    case let error: throw .system("look at \(folder)", errno: error)
    }
  }

  /// The first folder on the way that this process may not pass through.
  private static func obstacle(to folder: String) -> String {
    for (index, letter) in zip(folder.indices, folder) where letter == "/" {
      let ancestor = index == folder.startIndex ? "/" : String(folder[..<index])
      if faccessat(AT_FDCWD, ancestor, X_OK, AT_EACCESS) != 0 { return ancestor }
    }
    return folder
  }

  private static func require(
    _ path: String, _ kind: FileStatus.Kind, user: UInt32
  ) throws(OpeningError) {
    guard let status = try FileStatus.of(path, following: false) else { return }
    guard status.kind == kind else {
      let found =
        switch status.kind {
        case .file: "a file, not a folder"
        case .folder: "a folder"
        case .link: "a link"
        case .other: "neither a file nor a folder"
        }
      throw .notAFile(path, found: found)
    }
    switch try FileStatus.access(to: path, isFolder: kind == .folder) {
    case .granted: return
    case .denied:
      let mending = ShellCommand.mending(
        path, isFolder: kind == .folder, owner: status.owner, permissions: status.permissions,
        user: user)
      throw .noAccess(path, user: user, mending: mending)
    case .readOnlyFileSystem: throw .readOnlyFileSystem(path)
    }
  }
}
