import Foundation
import TestSupport

typealias TemporaryFolder = TestSupport.TemporaryFolder

extension TemporaryFolder {
  /// Another one with the same files. A pipe is none: to copy it would wait for its end.
  func copied() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in ["journal", "snapshot"] where FileManager.default.fileExists(atPath: file(name)) {
      try FileManager.default.copyItem(atPath: file(name), toPath: copy.file(name))
    }
    return copy
  }
}
