/// The type of a value that goes to a server or comes from there, in PostgreSQL's binary format.
package enum ColumnType: Equatable, Sendable {
  case bool, bytea, bigint, smallint, text, uuid

  /// The number of the type in PostgreSQL's catalogue (pg_type.dat).
  var number: UInt32 {
    switch self {
    case .bool: 16
    case .bytea: 17
    case .bigint: 20
    case .smallint: 21
    case .text: 25
    case .uuid: 2950
    }
  }

  var arrayNumber: UInt32 {
    switch self {
    case .bool: 1000
    case .bytea: 1001
    case .bigint: 1016
    case .smallint: 1005
    case .text: 1009
    case .uuid: 2951
    }
  }
}

/// The 128 bits of a UUID.
package struct UUIDBits: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// The values of a statement's parameters, in order, as they go over the wire. An array is a value
/// of its own, and what is added in its closure are its elements.
///
/// The server checks that each is of its parameter's type. What it can't see, an element of another
/// type than its array's or a value of 2 GiB, is refused as a `.defect` when it is sent.
package struct Parameters: Sendable {
  /// Each value with its length before it (32 bits, big-endian; -1: null): as in the Bind message
  /// (postgresql.org/docs/15/protocol-message-formats.html), and as in an array (array_send).
  private var bytes: [UInt8] = []
  /// How many values there are: of the array while one is filled.
  private(set) var count = 0
  private var hasNull = false
  private var elements: ColumnType?
  private(set) var fault: String?

  package init() {}

  package mutating func add(_ bigint: Int64) {
    begin(.bigint, length: 8)
    append(UInt64(bitPattern: bigint))
  }

  package mutating func add(smallint: Int16) {
    begin(.smallint, length: 2)
    append(UInt16(bitPattern: smallint))
  }

  package mutating func add(_ bool: Bool) {
    begin(.bool, length: 1)
    bytes.append(bool ? 1 : 0)
  }

  package mutating func add(_ uuid: UUIDBits) {
    begin(.uuid, length: 16)
    append(uuid.high)
    append(uuid.low)
  }

  /// PostgreSQL has no text with a NUL in it; the server refuses it.
  package mutating func add(_ text: String) {
    begin(.text, length: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// - Parameter text: UTF-8; the server checks it.
  package mutating func add(text: Span<UInt8>) {
    begin(.text, length: text.count)
    text.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  package mutating func add(bytea: Span<UInt8>) {
    begin(.bytea, length: bytea.count)
    bytea.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// A null, of whatever type.
  package mutating func addNull() {
    hasNull = true
    count += 1
    append(UInt32.max)
  }

  /// An array of one dimension.
  package mutating func add(arrayOf type: ColumnType, _ fill: (inout Parameters) -> Void) {
    guard elements == nil else {
      fault = "an array in an array"
      return
    }
    let before = (count, hasNull)
    let start = bytes.count
    // Its length, and then: dimensions, whether there are nulls, type, count, the first's index.
    for word in [0, 1, 0, type.number, 0, 1] as [UInt32] { append(word) }
    (count, hasNull, elements) = (0, false, type)
    fill(&self)
    if count == 0 {
      // An empty array has no dimension.
      put(0, at: start + 4)
      bytes.removeLast(8)
    } else {
      put(UInt32(hasNull ? 1 : 0), at: start + 8)
      put(length(count), at: start + 16)
    }
    put(length(bytes.count - start - 4), at: start)
    (count, hasNull, elements) = (before.0 + 1, before.1, nil)
  }

  private mutating func begin(_ type: ColumnType, length: Int) {
    if let elements, elements != type { fault = "\(type) in an array of \(elements)" }
    count += 1
    append(self.length(length))
  }

  private mutating func length(_ count: Int) -> UInt32 {
    guard let length = Int32(exactly: count) else {
      fault = "a value of \(count) bytes"
      return 0
    }
    return UInt32(length)
  }

  private mutating func append(_ word: some FixedWidthInteger) {
    withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func put(_ word: UInt32, at offset: Int) {
    withUnsafeBytes(of: word.bigEndian) { word in
      for (index, byte) in word.enumerated() { bytes[offset + index] = byte }
    }
  }

  /// Shows, of each value, where it is (nil: null) and how long.
  func withPointers<Result>(
    _ body: ([UnsafePointer<CChar>?], [Int32]) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      var pointers: [UnsafePointer<CChar>?] = []
      var lengths: [Int32] = []
      pointers.reserveCapacity(count)
      lengths.reserveCapacity(count)
      var offset = 0
      while offset < bytes.count, let base = bytes.baseAddress {
        let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
        offset += 4
        pointers.append(length < 0 ? nil : (base + offset).assumingMemoryBound(to: CChar.self))
        lengths.append(max(0, length))
        offset += Int(max(0, length))
      }
      return body(pointers, lengths)
    }
  }
}
