import CBrotli

/// Compresses bytes in the format of Brotli (RFC 7932), piece by piece. The same pieces make the
/// same bytes, whenever and wherever.
package final class BrotliEncoder {
  /// How much time and memory is spent on a small result, as the library counts it
  /// (brotli/encode.h, `BrotliEncoderParameter`).
  package enum Effort: Sendable {
    /// For what is made for one answer: less than 2 MB of memory, and about the time of gzip.
    case usual
    /// For what is kept.
    case best

    fileprivate var quality: UInt32 {
      switch self {
      case .usual: 8
      case .best: UInt32(BROTLI_MAX_QUALITY)
      }
    }

    /// How far back the same bytes are found, as a power of two.
    fileprivate var windowBits: UInt32 {
      switch self {
      case .usual: 16
      case .best: UInt32(BROTLI_DEFAULT_WINDOW)
      }
    }

    /// How many of the smallest distances have a symbol of their own (RFC 7932, section 4). In
    /// WebAssembly code repeats at a distance of some bytes: with 8 the page's engine takes 383
    /// bytes less of 163,780, and its scripts 16 more of 34,127.
    fileprivate var directDistances: UInt32 {
      switch self {
      case .usual: 0
      case .best: 8
      }
    }
  }

  private let state: OpaquePointer
  private var output: [UInt8] = []

  /// Nil where the library lacks memory.
  package init?(_ effort: Effort) {
    guard let state = BrotliEncoderCreateInstance(nil, nil, nil) else { return nil }
    self.state = state
    BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, effort.quality)
    BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, effort.windowBits)
    BrotliEncoderSetParameter(state, BROTLI_PARAM_NDIRECT, effort.directDistances)
  }

  deinit { BrotliEncoderDestroyInstance(state) }

  /// Compresses a piece.
  package func append(_ piece: [UInt8]) { run(piece, BROTLI_OPERATION_PROCESS) }

  /// All pieces, compressed; nil where the library failed. Nothing may be appended after it.
  package func finish() -> [UInt8]? {
    run([], BROTLI_OPERATION_FINISH)
    return BrotliEncoderIsFinished(state) == BROTLI_TRUE ? output : nil
  }

  /// All of these bytes, compressed; nil where the library failed.
  package static func compress(_ bytes: [UInt8], _ effort: Effort) -> [UInt8]? {
    guard let encoder = BrotliEncoder(effort) else { return nil }
    encoder.append(bytes)
    return encoder.finish()
  }

  /// Goes on until all bytes are taken and nothing is left to put out. After a failure the encoder
  /// takes nothing more, and never becomes finished.
  private func run(_ bytes: [UInt8], _ operation: BrotliEncoderOperation) {
    bytes.withUnsafeBufferPointer { input in
      var next = input.baseAddress
      var left = input.count
      var room = 0
      repeat {
        guard
          BrotliEncoderCompressStream(state, operation, &left, &next, &room, nil, nil)
            == BROTLI_TRUE
        else { return }
        takeOutput()
      } while left > 0 || BrotliEncoderHasMoreOutput(state) == BROTLI_TRUE
    }
  }

  private func takeOutput() {
    var count = 0
    while let bytes = BrotliEncoderTakeOutput(state, &count), count > 0 {
      output += UnsafeBufferPointer(start: bytes, count: count)
      count = 0
    }
  }
}
