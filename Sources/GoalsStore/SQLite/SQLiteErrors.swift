import SQLite

extension SQLiteError: BackingError {
  var inStore: StoreError {
    switch kind {
    case .full: .full(description)
    case .inputOutput, .cannotOpen, .readOnly, .busy: .inputOutput(description)
    case .corrupt, .notADatabase, .mismatch: .corrupt(description)
    case .closed: .closed
    case .other where isUnreadable: .corrupt(message)
    case .constraint, .interrupted, .notTaken, .other: .other(description)
    }
  }

  /// A row that does not hold what it should.
  static func unreadable(_ what: String) -> SQLiteError { contradiction("\(what) can't be read") }

  /// Rows of which not all can be true, in a sentence.
  static func contradiction(_ sentence: String) -> SQLiteError {
    .refused(sentence, doing: readingRows)
  }

  /// Whether it is about such rows, and not of SQLite.
  var isUnreadable: Bool { doing == Self.readingRows }

  private static var readingRows: String { "reading what is stored" }
}

extension OpeningError: BackingError {
  var inStore: StoreError { .inputOutput(description) }
}
