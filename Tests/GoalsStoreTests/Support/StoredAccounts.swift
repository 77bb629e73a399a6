import Foundation
import GoalsCore
import SQLite
import Testing
import TestSupport

@testable import GoalsStore

/// A database with two accounts in which there is something of everything: what tests do to it by
/// SQL, and what the store makes of that.
struct StoredAccounts {
  let folder: TemporaryFolder

  /// The file of one that was closed. It is made once, as that takes many commits.
  private static let made = Task {
    let folder = try TemporaryFolder()
    try await fill(TestStore(in: folder))
    return try folder.bytes("goals.sqlite")
  }

  init() async throws {
    folder = try TemporaryFolder()
    try folder.put(try await Self.made.value, in: "goals.sqlite")
  }

  /// Fills a store with them, and closes it.
  static func fill(_ test: TestStore) async throws {
    for account in UInt64(1)...2 {
      let calendar = CalendarSettings(
        timeZone: .utc, weekStart: .monday, dayStart: account == 1 ? .midnight : .of("03:30"))
      try test.store.book.addAccount(.some(account, calendar: calendar))
      _ = try test.store.book.addToken(.some(account, of: account, secret: UInt8(account)), nil)
      // So few at a time that their ids wait for the index: in rows 1 to 6, and 7 to 12.
      for first in stride(from: 0, to: Self.edits.count, by: 3) {
        let edits = Array(Self.edits[first..<first + 3])
        let answer = await test.store.send(.of(all: edits, from: UInt64(first + 1)), to: account)
        #expect(answer.ruling?.recorded.count == 3)
      }
    }
    try test.store.upkeep.probe()
    #expect(try test.store.upkeep.verify() == [])
    test.store.destroy()
  }

  /// 18 edits of all ten types.
  private static let edits: [Edit] = [
    Edit(.add(.some(1, "First"))),  // 1
    Edit(.add(Goal(id: .number(2), title: .of("Second"), unit: .of("km")))),
    Edit(.add(.some(3, "Third"))),
    Edit(.setActivity(.keyed([.number(1): true, .number(2): true, .number(3): true]))),
    Edit(.bump(.number(1), by: .of(2), note: .of("noted"))),  // 5
    Edit(.bump(.number(1), by: .one, note: .of("other"))),
    .bump,
    Edit(.undo(.number(7))),
    Edit(.skip(.number(2))),
    Edit(.alter(.number(2), [.retitling(to: .of("Renamed")), .targeting(.times(3))])),  // 10
    Edit(.update(.some(3, "Replaced"))),
    Edit(.move(.number(1), before: .number(3))),
    Edit(.delete(.number(3))),
    Edit(.configure(.init(timeZone: .of("Europe/Berlin"), weekStart: .sunday))),
    Edit(.undo(.number(6))),  // 15
    Edit(.undo(.number(15))),
    Edit(.bump(.number(2), by: .of(5), note: nil)),
    Edit(.setActivity(.keyed([.number(1): false]))),
  ]

  /// Does to a copy of the database what the store never would.
  func tampered(by sql: String, idBatch: Int = Store.defaultIDBatch) throws -> TestStore {
    let copy = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: folder.database, toPath: copy.database)
    try copy.tamper(sql)
    return try TestStore(in: copy, idBatch: idBatch)
  }
}

extension TemporaryFolder {
  /// Runs SQL without the schema's guards on a database that is closed. Answers how many rows it
  /// changed.
  @discardableResult
  func tamper(_ sql: String) throws -> Int64 {
    let connection = try Connection(path: database, access: .readWrite, busyTimeout: 0)
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
    let before = connection.totalChanges
    try connection.execute(sql)
    let changes = connection.totalChanges - before
    #expect(changes > 0, "nothing was changed by: \(sql)")
    try connection.close()
    return changes
  }

  func rows(_ sql: String) throws -> [[Value]] {
    let connection = try Connection(path: database, access: .readOnly, busyTimeout: 1000)
    return try connection.rows(sql)
  }
}
