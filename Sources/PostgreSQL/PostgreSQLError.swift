/// A request to a PostgreSQL server that failed: why, and what was being done.
///
/// It names the database, its tables and values of rows, so it is for the log, not for clients. It
/// never holds a password.
package struct PostgreSQLError: Error, Equatable, Sendable {
  /// What the owner of a connection acts upon. After `.unknown` and `.unavailable` the connection
  /// is closed; after the others it goes on.
  package enum Kind: Equatable, Sendable {
    /// Nothing of it is recorded, because others were in the way; the same may succeed at once.
    case retryable
    /// Whether it is recorded can't be told from here: the connection was lost, or the time was up,
    /// before the answer came, or the server itself doesn't know. For a query that only reads, it
    /// means the same as `.unavailable`.
    case unknown
    /// Nothing of it is recorded, and no server serves now that could; one may later.
    case unavailable
    /// An operator has to change something: a role, a database, a setting, the URL.
    case refused
    /// A row would break a rule of its table. Nothing is recorded.
    case constraint
    /// The statement or what is made of its result is wrong, or the schema is another.
    case defect
  }

  package let kind: Kind
  /// Nil where no server said it.
  package let state: SQLState?
  /// The server's own sentence, libpq's, or this wrapper's.
  package let message: String
  /// What was being done: the name of the query, or the step.
  package let doing: String

  package init(_ kind: Kind, state: SQLState? = nil, _ message: String, doing: String) {
    self.kind = kind
    self.state = state
    self.message = message
    self.doing = doing
  }

  /// Whether the row, the table or the type that a statement makes is there already.
  package var isDuplicate: Bool {
    [.uniqueViolation, .duplicateTable, .duplicateObject].contains(state)
  }
}

extension PostgreSQLError: CustomStringConvertible {
  package var description: String {
    "\(message)\(state.map { " (SQLSTATE \($0))" } ?? "") at: \(doing)"
  }
}
