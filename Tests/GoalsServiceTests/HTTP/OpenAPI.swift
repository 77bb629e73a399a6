import Foundation

/// What `openapi.yaml` says of operations, read by its indentation.
struct OpenAPI {
  struct Entry: Hashable, CustomStringConvertible {
    let method: String
    let path: String
    let id: String

    var description: String { "\(id): \(method) \(path)" }
  }

  /// Every method of every path, in order; `id` is empty where there is none.
  let entries: [Entry]

  init(_ text: String) {
    var entries: [Entry] = []
    var isInPaths = false
    var path = ""
    for line in text.split(separator: "\n") where !line.allSatisfy({ $0 == " " }) {
      let indentation = line.prefix { $0 == " " }.count
      let content = line.dropFirst(indentation)
      switch indentation {
      case 0: isInPaths = content == "paths:"
      case 2: path = String(content.dropLast())
      case 4 where isInPaths && Self.methods.contains(String(content.dropLast())):
        entries.append(Entry(method: content.dropLast().uppercased(), path: path, id: ""))
      case 6 where isInPaths && content.hasPrefix("operationId: "):
        guard let last = entries.popLast() else { continue }
        entries.append(
          Entry(method: last.method, path: last.path, id: String(content.dropFirst(13))))
      default: break
      }
    }
    self.entries = entries
  }

  private static let methods: Set = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
  ]

  static func file() throws -> String {
    let top = URL(filePath: #filePath).resolvingSymlinksInPath()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: top.appending(path: "openapi.yaml"), encoding: .utf8)
  }
}
