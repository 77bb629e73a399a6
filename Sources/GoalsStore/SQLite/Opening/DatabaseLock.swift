import Glibc

/// The right to be the one process that has a database open. It lasts as long as this object, and
/// ends with the process however that ends.
///
/// It is a lock on a file beside the database, never on the database: closing a second descriptor
/// would drop SQLite's own locks (sqlite.org/howtocorrupt.html §2.2). `flock` and not `fcntl`,
/// because it belongs to the descriptor: it also refuses a second owner in the same process. The
/// file is left when the lock ends; removing it would let two processes lock two files.
final class DatabaseLock: Sendable {
  private let descriptor: Int32
  /// Of the file that is locked.
  let identity: FileStatus.Identity

  /// Answers `.inUse` at once when another process has it.
  init(of file: DatabaseFile) throws(OpeningError) {
    // Once more when the file was replaced between opening and locking it.
    for _ in 1...8 {
      if let (descriptor, identity) = try DatabaseLock.take(file) {
        (self.descriptor, self.identity) = (descriptor, identity)
        return
      }
    }
    throw .inUse(file.path, lock: file.lock)
  }

  deinit {
    // Closing alone would leave the lock to a process with a copy of the descriptor: a child that
    // was forked and has not begun its own program yet.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Nil if the file was replaced meanwhile.
  private static func take(
    _ file: DatabaseFile
  ) throws(OpeningError) -> (Int32, FileStatus.Identity)? {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let descriptor = open(file.lock, flags, 0o600)
    guard descriptor >= 0 else { throw .system("open \(file.lock)", errno: errno) }
    var code: Int32
    repeat { code = flock(descriptor, LOCK_EX | LOCK_NB) } while code != 0 && errno == EINTR
    guard code == 0 else {
      let error = errno
      close(descriptor)
      guard error == EWOULDBLOCK else { throw .system("lock \(file.lock)", errno: error) }
      throw .inUse(file.path, lock: file.lock)
    }
    var info = stat()
    let locked = fstat(descriptor, &info) == 0 ? FileStatus(info) : nil
    let present: FileStatus?
    do {
      present = try FileStatus.of(file.lock, following: false)
    } catch {
      close(descriptor)
      throw error
    }
    guard let locked, locked.identity == present?.identity else {
      close(descriptor)
      return nil
    }
    return (descriptor, locked.identity)
  }
}
