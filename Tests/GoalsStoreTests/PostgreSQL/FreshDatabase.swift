import Foundation
import PostgreSQL
import PostgreSQLTestSupport

@testable import GoalsStore

extension PostgreSQLDatabase {
  /// Tables of a test's own, in a schema of the common cluster's database, or of the one whose URL
  /// is in `GOALS_TEST_POSTGRES`.
  ///
  /// - Parameter form: nil for what the extensions that are there call for.
  static func fresh(_ form: Round.Form? = nil) throws -> PostgreSQLDatabase {
    let given = ProcessInfo.processInfo.environment["GOALS_TEST_POSTGRES"]
    let url = try given.map { try DatabaseURL($0) } ?? Cluster.common.get().url()
    let schema = "test_\(UUID().uuidString.prefix(8).lowercased())"
    let connection = try Connection.connect(to: url, within: .seconds(30))
    try connection.execute("CREATE SCHEMA \(schema)", within: .seconds(60))
    connection.close()
    let mark = url.description.contains("?") ? "&" : "?"
    let database = try PostgreSQLDatabase(
      "\(url)\(mark)options=-csearch_path%3D\(schema)", server: .number(1), form: form)
    _ = try database.migrate(now: 0)
    return database
  }
}
