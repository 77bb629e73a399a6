import HTTP

/// The credentials that a request shows.
enum Credentials {
  /// Nothing, or only cookies of another service.
  case none
  case shown(Credential)
  /// A bearer token in another form than ours, or two fields.
  case noToken
  /// Another scheme, or a cookie that is no key of a session.
  case unreadable
  case severalCookies

  /// `Authorization` counts where it is there; else the cookie of a session.
  init(_ fields: Fields, _ cookie: SessionCookie) {
    guard !fields.contains(.authorization) else {
      guard let value = fields.only(.authorization) else {
        self = .noToken
        return
      }
      self = Self.bearer(value)
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

  /// The token of `Bearer <token>` (RFC 6750 §2.1; the scheme in any case, RFC 9110 §11.1).
  private static func bearer(_ value: String) -> Credentials {
    var value = value
    return value.withUTF8 { bytes in
      let space = UInt8(ascii: " ")
      let end = bytes.firstIndex(of: space) ?? bytes.endIndex
      // In either case: nothing else becomes a lower-case letter by this bit.
      guard bytes[..<end].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8) else {
        return .unreadable
      }
      let token = bytes[end...].drop { $0 == space }
      guard !token.contains(space), let token = Token(String(decoding: token, as: UTF8.self)) else {
        return .noToken
      }
      return .shown(.token(token))
    }
  }
}
