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
      lines.append(contentsOf: "Content-Length: ".utf8)
      lines.append(contentsOf: String(response.body.count).utf8)
      lines.append(contentsOf: "\r\n".utf8)
    }
    lines.append(contentsOf: "\r\n".utf8)
    guard isInline else { return (lines, body) }
    lines.append(contentsOf: body)
    return (lines, [])
  }

  /// The head of a response whose body comes piece by piece: in chunks, or to a client of HTTP/1.0
  /// until the connection ends, for which `keepsAlive` must be false.
  package func streamHead(of response: Response, date: String) -> [UInt8] {
    var lines = common(response, date: date, extra: response.body.count + 12)
    if !response.status.hasNoBody, version == .http11 {
      lines.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
    }
    lines.append(contentsOf: "\r\n".utf8)
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
    chunk.append(contentsOf: String(bytes.count, radix: 16).utf8)
    chunk.append(contentsOf: "\r\n".utf8)
    chunk.append(contentsOf: bytes)
    chunk.append(contentsOf: "\r\n".utf8)
    return chunk
  }

  /// Up to this many bytes, copying a body costs less than a second piece to send.
  private static let inlineBody = 16384

  private func common(_ response: Response, date: String, extra: Int) -> [UInt8] {
    var lines: [UInt8] = []
    let fields = response.fields.all
    lines.reserveCapacity(
      fields.indices.reduce(160 + extra) {
        $0 + fields[$1].name.description.utf8.count + fields[$1].value.utf8.count + 4
      })
    lines.append(contentsOf: "HTTP/1.1 ".utf8)
    lines.append(contentsOf: String(response.status.code).utf8)
    lines.append(ASCII.space)
    lines.append(contentsOf: response.status.reason.utf8)
    lines.append(contentsOf: "\r\nDate: ".utf8)
    lines.append(contentsOf: date.utf8)
    lines.append(contentsOf: "\r\n".utf8)
    for place in fields.indices where !ResponseEncoder.isOwn(fields[place].name) {
      lines.append(contentsOf: fields[place].name.description.utf8)
      lines.append(ASCII.colon)
      lines.append(ASCII.space)
      lines.append(contentsOf: fields[place].value.utf8)
      lines.append(contentsOf: "\r\n".utf8)
    }
    if !keepsAlive {
      lines.append(contentsOf: "Connection: close\r\n".utf8)
    } else if version == .http10 {
      lines.append(contentsOf: "Connection: keep-alive\r\n".utf8)
    }
    return lines
  }

  private static func isOwn(_ name: FieldName) -> Bool {
    name == .contentLength || name == .transferEncoding || name == .connection || name == .date
  }
}
