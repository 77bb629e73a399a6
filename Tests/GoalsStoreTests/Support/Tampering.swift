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
}
