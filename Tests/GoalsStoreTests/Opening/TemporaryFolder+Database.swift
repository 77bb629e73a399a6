import Foundation
import Migrations
import SQLite
import TestSupport

@testable import GoalsStore

extension TemporaryFolder {
  /// Where its database is.
  var database: String { file("goals.sqlite") }

  /// Every file but the lock, by its name.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where !name.hasSuffix(".lock") {
      contents[name] = try Data(contentsOf: url(name))
    }
    return contents
  }

  func claim(
    _ migrations: [Migration] = .made, ifMissing: OwnedDatabase.Missing = .create
  ) throws(OpeningError) -> OwnedDatabase {
    try OwnedDatabase.claim(path: database, ifMissing: ifMissing, migrations: migrations)
  }

  /// Starts a database, does something with it, and closes it.
  func start(
    _ migrations: [Migration] = .made, now: Int64 = 1,
    _ body: (Connection) throws -> Void = { _ in }
  ) throws {
    let connection = try claim(migrations).start(now: { now })
    try body(connection)
    try connection.close()
  }
}

extension [Migration] {
  /// Some that are only for tests.
  static let made: [Migration] = [
    Migration(
      number: 1, name: "one", sql: "CREATE TABLE a (n INTEGER); CREATE TABLE b (n INTEGER);"),
    Migration(number: 2, name: "two", sql: "INSERT INTO a VALUES (2);"),
    Migration(number: 3, name: "three", sql: "DROP TABLE b; INSERT INTO a VALUES (3);"),
  ]

  static func made(upTo number: Int64) -> [Migration] {
    made.filter { $0.number <= number }
  }
}
