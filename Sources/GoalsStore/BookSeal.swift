import Digests
import GoalsCore

/// A sum over the rows of an account and of its tokens. It shows whether something other than this
/// program has changed, added or removed such a row.
///
/// A seal is a sum, modulo 2^256, of SHA-256 (FIPS 180-4) over each row, so that a token that is
/// made or revoked costs two hashes, however many there are. No key is in it: anybody who knows how
/// it is made can make it anew.
struct BookSeal: Hashable, Sendable {
  /// A number of 256 bits, its least significant byte first.
  private(set) var bytes = [UInt8](repeating: 0, count: 32)

  /// That of nothing.
  init() {}

  /// Nil for another number of bytes than 32.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  init(of account: AccountRecord, _ tokens: [TokenRecord]) {
    for row in [Self.digest(of: account)] + tokens.map(Self.digest) { add(row) }
  }

  /// Takes note of an account that is called otherwise than before.
  mutating func change(_ old: AccountRecord, to new: AccountRecord) {
    subtract(Self.digest(of: old))
    add(Self.digest(of: new))
  }

  /// Takes note of a token in another state than before, or of a new one.
  mutating func change(_ old: TokenRecord?, to new: TokenRecord) {
    if let old { subtract(Self.digest(of: old)) }
    add(Self.digest(of: new))
  }

  mutating func add(_ digest: [UInt8]) {
    var carry = 0
    for index in bytes.indices {
      carry += Int(bytes[index]) + Int(digest[index])
      bytes[index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
  }

  private mutating func subtract(_ digest: [UInt8]) {
    var carry = 0
    for index in bytes.indices {
      carry += Int(bytes[index]) - Int(digest[index])
      bytes[index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
  }

  // MARK: Digests

  /// A value of a row, as it goes into a digest: its type, and its bytes.
  enum Field {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// An integer has its most significant byte first.
    fileprivate var bytes: [UInt8] {
      switch self {
      case .null: [0]
      case .integer(let integer): [1] + Self.bytes(UInt64(bitPattern: integer))
      case .real(let real): [2] + Self.bytes(real.bitPattern)
      case .text(let text): [3] + Array(text.utf8)
      case .blob(let bytes): [4] + bytes
      }
    }

    private static func bytes(_ word: UInt64) -> [UInt8] {
      withUnsafeBytes(of: word.bigEndian) { Array($0) }
    }
  }

  static func digest(of account: Account.ID, name: String, createdAt: Instant) -> [UInt8] {
    digest("account", account, [.text(name), .integer(createdAt.milliseconds)])
  }

  /// - Parameter fields: id, name, scope, goal, secret, creation, expiry, revocation, maker. A
  ///   maker that there is none of is left out: tokens were sealed before they had makers.
  static func digest(ofTokenOf account: Account.ID, _ fields: [Field]) -> [UInt8] {
    if case .null? = fields.last, fields.count == 9 {
      return digest("token", account, fields.dropLast())
    }
    return digest("token", account, fields)
  }

  private static func digest(of account: AccountRecord) -> [UInt8] {
    digest(of: account.id, name: account.name, createdAt: account.createdAt)
  }

  private static func digest(of token: TokenRecord) -> [UInt8] {
    let instants = [token.expiresAt, token.revokedAt].map { instant in
      instant.map { Field.integer($0.milliseconds) } ?? .null
    }
    return digest(
      ofTokenOf: token.account,
      [
        .blob(token.id.bytes), .text(token.name), .text(token.scope.rawValue),
        token.goal.map { .blob($0.bytes) } ?? .null, .blob(token.secret),
        .integer(token.createdAt.milliseconds),
      ] + instants + [token.madeBy.map { .blob($0.bytes) } ?? .null])
  }

  /// Each field with its length before it.
  private static func digest(
    _ kind: String, _ account: Account.ID, _ fields: [Field]
  ) -> [UInt8] {
    var hash = SHA256()
    hash.update(Array("goals/1 \(kind)\n".utf8))
    for field in [account.bytes] + fields.map(\.bytes) {
      hash.update(Field.integer(Int64(field.count)).bytes)
      hash.update(field)
    }
    return hash.digest()
  }
}

/// Where an account's book stood when its state was read. A round is recorded only where the book
/// still stands there, so that a token's revocation overtakes the rounds that it meets.
struct BookHead: Hashable, Sendable {
  let seal: BookSeal
  let revoked: Set<TokenRecord.ID>
}
