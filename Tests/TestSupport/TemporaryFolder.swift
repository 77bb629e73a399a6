import Foundation

/// A folder of a test's own, gone with it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "goals-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    // As a database knows it: where the system's folder for such files is a link, it is followed.
    let real = realpath(url.path(percentEncoded: false), nil)
    defer { free(real) }
    path = real.map { String(cString: $0) } ?? url.path(percentEncoded: false)
  }

  /// NB: a server that is closing takes its files away at the same time, and one that is gone
  /// before its turn has the removal given up.
  deinit {
    chmod(path, 0o700)
    for _ in 0..<1000 where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  package func file(_ name: String) -> String { path + "/" + name }

  package func url(_ name: String) -> URL { URL(filePath: file(name)) }

  package func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: url(name))) }

  package func put(_ bytes: [UInt8], in name: String) throws {
    try Data(bytes).write(to: url(name))
  }
}
