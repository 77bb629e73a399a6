/// Reads a TZif file (RFC 9636 §3): a header and a block of 32-bit data. From version 2 on, a
/// second header, a block of 64-bit data and a footer follow, and only these count.
struct TZifReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func table() throws(ZoneError) -> ZoneTable {
    let header = try header()
    guard header.version != 0 else {
      return try block(header, timeSize: 4)
    }
    // A file of a later version is read like one of the latest known version. No version is before
    // `2`.
    guard header.version >= UInt8(ascii: "2") else { throw .notTZif }
    try skip(header.blockSize(timeSize: 4))
    var table = try block(try self.header(), timeSize: 8)
    table.rule = try footer()
    return table
  }

  /// RFC 9636 §3.1.
  private struct Header {
    var version: UInt8 = 0
    var utIndicators: Int64 = 0
    var standardIndicators: Int64 = 0
    var leapSeconds: Int64 = 0
    var changes: Int64 = 0
    var types: Int64 = 0
    var designationBytes: Int64 = 0

    /// How many bytes of data follow. The counts are of 32 bits, so nothing can overflow here.
    func blockSize(timeSize: Int64) -> Int64 {
      changes * (timeSize + 1) + types * 6 + designationBytes + leapSeconds * (timeSize + 4)
        + standardIndicators + utIndicators
    }
  }

  private mutating func header() throws(ZoneError) -> Header {
    guard try number(size: 4) == 0x545A_6966 else { throw .notTZif }  // "TZif"
    var header = Header()
    header.version = try byte()
    try skip(15)
    header.utIndicators = try count()
    header.standardIndicators = try count()
    header.leapSeconds = try count()
    header.changes = try count()
    header.types = try count()
    header.designationBytes = try count()
    return header
  }

  /// RFC 9636 §3.2, in its order: times of change, their types, and the types. The reader skips the
  /// designations and the rest.
  private mutating func block(_ header: Header, timeSize: Int64) throws(ZoneError) -> ZoneTable {
    guard header.leapSeconds == 0 else { throw .leapSeconds }
    guard header.types > 0, header.types <= 256, header.designationBytes > 0,
      header.standardIndicators == 0 || header.standardIndicators == header.types,
      header.utIndicators == 0 || header.utIndicators == header.types
    else { throw .invalidCounts }
    let end = Int64(position) + header.blockSize(timeSize: timeSize)
    guard end <= Int64(bytes.count) else { throw .truncated }

    var changes: [Int64] = []
    for _ in 0..<header.changes {
      let change = try number(size: timeSize)
      guard change >= -(1 << 59), change <= 1 << 59, change > changes.last ?? .min else {
        throw .invalidChange
      }
      changes.append(change)
    }
    var typesOfChanges: [Int] = []
    for _ in 0..<header.changes { typesOfChanges.append(Int(try byte())) }

    var offsetsOfTypes: [Int32] = []
    for _ in 0..<header.types {
      let offset = try number(size: 4)
      guard ZoneSpan.offsets.contains(offset) else { throw .invalidOffset }
      offsetsOfTypes.append(Int32(truncatingIfNeeded: offset))
      try skip(2)
    }

    // Before the first change, the first type holds (RFC 9636 §3.2).
    var offsets = [offsetsOfTypes[0]]
    for type in typesOfChanges {
      guard type < offsetsOfTypes.count else { throw .invalidType }
      offsets.append(offsetsOfTypes[type])
    }
    position = Int(end)
    return ZoneTable(changes: changes, offsets: offsets, rule: nil)
  }

  /// RFC 9636 §3.3: a TZ string between line feeds; nil where it is empty.
  private mutating func footer() throws(ZoneError) -> YearlyRule? {
    let lineFeed = UInt8(ascii: "\n")
    guard try byte() == lineFeed else { throw .invalidRule }
    guard let end = bytes[position...].firstIndex(of: lineFeed) else { throw .truncated }
    let text = bytes[position..<end]
    guard !text.isEmpty else { return nil }
    guard let rule = YearlyRule(utf8: text) else { throw .invalidRule }
    return rule
  }

  private mutating func byte() throws(ZoneError) -> UInt8 {
    guard position < bytes.count else { throw .truncated }
    defer { position += 1 }
    return bytes[position]
  }

  /// A signed big-endian number of four or eight bytes.
  private mutating func number(size: Int64) throws(ZoneError) -> Int64 {
    var value = Int64(Int8(bitPattern: try byte()))
    for _ in 1..<size { value = value << 8 | Int64(try byte()) }
    return value
  }

  /// An unsigned big-endian number of four bytes.
  private mutating func count() throws(ZoneError) -> Int64 {
    try number(size: 4) & 0xFFFF_FFFF
  }

  private mutating func skip(_ count: Int64) throws(ZoneError) {
    guard count <= Int64(bytes.count - position) else { throw .truncated }
    position += Int(count)
  }
}
