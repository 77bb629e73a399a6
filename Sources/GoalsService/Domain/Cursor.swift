import GoalsCore
import GoalsStore

/// A place in one account's log: a version, and the beginning of the chain there, by which a place in
/// another history is told apart. To clients it is an opaque text.
package struct Cursor: Hashable, Sendable, CustomStringConvertible {
  package let head: Batch.Head

  package init(_ version: GoalsCore.Version, _ chain: Chain) {
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
      let prefix = UInt64(parts[1], radix: 16), Self.hexadecimal(prefix) == parts[1]
    else { return nil }
    head = Batch.Head(version: GoalsCore.Version(version), chainPrefix: prefix)
  }

  /// Whether it is the place at which the log has this chain.
  package func fits(_ chain: Chain) -> Bool { head.chainPrefix == chain.prefix }

  package var description: String {
    "\(head.version).\(Self.hexadecimal(head.chainPrefix))"
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The strong validator of everything that is read of goals (RFC 9110 §8.8.3): the place in the log,
/// and until when the reading is valid. It changes with an edit, and when a period ends.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  private let cursor: Cursor
  private let stamp: String

  package init(_ cursor: Cursor, validUntil: Instant?) {
    self.cursor = cursor
    stamp = validUntil.map { String($0.milliseconds / 1000, radix: 36) } ?? "-"
  }

  /// That of a list as it was at a place in the log, which stays so.
  package static func past(_ cursor: Cursor) -> EntityTag { EntityTag(cursor, stamp: "past") }

  private init(_ cursor: Cursor, stamp: String) {
    self.cursor = cursor
    self.stamp = stamp
  }

  package var description: String { "\"\(cursor)~\(stamp)\"" }

  /// What a write compares: the place alone, so that midnight fails nobody. Nil for a tag that is not
  /// ours, or is weak.
  package static func head(of tag: some StringProtocol) -> Batch.Head? {
    guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count > 2 else { return nil }
    let parts = tag.dropFirst().dropLast().split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return Cursor(parts[0])?.head
  }
}
