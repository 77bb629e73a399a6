/// An answer: its status, fields and body.
///
/// The encoder writes `Content-Length`, `Transfer-Encoding`, `Date` and `Connection` itself. Of
/// these fields it heeds only a `Connection: close` that is given here.
package struct Response: Sendable, Equatable {
  package var status: Status
  package var fields: Fields
  package var body: [UInt8]

  package init(_ status: Status, fields: Fields = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// An answer with a text of this media type.
  package init(_ status: Status, text: String, type: String = "text/plain; charset=utf-8") {
    self.init(status, fields: [.contentType: type], body: Array(text.utf8))
  }
}
