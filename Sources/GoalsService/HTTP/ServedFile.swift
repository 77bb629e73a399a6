import Digests
import HTTP
import PageFiles

/// A file of the binary as it is served: compressed for clients that take that, and with an
/// ETag for each of its forms.
struct ServedFile: Sendable {
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
  /// Nil where the coding makes the file no smaller.
  private let gzip, brotli: Form?
  /// The value of `Cache-Control`.
  private let caching: String

  /// The default policy lets the file load nothing, and nobody frame it (CSP Level 3).
  init(
    _ file: EmbeddedFile, type: String,
    policy: String = "default-src 'none'; frame-ancestors 'none'"
  ) {
    // The file may be another after the next start, so clients have to ask each time.
    self.init(
      PageFile(name: file.name, bytes: file.bytes, gzip: file.gzip, brotli: file.brotli),
      type: type, policy: policy, caching: "no-cache")
  }

  init(_ file: PageFile, type: String, policy: String, caching: String) {
    let bytes = file.bytes
    let digest = bytes.digest
    self.caching = caching
    var fields: Fields = [.cacheControl: caching, "Vary": "Accept-Encoding"]
    fields.append(.contentType, type)
    fields.append(.nosniff)
    fields.append("Content-Security-Policy", policy)
    fields.append("Referrer-Policy", "no-referrer")
    func form(_ coding: ContentCoding, _ bytes: [UInt8]) -> Form {
      var coded = fields
      if let token = coding.token { coded.append(.contentEncoding, token) }
      return Form(bytes: bytes, fields: coded, tag: "\"\(digest)\(coding.tagSuffix)\"")
    }
    func smaller(_ coding: ContentCoding, _ packed: [UInt8]) -> Form? {
      packed.count < bytes.count ? form(coding, packed) : nil
    }
    plain = form(.identity, bytes)
    gzip = smaller(.gzip, file.gzip)
    brotli = smaller(.brotli, file.brotli)
  }

  private func form(in coding: ContentCoding) -> Form {
    switch coding {
    case .identity: plain
    case .gzip: gzip ?? plain
    case .brotli: brotli ?? plain
    }
  }

  func response(to request: Request) throws(Problem) -> Response {
    let form = form(in: request.fields.preferredCoding)
    let isKnown = try ReadConditions(request.fields).isKnown(form.tag)
    var response =
      isKnown
      ? Response(.notModified, fields: [.cacheControl: caching, "Vary": "Accept-Encoding"])
      : Response(.ok, fields: form.fields, body: form.bytes)
    response.fields.append(.entityTag, form.tag)
    return response
  }
}

extension [UInt8] {
  /// A part of the SHA-256 of the content, in hexadecimal digits: it is the same in every server
  /// that serves the same.
  var digest: String {
    SHA256.digest(of: self).prefix(16).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
