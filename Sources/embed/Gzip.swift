import CZlib

/// Bytes in the format of gzip (RFC 1952): the same for the same ones, whenever and wherever.
package enum Gzip {
  package static func compress(_ bytes: [UInt8]) throws(Embedding.Fault) -> [UInt8] {
    var stream = z_stream()
    guard let length = UInt32(exactly: bytes.count), czlib_begin_gzip(&stream) == Z_OK else {
      throw Embedding.Fault(description: "zlib does not begin")
    }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(length))))
    let result = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = length
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard result == Z_STREAM_END else { throw Embedding.Fault(description: "zlib does not end") }
    return Array(output.prefix(Int(stream.total_out)))
  }
}
