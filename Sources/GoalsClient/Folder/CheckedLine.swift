/// A line with a checksum at its end. The checksum tells whether the line is as it was written. A
/// disk may return another byte, and a count with another digit is still JSON.
struct CheckedLine {
  /// The text that was written. A single wrong bit is put right.
  let text: [UInt8]
  /// False where the checksum is that of another text.
  let isIntact: Bool

  /// Reads a line without its end. A line without a checksum is from a version that wrote none.
  init(_ line: [UInt8]) {
    let text = Array(line.dropLast(9))
    let end = line.suffix(9)
    let other = zip(end, Self.end(of: text)).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
    let read = UInt32(String(decoding: end.dropFirst(), as: UTF8.self), radix: 16)
    if end.count == 9, other <= 1 {
      self.init(text: text, isIntact: true)
    } else if end.count == 9, end.first == UInt8(ascii: " "), let read {
      let mended = Self.mended(text, to: read)
      self.init(text: mended ?? text, isIntact: mended != nil)
    } else {
      self.init(text: line, isIntact: true)
    }
  }

  private init(text: [UInt8], isIntact: Bool) {
    self.text = text
    self.isIntact = isIntact
  }

  /// The line of a text, with its end.
  static func bytes(of text: [UInt8]) -> [UInt8] { text + end(of: text) + [UInt8(ascii: "\n")] }

  private static func end(of text: [UInt8]) -> [UInt8] {
    let digits = String(sum(of: text), radix: 16)
    let zeros = String(repeating: "0", count: 8 - digits.count)
    return Array(" \(zeros)\(digits)".utf8)
  }

  // MARK: Checksums

  /// CRC-32, as in RFC 1952, section 8.
  static func sum(of bytes: [UInt8]) -> UInt32 {
    let table = table
    var sum = ~UInt32(0)
    for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
    return ~sum
  }

  /// The text of this checksum that differs in one bit; nil where there is none. Each bit changes
  /// the checksum in a way that depends on its distance from the end alone.
  private static func mended(_ text: [UInt8], to sum: UInt32) -> [UInt8]? {
    guard text.count <= longest else { return nil }
    let difference = sum ^ Self.sum(of: text)
    var changes = (0..<8).map { table[1 << $0] }
    for index in text.indices.reversed() {
      if let bit = changes.firstIndex(of: difference) {
        var mended = text
        mended[index] ^= 1 << bit
        return mended
      }
      changes = changes.map { table[Int($0 & 0xFF)] ^ ($0 >> 8) }
    }
    return nil
  }

  /// Up to 91,607 bits two wrong bits never look like a single one (P. Koopman, 32-Bit Cyclic
  /// Redundancy Codes for Internet Applications, 2002).
  private static let longest = 91_607 / 8

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }
}
