/// A request that begins at the first of some bytes, as RFC 9112 §6 delimits it: a plain reading of
/// the framing and of nothing else, beside which the parser's is laid.
struct FramedText {
  let body: [UInt8]
  /// How many bytes it has, with its head and the empty lines before it.
  let count: Int

  /// Nil where the head does not end, or does not say how long the body is.
  init?(_ bytes: [UInt8]) {
    var place = 0
    while Self.find("\r\n", in: bytes, from: place) == place { place += 2 }
    guard let end = Self.find("\r\n\r\n", in: bytes, from: place) else { return nil }
    let lines = Self.lines(Array(bytes[place..<end])).dropFirst()
    let values = { (name: String) in
      lines.filter { $0.lowercased().hasPrefix(name + ":") }
        .map { String($0.dropFirst(name.count + 1)).lowercased() }
    }
    let lengths = values("content-length").map(Self.trimmed)
    let codings = values("transfer-encoding").flatMap { $0.split(separator: ",") }
      .map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
    let start = end + 4
    switch (lengths.count, codings) {
    case (0, []):
      (body, count) = ([], start)
    case (1, []):
      guard let length = Int(lengths[0]), length >= 0, lengths[0].allSatisfy(\.isNumber),
        start + length <= bytes.count
      else { return nil }
      (body, count) = (Array(bytes[start..<start + length]), start + length)
    case (0, ["chunked"]):
      guard let read = Self.chunks(bytes, from: start) else { return nil }
      (body, count) = read
    case (_, _):
      return nil
    }
  }

  /// The content of the chunks, and where the trailers end (RFC 9112 §7.1).
  private static func chunks(_ bytes: [UInt8], from start: Int) -> ([UInt8], Int)? {
    var body: [UInt8] = []
    var place = start
    while let end = find("\r\n", in: bytes, from: place) {
      let line = String(decoding: bytes[place..<end], as: UTF8.self)
      guard let size = Int(trimmed(String(line.prefix { $0 != ";" })), radix: 16), size >= 0 else {
        return nil
      }
      if size == 0 {
        // No trailers, or some lines and an empty one.
        if find("\r\n", in: bytes, from: end + 2) == end + 2 { return (body, end + 4) }
        return find("\r\n\r\n", in: bytes, from: end + 2).map { (body, $0 + 4) }
      }
      let next = end + 2 + size
      guard find("\r\n", in: bytes, from: next) == next else { return nil }
      body += bytes[end + 2..<next]
      place = next + 2
    }
    return nil
  }

  private static func find(_ text: String, in bytes: [UInt8], from start: Int) -> Int? {
    let wanted = Array(text.utf8)
    guard start >= 0, start + wanted.count <= bytes.count else { return nil }
    return (start...bytes.count - wanted.count).first {
      bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var place = 0
    while let end = find("\r\n", in: bytes, from: place) {
      lines.append(String(decoding: bytes[place..<end], as: UTF8.self))
      place = end + 2
    }
    return lines + [String(decoding: bytes[place...], as: UTF8.self)]
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(String(text.drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
  }
}
