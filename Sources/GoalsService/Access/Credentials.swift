import HTTP

/// The credentials that a request shows.
enum Credentials {
  /// Nothing, or only cookies of another service.
  case none
  case shown(Credential)
  /// What begins as a token of ours and is none, or stands beside another field.
  case noToken
  /// A cookie that is no key of a session.
  case unreadable
  case severalCookies

  /// A token of ours in `Authorization` counts; else the cookie of a session. Whatever else is in
  /// `Authorization` is somebody else's: a proxy's password, or a gateway's own token.
  init(_ fields: Fields, _ cookie: SessionCookie) {
    let bearers = fields.values(.authorization).compactMap(Self.bearer)
    if let bearer = bearers.first {
      let token = fields.only(.authorization) == nil ? nil : Token(bearer)
      self = token.map { .shown(.token($0)) } ?? .noToken
      return
    }
    switch cookie.shown(in: fields) {
    case .none: self = .none
    case .one(let key): self = SessionKey(key).map { .shown(.session($0)) } ?? .unreadable
    case .several: self = .severalCookies
    }
  }

  /// The refusal of a request that shows these.
  var refusal: Problem {
    switch self {
    case .none, .shown(.session), .unreadable: .unauthenticated
    case .shown(.token), .noToken: .invalidToken
    case .severalCookies: .severalCookies
    }
  }

  /// Whether they are a token's, or pass themselves off as one.
  var areOfToken: Bool {
    switch self {
    case .shown(.token), .noToken: true
    case .none, .shown(.session), .unreadable, .severalCookies: false
    }
  }

  /// What stands behind `Bearer ` (RFC 6750 §2.1; the scheme in any case, RFC 9110 §11.1), where it
  /// begins as a token of ours does; nil for anything else.
  private static func bearer(_ value: String) -> String? {
    var value = value
    return value.withUTF8 { bytes in
      let space = UInt8(ascii: " ")
      let end = bytes.firstIndex(of: space) ?? bytes.endIndex
      // In either case: nothing else becomes a lower-case letter by this bit.
      guard bytes[..<end].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8) else { return nil }
      let token = bytes[end...].drop { $0 == space }
      return token.starts(with: Token.prefix.utf8) ? String(decoding: token, as: UTF8.self) : nil
    }
  }
}
