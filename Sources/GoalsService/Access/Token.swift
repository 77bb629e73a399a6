import Digests
import GoalsCore
import GoalsStore

/// A token's text: a prefix by which people and scanners know it, and 256 random bits.
package struct Token: Sendable {
  package static let prefix = "goals_"
  package let text: String

  package init(random: () -> UInt64) {
    text = Self.prefix + randomDigits(random)
  }

  /// Nil for a text that is not in the form of a token.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == Self.prefix.utf8.count + 64,
      text.utf8.starts(with: Self.prefix.utf8)
    else { return nil }
    self.text = String(text)
  }

  /// The SHA-256 of the text: no more of it is stored. With 256 random bits there is nothing to
  /// guess, so it needs no salt and no slow hash.
  package var secret: [UInt8] { SHA256.digest(of: text.utf8) }
}

/// The content of a session's cookie: 256 random bits, stored as a token's text is.
package struct SessionKey: Sendable {
  package let text: String

  package init(random: () -> UInt64) { text = randomDigits(random) }

  /// Nil for a text that is not in the form of a key.
  package init?(_ text: some StringProtocol) {
    let digits = [UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f")]
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ byte in digits.contains { $0.contains(byte) } })
    else { return nil }
    self.text = String(text)
  }

  package var secret: [UInt8] { SHA256.digest(of: text.utf8) }
}

/// What a sign-in link carries: 128 random bits, which make one token, and are stored as a token's
/// text is.
package struct LinkCode: Sendable {
  /// How long it works, in milliseconds: 15 minutes.
  static let lifetime: Int64 = 15 * 60_000
  /// That of an operator's, who has to send the link to somebody first: 24 hours.
  static let operatorsLifetime: Int64 = 86_400_000

  package let text: String

  init(random: () -> UInt64) { text = randomDigits(random, words: 2) }

  init(_ text: String) { self.text = text }

  var secret: [UInt8] { SHA256.digest(of: text.utf8) }
}

/// What lets a caller in, by itself.
package enum Credential: Sendable {
  case token(Token)
  case session(SessionKey)

  var secret: [UInt8] {
    switch self {
    case .token(let token): token.secret
    case .session(let key): key.secret
    }
  }
}

/// 64 random bits a word, each in 16 hexadecimal digits.
private func randomDigits(_ random: () -> UInt64, words: Int = 4) -> String {
  (0..<words).map { _ in random().hexadecimal }.joined()
}

/// The caller of a request: an account, by one of its tokens. It is an object, because it is handed
/// on with the request.
package final class Caller: Sendable {
  package let token: TokenRecord
  /// The session, where the request shows its cookie instead of the token.
  package let session: SessionRecord?
  /// Whether the session was renewed just now. Then its cookie is to be renewed, too.
  package let isSessionRenewed: Bool

  package init(
    token: TokenRecord, session: SessionRecord? = nil, isSessionRenewed: Bool = false
  ) {
    self.token = token
    self.session = session
    self.isSessionRenewed = isSessionRenewed
  }

  package var account: Account.ID { token.account }
  var authority: Authority { Authority(token: token.id, session: session?.secret) }
  /// The earlier of the token's expiry and the session's end, if it is not renewed.
  var end: Instant? { [token.expiresAt, session?.end].compactMap { $0 }.min() }
}
