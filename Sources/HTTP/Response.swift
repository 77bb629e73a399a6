/// An answer: its status, fields and body.
///
/// How the body is delimited, `Date` and `Connection` are the encoder's to say: `Content-Length`,
/// `Transfer-Encoding` and `Date` given here are not sent, and of `Connection` only that it holds
/// `close` counts.
package struct Response: Sendable, Equatable {
  package var status: Status
  package var fields: Fields
  package var body: [UInt8]

  package init(_ status: Status, fields: Fields = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// An answer with a text and the media type it is in.
  package init(_ status: Status, text: String, type: String = "text/plain; charset=utf-8") {
    self.init(status, fields: [.contentType: type], body: Array(text.utf8))
  }
}
