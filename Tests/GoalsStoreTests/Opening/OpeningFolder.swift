import Foundation
import Migrations
import SQLite

@testable import GoalsStore

/// A folder of a test's own, gone with it.
final class OpeningFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "opening-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    // As the database knows it: where the system's folder for such files is a link, it is followed.
    let real = realpath(url.path(percentEncoded: false), nil)
    defer { free(real) }
    path = real.map { String(cString: $0) } ?? url.path(percentEncoded: false)
  }

  deinit {
    chmod(path, 0o700)
    try? FileManager.default.removeItem(atPath: path)
  }

  var database: String { file("goals.sqlite") }

  func file(_ name: String) -> String { path + "/" + name }

  func put(_ bytes: [UInt8], in name: String) throws {
    try Data(bytes).write(to: URL(filePath: file(name)))
  }

  /// Every file but the lock, by its name.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path)
    where !name.hasSuffix(".lock") {
      contents[name] = try Data(contentsOf: URL(filePath: file(name)))
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
