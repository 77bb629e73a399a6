import CBrotliDecoder

extension [UInt8] {
  /// The bytes that Brotli (RFC 7932) compressed to these; nil where these can't be read, or were
  /// made from more.
  package func readAsBrotli(atMost maximum: Int = 4 << 20) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: maximum)
    var count = bytes.count
    let result = BrotliDecoderDecompress(self.count, self, &count, &bytes)
    return result == BROTLI_DECODER_RESULT_SUCCESS ? Array(bytes.prefix(count)) : nil
  }
}
