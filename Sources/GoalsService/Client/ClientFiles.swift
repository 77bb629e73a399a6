import Brotli
import Gzip
import HTTP
import PageFiles

/// The files of the page for people, as they are served.
///
/// Each is at `/client/VERSION/NAME`, where the version is a digest of all of them. What is there
/// never changes, and a document of one version names files of that version alone, so that no
/// browser ever runs a mixture of two.
struct ClientFiles: Sendable {
  let version: String
  /// The document at `/`. Where the engine was not built into the program, one that says so.
  let page: ServedFile
  /// The service worker. A browser asks for it by one name, to learn of a new version.
  private let worker: ServedFile?
  private let files: [String: ServedFile]

  /// - Parameter url: the public URL, which the document then names, so that a page that was opened
  ///   at another address can say which one to use.
  init(_ files: [PageFile], at url: Origin? = nil) {
    let link = url.map { "<link rel=\"canonical\" href=\"\($0)/\">" } ?? ""
    let version =
      (files.flatMap { Array("\($0.name) \($0.bytes.digest)\n".utf8) } + Array(link.utf8)).digest
    self.version = version
    let hasEngine = files.contains { $0.name == "goals.wasm" }
    let names = files.map(\.name)
    let document = files.first { $0.name == "index.html" }
    let markup = String(decoding: document?.bytes ?? [], as: UTF8.self)
    let kept = names.filter { markup.contains("/client/{version}/\($0)") }
    func served(_ name: String, lasting: Bool) -> ServedFile? {
      files.first { $0.name == name }.map {
        ServedFile($0.naming(version, link, keeping: kept), lasting: lasting)
      }
    }
    page =
      served(hasEngine ? "index.html" : "unbuilt.html", lasting: false)
      ?? ServedFile(
        PageFile(name: "index.html", bytes: [], gzip: [], brotli: []), lasting: false)
    worker = served(Self.workerName, lasting: false)
    self.files = Dictionary(
      uniqueKeysWithValues: names.filter { $0 != Self.workerName }.compactMap { name in
        served(name, lasting: true).map { (name, $0) }
      })
  }

  private static let workerName = "worker.js"

  /// The answer to a request below `/client/`. A name without a version leads to the present one.
  func response(to request: Request) throws(Problem) -> Response {
    let path = Array(request.segments.dropFirst())
    if path == [Self.workerName], let worker {
      var response = try worker.response(to: request)
      // It answers for `/`, which is above it (Service Workers §3.4.2).
      response.fields.append("Service-Worker-Allowed", "/")
      return response
    }
    if path.count == 1, files[path[0]] != nil {
      return Response(
        .temporaryRedirect,
        fields: [.location: "/client/\(version)/\(path[0])", .cacheControl: "no-cache"])
    }
    guard path.count == 2, path[0] == version, let file = files[path[1]] else { throw .notFound }
    return try file.response(to: request)
  }
}

extension PageFile {
  /// Names the version in the document and in the worker, in the document the public URL, and in
  /// the worker what the document loads.
  fileprivate func naming(
    _ version: String, _ link: String, keeping names: [String]
  ) -> PageFile {
    guard name == "index.html" || name == "worker.js" else { return self }
    // A browser asks for pictures when it installs the page, which it does not do offline.
    let list = names.filter { !$0.hasSuffix(".png") }
    let text = String(decoding: bytes, as: UTF8.self)
      .replacing("{version}", with: version)
      .replacing("{canonical}", with: link)
      .replacing("{files}", with: list.joined(separator: " "))
    let bytes = Array(text.utf8)
    return PageFile(
      name: name, bytes: bytes, gzip: GzipEncoder.compress(bytes, .best) ?? bytes,
      brotli: BrotliEncoder.compress(bytes, .best) ?? bytes)
  }

  fileprivate var type: String {
    switch name.split(separator: ".").last {
    case "html": "text/html; charset=utf-8"
    case "js": "text/javascript; charset=utf-8"
    case "png": "image/png"
    case "svg": "image/svg+xml"
    case "wasm": "application/wasm"
    case "webmanifest": "application/manifest+json"
    default: "text/plain; charset=utf-8"
    }
  }

  fileprivate var policy: String {
    switch name.split(separator: ".").last {
    case "html": clientPolicy(of: String(decoding: bytes, as: UTF8.self))
    // What a worker may ask is said by its own script (CSP Level 3 §4.2).
    case "js": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
    default: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    }
  }
}

extension ServedFile {
  /// - Parameter lasting: whether the file is the same for ever under its name.
  fileprivate init(_ file: PageFile, lasting: Bool) {
    self.init(
      file, type: file.type, policy: file.policy,
      caching: lasting ? "public, max-age=31536000, immutable" : "no-cache")
  }
}
