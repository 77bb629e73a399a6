import HTTP

extension Endpoint {
  /// Trades a token for a cookie. A cookie gets no other.
  static let beginSession = Endpoint(.post, "/v1/session", for: .readers) { exchange in
    try exchange.checkQuery()
    let caller = try exchange.caller
    guard caller.session == nil else { throw Problem.unauthenticated }
    let (gatekeeper, head) = (exchange.gatekeeper, exchange.request.head)
    let completion = exchange.answering { (key: SessionKey) in
      .noContent(settingCookies: gatekeeper.cookies(key, for: head))
    }
    return .sessions(.begin(caller.token, completion))
  }

  /// Ends the session of the cookie, if there is one beside a token.
  static let endSession = Endpoint(.delete, "/v1/session", for: .readers) { exchange in
    try exchange.checkQuery()
    let gatekeeper = exchange.gatekeeper
    var session = try exchange.caller.session?.secret
    if case .one(let key) = gatekeeper.sessionCookie.shown(in: exchange.request.fields) {
      session = session ?? SessionKey(key)?.secret
    }
    let cookies = gatekeeper.cookies(nil, for: exchange.request.head)
    let completion = exchange.answering { (_: Void) in .noContent(settingCookies: cookies) }
    return .sessions(.end(session, by: try exchange.account, completion))
  }
}

extension Response {
  fileprivate static func noContent(settingCookies cookies: [String]) -> Response {
    var response = Response(.noContent, fields: [.cacheControl: "no-store"])
    for cookie in cookies { response.fields.append("Set-Cookie", cookie) }
    return response
  }
}
