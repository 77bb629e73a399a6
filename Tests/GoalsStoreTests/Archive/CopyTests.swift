import GoalsCore
import Testing

@testable import GoalsStore

/// `goals copy`: all accounts of one database in another.
@Suite("A copy of all accounts", .timeLimit(.minutes(10)))
struct CopyTests {
  private typealias Kind = CopiedDatabase.Kind

  private static func session(_ number: UInt8, of token: UInt64) -> SessionRecord {
    SessionRecord(
      secret: [UInt8](repeating: number, count: 32), token: .number(token),
      createdAt: .at("2026-11-01T00:00:00Z"),
      renewedAt: .at("2026-11-02T00:00:00Z").adding(milliseconds: Int64(number)))
  }

  /// Account 1 has edits of all types, more than are written at a time, and tokens of all kinds;
  /// 2 has nothing, in a zone that nobody chose; 3 chose its own.
  private static func fill(_ database: CopiedDatabase) async throws {
    var random = RandomBatches(Dice())
    try await database.use { store throws in
      try store.book.addAccount(.some(1, name: "É'\"\\"), .some(1, of: 1, secret: 1))
      let tokyo = CalendarSettings(
        timeZone: .of("Asia/Tokyo"), weekStart: .sunday, dayStart: .of("03:30"))
      try store.book.addAccount(
        .some(2, calendar: tokyo, createdAt: .at("2026-11-02T00:00:00Z")))
      try store.book.addAccount(.some(3, createdAt: .at("2026-11-03T00:00:00Z")))
      try store.book.recordChoiceOfZone(.number(3))
      for (number, scope) in TokenRecord.Scope.allCases.enumerated() {
        let expiry = Instant.at("2027-01-01T00:00:00.001Z")
        let token = TokenRecord.some(
          UInt64(2 + number), of: 1, secret: UInt8(2 + number), scope: scope,
          goal: scope == .bump ? .number(7) : nil, lastUsedAt: scope == .read ? nil : expiry,
          expiresAt: scope == .write ? nil : expiry, madeBy: scope == .count ? .number(1) : nil)
        #expect(try store.book.addToken(token, nil))
      }
      #expect(try store.book.addToken(.some(9, of: 3, secret: 9), nil))
      #expect(try store.book.revokeToken(.number(2), of: .number(1)))
      for number in 0..<UInt8(SessionRecord.maximumPerToken) {
        _ = try store.book.addSession(session(number, of: 1))
      }
      _ = try store.book.addSession(session(200, of: 9))
      while let state = try store.state(.number(1))?.state, state.version < Version(600) {
        _ = await store.send(random.batch(for: state, at: .at("2026-11-20T12:00:00Z")))
      }
      _ = await store.send(.of(.addGoal, .activate, .bump, from: 1), to: 3)
      #expect(try store.upkeep.verify() == [])
    }
  }

  @Test("has everything to the byte, and is as sound", arguments: CopiedDatabase.ways)
  private func everything(_ from: Kind, _ to: Kind) async throws {
    let (source, target) = try (CopiedDatabase(from), CopiedDatabase(to))
    try await Self.fill(source)
    let contents = try source.contents()
    #expect(contents.count == 3)
    let report = try source.copy(to: target)
    #expect((report.accounts, report.copied, report.present) == (3, 3, 0))
    #expect(report.edits > 600)
    #expect(report.differences == [])
    #expect(try target.contents() == contents)
    // Once more, and nothing is done.
    let again = try source.copy(to: target)
    #expect((again.accounts, again.copied, again.edits) == (3, 0, 0))
    #expect(again.differences == [])
    #expect(try target.contents() == contents)
    #expect(try source.contents() == contents)
    try await target.use { store throws in
      #expect(try store.upkeep.verify() == [])
      #expect(try store.book.accounts().map(\.isZoneChosen) == [true, false, true])
      // It goes on, and knows what was recorded.
      let answer = await store.send(.of(.addGoal, .activate, .bump, from: 1), to: 3)
      #expect(answer.statuses == (1...3).map { .duplicate(Version($0)) })
      let undo = await store.send(.of(Edit(.undo(.number(3))), .bump, from: 4), to: 3)
      #expect(undo.statuses == [.applied(Version(4)), .applied(Version(5))])
      #expect(try store.book.revokeToken(.number(3), of: .number(1)))
      #expect(try store.upkeep.verify() == [])
    }
  }

  @Test(
    "alters nothing of an account that has another history there", arguments: CopiedDatabase.ways)
  private func conflict(_ from: Kind, _ to: Kind) async throws {
    let (source, target) = try (CopiedDatabase(from), CopiedDatabase(to))
    let edits: [(UInt64, ours: [Edit], theirs: [Edit]?)] = [
      (1, [.addGoal, .activate], [.addGoal, .activate, .bump]),
      (2, [.addGoal, .activate], [.addGoal]),
      (3, [.addGoal, .activate], [Edit(.add(.some(1, "Other"))), .activate]),
      (4, [.addGoal], [.addGoal]), (5, [.addGoal], nil),
    ]
    for (account, ours, theirs) in edits {
      for (database, edits) in [(source, ours), (target, theirs)] {
        guard let edits else { continue }
        try await database.use { store throws in
          try store.book.addAccount(.some(account, name: "Account \(account)"))
          _ = await store.send(.of(all: edits, from: 1), to: account)
        }
      }
    }
    let before = try target.contents()
    let report = try source.copy(to: target)
    #expect((report.accounts, report.copied, report.edits) == (5, 1, 1))
    let id = Account.ID.number(0).description.dropLast()
    #expect(
      report.differences == [
        "Account 1 (\(id)1) ends at version 3 there, and at 2 here",
        "Account 2 (\(id)2) ends at version 1 there, and at 2 here",
        "Account 3 (\(id)3) has another history there",
      ])
    #expect(try target.contents().filter { $0.record.name != "Account 5" } == before)
    try await target.expectSound()
  }

  @Test("tells of what else is not the same there, and leaves it", arguments: CopiedDatabase.ways)
  private func otherBook(_ from: Kind, _ to: Kind) async throws {
    let (source, target) = try (CopiedDatabase(from), CopiedDatabase(to))
    for account in UInt64(1)...6 {
      let token = TokenRecord.some(account, of: account, secret: UInt8(account))
      try await source.use { try $0.book.addAccount(.some(account, name: "\(account)"), token) }
    }
    #expect(try source.copy(to: target).copied == 6)
    try await source.use { store throws in
      let book = store.book
      #expect(try book.renameAccount(.number(1), "Else"))
      try book.recordChoiceOfZone(.number(2))
      #expect(try book.addToken(.some(13, of: 3, secret: 13), nil))
      #expect(try book.revokeToken(.number(4), of: .number(4)))
      _ = try book.addSession(Self.session(1, of: 5))
    }
    let before = try target.contents()
    let said = try source.copy(to: target).differences.map { $0.split(separator: ") ").last }
    let zone = "has another name or time zone there"
    let tokens = "has other tokens there, or tokens that were used at another time"
    #expect(said == [zone, zone, tokens, tokens, "has other sessions there"].map { $0[...] })
    #expect(try target.contents() == before)
  }

  @Test("stops at an account that is damaged, and goes on once it is not", arguments: Kind.ofTier)
  private func damaged(_ to: Kind) async throws {
    let (source, target) = try (CopiedDatabase(), CopiedDatabase(to))
    for account in UInt64(1)...3 {
      try await source.use { store throws in
        try store.book.addAccount(.some(account, name: "Account \(account)"))
        _ = await store.send(.of(.addGoal, .activate, from: 1), to: account)
      }
    }
    let text = "replace(payload, '\"add\"', '\"bdd\"')"
    let row = "WHERE place = 2 << 40 | 1"
    try source.folder.tamper("UPDATE edit SET payload = \(text) \(row)")
    let failure = #expect(throws: Copying.Failure.self) { try source.copy(to: target) }
    #expect(failure?.account == "Account 2")
    let sentence = failure?.error.description ?? ""
    #expect(sentence.contains("the chain does not fit"), "\(sentence)")
    #expect(try target.contents().map(\.record.id) == [.number(1)])
    try source.folder.tamper(
      "UPDATE edit SET payload = replace(payload, '\"bdd\"', '\"add\"') \(row)")
    let report = try source.copy(to: target)
    #expect((report.copied, report.present, report.edits) == (2, 1, 4))
    #expect(report.differences == [])
  }

  @Test("is refused where damage hides an account of the source", arguments: [1, 2])
  func hidden(staged: Int) async throws {
    let (source, target) = try (CopiedDatabase(), CopiedDatabase())
    try await source.use { store throws in
      for account in UInt64(1)...2 { try store.book.addAccount(.some(account, name: "Ann")) }
    }
    try source.folder.tamper("UPDATE account SET staged = \(staged) WHERE number = 2")
    let refusal = #expect(throws: OpeningError.self) { try source.copy(to: target) }
    guard case .damaged(source.folder.database, _) = refusal else {
      return #expect(Bool(false), "\(refusal as Any)")
    }
    #expect(try target.folder.contents()["goals.sqlite"] == nil)
  }

  @Test("is refused where the source is missing or in use, and then makes nothing")
  func refused() async throws {
    let (source, target) = try (CopiedDatabase(), CopiedDatabase())
    #expect(throws: OpeningError.noDatabase(source.folder.database)) { try source.copy(to: target) }
    try await source.use { _ throws in
      let refusal = #expect(throws: OpeningError.self) { try source.copy(to: target) }
      guard case .inUse = refusal else { return #expect(Bool(false), "\(refusal as Any)") }
    }
    #expect(try target.folder.contents().isEmpty)
  }

  @Test("takes what older versions wrote", arguments: KeptDatabase.all, Kind.ofTier)
  private func kept(_ kept: KeptDatabase, _ to: Kind) async throws {
    let (source, target) = try (CopiedDatabase(in: kept.copied()), CopiedDatabase(to))
    let report = try source.copy(to: target)
    #expect(report.copied > 0)
    #expect(report.differences == [])
    #expect(try target.contents() == source.contents())
    try await target.expectSound()
  }
}
