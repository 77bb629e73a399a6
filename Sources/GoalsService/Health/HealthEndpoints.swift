import HTTP

// Probes, and the files of the binary: for anyone.
extension Endpoint {
  static let health = Endpoint(.get, "/healthz", serving: { _ in status("ok") })

  static let readiness = Endpoint(.get, "/readyz", for: .anyone) { exchange throws(Problem) in
    if exchange.isDraining { throw Problem(.draining) }
    return .health(.readiness(exchange.answering { (_: Void) in status("ready") }))
  }

  static let readPage = Endpoint(.get, "/", serving: ServedFile.page.response)
  static let readDocs = Endpoint(.get, "/docs", serving: ServedFile.docs.response)
  static let readOpenAPI = Endpoint(.get, "/openapi.yaml", serving: ServedFile.openAPI.response)

  private static func status(_ status: String) -> Response {
    Response(.ok, json: Array(#"{"status":"\#(status)"}"#.utf8))
  }
}
