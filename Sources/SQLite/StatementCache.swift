/// The statements of a connection that need no name of their own: each is prepared when it is first
/// asked for, and kept by its SQL.
///
/// To find one takes a look-up of its text, which only the statements of every edit are too many
/// for.
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
