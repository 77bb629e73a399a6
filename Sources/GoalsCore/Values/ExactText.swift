/// Text that is compared code point by code point.
///
/// Swift's `String` takes canonically equivalent spellings for equal ("é" in one or two code
/// points). But an edit from one spelling to the other is a change, so a text compares as a person
/// wrote it.
public protocol ExactText: Hashable, Sendable, CustomStringConvertible {
  /// The text as a person wrote it.
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
  package var trimmed: SubSequence {
    let scalars = unicodeScalars
    guard let first = scalars.firstIndex(where: { !$0.isWhiteSpace }) else {
      return self[endIndex...]
    }
    guard let last = scalars.lastIndex(where: { !$0.isWhiteSpace }) else {
      return self[endIndex...]
    }
    return self[first..<scalars.index(after: last)]
  }

  /// Whether there are at most `limit` code points; stops counting there.
  func hasCodePoints(atMost limit: Int) -> Bool {
    unicodeScalars.prefix(limit + 1).count <= limit
  }
}

extension Unicode.Scalar {
  /// Whether the code point has Unicode's property White_Space, which its policy of stability lets
  /// no version change for these. The standard library reads it from a table of 20 kB.
  var isWhiteSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F,
      0x3000:
      true
    default: false  // NB: open, every other code point
    }
  }
}
