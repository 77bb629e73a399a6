/// A head, and the bytes it was read from. The next request of a connection mostly begins with the same
/// ones, and is then not read anew.
struct KnownHead: Sendable {
  /// How much is kept at most: there may be thousands of connections, and of few bytes a head may have
  /// hundreds of parts.
  private static let (maximumLength, maximumParts) = (1024, 32)

  static func isShort(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.count <= maximumLength }

  /// Whether a head has few enough parts. One before chunks is not kept either: their trailers share the
  /// limits of its fields.
  static func isSmall(_ line: RequestLine, _ fields: Fields, _ framing: BodyFraming) -> Bool {
    let parts = fields.all.count + line.target.segments.count + line.target.query.count
    return parts <= maximumParts && framing != .chunked
  }

  let head: RequestHead
  private let bytes: [UInt8]

  /// Nil for one that is not kept.
  init?(_ head: RequestHead, from bytes: ArraySlice<UInt8>) {
    guard head.isKept else { return nil }
    self.head = head
    self.bytes = Array(bytes)
  }

  /// How many bytes it has; nil where an input goes on otherwise. To find that out takes as long wherever they
  /// differ: they show a token, and behind a proxy the next request of the connection may be somebody else's.
  func count(in input: [UInt8], from cursor: Int) -> Int? {
    guard input.count - cursor >= bytes.count else { return nil }
    let isSame = input.withUnsafeBytes { input in
      bytes.withUnsafeBytes { known in
        let input = UnsafeRawBufferPointer(rebasing: input[cursor..<(cursor + known.count)])
        let words = known.count / 8 * 8
        var difference: UInt64 = 0
        for place in stride(from: 0, to: words, by: 8) {
          difference |=
            known.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            ^ input.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        }
        for place in words..<known.count { difference |= UInt64(known[place] ^ input[place]) }
        return difference == 0
      }
    }
    return isSame ? bytes.count : nil
  }
}
