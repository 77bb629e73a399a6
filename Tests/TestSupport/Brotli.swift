import CBrotliDecoder

extension [UInt8] {
  /// What was compressed with Brotli (RFC 7932) to these bytes; nil where that can't be read, or is
  /// longer.
  package func readAsBrotli(atMost maximum: Int = 4 << 20) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: maximum)
    var count = bytes.count
    let result = BrotliDecoderDecompress(self.count, self, &count, &bytes)
    return result == BROTLI_DECODER_RESULT_SUCCESS ? Array(bytes.prefix(count)) : nil
  }
}
