/// A line with a checksum at its end, which says whether it is as it was written: a disk may bring
/// a byte back as another one, and a count that is another number is JSON still.
struct CheckedLine {
  /// What was written.
  let text: [UInt8]
  /// False where the checksum is that of another text.
  let isIntact: Bool

  /// Reads a line without its end. One without a checksum is from before there were any.
  init(_ line: [UInt8]) {
    let sum = line.suffix(8)
    guard line.count > 9, line[line.count - 9] == UInt8(ascii: " "),
      let read = UInt32(String(decoding: sum, as: UTF8.self), radix: 16)
    else {
      text = line
      isIntact = true
      return
    }
    text = Array(line.dropLast(9))
    isIntact = read == Self.sum(of: text)
  }

  /// The line of a text, with its end.
  static func bytes(of text: [UInt8]) -> [UInt8] {
    let digits = String(sum(of: text), radix: 16)
    let zeros = String(repeating: "0", count: 8 - digits.count)
    return text + Array(" \(zeros)\(digits)\n".utf8)
  }

  /// CRC-32, as in RFC 1952, section 8.
  static func sum(of bytes: [UInt8]) -> UInt32 {
    let table = table
    var sum = ~UInt32(0)
    for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
    return ~sum
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
  }
}
