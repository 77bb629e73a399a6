import GoalsWire
import HTTP
import JSON

extension Endpoint {
  /// Trades a token, or the code of a link, for a cookie. A cookie gets no other.
  static let beginSession = Endpoint(
    .post, "/v1/session", body: .optional, for: .readersOrCode
  ) { exchange in
    let shown = try exchange.valid(
      exchange.body { object in
        (object.optional("token", .string), object.optional("code", .string))
      })
    let caller = exchange.knownCaller
    let signIn: SignIn
    switch shown {
    case (nil, nil):
      guard let caller, caller.session == nil else { throw Problem.unauthenticated }
      signIn = .token(caller.token)
    case (let token?, nil): signIn = try exchange.signIn { Token(token).map { .shown($0) } }
    case (nil, let code?): signIn = try exchange.signIn { .code(LinkCode(code)) }
    case (_?, _?): throw Problem.invalid("/code", "a code goes with no token")
    }
    let (gatekeeper, head) = (exchange.gatekeeper, exchange.request.head)
    let completion = exchange.answeringSignIn { (key: SessionKey) in
      .noContent(settingCookies: gatekeeper.cookies(key, for: head))
    }
    return .sessions(.begin(signIn, replacing: exchange.shownSession, completion))
  }

  /// Ends the session of the cookie, if there is one beside a token.
  static let endSession = Endpoint(.delete, "/v1/session", for: .readers) { exchange in
    try exchange.checkQuery()
    let session = try exchange.caller.session?.secret ?? exchange.shownSession
    let cookies = exchange.gatekeeper.cookies(nil, for: exchange.request.head)
    let completion = exchange.answering { (_: Void) in
      var response = Response.noContent(settingCookies: cookies)
      response.fields.append(.clearCache)
      return response
    }
    return .sessions(.end(session, by: try exchange.account, completion))
  }
}

extension Exchange {
  /// The SHA-256 of the key in the request's cookie.
  fileprivate var shownSession: [UInt8]? {
    guard case .one(let key) = gatekeeper.sessionCookie.shown(in: request.fields) else {
      return nil
    }
    return SessionKey(key)?.secret
  }

  /// What the body signs in by. Beside a token in the head it is refused, and where another page
  /// asks for it: that page would choose who is signed in here.
  fileprivate func signIn(by read: () -> SignIn?) throws -> SignIn {
    guard knownCaller == nil || knownCaller?.session != nil else {
      throw Problem.invalid("", "the request shows a token in Authorization, too: one will do")
    }
    guard !request.fields.contains(.origin) || gatekeeper.isSameOrigin(request.head) else {
      throw Problem.crossOrigin
    }
    guard let signIn = read() else { throw wrongCredential() }
    return signIn
  }
}

extension Fields.Field {
  /// Has a browser forget the answers that it was given, such as lists and pictures (Clear Site
  /// Data §3.1). What pages store is left to them: edits may wait there that a person has yet to
  /// send, and another page of this host may have its own beside them. Cookies go by `Set-Cookie`,
  /// because this would take those of the whole domain.
  static let clearCache = Fields.Field("Clear-Site-Data", "\"cache\"")
}

extension Response {
  fileprivate static func noContent(settingCookies cookies: [String]) -> Response {
    var response = Response(.noContent, fields: [.cacheControl: "no-store"])
    for cookie in cookies { response.fields.append("Set-Cookie", cookie) }
    return response
  }
}
