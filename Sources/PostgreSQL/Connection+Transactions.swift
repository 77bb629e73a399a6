extension Connection {
  package enum Transaction: Sendable {
    /// What it reads is what others have committed, statement by statement.
    case write
    /// One unchanging view of the database, taken with the first statement.
    case read

    fileprivate var query: Query {
      switch self {
      case .write: beginWriting
      case .read: beginReading
      }
    }
  }

  package static let beginWriting = Query(
    "begin writing", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  package static let beginReading = Query(
    "begin reading", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  package static let commit = Query("commit a transaction", "COMMIT")
  package static let rollBack = Query("roll back", "ROLLBACK")

  /// Runs `body` in a transaction of several round trips, which is committed when it returns and
  /// rolled back when it throws. Nothing that others write may be locked in it: a server that is
  /// paused in between would hold the locks.
  ///
  /// - Parameter limit: for its beginning, and again for its end.
  package func transaction<Result>(
    _ transaction: Transaction, within limit: Duration,
    _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    try run(transaction.query, within: limit)
    do throws(PostgreSQLError) {
      let result = try body()
      // A server answers COMMIT, too, where a statement had failed: by rolling back.
      let command = try run(Self.commit, within: limit).command
      guard command == "COMMIT" else {
        throw PostgreSQLError(
          .defect, "nothing of it is recorded, as a statement had failed: \(command)",
          doing: Self.commit.name)
      }
      return result
    } catch {
      // The first error is the one that tells; a server rolls back by itself what it loses.
      if isOpen, isInTransaction { _ = try? run(Self.rollBack, within: limit) }
      throw error
    }
  }
}
