/// The chunked transfer coding (RFC 9112 §7.1).
extension RequestParser {
  mutating func readChunkLine() throws(Refusal) -> Event? {
    guard
      let text = try nextLine(
        limit: MessageLimits.chunkLine,
        tooLong: .malformedRequest("A chunk's size line is too long."))
    else { return .needsInput }
    let digits = text.prefix { ASCII.hex($0) != nil }
    // Eight digits cannot overflow.
    guard (1...8).contains(digits.count) else {
      throw .malformedRequest("A chunk's size is not one to eight hexadecimal digits.")
    }
    let rest = text[digits.endIndex...]
    guard ChunkExtensions.areValid(rest) else {
      throw .malformedRequest("A chunk's size is followed by something else than extensions.")
    }
    extensionBytes += rest.count
    guard extensionBytes <= MessageLimits.chunkExtensions else {
      throw .malformedRequest("The chunk extensions are too long.")
    }
    let size = digits.reduce(0) { $0 << 4 | Int(ASCII.hex($1) ?? 0) }
    try count(size)
    stage = size == 0 ? .trailers : .chunk(remaining: size)
    return nil
  }

  mutating func readChunk(_ remaining: Int) -> Event {
    guard let piece = takePiece(remaining) else { return .needsInput }
    stage = piece.count == remaining ? .chunkEnd : .chunk(remaining: remaining - piece.count)
    return .body(piece)
  }

  mutating func readChunkEnd() throws(Refusal) -> Event? {
    let tooLong = Refusal.malformedRequest("A chunk is not followed by a line end.")
    guard try nextLine(limit: 0, tooLong: tooLong) != nil else {
      return .needsInput
    }
    stage = .chunkLine
    return nil
  }

  /// Trailer fields are held to the rules of header fields, and dropped: RFC 9110 §6.5.1 forbids
  /// to merge them into the head without knowing each one.
  mutating func readTrailer() throws(Refusal) -> Event? {
    guard let text = try readFieldLine() else { return .needsInput }
    if text.isEmpty { return finish() }
    _ = try RequestParser.field(text)
    return nil
  }
}

/// `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 §7.1.1), checked and
/// then ignored, as it asks.
enum ChunkExtensions {
  static func areValid(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    while !rest.isEmpty {
      skipSpace(&rest)
      guard rest.popFirst() == ASCII.semicolon else { return false }
      skipSpace(&rest)
      guard skipToken(&rest) else { return false }
      let afterName = rest
      skipSpace(&rest)
      if rest.first == ASCII.equals {
        rest.removeFirst()
        skipSpace(&rest)
        let isValue = rest.first == ASCII.quote ? skipQuoted(&rest) : skipToken(&rest)
        guard isValue else { return false }
      } else {
        rest = afterName
      }
    }
    return true
  }

  private static func skipSpace(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == ASCII.space || $0 == ASCII.tab }
  }

  private static func skipToken(_ rest: inout ArraySlice<UInt8>) -> Bool {
    let token = ByteSet.token
    let name = rest.prefix(while: token.contains)
    rest = rest[name.endIndex...]
    return !name.isEmpty
  }

  private static func skipQuoted(_ rest: inout ArraySlice<UInt8>) -> Bool {
    rest.removeFirst()
    while let byte = rest.popFirst() {
      if byte == ASCII.quote { return true }
      if byte == ASCII.backslash, rest.popFirst() == nil { return false }
    }
    return false
  }
}
