import Crypto
import GoalsCore
import GoalsStore

/// A token's text: a prefix by which people and scanners know it, and 256 random bits.
package struct Token: Sendable {
  package static let prefix = "goals_"
  package let text: String

  package init(random: () -> UInt64) {
    text = Self.prefix + randomDigits(random)
  }

  /// Nil for what no token looks like.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == Self.prefix.utf8.count + 64,
      text.utf8.starts(with: Self.prefix.utf8)
    else { return nil }
    self.text = String(text)
  }

  /// What is kept of it: its SHA-256. With 256 random bits there is nothing to guess, so no salt
  /// and no slow hash are needed.
  package var secret: [UInt8] { digest(of: text) }
}

/// What the cookie of a session holds: 256 random bits, kept as a token's text is.
package struct SessionKey: Sendable {
  package let text: String

  package init(random: () -> UInt64) { text = randomDigits(random) }

  /// Nil for what no key looks like.
  package init?(_ text: some StringProtocol) {
    let digits = [UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f")]
    guard text.utf8.count == 64,
      text.utf8.allSatisfy({ byte in digits.contains { $0.contains(byte) } })
    else { return nil }
    self.text = String(text)
  }

  package var secret: [UInt8] { digest(of: text) }
}

/// SHA-256 (FIPS 180-4).
private func digest(of text: String) -> [UInt8] {
  var text = text
  var hash = SHA256()
  text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
  return hash.finalize().withUnsafeBytes { Array($0) }
}

/// 256 random bits in 64 hexadecimal digits.
private func randomDigits(_ random: () -> UInt64) -> String {
  (0..<4).map { _ in
    let word = String(random(), radix: 16)
    return String(repeating: "0", count: 16 - word.count) + word
  }
  .joined()
}

/// Who makes a request: an account, by one of its tokens. An object, because it is handed on with
/// the request.
package final class Caller: Sendable {
  package let token: TokenRecord
  /// Where it comes by a session instead of by the token itself.
  package let session: SessionRecord?
  /// Whether the session was renewed just now, so that its cookie is to be, too.
  package let isSessionRenewed: Bool

  package init(
    token: TokenRecord, session: SessionRecord? = nil, isSessionRenewed: Bool = false
  ) {
    self.token = token
    self.session = session
    self.isSessionRenewed = isSessionRenewed
  }

  package var account: Account.ID { token.account }
  /// When the token expires or the session, if it is not renewed, is over.
  var end: Instant? { [token.expiresAt, session?.end].compactMap { $0 }.min() }
}
