import Brotli
import Gzip
import HTTP

/// A text that is written piece by piece, compressed or as it is.
final class PackedText {
  private enum Form {
    case plain([UInt8])
    case gzip(GzipEncoder)
    case brotli(BrotliEncoder)
  }

  /// From how many bytes on it pays to compress a text for one answer.
  static let least = 2048
  /// As many bytes are compressed in the time of a step.
  static let bytesAStep = 2

  private var form: Form

  /// Nil if the library of the coding lacks memory.
  init?(_ coding: ContentCoding) {
    let form: Form? =
      switch coding {
      case .identity: .plain([])
      case .gzip: GzipEncoder(.usual).map(Form.gzip)
      case .brotli: BrotliEncoder(.usual).map(Form.brotli)
      }
    guard let form else { return nil }
    self.form = form
  }

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
