import CSystem
import Glibc
import GoalsCore

/// What is done to whole files so that it holds after a power cut: names change in one step, and
/// are synced with the folder that holds them.
enum Files {
  /// Makes an empty file that only its owner may read; `.system` with EEXIST where there is one.
  static func make(_ path: String) throws(OpeningError) { close(try openNew(path)) }

  /// The same, and leaves it open for writing: the caller closes it.
  static func openNew(_ path: String) throws(OpeningError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system("make \(path)", errno: errno) }
    return descriptor
  }

  /// Gives a file another name in one step, and never the name of one that is there.
  ///
  /// On a file system that can't do so, by two names for a moment (link(2)).
  static func rename(_ path: String, to name: String) throws(OpeningError) {
    if csystem_rename_exclusively(path, name) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS else {
      throw .system("name \(path) \(name)", errno: errno)
    }
    guard link(path, name) == 0, unlink(path) == 0 else {
      throw .system("name \(path) \(name)", errno: errno)
    }
  }

  /// Makes a file or a folder durable. The file may not be open in SQLite: closing it here would
  /// drop its locks (sqlite.org/howtocorrupt.html §2.2).
  static func sync(_ path: String) throws(OpeningError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("open \(path)", errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system("sync \(path)", errno: errno) }
  }

  /// Opens a file for reading. What is no file is `.notAFile`, and never waited for, as a pipe
  /// would be that nobody writes.
  static func openForReading(_ path: String) throws(OpeningError) -> Int32 {
    // First looked at: opening a device may do something.
    if let status = try FileStatus.of(path, following: true), status.kind != .file {
      throw .notAFile(path, found: "no file")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system("read \(path)", errno: errno) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, FileStatus(info).kind == .file else {
      close(descriptor)
      throw .notAFile(path, found: "no file")
    }
    return descriptor
  }

  /// Removes a file if it is there, for good or not: what is left is in nobody's way.
  static func discard(_ path: String) { unlink(path) }

  /// The names in a folder that begin so, in order.
  static func names(in folder: String, beginning start: String) throws(OpeningError) -> [String] {
    guard let stream = opendir(folder) else { throw .system("list \(folder)", errno: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix(start) { names.append(name) }
    }
    return names.sorted()
  }

  /// Copies a file's bytes into a new one that only its owner may read.
  static func copy(_ path: String, to copy: String) throws(OpeningError) {
    let source = try openForReading(path)
    defer { close(source) }
    let target = try openNew(copy)
    defer { close(target) }
    try Self.copy((source, path), to: (target, copy))
  }

  /// Copies what is left to read of a file to another; both are open.
  static func copy(
    _ source: (descriptor: Int32, path: String), to target: (descriptor: Int32, path: String)
  ) throws(OpeningError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        read(source.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system("read \(source.path)", errno: errno) }
      if count == 0 { return }
      try append(buffer[..<count], to: target.descriptor, path: target.path)
    }
  }

  private static func append(
    _ bytes: ArraySlice<UInt8>, to descriptor: Int32, path: String
  ) throws(OpeningError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("write \(path)", errno: errno) }
      rest = rest.dropFirst(count)
    }
  }
}

extension Instant {
  /// As a part of a file's name, to the second: `20261121T140000Z` (ISO 8601's basic format).
  var stamp: String { description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z" }
}
