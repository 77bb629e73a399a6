import Crypto
import HTTP

/// A file of the binary as it is served: compressed for clients that take that, and with an
/// ETag for each of the two.
struct ServedFile: Sendable {
  static let page = ServedFile(.`index.html`, type: "text/html; charset=utf-8")
  static let docs = ServedFile(
    .`docs.html`, type: "text/html; charset=utf-8",
    policy: pagePolicy(of: EmbeddedFile.`docs.html`.text))
  static let openAPI = ServedFile(.`openapi.yaml`, type: "application/yaml")

  private struct Form: Sendable {
    let bytes: [UInt8]
    let fields: Fields
    let tag: String
  }

  private let plain: Form
  /// Nil where it would be no smaller.
  private let gzip: Form?

  /// By its policy it may load nothing, if it says no other, and be framed by nobody (CSP Level 3).
  init(
    _ file: EmbeddedFile, type: String,
    policy: String = "default-src 'none'; frame-ancestors 'none'"
  ) {
    let (bytes, packed) = (file.bytes, file.gzip)
    // Of what is in it: the same in every server that serves the same.
    let digest = SHA256.hash(data: bytes).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    // It may be another after the next start, so that it is to be asked for each time.
    var fields: Fields = [.cacheControl: "no-cache", "Vary": "Accept-Encoding"]
    fields.append(.contentType, type)
    fields.append(.nosniff)
    fields.append("Content-Security-Policy", policy)
    fields.append("Referrer-Policy", "no-referrer")
    plain = Form(bytes: bytes, fields: fields, tag: "\"\(digest)\"")
    fields.append(.contentEncoding, "gzip")
    // The bytes are others, and so is a strong tag (RFC 9110 §8.8.3.3).
    gzip =
      packed.count < bytes.count
      ? Form(bytes: packed, fields: fields, tag: "\"\(digest)-gzip\"") : nil
  }

  func response(to request: Request) throws(Problem) -> Response {
    let form = AcceptedCodings(request.fields).prefersGzip ? gzip ?? plain : plain
    let isKnown = try ReadConditions(request.fields).isKnown(form.tag)
    var response =
      isKnown
      ? Response(.notModified, fields: [.cacheControl: "no-cache", "Vary": "Accept-Encoding"])
      : Response(.ok, fields: form.fields, body: form.bytes)
    response.fields.append(.entityTag, form.tag)
    return response
  }
}
