import GoalsCore
import Testing

@testable import GoalsStore

@Suite("The book of sessions")
struct SessionBookTests {
  private func store(_ kind: StoreKind) throws -> TestStore {
    let test = try TestStore(kind)
    for account in UInt64(1)...2 { try test.store.book.addAccount(.some(account)) }
    return test
  }

  private func session(
    _ number: UInt8, of token: UInt64 = 1, renewedAt: Instant = .at("2026-11-02T00:00:00Z")
  ) -> SessionRecord {
    SessionRecord(
      secret: [UInt8](repeating: number, count: 32), token: .number(token),
      createdAt: .at("2026-11-01T00:00:00Z"), renewedAt: renewedAt)
  }

  @Test("keeps sessions with their tokens", arguments: StoreKind.ofTier)
  func sessions(_ kind: StoreKind) throws {
    let test = try store(kind)
    _ = try test.store.book.addToken(.some(1, of: 1, secret: 1), nil)
    for number in UInt8(1)...3 { _ = try test.store.book.addSession(session(number)) }
    let late = Instant.at("2026-11-05T00:00:00.001Z")
    let unknown = [UInt8](repeating: 9, count: 32)
    try test.store.book.renewSessions([session(2).secret: late, unknown: late])
    #expect(try test.store.book.endSession(session(3).secret))
    #expect(try test.store.book.endSession(session(3).secret) == false)
    #expect(throws: StoreError.self) { try test.store.book.addSession(session(1)) }
    #expect(throws: StoreError.self) { try test.store.book.addSession(session(4, of: 7)) }
    let book = try test.reopened().store.book
    let first = try #require(try book.session(session(1).secret))
    #expect(first == (session(1), .some(1, of: 1, secret: 1)))
    #expect(try book.session(session(2).secret)?.0.renewedAt == late)
    #expect(try book.session(session(3).secret) == nil)
    #expect(try book.session(unknown) == nil)
  }

  @Test("ends the sessions of a token that goes", arguments: StoreKind.ofTier)
  func sessionsOfRevoked(_ kind: StoreKind) throws {
    let store = try store(kind).store
    for number in UInt64(1)...3 {
      _ = try store.book.addToken(
        .some(number, of: number == 3 ? 2 : 1, secret: UInt8(number)), nil)
      _ = try store.book.addSession(session(UInt8(number), of: number))
    }
    #expect(try store.book.revokeToken(.number(1), of: .number(1)))
    #expect(try store.book.session(session(1).secret) == nil)
    #expect(try store.book.removeAccount(.number(2)))
    #expect(try store.book.session(session(3).secret) == nil)
    #expect(try store.book.session(session(2).secret)?.0 == session(2, of: 2))
  }

  @Test("holds a hundred sessions of a token", arguments: StoreKind.ofTier)
  func manySessions(_ kind: StoreKind) throws {
    let store = try store(kind).store
    for number in UInt64(1)...2 {
      _ = try store.book.addToken(.some(number, of: 1, secret: UInt8(number)), nil)
    }
    _ = try store.book.addSession(session(200, of: 2, renewedAt: .at("2026-10-01T00:00:00Z")))
    for number in 0..<UInt8(SessionRecord.maximumPerToken) {
      let renewedAt = Instant.at("2026-11-02T00:00:00Z").adding(milliseconds: Int64(number))
      #expect(try store.book.addSession(session(number, renewedAt: renewedAt)) == [])
    }
    // It was renewed longest ago, and then no more.
    try store.book.renewSessions([session(0).secret: .at("2026-11-03T00:00:00Z")])
    let ended = try store.book.addSession(session(100, renewedAt: .at("2026-11-03T00:00:00Z")))
    #expect(ended == [session(1).secret])
    #expect(try store.book.session(session(1).secret) == nil)
    for number in [0, 2, 99, 100, 200] as [UInt8] {
      #expect(try store.book.session(session(number).secret) != nil)
    }
  }

  @Test("says until when a session lasts", arguments: [(-1, true), (0, false)] as [(Int64, Bool)])
  func sessionLifetime(_ rest: Int64, _ isValid: Bool) {
    let session = session(1)
    let end = session.renewedAt.adding(milliseconds: 90 * 24 * 3_600_000)
    #expect(session.isValid(at: end.adding(milliseconds: rest)) == isValid)
  }
}
