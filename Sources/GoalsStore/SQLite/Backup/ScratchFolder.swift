import Glibc
import Synchronization

/// A private folder for what is needed for a moment. A process that a signal may end meanwhile
/// removes it from another thread. A process that is killed leaves it, with its lock gone: the next
/// that makes one there removes it.
package final class ScratchFolder: Sendable {
  private enum State {
    case unmade
    case made(String, lock: Int32)
    case removed
  }

  private static let prefix = "goals-verify-"

  private let parents: [String]
  private let state = Mutex(State.unmade)

  /// - Parameter parents: folders of which the first that takes one is used.
  package init(in parents: [String]) { self.parents = parents }

  /// Makes it, and answers its path. Not after it was removed.
  func make() throws -> String {
    let parents = parents
    return try state.withLock { state in
      guard case .unmade = state else {
        throw OpeningError.system("make a folder for a copy", errno: EINTR)
      }
      var failure = OpeningError.system("make a folder for a copy", errno: ENOENT)
      for parent in parents {
        Self.sweep(parent)
        if let (path, lock) = Self.made(in: parent) {
          state = .made(path, lock: lock)
          return path
        }
        failure = .system("make a folder in \(parent)", errno: errno)
      }
      throw failure
    }
  }

  /// A new folder, locked; nil with `errno` where there can be none.
  private static func made(in parent: String) -> (path: String, lock: Int32)? {
    while true {
      var name = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else { return nil }
      let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let lock = locked(path) { return (path, lock) }
      // Another process has swept it before it was locked.
      guard errno == ENOENT || errno == EWOULDBLOCK else {
        let code = errno
        rmdir(path)
        errno = code
        return nil
      }
    }
  }

  /// A descriptor of a folder of this user's, with its lock; nil with `errno` where another process
  /// has that, or it is gone.
  private static func locked(_ path: String) -> Int32? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    var status = stat()
    if flock(folder, LOCK_EX | LOCK_NB) == 0, fstat(folder, &status) == 0 {
      if status.st_nlink > 0, status.st_uid == geteuid() { return folder }
      errno = ENOENT
    }
    let code = errno
    close(folder)
    errno = code
    return nil
  }

  /// Removes what killed processes have left. In a folder where anyone may write, a name may become
  /// a link to another folder at any moment, so files are removed by the folder that is open.
  private static func sweep(_ parent: String) {
    for name in (try? Files.names(in: parent, beginning: prefix)) ?? [] {
      let path = "\(parent)/\(name)"
      guard let folder = locked(path) else { continue }
      for file in (try? Files.names(in: path, beginning: "")) ?? [] { unlinkat(folder, file, 0) }
      rmdir(path)
      close(folder)
    }
  }

  /// Removes it with every file in it, if it is there; none is made any more.
  ///
  /// - Parameter end: what is done before another call of this goes on.
  package func remove(then end: () -> Void = {}) {
    state.withLock { state in
      defer {
        state = .removed
        end()
      }
      guard case .made(let path, let lock) = state else { return }
      defer { close(lock) }
      // Another thread may be making a file at the moment, but no folder: each time round there are
      // fewer.
      repeat {
        guard let names = try? Files.names(in: path, beginning: "") else { return }
        for name in names { Files.discard("\(path)/\(name)") }
      } while rmdir(path) != 0 && (errno == ENOTEMPTY || errno == EEXIST)
    }
  }
}
