/// Text that is compared code point by code point.
///
/// Swift's `String` takes canonically equivalent spellings for equal ("é" in one or two code
/// points). But an edit from one spelling to the other is a change, so a text compares as a person
/// wrote it.
public protocol ExactText: Hashable, Sendable, CustomStringConvertible {
  var text: String { get }
}

extension ExactText {
  public var description: String { text }

  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }
}

extension StringProtocol {
  /// Whether any code point is of Unicode's general category Cc.
  var holdsControlCharacters: Bool {
    unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }

  /// Without the code points of Unicode's property White_Space at either end.
  var trimmed: SubSequence {
    let scalars = unicodeScalars
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: { !isSpace($0) }) else { return self[endIndex...] }
    guard let last = scalars.lastIndex(where: { !isSpace($0) }) else { return self[endIndex...] }
    return self[first..<scalars.index(after: last)]
  }

  /// Whether there are at most `limit` code points; stops counting there.
  func hasCodePoints(atMost limit: Int) -> Bool {
    unicodeScalars.prefix(limit + 1).count <= limit
  }
}
