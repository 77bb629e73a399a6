import Gzip

/// A text that is written piece by piece, compressed or as it is.
final class PackedText {
  private var bytes: [UInt8] = []
  private let encoder: GzipEncoder?

  /// Nil where it can't be compressed.
  init?(isCompressed: Bool) {
    encoder = isCompressed ? GzipEncoder(.usual) : nil
    if isCompressed, encoder == nil { return nil }
  }

  func append(_ piece: [UInt8]) {
    if let encoder { encoder.append(piece) } else { bytes += piece }
  }

  func append(_ piece: String) { append(Array(piece.utf8)) }

  /// All of it; nil where it could not be compressed.
  func finish() -> [UInt8]? {
    guard let encoder else { return bytes }
    return encoder.finish()
  }
}
