/// One block of a `text/event-stream` (WHATWG HTML §9.2).
package struct ServerSentEvent: Sendable, Equatable {
  /// The `event:` that a client listens for.
  package var type: String?
  /// Nil: the block carries no data, and the client gets no event. Empty: an event with empty data.
  package var data: String?
  /// The value that a client sends as `Last-Event-ID` when it connects again.
  package var id: String?

  package init(type: String? = nil, data: String? = nil, id: String? = nil) {
    self.type = type
    self.data = data
    self.id = id
  }

  /// The block with the empty line that ends it.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    if let id {
      // NB: a client ignores an id that holds NUL.
      ServerSentEvent.append(
        "id", id.utf8.filter { $0 != 0 && !ServerSentEvent.isBreak($0) }, &bytes)
    }
    if let type {
      ServerSentEvent.append("event", type.utf8.filter { !ServerSentEvent.isBreak($0) }, &bytes)
    }
    if let data {
      for line in ServerSentEvent.lines(data) { ServerSentEvent.append("data", line, &bytes) }
    }
    bytes.append(ASCII.lineFeed)
    return bytes
  }

  /// A comment, which clients ignore: it shows both ends that the connection still lives.
  package static func comment(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in lines(text) { append("", line, &bytes) }
    bytes.append(ASCII.lineFeed)
    return bytes
  }

  private static func append(
    _ field: String, _ value: some Collection<UInt8>, _ bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: field.utf8)
    bytes.append(ASCII.colon)
    if !value.isEmpty {
      bytes.append(ASCII.space)
      bytes.append(contentsOf: value)
    }
    bytes.append(ASCII.lineFeed)
  }

  /// The text cut where a client sees a line end: at CR LF, LF or CR.
  private static func lines(_ text: String) -> [Substring.UTF8View] {
    var text = text
    if text.utf8.contains(ASCII.carriageReturn) {
      text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
    return text.utf8.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
  }

  private static func isBreak(_ byte: UInt8) -> Bool {
    byte == ASCII.lineFeed || byte == ASCII.carriageReturn
  }
}
