import Brotli
import Gzip

/// A text that is written piece by piece, compressed or as it is.
final class PackedText {
  enum Form {
    case plain([UInt8])
    case gzip(GzipEncoder)
    case brotli(BrotliEncoder)
  }

  private var form: Form

  init(_ form: Form) { self.form = form }

  func append(_ piece: [UInt8]) {
    switch form {
    case .plain(var bytes):
      // The only reference to them, or every piece would copy all before it.
      form = .plain([])
      bytes += piece
      form = .plain(bytes)
    case .gzip(let encoder): encoder.append(piece)
    case .brotli(let encoder): encoder.append(piece)
    }
  }

  func append(_ piece: String) { append(Array(piece.utf8)) }

  /// All of it; nil where it could not be compressed.
  func finish() -> [UInt8]? {
    switch form {
    case .plain(let bytes): bytes
    case .gzip(let encoder): encoder.finish()
    case .brotli(let encoder): encoder.finish()
    }
  }
}
