import Crypto
import GoalsCore
import SQLite

/// The seals of accounts: what an account's row and those of its tokens come to, so that what
/// anything else than this program changes, adds or takes away there is noticed.
///
/// A seal is a sum, modulo 2^256, of SHA-256 (FIPS 180-4) over each row, so that a token that is
/// made or revoked costs two hashes, however many there are. No key is in it: who knows how it is
/// made can make it anew.
final class BookSeals {
  private let selectAccount: Statement
  private let selectTokens: Statement
  private let update: Statement

  /// NB: a migration uses it, so it may name no column that a later one makes.
  init(on connection: Connection) throws {
    selectAccount = try connection.prepare(
      "SELECT name, created_at, seal FROM account WHERE id = ?")
    selectTokens = try connection.prepare(
      """
      SELECT id, name, scope, goal, secret, created_at, expires_at, revoked_at FROM token
      WHERE account = (SELECT number FROM account WHERE id = ?)
      """)
    update = try connection.prepare("UPDATE account SET seal = ?2 WHERE id = ?1")
  }

  /// Seals an account that was made with no token.
  func seal(_ account: AccountRecord) throws {
    try put(Sum(of: Self.digest(of: account)), of: account.id)
  }

  /// Takes note of an account that is called otherwise than before.
  func change(_ old: AccountRecord, to new: AccountRecord) throws {
    try change(new.id, from: Self.digest(of: old), to: Self.digest(of: new))
  }

  /// Takes note of a token in another state than before, or of a new one.
  func change(_ old: TokenRecord?, to new: TokenRecord) throws {
    try change(new.account, from: old.map(Self.digest), to: Self.digest(of: new))
  }

  private func change(_ account: Account.ID, from old: [UInt8]?, to new: [UInt8]) throws {
    let stored = try selectAccount.first(account) { Sum(try $0.blob(at: 2)) }
    guard var sum = stored ?? nil else {
      throw SQLiteError.unreadable("the seal of account \(account)")
    }
    if let old { sum.subtract(old) }
    sum.add(new)
    try put(sum, of: account)
  }

  /// Whether an account and its tokens are as they were sealed; true where there is no such
  /// account.
  func holds(_ account: Account.ID) throws -> Bool {
    let stored = try selectAccount.first(account) { try $0.blob(at: 2) }
    return try stored.map { try sum(of: account).bytes == $0 } ?? true
  }

  /// Seals what there is, whatever it is.
  func sealAll(_ connection: Connection) throws {
    let accounts = try connection.prepare("SELECT id FROM account").all { row in
      guard let id: Account.ID = try row.id(at: 0) else {
        throw SQLiteError.unreadable("an account")
      }
      return id
    }
    for account in accounts { try put(sum(of: account), of: account) }
  }

  private func put(_ sum: Sum, of account: Account.ID) throws {
    try update.run(account, sum.bytes)
  }

  private func sum(of account: Account.ID) throws -> Sum {
    var sum = Sum()
    try selectAccount.each(account) { row in
      sum.add(Self.digest(of: account, try row.text(at: 0), try row.instant(at: 1)))
    }
    try selectTokens.each(account) { row in
      var fields = [account.bytes]
      for column in 0..<row.columnCount { fields.append(Self.bytes(try row.value(at: column))) }
      sum.add(Self.digest("token", fields))
    }
    return sum
  }

  // MARK: Digests

  private static func digest(
    of account: Account.ID, _ name: String, _ createdAt: Instant
  ) -> [UInt8] {
    digest("account", [account.bytes, bytes(.text(name)), bytes(.integer(createdAt.milliseconds))])
  }

  private static func digest(of account: AccountRecord) -> [UInt8] {
    digest(of: account.id, account.name, account.createdAt)
  }

  private static func digest(of token: TokenRecord) -> [UInt8] {
    let instants = [token.expiresAt, token.revokedAt].map { instant in
      instant.map { Value.integer($0.milliseconds) } ?? .null
    }
    let values: [Value] =
      [
        .blob(token.id.bytes), .text(token.name), .text(token.scope.rawValue),
        token.goal.map { .blob($0.bytes) } ?? .null, .blob(token.secret),
        .integer(token.createdAt.milliseconds),
      ] + instants
    return digest("token", [token.account.bytes] + values.map(bytes))
  }

  /// Each field with its length before it.
  private static func digest(_ kind: String, _ fields: [[UInt8]]) -> [UInt8] {
    var hash = SHA256()
    hash.update(data: Array("goals/1 \(kind)\n".utf8))
    for field in fields {
      hash.update(data: bytes(.integer(Int64(field.count))))
      hash.update(data: field)
    }
    return Array(hash.finalize())
  }

  /// A value with its type before it; an integer with its most significant byte first.
  private static func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .null: [0]
    case .integer(let integer): [1] + bytes(UInt64(bitPattern: integer))
    case .real(let real): [2] + bytes(real.bitPattern)
    case .text(let text): [3] + Array(text.utf8)
    case .blob(let bytes): [4] + bytes
    }
  }

  private static func bytes(_ word: UInt64) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian) { Array($0) }
  }

  /// A number of 256 bits, its least significant byte first.
  private struct Sum {
    private(set) var bytes = [UInt8](repeating: 0, count: 32)

    init() {}

    init(of digest: [UInt8]) { bytes = digest }

    /// Nil for another number of bytes.
    init?(_ bytes: [UInt8]) {
      guard bytes.count == 32 else { return nil }
      self.bytes = bytes
    }

    mutating func add(_ digest: [UInt8]) {
      var carry = 0
      for index in bytes.indices {
        carry += Int(bytes[index]) + Int(digest[index])
        bytes[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
    }

    mutating func subtract(_ digest: [UInt8]) {
      var carry = 0
      for index in bytes.indices {
        carry += Int(bytes[index]) - Int(digest[index])
        bytes[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
    }
  }
}
