import HTTP

// Probes, and the files of the binary: for anyone.
extension Endpoint {
  static let health = Endpoint(.get, "/healthz", serving: { _ in status("ok") })

  static let readiness = Endpoint(.get, "/readyz", for: .anyone) { exchange in
    if exchange.isDraining { throw Problem(.draining) }
    return .health(.readiness(exchange.answering { (_: Void) in status("ready") }))
  }

  // NB: closures, so that a file is prepared when somebody asks for it, and not at the start. To
  // find the scripts of /docs takes 20 ms.
  static let readPage = Endpoint(
    .get, "/", serving: { try $0.clientFiles.page.response(to: $0.request) })
  static let readClient = Endpoint(
    .get, "/client/{+name}", serving: { try $0.clientFiles.response(to: $0.request) })
  static let readDocs = Endpoint(
    .get, "/docs", serving: { try ServedFile.docs.response(to: $0.request) })
  static let readOpenAPI = Endpoint(
    .get, "/openapi.yaml", serving: { try ServedFile.openAPI.response(to: $0.request) })

  private static func status(_ status: String) -> Response {
    Response(.ok, json: Array(#"{"status":"\#(status)"}"#.utf8))
  }
}
