import Dispatch
import Foundation
import GoalsCore
import GoalsEngine
import GoalsReplica

/// How the processes of a folder work together.
extension DeviceFolder {
  /// A change that another process left.
  struct Left {
    let name: String
    let delta: Replica.Delta
  }

  /// Leaves a change for the leader.
  func leave(_ delta: Replica.Delta, named name: String) throws(FileError) {
    try WholeFile.replace("\(path)/inbox/\(name)", with: CheckedLine.bytes(of: delta.line))
    knock()
  }

  /// What waits in the inbox, oldest first. The leader puts a file aside that was damaged.
  func inbox() throws(FileError) -> [Left] {
    var left: [Left] = []
    // With a dot it is a folder, or a file that is not whole yet.
    for name in try names(in: path + "/inbox") where !name.contains(".") {
      guard let bytes = try WholeFile.read("\(path)/inbox/\(name)") else { continue }
      let line = CheckedLine(bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes)
      if line.isIntact, let delta = Replica.Delta(line: line.text) {
        left.append(Left(name: name, delta: delta))
      } else if leads {
        // A file that can't be put aside now is put aside the next time.
        try? putAside("inbox/\(name)", as: "inbox.damaged.\(name)")
      }
    }
    return left
  }

  /// Forgets what the journal has now.
  func forget(_ left: Left) throws(FileError) {
    try WholeFile.remove("\(path)/inbox/\(left.name)")
  }

  /// Removes the unfinished files of processes that ended while they wrote into the inbox. Nobody
  /// was told that these changes were kept.
  func sweep() {
    let names = (try? names(in: path + "/inbox")) ?? []
    for name in names where name.hasSuffix(WholeFile.unfinished) {
      // A file that can't be removed now is removed the next time.
      try? WholeFile.removeUnfinished("\(path)/inbox/\(name)")
    }
  }

  private func names(in folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else { throw .last("read", folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }

  // MARK: News

  /// Tells the leader to look into the inbox. Where nobody leads, the next leader looks.
  private func knock() {
    guard let pipe = try? Descriptor(opening: path + "/wake", O_WRONLY | O_NONBLOCK) else { return }
    _ = write(pipe.number, [1], 1)
  }

  /// Calls `body` on the queue when another process has knocked, until the source is cancelled.
  func listen(
    on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
  ) throws(FileError) -> any DispatchSourceRead {
    // Open for both, so that the pipe never ends.
    let pipe = try Descriptor(opening: path + "/wake", O_RDWR | O_NONBLOCK)
    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.number, queue: queue)
    source.setEventHandler {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(pipe.number, &bytes, bytes.count) > 0 {}
      body()
    }
    source.setCancelHandler { withExtendedLifetime(pipe) {} }
    source.activate()
    return source
  }

  /// The marks of a file by which a later look tells whether the file has changed.
  struct Stamp: Hashable {
    let inode: UInt64
    let length: Int64
    let seconds: Int
    let nanoseconds: Int
  }

  /// The stamps of the files that the leader writes.
  var stamps: [Stamp?] {
    ["journal", "snapshot", "inbox", "clock"].map { name in
      var status = stat()
      guard stat("\(path)/\(name)", &status) == 0 else { return nil }
      #if canImport(Darwin)
      let time = status.st_mtimespec
      #else
      let time = status.st_mtim
      #endif
      return Stamp(
        inode: UInt64(status.st_ino), length: Int64(status.st_size), seconds: time.tv_sec,
        nanoseconds: time.tv_nsec)
    }
  }

  // MARK: Zones

  /// The TZif file of a zone that the server sent before.
  func zoneFile(_ name: ZoneName) -> [UInt8]? { try? WholeFile.read(path(of: name)) }

  func keepZone(_ name: ZoneName, _ bytes: [UInt8]) throws(FileError) {
    try WholeFile.replace(path(of: name), with: bytes)
  }

  private func path(of name: ZoneName) -> String {
    let file = String(name.text.map { $0 == "/" ? ":" : $0 })
    return "\(path)/zones/\(file)"
  }
}
