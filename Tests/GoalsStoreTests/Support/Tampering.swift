import Testing

/// Something that is done to a database behind the store's back, and what `verify` says of it.
struct Tampering: CustomTestStringConvertible, Sendable {
  let sql: String
  let said: String

  init(_ sql: String, _ said: String) {
    self.sql = sql
    self.said = said
  }

  var testDescription: String { sql }

  /// The place of an edit of account 1.
  static func place(_ version: Int) -> String { "\(1 << 40 + version)" }

  /// The bytes of a row of `recent_id`: of each edit of an account, its place and its id.
  static func ids(_ edits: (version: Int, id: UInt64)..., account: UInt64 = 1) -> String {
    let words = edits.map { edit in
      let place = account << 40 + UInt64(edit.version)
      return hex(place) + hex(0) + hex(edit.id)
    }
    return "x'\(words.joined())'"
  }

  private static func hex(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
