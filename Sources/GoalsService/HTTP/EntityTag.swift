import GoalsCore
import HTTP

/// The strong validator of every representation of goals (RFC 9110 §8.8.3): the cursor, and until
/// when the goals read so. It changes with an edit, and when a period ends.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
  private let cursor: Cursor
  private let stamp: String

  package init(_ cursor: Cursor, validUntil: Instant?, _ coding: ContentCoding = .identity) {
    self.cursor = cursor
    let end = validUntil.map { String($0.milliseconds / 1000, radix: 36) } ?? "-"
    stamp = end + coding.tagSuffix
  }

  /// The tag of a list as it was at a cursor. That list never changes.
  package static func past(_ cursor: Cursor) -> EntityTag { EntityTag(cursor, stamp: "past") }

  private init(_ cursor: Cursor, stamp: String) {
    self.cursor = cursor
    self.stamp = stamp
  }

  package var description: String { "\"\(cursor)~\(stamp)\"" }

  /// The part that a write compares: the position in the log alone, so that no write fails at
  /// midnight. Nil for a tag that is not ours, or is weak.
  package static func head(of tag: some StringProtocol) -> Batch.Head? {
    guard tag.hasPrefix("\""), tag.hasSuffix("\""), tag.utf8.count > 2 else { return nil }
    let parts = tag.dropFirst().dropLast().split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    return Cursor(parts[0])?.head
  }
}
