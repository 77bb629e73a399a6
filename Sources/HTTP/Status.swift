/// A status code with its reason phrase (RFC 9110 §15).
package struct Status: Sendable, Hashable {
  package let code: Int
  package let reason: String
  /// The first line of a response, and the name of the second.
  let line: String

  private init(_ code: Int, _ reason: String) {
    self.code = code
    self.reason = reason
    line = "HTTP/1.1 \(code) \(reason)\r\nDate: "
  }

  /// Whether a response with this status never has a body (RFC 9112 §6.3).
  package var hasNoBody: Bool { code < 200 || code == 204 || code == 304 }
}

extension Status {
  package static let ok = Status(200, "OK")
  package static let created = Status(201, "Created")
  package static let noContent = Status(204, "No Content")
  package static let notModified = Status(304, "Not Modified")
  package static let temporaryRedirect = Status(307, "Temporary Redirect")
  package static let badRequest = Status(400, "Bad Request")
  package static let unauthorized = Status(401, "Unauthorized")
  package static let forbidden = Status(403, "Forbidden")
  package static let notFound = Status(404, "Not Found")
  package static let methodNotAllowed = Status(405, "Method Not Allowed")
  package static let requestTimeout = Status(408, "Request Timeout")
  package static let conflict = Status(409, "Conflict")
  package static let gone = Status(410, "Gone")
  package static let preconditionFailed = Status(412, "Precondition Failed")
  package static let contentTooLarge = Status(413, "Content Too Large")
  package static let uriTooLong = Status(414, "URI Too Long")
  package static let unsupportedMediaType = Status(415, "Unsupported Media Type")
  package static let expectationFailed = Status(417, "Expectation Failed")
  package static let unprocessableContent = Status(422, "Unprocessable Content")
  package static let preconditionRequired = Status(428, "Precondition Required")
  package static let tooManyRequests = Status(429, "Too Many Requests")
  package static let headersTooLarge = Status(431, "Request Header Fields Too Large")
  package static let internalServerError = Status(500, "Internal Server Error")
  package static let notImplemented = Status(501, "Not Implemented")
  package static let serviceUnavailable = Status(503, "Service Unavailable")
  /// RFC 4918 §11.5.
  package static let insufficientStorage = Status(507, "Insufficient Storage")
  package static let versionNotSupported = Status(505, "HTTP Version Not Supported")
}
