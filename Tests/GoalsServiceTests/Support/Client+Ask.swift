import HTTPServer
import HTTPTestSupport

extension Client {
  /// The status and body of the answer to one request, on a connection of its own.
  ///
  /// - Parameter text: the method and target, then fields, then an empty line and the body.
  static func ask(_ text: String, at address: ListenAddress) throws -> (status: Int, body: String) {
    let client = try Client(address)
    client.send(request(text))
    return try answer(client.rest())
  }

  static func request(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let fields = lines.dropFirst().prefix { !$0.isEmpty }
    let body = lines.dropFirst(fields.count + 2).joined(separator: "\n")
    let head =
      ["\(lines[0]) HTTP/1.1", "Host: x", "Connection: close"] + fields.map(String.init)
      + (body.isEmpty
        ? [] : ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"])
    return head.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  static func answer(_ text: String) throws -> (status: Int, body: String) {
    guard let status = Int(text.dropFirst(9).prefix(3)),
      let end = text.firstRange(of: "\r\n\r\n")
    else { throw Failed("no answer: \(text)") }
    return (status, String(text[end.upperBound...]))
  }
}
