import HTTP
import JSON

/// A response as the client reads it from the wire.
struct Answer: Sendable {
  struct Unexpected: Error {
    let what: String

    init(_ what: String) { self.what = what }
  }

  let status: Int
  /// Every line of the head, but for the request's name, which is another each time.
  let head: [String]
  let requestID: String?
  let body: String

  init(_ response: Response, to method: Method) throws {
    let encoder = ResponseEncoder(method: method, version: .http11, keepsAlive: true)
    let (first, rest) = encoder.whole(response, date: "Fri, 20 Nov 2026 12:00:00 GMT")
    let text = String(decoding: first + rest, as: UTF8.self)
    guard let end = text.firstRange(of: "\r\n\r\n") else { throw Unexpected("no end of the head") }
    status = response.status.code
    let lines = text[..<end.lowerBound].split(separator: "\r\n").map(String.init)
    let name = "X-Request-Id: "
    head = lines.filter { !$0.hasPrefix(name) }
    requestID = lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
    body = String(text[end.upperBound...])
  }

  /// The value of a header field; nil where it is missing or there twice.
  func field(_ name: String) -> String? {
    let values = fields(name)
    return values.count == 1 ? values[0] : nil
  }

  /// The values of a header field, in order.
  func fields(_ name: String) -> [String] {
    head.filter { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }

  var etag: String? { field("ETag") }

  /// The JSON text of the value at a pointer, without white space; nil where there is none.
  subscript(pointer: String) -> String? {
    document.flatMap { Self.value(at: pointer, in: $0.root) }.map(Self.text)
  }

  /// The string at a pointer.
  func string(_ pointer: String) -> String? {
    document.flatMap { Self.value(at: pointer, in: $0.root) }?.string.map { String($0) }
  }

  private var document: JSONDocument? { try? JSONDocument(parsing: Array(body.utf8)) }

  private static func value(at pointer: String, in root: JSONValue) -> JSONValue? {
    var value: JSONValue? = root
    for token in pointer.split(separator: "/") {
      if let index = Int(token), let elements = value?.elements {
        value = Array(elements).indices.contains(index) ? Array(elements)[index] : nil
      } else {
        value = value?.members?.first { String($0.name) == token }?.value
      }
    }
    return value
  }

  private static func text(of value: JSONValue) -> String {
    var json = JSONWriter()
    json.value(value)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// Of a problem.
  var code: String? { string("/code") }

  /// Where a problem's faults are.
  var pointers: [String] { list("/errors", "/pointer") }

  /// The strings at a pointer within each element of an array.
  func list(_ array: String, _ pointer: String) -> [String] {
    let elements = document.flatMap { Self.value(at: array, in: $0.root)?.elements }
    return elements?.map { element in
      let value = Self.value(at: pointer, in: element)
      return value?.string.map { String($0) } ?? value.map(Self.text) ?? "-"
    } ?? []
  }
}
