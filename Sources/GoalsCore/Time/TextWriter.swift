/// Writes a short text forwards, as `TextReader` reads it, into room that holds all of it.
struct TextWriter {
  private let room: UnsafeMutableRawBufferPointer
  private var position = 0

  init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

  /// Writes an ASCII character.
  mutating func write(_ character: Unicode.Scalar) {
    room[position] = UInt8(ascii: character)
    position += 1
  }

  /// Writes a number from 0 to 99 in two digits.
  mutating func write(twoDigits value: Int64) {
    write(digit: value / 10)
    write(digit: value % 10)
  }

  /// Writes a number from 0 to 9.
  mutating func write(digit value: Int64) {
    room[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)
    position += 1
  }
}

extension String {
  /// A text of `count` ASCII characters, which `write` writes into the room.
  init(count: Int, writtenBy write: (UnsafeMutableRawBufferPointer) -> Void) {
    self.init(unsafeUninitializedCapacity: count) { room in
      write(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[..<count]))
      return count
    }
  }
}
