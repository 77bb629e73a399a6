import Foundation

/// A folder of a test's own, gone with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "sqlite-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    path = url.path(percentEncoded: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String) -> String { path + "/" + name }

  func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(filePath: file(name))))
  }

  func put(_ bytes: [UInt8], in name: String) throws {
    try Data(bytes).write(to: URL(filePath: file(name)))
  }
}
