import Glibc
import Synchronization

/// A private folder for what is needed for a moment. A process that a signal may end meanwhile
/// removes it from another thread.
package final class ScratchFolder: Sendable {
  private enum State {
    case unmade
    case made(String)
    case removed
  }

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
        var name = Array("\(parent)/goals-verify-XXXXXX".utf8CString)
        guard mkdtemp(&name) == nil else {
          let made = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
          state = .made(made)
          return made
        }
        failure = .system("make a folder in \(parent)", errno: errno)
      }
      throw failure
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
      guard case .made(let path) = state else { return }
      // Another thread may be making a file at the moment, but no folder: each time round there are
      // fewer.
      repeat {
        guard let names = try? Files.names(in: path, beginning: "") else { return }
        for name in names { Files.discard("\(path)/\(name)") }
      } while rmdir(path) != 0 && (errno == ENOTEMPTY || errno == EEXIST)
    }
  }
}
