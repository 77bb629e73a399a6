/// Why what was read is no export that could be imported, and in which line.
package struct ImportFault: Error, Hashable, Sendable {
  /// Counted from 1.
  package let line: Int
  /// In words for a person; it quotes nothing of the line but a time zone's name.
  package let detail: String

  package init(_ line: Int, _ detail: String) {
    self.line = line
    self.detail = detail
  }

  /// All that a person is told of a refused import.
  package var sentence: String {
    "Line \(line): \(detail)\(detail.hasSuffix(".") ? "" : ".") Nothing was imported."
  }
}
