/// The statements of a connection that need no name of their own: each is prepared when it is first
/// asked for, and kept by its SQL.
///
/// To find a statement takes a look-up by its text. That is too slow only for the statements that
/// every edit runs.
package final class StatementCache {
  package let connection: Connection
  private var statements: [String: Statement] = [:]

  package init(on connection: Connection) { self.connection = connection }

  package func callAsFunction(_ sql: String) throws(SQLiteError) -> Statement {
    if let known = statements[sql] { return known }
    let statement = try connection.prepare(sql)
    statements[sql] = statement
    return statement
  }
}
