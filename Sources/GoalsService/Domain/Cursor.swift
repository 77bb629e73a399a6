import GoalsCore
import GoalsStore

/// A position in one account's log: a version, and the beginning of the chain there, which tells it
/// from the same version of another history. To clients it is an opaque text.
package struct Cursor: Hashable, Sendable, CustomStringConvertible {
  package let head: Batch.Head
  var version: Version { head.version }

  package init(_ version: Version, _ chain: Chain) {
    head = Batch.Head(version: version, chainPrefix: chain.prefix)
  }

  init(_ published: Published) {
    self.init(published.state.version, published.chain)
  }

  /// Reads what `description` wrote; nil for any other text.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let version = Int(parts[0]), version >= 0,
      String(version) == parts[0], parts[1].utf8.count == 16,
      let prefix = UInt64(parts[1], radix: 16), prefix.hexadecimal == parts[1]
    else { return nil }
    head = Batch.Head(version: Version(version), chainPrefix: prefix)
  }

  /// Whether the log that has this chain at the version is the cursor's.
  package func fits(_ chain: Chain) -> Bool { head.chainPrefix == chain.prefix }

  package var description: String {
    "\(head.version).\(head.chainPrefix.hexadecimal)"
  }
}

extension UInt64 {
  /// Sixteen digits, in lower case.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
