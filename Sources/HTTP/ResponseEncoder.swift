/// Writes responses as bytes (RFC 9112 §4 to §7): it alone says how a body is delimited.
package struct ResponseEncoder: Sendable {
  /// Of the request that is answered; nil when it was refused before its method was known.
  package var method: Method?
  package var version: Version
  /// Whether the connection may be used again. It says `Connection: close` otherwise.
  package var keepsAlive: Bool

  package init(method: Method?, version: Version, keepsAlive: Bool) {
    self.method = method
    self.version = version
    self.keepsAlive = keepsAlive
  }

  package static let `continue` = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
  /// Ends a chunked body.
  package static let lastChunk = Array("0\r\n\r\n".utf8)

  /// A response whose body is whole, in two parts that are sent one after the other, so that a
  /// large body need not be copied behind its head.
  ///
  /// - Parameter date: as `HTTPDate` writes it.
  package func whole(_ response: Response, date: String) -> (first: [UInt8], rest: [UInt8]) {
    let body = sendsBody(response.status) ? response.body : []
    let isInline = body.count <= ResponseEncoder.inlineBody
    var lines = common(response, date: date, extra: isInline ? body.count : 0)
    if !response.status.hasNoBody {
      lines.append("Content-Length: ")
      lines.append(String(response.body.count))
      lines.append("\r\n")
    }
    lines.append("\r\n")
    guard isInline else { return (lines, body) }
    lines.append(contentsOf: body)
    return (lines, [])
  }

  /// The head of a response whose body comes piece by piece: in chunks, or to a client of HTTP/1.0
  /// until the connection ends, for which `keepsAlive` must be false.
  package func streamHead(of response: Response, date: String) -> [UInt8] {
    var lines = common(response, date: date, extra: response.body.count + 12)
    if !response.status.hasNoBody, version == .http11 {
      lines.append("Transfer-Encoding: chunked\r\n")
    }
    lines.append("\r\n")
    return lines
  }

  /// Whether a body follows the head: not to HEAD, nor after 204 and 304 (RFC 9112 §6.3).
  package func sendsBody(_ status: Status) -> Bool {
    method != .head && !status.hasNoBody
  }

  /// One piece of a streamed body. Nothing for no bytes, which would end the body.
  package func piece(_ bytes: [UInt8]) -> [UInt8] {
    version == .http11 ? ResponseEncoder.chunk(bytes) : bytes
  }

  /// A piece as every client of HTTP/1.1 gets it.
  package static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    var chunk: [UInt8] = []
    chunk.reserveCapacity(bytes.count + 12)
    chunk.append(String(bytes.count, radix: 16))
    chunk.append("\r\n")
    chunk.append(contentsOf: bytes)
    chunk.append("\r\n")
    return chunk
  }

  /// Up to this many bytes, copying a body costs less than a second piece to send.
  private static let inlineBody = 16384

  /// About how many bytes a head takes.
  private static let usualHead = 320

  private func common(_ response: Response, date: String, extra: Int) -> [UInt8] {
    var lines: [UInt8] = []
    // Of a span nothing is copied, so that no references are counted.
    let fields = response.fields.all.span
    lines.reserveCapacity(ResponseEncoder.usualHead + extra)
    lines.append("HTTP/1.1 ")
    lines.append(String(response.status.code))
    lines.append(ASCII.space)
    lines.append(response.status.reason)
    lines.append("\r\nDate: ")
    lines.append(date)
    lines.append("\r\n")
    for place in fields.indices { fields[place].write(to: &lines) }
    if !keepsAlive {
      lines.append("Connection: close\r\n")
    } else if version == .http10 {
      lines.append("Connection: keep-alive\r\n")
    }
    return lines
  }
}

extension Fields.Field {
  /// Writes its line, but for a field that the encoder alone says.
  fileprivate func write(to lines: inout [UInt8]) {
    guard
      name != .contentLength && name != .transferEncoding && name != .connection && name != .date
    else { return }
    lines.append(name.description)
    lines.append(": ")
    lines.append(value)
    lines.append("\r\n")
  }
}

extension [UInt8] {
  /// Appends a text as one block of memory: through its UTF-8 view it takes three times as long.
  fileprivate mutating func append(_ text: String) {
    text.utf8.span.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
