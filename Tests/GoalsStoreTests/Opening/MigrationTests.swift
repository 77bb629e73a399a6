import Foundation
import Migrations
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

@Suite("The migrations of this program")
struct MigrationTests {
  @Test("are the files of the folder Migrations, numbered from 1 without a gap")
  func files() throws {
    var folder = URL(filePath: #filePath)
    while !FileManager.default.fileExists(
      atPath: folder.appending(path: "Migrations").path(percentEncoded: false)), folder.path != "/"
    {
      folder = folder.deletingLastPathComponent()
    }
    folder = folder.appending(path: "Migrations")
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false)
    ).filter { $0.hasSuffix(".sql") }.sorted()
    #expect(!names.isEmpty)
    #expect(Migration.all.map(\.number) == Array(1...Int64(names.count)))
    for (migration, name) in zip(Migration.all, names) {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      #expect(Migration(fileName: name, sql: text) == migration)
    }
  }

  @Test("are those of PostgreSQL, too, with the statement that records a round")
  func postgreSQL() {
    #expect(Migration.postgreSQL.map(\.number) == Array(1...Int64(Migration.postgreSQL.count)))
    #expect(Migration.postgreSQL.first?.name == "initial")
    #expect(Migration.postgreSQL.first?.sql.contains("CREATE TABLE account") == true)
    #expect(
      Migration.postgreSQLRound.hasSuffix(
        "\nSELECT h.id, true FROM held AS h JOIN known AS k ON k.account = h.id\n"))
  }

  @Test("leave transactions to the migrator")
  func transactions() {
    for migration in Migration.all + Migration.postgreSQL {
      for line in migration.sql.uppercased().split(separator: "\n") {
        let word = line.drop { $0 == " " }.prefix { $0.isLetter }
        let isForbidden = ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "VACUUM"].contains(
          word)
        #expect(!isForbidden, "\(migration.name): \(line)")
      }
    }
  }

  @Test("make a sound database")
  func sound() throws {
    let folder = try TemporaryFolder()
    try folder.start(Migration.all) { connection throws in
      #expect(try connection.integrityFaults() == [])
      #expect(
        try connection.rows("SELECT count(*) FROM migration") == [
          [Value.integer(Int64(Migration.all.count))]
        ])
      #expect(try connection.value(of: .foreignKeys) == 1)
    }
  }

  @Test(
    "are only files that are named so",
    arguments: [
      "1-a.sql", "0000-a.sql", "0001.sql", "0001-.sql", "0001-a.txt", "-001-a.sql", "000a-a.sql",
    ])
  func names(_ name: String) {
    #expect(Migration(fileName: name, sql: "") == nil)
  }
}

@Suite("A database that is migrated")
struct MigratorTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("records each step with its checksum and instant")
  func records() throws {
    try folder.start(.made(upTo: 1), now: 10)
    try folder.start(now: 20) { connection throws in
      #expect(
        try connection.rows("SELECT number, name, applied_at FROM migration")
          == [[1, "one", 10], [2, "two", 20], [3, "three", 20]])
      #expect(
        try connection.rows("SELECT lower(hex(checksum)) FROM migration WHERE number = 2")
          // printf 'INSERT INTO a VALUES (2);' | sha256sum
          == [["47049341529adea319ad2d8bcefd538e4ac0eefbd6681ee94bebf83478a33805"]])
      #expect(try connection.rows("SELECT n FROM a") == [[2], [3]])
      #expect(try connection.value(of: .applicationID) == 0x474F_414C)
    }
  }

  @Test("goes through no step twice")
  func once() throws {
    try folder.start()
    try folder.start { connection throws in
      #expect(try connection.rows("SELECT n FROM a") == [[2], [3]])
    }
  }

  @Test("stays whole at the version before a step that fails half-way")
  func failsHalfWay() throws {
    try folder.start(.made(upTo: 1))
    var migrations = [Migration].made
    migrations[2] = Migration(
      number: 3, name: "three",
      sql: "DROP TABLE b; INSERT INTO a VALUES (3); INSERT INTO c VALUES (1);")
    let error = #expect(throws: OpeningError.self) { try folder.start(migrations) }
    guard case .migrationFailed(3, "three", let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.message == "no such table: c")
    try folder.start(.made(upTo: 2)) { connection throws in
      #expect(try connection.rows("SELECT n FROM a") == [[2]])
      #expect(try connection.rows("SELECT n FROM b") == [])
      #expect(try connection.rows("SELECT count(*) FROM migration") == [[2]])
    }
    try folder.start()
  }

  @Test(
    "takes a step back that ends its transaction or leaves a row that points at nothing",
    arguments: [
      "CREATE TABLE p (n INTEGER PRIMARY KEY); CREATE TABLE c (n REFERENCES p (n)); INSERT INTO c VALUES (1)",
      "ROLLBACK",
    ])
  func refused(_ sql: String) throws {
    try folder.start()
    let error = #expect(throws: OpeningError.self) {
      try folder.start(.made + [Migration(number: 4, name: "four", sql: sql)])
    }
    guard case .migrationFailed(4, "four", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try folder.start { connection throws in
      #expect(try connection.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'c'") == [[0]])
    }
  }

  @Test("may rebuild a table that others point at")
  func rebuild() throws {
    let migrations = [
      Migration(
        number: 1, name: "one",
        sql: """
          CREATE TABLE p (n INTEGER PRIMARY KEY);
          CREATE TABLE c (n INTEGER REFERENCES p (n) ON DELETE CASCADE);
          INSERT INTO p VALUES (1); INSERT INTO c VALUES (1);
          """),
      Migration(
        number: 2, name: "two",
        sql: """
          CREATE TABLE q (n INTEGER PRIMARY KEY, m TEXT);
          INSERT INTO q SELECT n, 'new' FROM p; DROP TABLE p; ALTER TABLE q RENAME TO p;
          """),
    ]
    try folder.start(migrations) { connection throws in
      #expect(try connection.rows("SELECT n FROM c") == [[1]])
      try connection.execute("DELETE FROM p")
      #expect(try connection.rows("SELECT n FROM c") == [])
    }
  }

  @Test("and killed at any moment in between starts again from the last whole step")
  func killed() throws {
    // What a kill leaves are the files as they are. They are copied while a step has begun, once
    // for each step, and each copy is then started.
    var copies: [TemporaryFolder] = []
    let connection = try folder.claim().start {
      do {
        let copy = try TemporaryFolder()
        for (name, data) in try folder.contents() where !name.hasSuffix("-shm") {
          try copy.put(Array(data), in: name)
        }
        copies.append(copy)
      } catch {
        Issue.record(error)
      }
      return 5
    }
    try connection.close()
    #expect(copies.count == 3)
    for (step, copy) in copies.enumerated() {
      let before = try Connection(path: copy.database, access: .readWrite, busyTimeout: 0)
      let tables = try before.rows("SELECT count(*) FROM sqlite_schema WHERE name = 'migration'")
      #expect(tables == [[step == 0 ? 0 : 1]])
      if step > 0 {
        #expect(
          try before.rows("SELECT count(*) FROM migration") == [[.integer(Int64(step))]])
      }
      try before.set(.noCheckpointOnClose, to: true)
      try before.close()
      try copy.start { connection throws in
        #expect(try connection.rows("SELECT n FROM a") == [[2], [3]])
        #expect(try connection.rows("SELECT count(*) FROM migration") == [[3]])
      }
    }
  }
}
