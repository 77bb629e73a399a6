import CZlib

/// Compresses bytes in the format of gzip (RFC 1952), piece by piece. The same pieces make the same
/// bytes, whenever and wherever.
package final class GzipEncoder {
  /// How much time is spent on a small result, as zlib counts it (zlib.h, "compression levels").
  package enum Effort: Int32, Sendable {
    /// For what is made for one answer.
    case usual = 6
    /// For what is kept.
    case best = 9
  }

  /// zlib keeps the address, so it must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private var output: [UInt8] = []
  private var room = [UInt8](repeating: 0, count: 16_384)

  /// Nil where zlib lacks memory.
  package init?(_ effort: Effort) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard czlib_begin_gzip(stream, effort.rawValue) == Z_OK else {
      stream.deallocate()
      return nil
    }
    self.stream = stream
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses a piece.
  package func append(_ piece: [UInt8]) {
    var rest = piece[...]
    // zlib counts the bytes of one call with 32 bits.
    while !rest.isEmpty {
      let part = rest.prefix(1 << 30)
      _ = run(part, Z_NO_FLUSH)
      rest = rest.dropFirst(part.count)
    }
  }

  /// All pieces, compressed; nil where zlib failed. Nothing may be appended after it.
  package func finish() -> [UInt8]? { run([], Z_FINISH) == Z_STREAM_END ? output : nil }

  /// All of these bytes, compressed; nil where zlib failed.
  package static func compress(_ bytes: [UInt8], _ effort: Effort) -> [UInt8]? {
    guard let encoder = GzipEncoder(effort) else { return nil }
    encoder.append(bytes)
    return encoder.finish()
  }

  /// Answers what zlib answered last.
  private func run(_ bytes: ArraySlice<UInt8>, _ flush: Int32) -> Int32 {
    var result = Z_OK
    bytes.withUnsafeBufferPointer { input in
      // zlib only reads from there.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        room.withUnsafeMutableBufferPointer { room in
          stream.pointee.next_out = room.baseAddress
          stream.pointee.avail_out = UInt32(room.count)
          result = deflate(stream, flush)
        }
        // A slice: `dropLast` would be that of sequences, which goes through the room byte by byte.
        output += room[..<(room.count - Int(stream.pointee.avail_out))]
      } while stream.pointee.avail_out == 0
    }
    return result
  }
}
