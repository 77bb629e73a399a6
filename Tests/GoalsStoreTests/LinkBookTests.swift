import GoalsCore
import Testing

@testable import GoalsStore

@Suite("The book of links")
struct LinkBookTests {
  private func store(_ kind: StoreKind) throws -> TestStore {
    let test = try TestStore(kind)
    for account in UInt64(1)...2 { try test.store.book.addAccount(.some(account)) }
    return test
  }

  private static func secret(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  /// Uses a link for a token with this number.
  private func use(
    _ link: UInt8, as number: UInt64, in test: TestStore,
    session: ((TokenRecord) -> SessionRecord)? = nil
  ) throws -> LinkUse {
    try test.store.book.useLink(
      Self.secret(link), test.clock.now, { Self.token(number, of: $0) }, session)
  }

  private static func token(_ number: UInt64, of link: LinkRecord) -> TokenRecord {
    let digits = [UInt8(number >> 8), UInt8(number & 255)]
    return TokenRecord(
      id: .number(number), account: link.account, name: link.name, scope: link.scope,
      goal: link.goal, secret: digits + [UInt8](repeating: 200, count: 30),
      createdAt: .at("2026-11-20T12:00:00Z"), expiresAt: link.tokenExpiresAt, madeBy: link.madeBy)
  }

  @Test("keeps all there is to a link, which is no token yet", arguments: StoreKind.ofTier)
  func keep(_ kind: StoreKind) throws {
    let test = try store(kind)
    let links: [LinkRecord] = [
      .some(1, of: 1),
      .some(2, of: 1, scope: .bump, goal: .number(9), madeBy: .number(7)),
      .some(3, of: 2, scope: .count, tokenExpiresAt: .at("2027-01-01T00:00:00.001Z")),
    ]
    for link in links { #expect(try test.store.book.addLink(link, test.clock.now, nil)) }
    let store = try test.reopened().store
    for link in links { #expect(try store.book.link(link.secret) == link) }
    #expect(try store.book.link(Self.secret(9)) == nil)
    #expect(try store.book.link([]) == nil)
    #expect(try store.book.tokens(.number(1)) == [])
    #expect(try store.upkeep.verify() == [])
  }

  @Test("makes one token of a link", arguments: StoreKind.ofTier)
  func use(_ kind: StoreKind) throws {
    let test = try store(kind)
    #expect(try test.store.book.addToken(.some(7, of: 1, secret: 7), nil))
    let link = LinkRecord.some(
      1, of: 1, scope: .bump, goal: .number(9), tokenExpiresAt: .at("2027-01-01T00:00:00Z"),
      madeBy: .number(7))
    #expect(try test.store.book.addLink(link, test.clock.now, nil))
    let token = Self.token(8, of: link)
    #expect(try use(1, as: 8, in: test) == .used(token))
    #expect(try use(1, as: 9, in: test) == .unknown)
    let again = try test.reopened()
    #expect(try use(1, as: 9, in: again) == .unknown)
    #expect(try again.store.book.link(link.secret) == nil)
    #expect(try again.store.book.tokens(.number(1)) == [.some(7, of: 1, secret: 7), token])
    #expect(try again.store.upkeep.verify() == [])
  }

  @Test("makes a session with the token, both or neither", arguments: StoreKind.ofTier)
  func session(_ kind: StoreKind) throws {
    let test = try store(kind)
    for link in UInt8(1)...2 {
      #expect(try test.store.book.addLink(.some(link, of: 1), test.clock.now, nil))
    }
    let session = { (token: TokenRecord) in
      SessionRecord(
        secret: Self.secret(50), token: token.id, createdAt: token.createdAt,
        renewedAt: token.createdAt)
    }
    guard case .used(let token) = try use(1, as: 8, in: test, session: session) else {
      Issue.record("it was not used")
      return
    }
    #expect(try test.store.book.session(Self.secret(50))?.1 == token)
    // Its secret is taken.
    #expect(throws: StoreError.self) { try use(2, as: 9, in: test, session: session) }
    #expect(try test.store.book.link(Self.secret(2)) != nil)
    #expect(try test.store.book.tokens(.number(1)) == [token])
  }

  @Test("makes one token of a link that many use at once", arguments: StoreKind.ofTier)
  func atOnce(_ kind: StoreKind) async throws {
    let test = try store(kind)
    let (book, now) = (test.store.book, test.clock.now)
    #expect(try book.addLink(.some(1, of: 1), now, nil))
    let uses = try await onThreads(8) { thread in
      try book.useLink(
        Self.secret(1), now, { Self.token(UInt64(10 + thread), of: $0) }, nil)
    }
    let tokens = uses.compactMap { use in if case .used(let token) = use { token } else { nil } }
    #expect(tokens.count == 1)
    #expect(uses.count { $0 == .unknown } == 7)
    #expect(try book.tokens(.number(1)) == tokens)
  }

  @Test("opens nothing with a link from its end on", arguments: StoreKind.ofTier)
  func end(_ kind: StoreKind) throws {
    let test = try store(kind)
    let end = test.clock.now.adding(milliseconds: 1000)
    for link in UInt8(1)...2 {
      #expect(try test.store.book.addLink(.some(link, of: 1, endsAt: end), test.clock.now, nil))
    }
    test.clock.advance(milliseconds: 999)
    guard case .used = try use(1, as: 8, in: test) else {
      Issue.record("it had ended early")
      return
    }
    test.clock.advance(milliseconds: 1)
    #expect(try use(2, as: 9, in: test) == .unknown)
    #expect(try test.store.book.tokens(.number(1)).map(\.id) == [.number(8)])
  }

  @Test("removes links with the token that made them, or its maker", arguments: StoreKind.ofTier)
  func maker(_ kind: StoreKind) throws {
    let test = try store(kind)
    let book = test.store.book
    for (number, maker) in [(1, nil), (2, 1), (3, nil)] as [(UInt64, UInt64?)] {
      let token = TokenRecord.some(
        number, of: 1, secret: UInt8(number), madeBy: maker.map { .number($0) })
      #expect(try book.addToken(token, nil))
      #expect(
        try book.addLink(
          .some(UInt8(number), of: 1, madeBy: .number(number)), test.clock.now, nil))
    }
    #expect(try book.addLink(.some(4, of: 1), test.clock.now, nil))
    #expect(try book.revokeToken(.number(1), of: .number(1)))
    #expect(
      try (1...4).map { try book.link(Self.secret($0)) != nil } == [false, false, true, true])
    // One that was on its way while its maker was revoked.
    #expect(try book.addLink(.some(5, of: 1, madeBy: .number(2)), test.clock.now, nil))
    #expect(try use(5, as: 8, in: test) == .unknown)
    guard case .used = try use(3, as: 9, in: test) else {
      Issue.record("the link of another token is gone")
      return
    }
  }

  @Test("makes none for a token that was revoked", arguments: StoreKind.ofTier)
  func refused(_ kind: StoreKind) throws {
    let test = try store(kind)
    let book = test.store.book
    #expect(try book.addToken(.some(1, of: 1, secret: 1), nil))
    let asker = Authority(token: .number(1))
    #expect(try book.addLink(.some(1, of: 1), test.clock.now, asker))
    #expect(try book.revokeToken(.number(1), of: .number(1)))
    #expect(throws: StoreError.refused) { try book.addLink(.some(2, of: 1), test.clock.now, asker) }
    #expect(try book.link(Self.secret(2)) == nil)
  }

  @Test("removes links with their account, and with everything", arguments: StoreKind.ofTier)
  func account(_ kind: StoreKind) throws {
    let test = try store(kind)
    for account in UInt8(1)...2 {
      let link = LinkRecord.some(account, of: UInt64(account))
      #expect(try test.store.book.addLink(link, test.clock.now, nil))
    }
    #expect(try test.store.book.removeAccount(.number(2)))
    #expect(try (1...2).map { try test.store.book.link(Self.secret($0)) != nil } == [true, false])
    #expect(try test.store.upkeep.verify() == [])
    try test.store.reset()
    try test.store.book.addAccount(.some(1))
    #expect(try test.store.book.link(Self.secret(1)) == nil)
  }

  @Test("takes an account with a link, both or neither", arguments: StoreKind.ofTier)
  func withAccount(_ kind: StoreKind) throws {
    let test = try store(kind)
    try test.store.book.addAccount(.some(3), nil, .some(3, of: 3))
    // Its secret is taken.
    #expect(throws: StoreError.self) {
      try test.store.book.addAccount(.some(4), nil, .some(3, of: 4))
    }
    let store = try test.reopened().store
    #expect(try store.book.accounts().map(\.id) == (1...3).map { .number($0) })
    #expect(try store.book.link(Self.secret(3)) == .some(3, of: 3))
    #expect(try store.book.tokens(.number(3)) == [])
    #expect(try store.upkeep.verify() == [])
  }

  @Test("holds a hundred that have not ended", arguments: StoreKind.ofTier)
  func full(_ kind: StoreKind) throws {
    let test = try store(kind)
    let end = test.clock.now.adding(milliseconds: 1000)
    let add = { (link: UInt8, account: UInt64) in
      let endsAt = end.adding(milliseconds: Int64(link))
      return try test.store.book.addLink(
        .some(link, of: account, endsAt: endsAt), test.clock.now, nil)
    }
    for link in 1...UInt8(LinkRecord.maximumPerAccount) { #expect(try add(link, 1)) }
    #expect(try add(101, 1) == false)
    #expect(try add(102, 2))
    test.clock.advance(milliseconds: 1000)
    #expect(try add(101, 1) == false)
    test.clock.advance(milliseconds: 1)
    #expect(try add(101, 1))
    // What had ended made room.
    #expect(try test.store.book.link(Self.secret(1)) == nil)
    #expect(try add(103, 1) == false)
  }

  @Test("keeps a link where its account has as many tokens as it may", arguments: StoreKind.ofTier)
  func fullOfTokens(_ kind: StoreKind) throws {
    let test = try store(kind)
    let book = test.store.book
    for number in 1...UInt64(TokenCount.maximumInUse) {
      #expect(try book.addToken(Self.token(number, of: .some(0, of: 1)), nil))
    }
    #expect(try book.addLink(.some(1, of: 1), test.clock.now, nil))
    #expect(try use(1, as: 5000, in: test) == .tooManyTokens)
    #expect(try book.revokeToken(.number(1), of: .number(1)))
    guard case .used = try use(1, as: 5000, in: test) else {
      Issue.record("the link is gone")
      return
    }
  }
}

@Suite("A token that another made")
struct MadeTokenBookTests {
  /// Token 1 made 2 and 3, 2 made 4, and 5 is nobody's; 6 is of account 2 and says that 1 made it.
  private func store(_ kind: StoreKind) throws -> TestStore {
    let test = try TestStore(kind)
    for account in UInt64(1)...2 { try test.store.book.addAccount(.some(account)) }
    for (number, maker) in [(1, nil), (2, 1), (3, 1), (4, 2), (5, nil), (6, 1)]
      as [(UInt64, UInt64?)]
    {
      let token = TokenRecord.some(
        number, of: number == 6 ? 2 : 1, secret: UInt8(number),
        madeBy: maker.map { .number($0) })
      #expect(try test.store.book.addToken(token, nil))
    }
    return test
  }

  @Test("says which", arguments: StoreKind.ofTier)
  func makers(_ kind: StoreKind) throws {
    let book = try store(kind).reopened().store.book
    let makers: [TokenRecord.ID?] = [nil, .number(1), .number(1), .number(2), nil]
    #expect(try book.tokens(.number(1)).map(\.madeBy) == makers)
    #expect(try book.tokensInUse(.number(1)).map(\.madeBy) == makers)
    #expect(try book.token([UInt8](repeating: 4, count: 32))?.madeBy == .number(2))
  }

  @Test("is revoked with its maker, and so are those that it made", arguments: StoreKind.ofTier)
  func family(_ kind: StoreKind) throws {
    let test = try store(kind)
    let book = test.store.book
    let session = { (token: UInt64) in [UInt8](repeating: UInt8(50 + token), count: 32) }
    for token in UInt64(1)...6 {
      _ = try book.addSession(
        SessionRecord(
          secret: session(token), token: .number(token), createdAt: test.clock.now,
          renewedAt: test.clock.now))
    }
    let revoked = try book.revokeToken(.number(1), .number(1), nil)
    #expect(revoked == (1...4).map { .number($0) })
    #expect(try book.revokeToken(.number(1), .number(1), nil) == [])
    #expect(try book.tokensInUse(.number(1)).map(\.id) == [.number(5)])
    #expect(try book.tokensInUse(.number(2)).map(\.id) == [.number(6)])
    #expect(
      try (1...6).map { try book.session(session($0)) != nil }
        == [false, false, false, false, true, true])
    #expect(try test.reopened().store.upkeep.verify() == [])
  }

  @Test("is revoked alone", arguments: StoreKind.ofTier)
  func alone(_ kind: StoreKind) throws {
    let book = try store(kind).store.book
    #expect(try book.revokeToken(.number(3), .number(1), nil) == [.number(3)])
    // Those that were revoked before are not revoked again.
    #expect(
      try book.revokeToken(.number(1), .number(1), nil) == [.number(1), .number(2), .number(4)])
  }

  @Test("records nothing more once its maker is revoked", arguments: StoreKind.ofTier)
  func waiting(_ kind: StoreKind) async throws {
    let store = try store(kind).store
    _ = await store.send(.of(.addGoal, .activate, from: 1))
    let answers = Collected<String>()
    store.updated.network.sync {
      for token in [UInt64(4), 5] {
        store.submit(
          .init(account: .number(1), token: .number(token), batch: .of(.bump, from: 10 + token))
        ) { answers.append("\(token): \($0.name)") }
      }
      #expect((try? store.book.revokeToken(.number(1), of: .number(1))) == true)
    }
    while answers.all.count < 2 { store.updated.network.settle() }
    #expect(answers.all.sorted() == ["4: refused", "5: ruled"])
  }
}
