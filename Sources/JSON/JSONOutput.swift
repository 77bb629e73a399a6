/// Bytes that grow at their end.
///
/// It owns its memory. An `Array` checks at each append whether it is shared, and that was half of
/// the time of writing.
struct JSONOutput: ~Copyable {
  private var start: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    start = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit { start.deallocate() }

  var bytes: [UInt8] { Array(UnsafeRawBufferPointer(start: start, count: count)) }

  mutating func append(_ byte: UInt8) {
    makeRoom(for: 1)
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    makeRoom(for: bytes.count)
    (start + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends `bytes` in quotes, after a comma where `behindComma`.
  mutating func appendQuoted(_ bytes: UnsafeRawBufferPointer, behindComma: Bool) {
    appendQuoted(count: bytes.count, behindComma: behindComma) { $0.copyMemory(from: bytes) }
  }

  /// Appends `length` bytes in quotes, which `write` writes into the room, after a comma where
  /// `behindComma`.
  @inline(__always)
  mutating func appendQuoted(
    count length: Int, behindComma: Bool, _ write: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    makeRoom(for: length + 3)
    var end = start + count
    if behindComma {
      end.storeBytes(of: .comma, as: UInt8.self)
      end += 1
    }
    end.storeBytes(of: .quote, as: UInt8.self)
    end += 1
    write(UnsafeMutableRawBufferPointer(start: end, count: length))
    end += length
    end.storeBytes(of: .quote, as: UInt8.self)
    count = end + 1 - start
  }

  /// Forgets the bytes and keeps the room.
  mutating func removeAll() { count = 0 }

  private mutating func makeRoom(for amount: Int) {
    if capacity - count < amount { grow(by: amount) }
  }

  @inline(never)
  private mutating func grow(by amount: Int) {
    let larger = max(count + amount, 2 * capacity)
    let room = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 8)
    room.copyMemory(from: start, byteCount: count)
    start.deallocate()
    (start, capacity) = (room, larger)
  }
}
