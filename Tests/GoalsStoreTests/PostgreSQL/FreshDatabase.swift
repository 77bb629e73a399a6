import Foundation
import PostgreSQLTestSupport

@testable import GoalsStore

extension PostgreSQLDatabase {
  /// Tables of a test's own, in a schema of the common cluster's database.
  static func fresh() throws -> PostgreSQLDatabase {
    let cluster = try Cluster.common.get()
    let schema = "test_\(UUID().uuidString.prefix(8).lowercased())"
    let connection = try cluster.connect()
    try connection.execute("CREATE SCHEMA \(schema)", within: .seconds(60))
    connection.close()
    let url = try cluster.url("postgres", "&options=-csearch_path%3D\(schema)").description
    let database = try PostgreSQLDatabase(url, server: .number(1))
    _ = try database.migrate(now: 0)
    return database
  }
}
