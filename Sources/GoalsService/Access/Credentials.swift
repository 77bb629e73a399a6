import HTTP

/// What a request shows to be let in.
enum Credentials {
  case none
  case token(Token)
  case session(SessionKey)
  /// Something that never opens anything.
  case unreadable

  /// `Authorization` counts where it is there; else the cookie of a session.
  init(_ fields: Fields) {
    guard !fields.contains(.authorization) else {
      let token = fields.only(.authorization).flatMap { Self.bearer($0) }
      self = token.map { .token($0) } ?? .unreadable
      return
    }
    let keys = Self.cookies(Gatekeeper.cookieName, in: fields)
    guard let key = keys.first else {
      self = .none
      return
    }
    // Of two, one may be of somebody who can set cookies for this host, and not read them.
    self = (keys.count == 1 ? SessionKey(key) : nil).map { .session($0) } ?? .unreadable
  }

  /// The token of `Bearer <token>` (RFC 6750 §2.1; the scheme in any case, RFC 9110 §11.1).
  private static func bearer(_ value: String) -> Token? {
    var value = value
    return value.withUTF8 { bytes in
      let space = UInt8(ascii: " ")
      guard let end = bytes.firstIndex(of: space),
        // Whatever the case: nothing else becomes a lower-case letter by this bit.
        bytes[..<end].lazy.map({ $0 | 0x20 }).elementsEqual("bearer".utf8)
      else { return nil }
      let token = bytes[end...].drop { $0 == space }
      return token.contains(space) ? nil : Token(String(decoding: token, as: UTF8.self))
    }
  }

  /// The values of the cookies with a name (RFC 6265 §4.2), quotes and all.
  static func cookies(_ name: String, in fields: Fields) -> [String] {
    fields.values(.cookie).flatMap { $0.split(separator: ";") }.compactMap { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, trimmed(halves[0]) == name else { return nil }
      return trimmed(halves[1])
    }
  }

  /// Without the white space that may stand around it.
  private static func trimmed(_ text: Substring) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(String(text.drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
  }
}
