import Glibc
import Terminal

/// A file that is read whole.
enum InputFile {
  /// The largest, in bytes.
  static let limit = 1 << 30

  /// - Parameter path: `-` for standard input.
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure("\(path) can't be read: \(String(cString: strerror(errno))).")
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CommandFailure("\(path) can't be read: \(String(cString: strerror(errno))).")
      }
      guard count > 0 else { return bytes }
      guard bytes.count + count <= limit else {
        throw CommandFailure("\(path) has more than \(limit) bytes.")
      }
      bytes += buffer[..<count]
    }
  }
}

/// Where files go that are needed for a moment.
enum TemporaryFolders {
  /// Those that may be large before those that may be in memory (file-hierarchy(7)).
  static var all: [String] {
    let given = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return given.isEmpty ? ["/var/tmp", "/tmp"] : [given]
  }
}
