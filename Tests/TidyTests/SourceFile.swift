import Foundation

/// A file of the project, as the rules see it: where it is, and what it says.
struct SourceFile: Sendable {
  /// From the project's top, with `/` between the parts.
  let path: String
  let text: String
  /// What the text says to the compiler, if it is Swift.
  let code: SwiftCode?

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = path.hasSuffix(".swift") ? SwiftCode(text) : nil
  }

  /// The text in lines; the one at index 0 is line 1.
  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// The folder below `Sources`, which is the target; the top folder for what is outside it.
  var target: String {
    let parts = path.split(separator: "/")
    return String(parts.count > 2 && parts[0] == "Sources" ? parts[1] : parts[0])
  }

  func isIn(_ folders: [String]) -> Bool { folders.contains { path.hasPrefix($0) } }
}

/// What a rule refuses, and where; printed the way an editor can jump to.
struct Fault: Equatable, Sendable, CustomStringConvertible {
  let path: String
  let line: Int
  let message: String

  var description: String { "\(path):\(line): \(message)" }
}

extension SourceFile {
  func fault(_ line: Int, _ message: String) -> Fault {
    Fault(path: path, line: line, message: message)
  }

  /// The project that this test file is part of.
  private static let top = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What a build, a test run or git leaves behind.
  private static func isLeftBehind(_ name: String) -> Bool {
    [
      ".git", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".swiftpm", ".venv",
      "__pycache__", "dist",
    ].contains(name)
      || name.hasPrefix(".build")
  }

  /// Every text file of the project, read once. What does not read as UTF-8 is none.
  static let all = Result { try files(below: "") }

  private static func files(below folder: String) throws -> [SourceFile] {
    let url = top.appending(path: folder)
    let keys: Set<URLResourceKey> = [.isDirectoryKey, .isRegularFileKey]
    var found: [SourceFile] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))
      .sorted() where !isLeftBehind(name)
    {
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      let kind = try url.appending(path: name).resourceValues(forKeys: keys)
      if kind.isDirectory == true {
        found += try files(below: path)
      } else if kind.isRegularFile == true,
        let text = try String(bytes: Data(contentsOf: url.appending(path: name)), encoding: .utf8)
      {
        found.append(SourceFile(path: path, text: text))
      }
    }
    return found
  }
}
