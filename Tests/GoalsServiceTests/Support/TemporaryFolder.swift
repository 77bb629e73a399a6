import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "service-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path(percentEncoded: false)
  }

  /// NB: a server that is closing takes its files away at the same time, and one that is gone
  /// before its turn has the removal given up.
  deinit {
    for _ in 0..<1000 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  func file(_ name: String) -> String { path + "/" + name }

  func url(_ name: String) -> URL { URL(filePath: file(name)) }
}
