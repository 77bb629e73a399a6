import GoalsReplica
import JSON

extension Replica.Delta {
  /// Reads a line that `line` wrote; nil for anything else.
  public init?(line: [UInt8]) {
    guard let root = try? JSONDocument(parsing: line).root else { return nil }
    self.init(root)
  }
}
