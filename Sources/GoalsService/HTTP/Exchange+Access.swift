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
    return Inquiry(message: .tokens(.add(asked, try caller().account))) { reply in
      guard case .addedToken(let record, let token) = reply else { return nil }
      var json = JSONWriter(reserving: 350)
      json.object { json in
        record.writeMembers(to: &json)
        json.member("token", token.text)
      }
      return Response(
        .created, fields: ["Location": "/v1/tokens/\(record.id)"], json: json.bytes)
    }
  }

  func revokeToken() throws(Problem) -> Inquiry {
    try checkQuery()
    return Inquiry(message: .tokens(.revoke(try tokenID(), of: try caller().account))) { reply in
      guard case .revokedToken = reply else { return nil }
      return Response(.noContent)
    }
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
