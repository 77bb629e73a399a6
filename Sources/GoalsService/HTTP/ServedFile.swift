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
  /// Nil where gzip makes the file no smaller.
  private let gzip: Form?

  /// The default policy lets the file load nothing, and nobody frame it (CSP Level 3).
  init(
    _ file: EmbeddedFile, type: String,
    policy: String = "default-src 'none'; frame-ancestors 'none'"
  ) {
    let (bytes, packed) = (file.bytes, file.gzip)
    let digest = bytes.digest
    // The file may be another after the next start, so clients have to ask each time.
    var fields: Fields = [.cacheControl: "no-cache", "Vary": "Accept-Encoding"]
    fields.append(.contentType, type)
    fields.append(.nosniff)
    fields.append("Content-Security-Policy", policy)
    fields.append("Referrer-Policy", "no-referrer")
    plain = Form(bytes: bytes, fields: fields, tag: "\"\(digest)\"")
    fields.append(.contentEncoding, "gzip")
    // Other bytes need another strong tag (RFC 9110 §8.8.3.3).
    gzip =
      packed.count < bytes.count
      ? Form(bytes: packed, fields: fields, tag: "\"\(digest)-gzip\"") : nil
  }

  func response(to request: Request) throws(Problem) -> Response {
    let form = request.fields.prefersGzip ? gzip ?? plain : plain
    let isKnown = try ReadConditions(request.fields).isKnown(form.tag)
    var response =
      isKnown
      ? Response(.notModified, fields: [.cacheControl: "no-cache", "Vary": "Accept-Encoding"])
      : Response(.ok, fields: form.fields, body: form.bytes)
    response.fields.append(.entityTag, form.tag)
    return response
  }
}

extension [UInt8] {
  /// A part of the SHA-256 of the content, in hexadecimal digits: it is the same in every server
  /// that serves the same.
  var digest: String {
    SHA256.hash(data: self).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
