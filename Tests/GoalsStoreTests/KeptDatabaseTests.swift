import Foundation
import GoalsCore
import GoalsWire
import JSON
import Testing
import TestSupport

@testable import GoalsStore

/// A database that a version of this program wrote, and that is kept as it is
/// (Tests/Fixtures/databases/README.md).
struct KeptDatabase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let path: String

  static let all: [KeptDatabase] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/databases").path(percentEncoded: false)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { name in
      KeptDatabase(testDescription: name, path: "\(folder)/\(name)/goals.sqlite")
    }
    .filter { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// A store on a copy of it.
  func open() throws -> TestStore { try TestStore(in: copied()) }

  /// A folder with a copy of it.
  func copied() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: path, toPath: folder.database)
    return folder
  }
}

@Suite("A database that a version of this program wrote")
struct KeptDatabaseTests {
  private func entries(of account: AccountRecord, in store: Store) throws -> [LogEntry] {
    try #require(try store.log.page(account.id, .none, 10_000)).entries
  }

  @Test("is there at all")
  func exists() { #expect(!KeptDatabase.all.isEmpty) }

  /// The chain is over the payload's bytes. So as long as each is read as an edit that would be
  /// written so again, no change of the reader, the writer or the hash goes unnoticed.
  @Test(
    "has payloads that are read and written to the byte, and hashed to its chain",
    arguments: KeptDatabase.all)
  func payloads(_ kept: KeptDatabase) throws {
    let test = try kept.open()
    var types: Set<EditType> = []
    for account in try test.store.book.accounts() {
      var chain = ChainMaker.start(account.initialCalendar)
      for entry in try entries(of: account, in: test.store) {
        let payload = try #require(RecordedPayload(entry.payload))
        let effect = Effect.remove(.number(0))  // which no payload tells
        let undone =
          payload.edit.type == .undo ? RecordedEdit.Undone(root: .none, effect: effect) : nil
        var json = JSONWriter()
        try #require(payload.with(undone: undone) { _ in Reversal(effect) }).write(to: &json)
        #expect(json.bytes == entry.payload)
        chain = ChainMaker.next(after: chain, format: entry.format, payload: entry.payload)
        #expect(chain == entry.chain)
        types.insert(payload.edit.type)
      }
      #expect(try test.store.state(account.id)?.chain == chain)
    }
    #expect(types == Set(EditType.allCases))
  }

  @Test(
    "has the state that its log leads to, at its end and on the way", arguments: KeptDatabase.all)
  func states(_ kept: KeptDatabase) throws {
    let store = try kept.open().store
    for account in try store.book.accounts() {
      let present = try #require(try store.state(account.id))
      let folded = try #require(try store.log.state(account.id, present.state.version, nil))
      #expect(folded.state == present.state)
    }
  }

  @Test("is sound, and its tokens have the makers that they had", arguments: KeptDatabase.all)
  func sound(_ kept: KeptDatabase) throws {
    let folder = try kept.copied()
    let select = """
      SELECT id, name, scope, goal, secret, created_at, last_used_at, expires_at, revoked_at
      FROM token ORDER BY id
      """
    let before = try folder.rows(select)
    let columns = try folder.rows("SELECT name FROM pragma_table_info('token')")
    let makers =
      columns.contains([.text("made_by")])
      ? try folder.rows("SELECT made_by FROM token WHERE made_by IS NOT NULL").count : 0
    let store = try TestStore(in: folder).store
    #expect(try store.upkeep.verify() == [])
    let tokens = try store.book.accounts().flatMap { try store.book.tokens($0.id) }
    #expect(tokens.count == before.count)
    #expect(tokens.count { $0.madeBy != nil } == makers)
    store.destroy()
    #expect(try folder.rows(select) == before)
  }

  @Test("says of each account whether its zone was chosen", arguments: KeptDatabase.all)
  func chosenZones(_ kept: KeptDatabase) throws {
    for account in try kept.open().store.book.accounts() {
      #expect(account.isZoneChosen == (account.name != "Nobody yet"), "\(account.name)")
    }
  }
}
