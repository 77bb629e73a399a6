import GoalsCore
import Testing

@testable import GoalsStore

@Suite("The book of accounts")
struct AccountBookTests {
  @Test("lists them in the order in which they were made", arguments: StoreKind.ofTier)
  func list(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let berlin = CalendarSettings(
      timeZone: .of("Europe/Berlin"), weekStart: .sunday, dayStart: .of("12:00"))
    func later(_ milliseconds: Int64) -> Instant {
      test.clock.now.adding(milliseconds: milliseconds)
    }
    let records: [AccountRecord] = [
      .some(7, name: "", createdAt: later(0)),
      .some(3, name: "O'Neill \"é\" e\u{301}", calendar: berlin, createdAt: later(1)),
      .some(5, createdAt: later(2)),
    ]
    for record in records { try test.store.book.addAccount(record) }
    let store = try test.reopened().store
    #expect(try store.book.accounts() == records)
    for record in records { #expect(try store.book.account(record.id) == record) }
    #expect(try store.book.removeAccount(.number(3)))
    let last = AccountRecord.some(1, createdAt: later(3))
    try store.book.addAccount(last)
    #expect(try store.book.accounts() == [records[0], records[2], last])
  }

  @Test("calls an account otherwise, and it stays sealed", arguments: StoreKind.ofTier)
  func rename(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    try test.store.book.addAccount(.some(1), .some(1, of: 1, secret: 1))
    #expect(try test.store.book.renameAccount(.number(1), "Ann"))
    #expect(try test.store.book.renameAccount(.number(2), "Ann") == false)
    let store = try test.reopened().store
    #expect(try store.book.accounts() == [.some(1, name: "Ann")])
    #expect(try store.upkeep.verify() == [])
  }

  @Test("keeps whether a time zone was chosen", arguments: StoreKind.ofTier)
  func chosenZone(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    for account in UInt64(1)...2 { try test.store.book.addAccount(.some(account)) }
    var chosen = AccountRecord.some(3)
    chosen.isZoneChosen = true
    try test.store.book.addAccount(chosen)
    try test.store.book.recordChoiceOfZone(.number(2))
    try test.store.book.recordChoiceOfZone(.number(9))
    let store = try test.reopened().store
    #expect(try store.book.accounts().map(\.isZoneChosen) == [false, true, true])
    #expect(try store.upkeep.verify() == [])
  }

  @Test("takes note of a time zone in the transaction of the edit", arguments: StoreKind.ofTier)
  func namedZone(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try test.store.book.addAccount(.some(1))
    let edit = Edit(.configure(.init(timeZone: .utc, weekStart: .sunday)))
    let batch = Batch(device: "d", proposals: [.edit(ProposedEdit(id: .number(7), edit: edit))])
    _ = await test.store.send(batch)
    let store = try test.reopened().store
    #expect(try store.book.account(.number(1))?.isZoneChosen == true)
    #expect(try store.upkeep.verify() == [])
  }

  @Test("takes an account with its first token, both or neither", arguments: StoreKind.ofTier)
  func withToken(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let token = TokenRecord.some(1, of: 1, secret: 1)
    try test.store.book.addAccount(.some(1), token)
    // Its secret is taken.
    #expect(throws: StoreError.self) {
      try test.store.book.addAccount(.some(2), .some(2, of: 2, secret: 1))
    }
    let store = try test.reopened().store
    #expect(try store.book.accounts() == [.some(1)])
    #expect(try store.book.tokens(.number(1)) == [token])
    #expect(try store.upkeep.verify() == [])
  }

  @Test("has an id once", arguments: StoreKind.ofTier)
  func once(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try await store.addAccountWithGoal()
    #expect(throws: StoreError.self) { try store.book.addAccount(.some(1, name: "Other")) }
    #expect(try store.book.accounts() == [.some(1)])
    #expect(try store.state(.number(1))?.state.version == Version(2))
    #expect(await store.send(.of(.bump, from: 3)).statuses == [.applied(Version(3))])
  }

  @Test("forgets what is removed, and everything of it", arguments: StoreKind.ofTier)
  func remove(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let store = test.store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    _ = try store.book.addToken(.some(1, of: 2, secret: 1), nil)
    #expect(try store.book.removeAccount(.number(2)))
    #expect(try store.book.removeAccount(.number(2)) == false)
    #expect(try store.state(.number(2)) == nil)
    #expect(store.stateInMemory(.number(2)) == nil)
    #expect(try store.log.page(.number(2), .none, 10) == nil)
    #expect(try store.log.entry(.number(2), .number(1)) == nil)
    #expect(try store.book.tokens(.number(2)) == [])
    #expect(try store.book.token([UInt8](repeating: 1, count: 32)) == nil)
    #expect(await store.send(.of(.bump, from: 3), to: 2).name == "unknownAccount")
    // A new account of the same id, which may get the same place on the disk, has nothing of it.
    try store.book.addAccount(.some(2))
    #expect(try store.state(.number(2))?.state == AccountState())
    #expect(await store.send(.of(.addGoal, from: 1), to: 2).statuses == [.applied(Version(1))])
    #expect(try store.upkeep.verify() == [])
    #expect(try store.state(.number(1))?.state.version == Version(2))
  }

  @Test("never takes a new account for one that was removed", arguments: StoreKind.ofTier)
  func reused(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    #expect(try store.book.removeAccount(.number(2)))
    // It is the last on the disk now, where account 2 was.
    try await store.addAccountWithGoal(3)
    try await store.addAccountWithGoal(2)
    _ = await store.send(.of(.bump, .bump, from: 3), to: 2)
    _ = await store.send(.of(.bump, from: 3), to: 3)
    #expect(try store.log.page(.number(2), .none, 10)?.head == Version(4))
    #expect(try store.log.page(.number(3), .none, 10)?.head == Version(3))
    #expect(try store.upkeep.verify() == [])
  }

  @Test("answers who sent to an account that is removed meanwhile", arguments: StoreKind.ofTier)
  func removedMeanwhile(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    let answers = Collected<String>()
    try store.updated.network.sync {
      for account in [UInt64(1), 2, 1] {
        store.submit(.init(account: .number(account), batch: .of(.bump, from: 3))) {
          answers.append("\(account): \($0.name)")
        }
      }
      _ = try store.book.removeAccount(.number(1))
    }
    while answers.all.count < 3 { store.updated.network.settle() }
    #expect(answers.all.sorted() == ["1: unknownAccount", "1: unknownAccount", "2: ruled"])
  }

  @Test("is emptied by a reset, and goes on", arguments: StoreKind.ofTier)
  func reset(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    for account in UInt64(1)...3 { try await test.store.addAccountWithGoal(account) }
    _ = try test.store.book.addToken(.some(1, of: 2, secret: 1), nil)
    try test.store.reset()
    #expect(try test.store.book.accounts() == [])
    #expect(test.store.stateInMemory(.number(1)) == nil)
    #expect(try test.store.book.token([UInt8](repeating: 1, count: 32)) == nil)
    try await test.store.addAccountWithGoal()
    let after = try test.reopened()
    #expect(try after.store.book.accounts() == [.some(1)])
    #expect(try after.store.state(.number(1))?.state.version == Version(2))
    #expect(try after.store.upkeep.verify() == [])
  }
}

@Suite("The book of tokens")
struct TokenBookTests {
  private func store(_ kind: StoreKind) throws -> TestStore {
    let test = try TestStore(kind)
    for account in UInt64(1)...2 { try test.store.book.addAccount(.some(account)) }
    return test
  }

  @Test("keeps all there is to a token", arguments: StoreKind.ofTier)
  func keep(_ kind: StoreKind) throws {
    let test = try store(kind)
    let tokens: [TokenRecord] = [
      .some(1, of: 1, secret: 1, scope: .read),
      .some(2, of: 1, secret: 2, scope: .bump, goal: .number(9)),
      .some(
        3, of: 1, secret: 0, scope: .write, lastUsedAt: .at("2026-11-02T00:00:00Z"),
        expiresAt: .at("2027-01-01T00:00:00.001Z")),
    ]
    for token in tokens { _ = try test.store.book.addToken(token, nil) }
    _ = try test.store.book.addToken(.some(4, of: 2, secret: 4), nil)
    let store = try test.reopened().store
    #expect(try store.book.tokens(.number(1)) == tokens)
    for token in tokens { #expect(try store.book.token(token.secret) == token) }
    #expect(try store.book.token([UInt8](repeating: 9, count: 32)) == nil)
    #expect(try store.book.token([]) == nil)
  }

  @Test("lists the oldest first, and of one instant by id", arguments: StoreKind.ofTier)
  func order(_ kind: StoreKind) throws {
    let store = try store(kind).store
    let late = Instant.at("2026-11-09T00:00:00Z")
    _ = try store.book.addToken(.some(5, of: 1, secret: 1, createdAt: late), nil)
    _ = try store.book.addToken(.some(9, of: 1, secret: 2), nil)
    _ = try store.book.addToken(.some(4, of: 1, secret: 3, createdAt: late), nil)
    for tokens in [store.book.tokens, store.book.tokensInUse] {
      #expect(try tokens(.number(1)).map(\.id) == [.number(9), .number(4), .number(5)])
    }
  }

  @Test("revokes a token once", arguments: StoreKind.ofTier)
  func revoke(_ kind: StoreKind) throws {
    let test = try store(kind)
    for number in UInt64(1)...2 {
      _ = try test.store.book.addToken(.some(number, of: 1, secret: UInt8(number)), nil)
    }
    let revokedAt = test.clock.now
    #expect(try test.store.book.revokeToken(.number(1), of: .number(1)))
    test.clock.advance(milliseconds: 1000)
    #expect(try test.store.book.revokeToken(.number(1), of: .number(1)) == false)
    #expect(try test.store.book.revokeToken(.number(3), of: .number(1)) == false)
    let store = try test.reopened().store
    #expect(try store.book.tokens(.number(1)).map(\.revokedAt) == [revokedAt, nil])
    #expect(try store.book.tokensInUse(.number(1)).map(\.id) == [.number(2)])
    #expect(try store.book.tokensInUse(.number(2)) == [])
    let revoked = try #require(try store.book.token([UInt8](repeating: 1, count: 32)))
    #expect(revoked.revokedAt == revokedAt)
    #expect(!revoked.isValid(at: test.clock.now))
  }

  @Test("revokes a token of the account that is named only", arguments: StoreKind.ofTier)
  func revokeOf(_ kind: StoreKind) throws {
    let store = try store(kind).store
    _ = try store.book.addToken(.some(1, of: 1, secret: 1), nil)
    for other in [Account.ID.number(2), .number(3)] {
      #expect(try store.book.revokeToken(.number(1), of: other) == false)
    }
    #expect(try store.book.tokens(.number(1)).map(\.revokedAt) == [nil])
    #expect(try store.book.revokeToken(.number(1), of: .number(1)))
  }

  @Test("holds a thousand that are not revoked", arguments: StoreKind.ofTier)
  func full(_ kind: StoreKind) throws {
    let store = try store(kind).store
    let add = { (number: Int) in
      let digits = [UInt8(number >> 8), UInt8(number & 255)]
      return try store.book.addToken(
        TokenRecord(
          id: .number(UInt64(number)), account: .number(1), name: "", scope: .read,
          secret: digits + [UInt8](repeating: 0, count: 30), createdAt: .at("2026-11-01T00:00:00Z")),
        nil)
    }
    for number in 1...TokenCount.maximumInUse { #expect(try add(number)) }
    #expect(try add(5000) == false)
    #expect(try store.book.addToken(.some(6000, of: 2, secret: 255), nil))
    #expect(try store.book.revokeToken(.number(1), of: .number(1)))
    #expect(try add(5000))
    #expect(try add(5001) == false)
    #expect(TokenCount(inUse: 0, everMade: TokenCount.maximumEverMade).isFull)
    #expect(!TokenCount(inUse: 0, everMade: TokenCount.maximumEverMade - 1).isFull)
  }

  @Test("takes note of when tokens were used", arguments: StoreKind.ofTier)
  func uses(_ kind: StoreKind) throws {
    let test = try store(kind)
    for number in UInt64(1)...3 {
      _ = try test.store.book.addToken(.some(number, of: 1, secret: UInt8(number)), nil)
    }
    let (early, late) = (Instant.at("2026-11-03T00:00:00Z"), Instant.at("2026-11-04T00:00:00Z"))
    try test.store.book.recordUses([.number(1): early, .number(2): early, .number(9): late])
    try test.store.book.recordUses([.number(2): late])
    try test.store.book.recordUses([:])
    let store = try test.reopened().store
    #expect(try store.book.tokens(.number(1)).map(\.lastUsedAt) == [early, late, nil])
  }

  @Test(
    "refuses an id or secret that is taken, and a token of no account",
    arguments: StoreKind.ofTier)
  func taken(_ kind: StoreKind) throws {
    let store = try store(kind).store
    _ = try store.book.addToken(.some(1, of: 1, secret: 1), nil)
    for refused: TokenRecord in [
      .some(1, of: 2, secret: 2), .some(2, of: 2, secret: 1), .some(3, of: 3, secret: 3),
    ] {
      #expect(throws: StoreError.self) { _ = try store.book.addToken(refused, nil) }
    }
    #expect(try store.book.tokens(.number(1)).count == 1)
    #expect(try store.book.tokens(.number(2)) == [])
  }

  @Test(
    "says until when a token opens anything",
    arguments: [
      (nil, nil, true), (nil, 999, false), (1000, nil, false), (1001, nil, true), (1001, 1, false),
    ] as [(Int64?, Int64?, Bool)])
  func valid(_ expiresAt: Int64?, _ revokedAt: Int64?, _ isValid: Bool) {
    let token = TokenRecord(
      id: .number(1), account: .number(1), name: "phone", scope: .write, secret: [],
      createdAt: Instant(milliseconds: 0),
      expiresAt: expiresAt.map { Instant(milliseconds: $0) },
      revokedAt: revokedAt.map { Instant(milliseconds: $0) })
    #expect(token.isValid(at: Instant(milliseconds: 1000)) == isValid)
  }
}
