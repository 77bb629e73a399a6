import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "client-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { path + "/" + name }

  /// Another one with the same files. A pipe is none: who would copy it would wait for its end.
  func copied() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in ["journal", "snapshot"] where FileManager.default.fileExists(atPath: file(name)) {
      try FileManager.default.copyItem(atPath: file(name), toPath: copy.file(name))
    }
    return copy
  }
}
