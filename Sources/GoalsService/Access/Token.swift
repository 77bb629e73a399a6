import Crypto
import GoalsCore
import GoalsStore

/// A token's text: a prefix by which people and scanners know it, and 256 random bits.
package struct Token: Sendable {
  package static let prefix = "goals_"
  package let text: String

  package init(random: () -> UInt64) {
    let digits = (0..<4).map { _ in
      let word = String(random(), radix: 16)
      return String(repeating: "0", count: 16 - word.count) + word
    }
    text = Self.prefix + digits.joined()
  }

  /// Nil for what no token looks like.
  package init?(_ text: some StringProtocol) {
    guard text.hasPrefix(Self.prefix), text.utf8.count == Self.prefix.utf8.count + 64 else {
      return nil
    }
    self.text = String(text)
  }

  /// What is kept of it: its SHA-256. With 256 random bits there is nothing to guess, so no salt
  /// and no slow hash are needed.
  package var secret: [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}

/// Who makes a request: an account, by one of its tokens.
package struct Caller: Sendable, Hashable {
  package let token: TokenRecord
  package var account: Account.ID { token.account }
}
