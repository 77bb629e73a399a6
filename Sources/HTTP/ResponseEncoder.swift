/// Writes responses as bytes (RFC 9112 §4 to §7), and delimits their bodies.
package struct ResponseEncoder: Sendable {
  /// The method of the request; nil when that was refused before its method was known.
  package var method: Method?
  package var version: HTTPVersion
  /// Whether the connection may be used again. Otherwise the response says `Connection: close`.
  package var keepsAlive: Bool

  package init(method: Method?, version: HTTPVersion, keepsAlive: Bool) {
    self.method = method
    self.version = version
    self.keepsAlive = keepsAlive
  }

  package static let `continue` = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
  package static let lastChunk = Array("0\r\n\r\n".utf8)

  /// A response whose body is whole, in two parts that are sent one after the other, so that a
  /// large body is not copied behind its head.
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

  /// One piece of a streamed body. Empty for an empty piece, whose chunk would end the body.
  package func piece(_ bytes: [UInt8]) -> [UInt8] {
    version == .http11 ? ResponseEncoder.chunk(bytes) : bytes
  }

  /// A piece as a client of HTTP/1.1 gets it.
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

  /// Up to this many bytes, to copy a body costs less than to send a second part.
  private static let inlineBody = 16384

  /// More bytes than the lines take together that every head has.
  private static let usualHead = 320

  private func common(_ response: Response, date: String, extra: Int) -> [UInt8] {
    // A span copies nothing, so that no references are counted.
    let fields = response.fields.all.span
    var size = ResponseEncoder.usualHead + extra
    for index in fields.indices {
      size += fields[index].name.description.utf8.count + fields[index].value.utf8.count + 4
    }
    var lines = [UInt8](unsafeUninitializedCapacity: size) { room, count in
      // There is room: to append to an array takes four times as long as this.
      func add(_ text: String) {
        text.utf8.span.withUnsafeBufferPointer { text in
          let end = count + text.count
          _ = UnsafeMutableBufferPointer(rebasing: room[count..<end]).update(fromContentsOf: text)
          count = end
        }
      }
      add(response.status.line)
      add(date)
      add("\r\n")
      for index in fields.indices where !fields[index].name.isWrittenByEncoder {
        add(fields[index].name.description)
        add(": ")
        add(fields[index].value)
        add("\r\n")
      }
    }
    if !keepsAlive {
      lines.append("Connection: close\r\n")
    } else if version == .http10 {
      lines.append("Connection: keep-alive\r\n")
    }
    return lines
  }
}

extension FieldName {
  fileprivate var isWrittenByEncoder: Bool {
    self == .contentLength || self == .transferEncoding || self == .connection || self == .date
  }
}

extension [UInt8] {
  /// Appends a text as one block of memory: its UTF-8 view takes three times as long.
  fileprivate mutating func append(_ text: String) {
    text.utf8.span.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
