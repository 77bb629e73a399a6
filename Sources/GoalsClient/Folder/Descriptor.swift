import Foundation

/// An open file or folder, closed when it is let go. Every function begins again where a signal
/// interrupted it.
final class Descriptor: Sendable {
  let number: Int32
  let path: String

  /// Only the person's own account may read what is made here.
  init(opening path: String, _ flags: Int32, mode: mode_t = 0o600) throws(FileError) {
    var number: Int32
    repeat { number = open(path, flags | O_CLOEXEC, mode) } while number < 0 && errno == EINTR
    guard number >= 0 else { throw .last("open", path) }
    self.number = number
    self.path = path
  }

  deinit {
    // Closing alone would leave a lock to a child that was forked and has not begun its program.
    flock(number, LOCK_UN)
    close(number)
  }

  /// The length in bytes.
  func length() throws(FileError) -> Int { Int(try status().st_size) }

  func status() throws(FileError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .last("look at", path) }
    return status
  }

  func read(_ range: Range<Int>) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(
          number, $0.baseAddress?.advanced(by: filled), $0.count - filled,
          off_t(range.lowerBound + filled))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last("read", path) }
      guard count > 0 else { return Array(bytes[..<filled]) }
      filled += count
    }
    return bytes
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(
          number, $0.baseAddress?.advanced(by: written), $0.count - written,
          off_t(offset + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last("write", path) }
      written += count
    }
  }

  func truncate(to length: Int) throws(FileError) {
    var code: Int32
    repeat { code = ftruncate(number, off_t(length)) } while code != 0 && errno == EINTR
    guard code == 0 else { throw .last("shorten", path) }
  }

  /// Returns when what was written is durable.
  func synchronize() throws(FileError) {
    #if canImport(Darwin)
    // fsync(2) of macOS leaves the bytes in the disk's own memory.
    if fcntl(number, F_FULLFSYNC) == 0 { return }
    #endif
    guard fsync(number) == 0 else { throw .last("sync", path) }
  }

  /// Whether this process has the file now, and has it until the descriptor is let go, however the
  /// process ends.
  ///
  /// - Parameter waiting: whether to wait for another that has it.
  func lock(waiting: Bool = false) -> Bool {
    var code: Int32
    repeat {
      code = flock(number, waiting ? LOCK_EX : LOCK_EX | LOCK_NB)
    } while code != 0 && errno == EINTR
    return code == 0
  }

  /// Whether the file is still the one of its path.
  var isInPlace: Bool {
    var named = stat()
    guard let own = try? status(), stat(path, &named) == 0 else { return false }
    return own.st_ino == named.st_ino && own.st_dev == named.st_dev
  }
}

/// Files that are written and read whole.
package enum WholeFile {
  /// Nil where there is none.
  package static func read(_ path: String) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      let file = try Descriptor(opening: path, O_RDONLY)
      return try file.read(0..<(try file.length()))
    } catch {
      guard error.errno == ENOENT else { throw error }
      return nil
    }
  }

  /// Puts these bytes in the place of what is there: after a crash at any moment the file is the
  /// old one or the new one, whole. An error is uncertain if the new one is there already.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let new = path + unfinished
    var file: Descriptor
    // The process that writes the file has it locked, so that nobody takes it for a leftover.
    repeat {
      file = try Descriptor(opening: new, O_WRONLY | O_CREAT)
      guard file.lock(waiting: true) else { throw .last("lock", new) }
    } while !file.isInPlace
    try file.truncate(to: 0)
    try file.write(bytes, at: 0)
    try file.synchronize()
    guard rename(new, path) == 0 else { throw .last("rename", new) }
    do throws(FileError) { try synchronizeFolder(of: path) } catch { throw error.uncertain }
  }

  /// The end of the name of a file that is not whole yet.
  static let unfinished = ".new"

  /// Removes a file that somebody began and will not end: nobody has it locked.
  static func removeUnfinished(_ path: String) throws(FileError) {
    let file = try Descriptor(opening: path, O_WRONLY)
    if file.lock(), file.isInPlace { try remove(path) }
  }

  /// A file that is not there is removed already.
  package static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .last("remove", path) }
  }

  /// A name is durable when its folder is.
  static func synchronizeFolder(of path: String) throws(FileError) {
    let end = path.lastIndex(of: "/")
    let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    try Descriptor(opening: folder, O_RDONLY | O_DIRECTORY).synchronize()
  }

  /// Makes a folder and those above it that are missing.
  package static func makeFolder(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 { return try synchronizeFolder(of: path) }
    if errno == EEXIST { return }
    guard errno == ENOENT, let end = path.lastIndex(of: "/"), end != path.startIndex else {
      throw .last("make", path)
    }
    try makeFolder(String(path[..<end]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last("make", path) }
    try synchronizeFolder(of: path)
  }
}
