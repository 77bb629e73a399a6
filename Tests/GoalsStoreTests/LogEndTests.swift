import GoalsCore
import SQLite
import Testing

@testable import GoalsStore

/// Only ids that are no larger than the largest of a log are looked up in it.
@Suite("An id that comes again") struct LogEndTests {
  /// The largest comes first, so that the others are smaller than it, and than each other.
  private static let mixed: [UInt64] = [900, 500, 700, 499, 901, 3, 1_000_000]

  @Test("is known, in whatever order the ids came", arguments: StoreKind.ofTier)
  func anyOrder(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    for (place, id) in Self.mixed.enumerated() {
      let version = Version(place + 3)
      #expect(await test.store.send(.of(.bump, from: id)).statuses == [.applied(version)])
      for (before, earlier) in Self.mixed[...place].enumerated() {
        let again = await test.store.send(.of(.bump, from: earlier))
        #expect(again.statuses == [.duplicate(Version(before + 3))])
      }
    }
    let later = try test.reopened()
    for (place, id) in Self.mixed.enumerated() {
      let again = await later.store.send(.of(.bump, from: id))
      #expect(again.statuses == [.duplicate(Version(place + 3))])
    }
  }

  @Test("is known after an import into a log whose end was known", arguments: StoreKind.ofTier)
  func imported(kind: StoreKind) async throws {
    let source = try TestStore(.memory)
    try await source.store.addAccountWithGoal()
    _ = await source.store.send(.of(.bump, from: 20))
    let target = try TestStore(kind)
    try target.store.book.addAccount(.some(1))
    _ = await target.store.send(.of(.addGoal, from: 1, isDryRun: true))
    guard case .adopted = try target.store.adopt(try Export(in: source.store)) else {
      Issue.record("nothing was adopted")
      return
    }
    let again = await target.store.send(.of(.bump, from: 20))
    #expect(again.statuses == [.duplicate(Version(3))])
  }

  @Test("is new in an account that was made anew", arguments: StoreKind.ofTier)
  func removed(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    #expect(try test.store.book.removeAccount(.number(1)))
    // It has another number, now that the last one is another account's.
    try test.store.book.addAccount(.some(2))
    try await test.store.addAccountWithGoal()
    #expect(await test.store.send(.of(.bump, from: 5)).statuses == [.applied(Version(3))])
    #expect(await test.store.send(.of(.bump, from: 5)).statuses == [.duplicate(Version(3))])
    #expect(try test.store.upkeep.verify() == [])
  }

  @Test("is new after a write that failed, and known after the next")
  func failed() async throws {
    let test = try TestStore(.sqlite)
    try await test.store.addAccountWithGoal()
    let path = try #require(test.folder).database
    let other = try Connection(path: path, access: .readWrite, busyTimeout: 0)
    try other.execute(
      """
      CREATE TRIGGER refuse BEFORE INSERT ON edit WHEN NEW.id = x'0000000000000000000000000000001e'
      BEGIN SELECT RAISE(ABORT, 'refused'); END
      """)
    #expect(await test.store.send(.of(.bump, from: 30)).name == "failed")
    try other.execute("DROP TRIGGER refuse")
    try other.close()
    #expect(await test.store.send(.of(.bump, from: 30)).statuses == [.applied(Version(3))])
    #expect(await test.store.send(.of(.bump, from: 30)).statuses == [.duplicate(Version(3))])
  }
}
