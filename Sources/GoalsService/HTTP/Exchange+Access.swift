import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// The operations on who may come in.
extension Exchange {
  func listTokens() throws(Problem) -> Inquiry {
    Inquiry(message: .tokens(.list(try caller().account))) { reply in
      guard case .tokens(let tokens) = reply else { return nil }
      var json = JSONWriter(reserving: 30 + 250 * tokens.count)
      json.object { json in
        json.array("tokens") { json in
          for token in tokens { json.object { token.writeMembers(to: &$0) } }
        }
      }
      return Response(.ok, json: json.bytes)
    }
  }

  func addToken(in world: World) throws(Problem) -> Inquiry {
    let asked = try valid(AskedToken.read(try json(), at: world.now()))
    return Inquiry(message: .tokens(.add(asked, by: try caller()))) { reply in
      guard case .addedToken(let record, let token) = reply else { return nil }
      var json = JSONWriter(reserving: 350)
      json.object { json in
        record.writeMembers(to: &json)
        json.member("token", token.text)
      }
      return Response(
        .created, fields: [.location: "/v1/tokens/\(record.id)"], json: json.bytes)
    }
  }

  func revokeToken() throws(Problem) -> Inquiry {
    try checkQuery()
    return Inquiry(message: .tokens(.revoke(try tokenID(), by: try caller()))) { reply in
      guard case .revokedToken = reply else { return nil }
      return Response(.noContent)
    }
  }
}

extension Exchange {
  func addAccount(in world: World) throws(Problem) -> Inquiry {
    let asked = try valid(AskedAccount.read(try json(), in: world))
    guard asked.hasZone(in: world) else { throw .noCalendar }
    return Inquiry(message: .account(.add(asked))) { reply in
      guard case .addedAccount(let reading, let token) = reply else { return nil }
      var json = JSONWriter(reserving: 350)
      json.object { json in
        reading.writeMembers(to: &json)
        json.member("token", token.text)
      }
      return Response(.created, fields: [.location: "/v1/account"], json: json.bytes)
    }
  }

  /// A token is traded for a cookie; a cookie for none.
  func beginSession() throws(Problem) -> Inquiry {
    try checkQuery()
    let caller = try caller()
    guard caller.session == nil else { throw .unauthenticated }
    let (gatekeeper, head) = (gatekeeper, request.head)
    return Inquiry(message: .sessions(.begin(caller.token))) { reply in
      guard case .session(let key) = reply else { return nil }
      return .noContent(settingCookies: gatekeeper.cookies(key, for: head))
    }
  }

  /// Ends the session of the cookie, if there is one beside a token.
  func endSession() throws(Problem) -> Inquiry {
    try checkQuery()
    var session = try caller().session?.secret
    if case .one(let key) = gatekeeper.sessionCookie.shown(in: request.fields) {
      session = session ?? SessionKey(key)?.secret
    }
    let cookies = gatekeeper.cookies(nil, for: request.head)
    return Inquiry(message: .sessions(.end(session))) { reply in
      guard case .endedSession = reply else { return nil }
      return .noContent(settingCookies: cookies)
    }
  }
}

extension Response {
  fileprivate static func noContent(settingCookies cookies: [String]) -> Response {
    var response = Response(.noContent, fields: [.cacheControl: "no-store"])
    for cookie in cookies { response.fields.append("Set-Cookie", cookie) }
    return response
  }
}

extension TokenRecord {
  /// Its members, of whatever object is open.
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("name", name)
    json.member("scope", scope.rawValue)
    json.member("goal", goal)
    json.member("createdAt", createdAt)
    json.member("lastUsedAt", lastUsedAt)
    json.member("expiresAt", expiresAt)
  }
}
