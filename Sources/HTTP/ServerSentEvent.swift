/// Writes `text/event-stream` (WHATWG HTML §9.2).
package enum ServerSentEvent {
  /// A block of fields, with the empty line that ends it. Nil is a field that the block lacks. To a
  /// client a block without data is no event.
  ///
  /// - Parameters:
  ///   - type: the name that a client listens for.
  ///   - id: a client sends it as `Last-Event-ID` when it connects again.
  ///   - comment: clients ignore it. It shows both ends that the connection still lives.
  package static func block(
    type: String? = nil, data: String? = nil, id: String? = nil, comment: String? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let fields = [("", comment), ("id", id), ("event", type), ("data", data)]
    for case (let name, let value?) in fields {
      // After a line end the value goes on in another line of the same field.
      for line in lines(value) {
        bytes.append(contentsOf: name.utf8)
        bytes.append(ASCII.colon)
        if !line.isEmpty { bytes.append(ASCII.space) }
        bytes.append(contentsOf: line)
        bytes.append(ASCII.lineFeed)
      }
    }
    bytes.append(ASCII.lineFeed)
    return bytes
  }

  /// The text cut where a client sees a line end: at CR LF, LF or CR.
  private static func lines(_ text: String) -> [Substring.UTF8View] {
    var text = text
    if text.utf8.contains(ASCII.carriageReturn) {
      text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    }
    return text.utf8.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
  }
}
