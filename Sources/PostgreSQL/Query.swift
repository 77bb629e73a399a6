/// A statement that a connection prepares when it first runs it, and keeps.
package struct Query: Sendable {
  /// What the server calls it, unlike every other query of a connection; at most 63 bytes.
  package let name: String
  /// One statement. Parameters are `$1`, `$2` …, each with its type: `$1::uuid[]`.
  package let sql: String

  package init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
  }
}

/// A query with its parameters.
package struct Call: Sendable {
  package let query: Query
  package let parameters: Parameters

  package init(_ query: Query, _ parameters: Parameters = Parameters()) {
    self.query = query
    self.parameters = parameters
  }
}

/// What a server said beside its answer.
package struct Notice: Equatable, Sendable {
  /// `WARNING`, `NOTICE`, …: in English, whatever the server's language.
  package let severity: String
  package let state: SQLState?
  package let message: String

  /// Whether it may say that a commit is not what it was to be. So it is with *canceling wait for
  /// synchronous replication* (01000; 57P01 when the server ends the connection, too): the client
  /// is told success, and no standby has it. Warnings without a code of their own have the same
  /// one, and none of them is known to be harmless.
  var leavesCommitOpen: Bool { severity == "WARNING" && state?.isWarning == true }
}
