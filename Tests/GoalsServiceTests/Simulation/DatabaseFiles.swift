import Foundation

/// The files of a database that is copied and brought back, in memory where the system has a folder
/// for that; gone with the value.
final class DatabaseFiles {
  private let folder: URL
  private var copies = 0

  init() throws {
    let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
    let parent =
      FileManager.default.isWritableFile(atPath: memory.path(percentEncoded: false))
      ? memory : FileManager.default.temporaryDirectory
    folder = parent.appending(path: "simulation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

  /// Copies a database with the log that belongs to it, between two transactions: what is there
  /// after a crash. Answers where the copy is.
  func copy(of path: String) throws -> String {
    copies += 1
    let copy = self.path("copy-\(copies).sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return copy
  }
}
