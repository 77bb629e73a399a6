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

  static let addToken = Endpoint(.post, "/v1/tokens", body: .required) { exchange in
    let asked = try exchange.valid(
      AskedToken.read(try exchange.json(), at: exchange.world.now()))
    let caller = try exchange.caller
    let completion = exchange.answering { (new: NewToken) in
      var json = JSONWriter(reserving: 350)
      json.object { json in
        new.record.writeMembers(to: &json)
        json.member("token", new.token.text)
      }
      return Response(
        .created, fields: [.location: "/v1/tokens/\(new.record.id)"], json: json.bytes)
    }
    return .tokens(.add(asked, to: caller.account, by: caller, completion))
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
    json.member("createdAt", createdAt)
    json.member("lastUsedAt", lastUsedAt)
    json.member("expiresAt", expiresAt)
  }
}
