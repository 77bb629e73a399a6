import Foundation
import GoalsCore
import SQLite
import Testing

@testable import GoalsStore

/// A later version of this program will have an eleventh edit type. A test can't add one: every
/// switch over `Edit` is total, so the compiler would want the whole of it, and that is the point
/// of total switches. What a test can do is to write what that version would write, rows whose
/// payloads have a type or a format that nobody here knows, properly chained, and show the two
/// things that make a new type safe:
///
/// - what is promised of the log for ever (places, ids, the chain, cursors, pages, what clients and
///   exports are given) is made of a row's bytes, and asks no row for its type. So rows of before
///   are worth the same whatever comes after them, and a new type can take nothing from them;
/// - what does depend on the type, the state, is refused and never guessed.
///
/// That rows of the ten known types keep being read as they are is the other half:
/// `KeptDatabaseTests` for what was recorded once, `PayloadTests` for the bytes of each type.
@Suite("A log with an edit of a type that this version does not know")
struct NewEditTypeTests {
  /// What another version may append to the log of account 1.
  enum Unknown: String, CaseIterable {
    case type = #"{"id":"00000000-0000-0000-0000-0000000000ff","type":"dance","steps":[1,2]}"#
    case format = #"{"a later format":"means something else"}"#

    var number: Int { self == .type ? 1 : 2 }
  }

  private static let account = Account.ID.number(1)
  private static let id: Edit.ID = .number(255)

  let before: [LogEntry]
  let stored: StoredAccounts

  init() async throws {
    stored = try await StoredAccounts()
    let test = try TestStore(in: stored.folder)
    before = try #require(try test.store.log.page(Self.account, .none, 100)?.entries)
    test.store.destroy()
  }

  /// The database after the other version has written to it.
  private func written(_ unknown: Unknown) throws -> (store: TestStore, chain: Chain) {
    let last = try #require(before.last)
    let payload = Array(unknown.rawValue.utf8)
    let chain = ChainMaker.next(after: last.chain, format: unknown.number, payload: payload)
    let hex = chain.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let id = String(repeating: "00", count: 15) + "ff"
    let test = try stored.tampered(
      by: """
        INSERT INTO edit (place, id, format, payload, inverse, hash) VALUES (
          \(Tampering.place(before.count + 1)), x'\(id)', \(unknown.number),
          '\(unknown.rawValue)', '{}', x'\(hex)');
        INSERT INTO recent_id (ids) VALUES (\(Tampering.ids((before.count + 1, 255))))
        """)
    return (test, chain)
  }

  @Test(
    "gives every earlier edit as before: bytes, versions and chain", arguments: Unknown.allCases)
  func earlier(_ unknown: Unknown) throws {
    let (test, chain) = try written(unknown)
    let page = try #require(try test.store.log.page(Self.account, .none, 100))
    #expect(Array(page.entries.dropLast()) == before)
    #expect(page.entries.last?.chain == chain)
    // A cursor of any place before it: the next page begins with the same chain.
    for (place, entry) in before.enumerated() {
      let page = try test.store.log.page(Self.account, entry.version, 100)
      #expect(page?.chainBefore == entry.chain)
      #expect(page?.entries.first?.version == Version(place + 2))
    }
  }

  @Test("gives the unknown edit as it was recorded", arguments: Unknown.allCases)
  func unknown(_ unknown: Unknown) throws {
    let (test, _) = try written(unknown)
    let entry = try #require(try test.store.log.entry(Self.account, Self.id))
    #expect(String(decoding: entry.payload, as: UTF8.self) == unknown.rawValue)
    #expect(entry.format == unknown.number)
  }

  @Test("still has its past: the list at every version before", arguments: Unknown.allCases)
  func past(_ unknown: Unknown) throws {
    let sound = try TestStore(in: stored.folder)
    let (test, _) = try written(unknown)
    for version in 0...before.count {
      let expected = try sound.store.log.state(Self.account, Version(version), nil)
      #expect(expected != nil)
      #expect(try test.store.log.state(Self.account, Version(version), nil) == expected)
    }
  }

  @Test("has no state, and takes no edit, rather than a wrong one", arguments: Unknown.allCases)
  func refused(_ unknown: Unknown) async throws {
    let (test, _) = try written(unknown)
    let said = StoreError.corrupt(
      "account \(Self.account): the edit of version \(before.count + 1) can't be read")
    #expect(throws: said) { try test.store.state(Self.account) }
    #expect(throws: said) { try test.store.log.state(Self.account, Version(before.count + 1), nil) }
    #expect(await test.store.send(.of(.bump, from: 500)).name == "failed")
    #expect(try test.store.upkeep.verify() == [said.fault])
    // Another account is not touched by it.
    #expect(await test.store.send(.of(.bump, from: 500), to: 2).name == "ruled")
  }
}

extension StoreError {
  fileprivate var fault: String {
    switch self {
    case .corrupt(let text), .full(let text), .inputOutput(let text), .busy(let text),
      .other(let text), .unknown(let text):
      text
    case .refused, .closed: ""
    }
  }
}
