import GoalsStore
import GoalsWire
import HTTP
import JSON

extension Endpoint {
  /// What the token that asks may do, or the token with which its session was opened.
  static let readToken = Endpoint(.get, "/v1/token", for: .holders) { exchange in
    let completion = exchange.answering { (token: TokenRecord) in
      var json = JSONWriter()
      json.object { json in
        json.member("id", token.id)
        json.member("name", token.name)
        json.member("scope", token.scope.rawValue)
        json.member("goal", token.goal)
        json.member("expiresAt", token.expiresAt)
        json.member("account", token.account)
      }
      return Response(.ok, json: json.bytes)
    }
    return .tokens(.read(of: try exchange.caller, completion))
  }

  static let listTokens = Endpoint(.get, "/v1/tokens", for: .writers) { exchange in
    let completion = exchange.answering { (tokens: [TokenRecord]) in
      var json = JSONWriter(reserving: 30 + 250 * tokens.count)
      json.object { json in
        json.array("tokens") { json in
          for token in tokens { json.object { token.writeMembers(to: &$0) } }
        }
      }
      return Response(.ok, json: json.bytes)
    }
    return .tokens(.list(of: try exchange.account, for: exchange.asker, completion))
  }

  /// Makes a token, or a link whose code makes it: by a token that may write, or by such a code.
  static let addToken = Endpoint(
    .post, "/v1/tokens", body: .required, for: .writersOrCode
  ) { exchange in
    let body = try exchange.json()
    let completion = exchange.answeringSignIn { (new: NewToken) in
      var json = JSONWriter(reserving: 350)
      json.object { json in
        new.record.writeMembers(to: &json)
        json.member("token", new.token.text)
      }
      return Response(
        .created, fields: [.location: "/v1/tokens/\(new.record.id)"], json: json.bytes)
    }
    if ObjectReader(body).first("code") != nil {
      let (code, name) = try exchange.valid(
        exchange.body { object in
          (object.required("code", .string), object.optional("name", .label))
        })
      guard let code else { throw Problem.unauthenticated }
      if exchange.knownCaller.map({ $0.session == nil }) ?? false {
        throw Problem.invalid("/code", "a code goes with no token in Authorization")
      }
      return .tokens(.use(LinkCode(code), as: name, completion))
    }
    guard let caller = exchange.knownCaller else { throw Problem.unauthenticated }
    let asked = try exchange.valid(AskedToken.read(body, at: exchange.world.now()))
    guard asked.isLink else {
      return .tokens(.add(asked, to: caller.account, by: caller, completion))
    }
    guard let address = exchange.address else {
      throw Problem.invalid("/link", "without the field Host no link can be made")
    }
    let linked = exchange.answering { (new: NewLink) in
      var json = JSONWriter(reserving: 350)
      json.object { json in
        json.member("name", new.record.name)
        json.member("scope", new.record.scope.rawValue)
        json.member("goal", new.record.goal)
        json.member("madeBy", new.record.madeBy)
        json.member("expiresAt", new.record.tokenExpiresAt)
        json.member("link", "\(address)/#code=\(new.code.text)")
        json.member("linkExpiresAt", new.record.endsAt)
      }
      return Response(.created, json: json.bytes)
    }
    return .tokens(.link(asked, to: caller.account, by: caller, linked))
  }

  static let revokeToken = Endpoint(.delete, "/v1/tokens/{id}") { exchange in
    try exchange.checkQuery()
    let completion = exchange.answering { (_: Void) in Response(.noContent) }
    let caller = try exchange.caller
    return .tokens(.revoke(try exchange.tokenID, of: caller.account, by: caller, completion))
  }
}

extension TokenRecord {
  /// Its members, of the object that is open.
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("name", name)
    json.member("scope", scope.rawValue)
    json.member("goal", goal)
    json.member("madeBy", madeBy)
    json.member("createdAt", createdAt)
    json.member("lastUsedAt", lastUsedAt)
    json.member("expiresAt", expiresAt)
  }
}
