import GoalsCore
import TestSupport
import StoreTestSupport
import Testing

@testable import GoalsService
@testable import GoalsStore

/// An authenticator over a store whose look-ups of tokens are counted.
private struct Door {
  let clock = World.MockClock()
  let lookups = Locked(0)
  let error = Locked<StoreError?>(nil)
  /// Called when a token was read, before the authenticator has it.
  let whenRead = Locked<(@Sendable () -> Void)?>(nil)
  let store: Store
  let authenticator: Authenticator
  let token: Token
  let record: TokenRecord

  /// - Parameter expiresIn: seconds from now.
  init(expiresIn seconds: Int64? = nil) throws {
    let (clock, lookups, error, whenRead) = (clock, lookups, error, whenRead)
    var world = World.failing
    world.now = { clock.now }
    let sound = Store.memory(
      environment: StoreEnvironment(now: world.now, zone: world.zone, track: { _ in }))
    let real = sound.book.token
    store = sound.with(
      book: sound.book.with(token: { secret throws(StoreError) in
        lookups.change { $0 += 1 }
        if let error = error.value { throw error }
        let record = try real(secret)
        whenRead.value?()
        return record
      }))
    authenticator = Authenticator(store: store, in: world)
    let account = AccountRecord(
      id: Account.ID(high: 1, low: 1), name: "me", createdAt: clock.now, initialCalendar: .initial)
    token = Token { 7 }
    record = TokenRecord(
      id: TokenRecord.ID(high: 2, low: 2), account: account.id, name: "phone", scope: .write,
      secret: token.secret, createdAt: clock.now,
      expiresAt: seconds.map { clock.now.adding(milliseconds: $0 * 1000) })
    try sound.book.addAccount(account, record)
  }
}

@Suite("The authenticator") struct AuthenticatorTests {
  @Test("knows whose a token is, and asks the store once")
  func knows() throws {
    let door = try Door()
    for _ in 0..<3 {
      let caller = try #require(try door.authenticator.caller(.token(door.token)))
      #expect(caller.token == door.record)
      #expect(caller.account == door.record.account)
    }
    #expect(door.lookups.value == 1)
  }

  @Test("does not remember what is no token: it may be one later")
  func unknown() throws {
    let door = try Door()
    let other = Token { 8 }
    #expect(try door.authenticator.caller(.token(other)) == nil)
    #expect(try door.authenticator.caller(.token(other)) == nil)
    #expect(door.lookups.value == 2)
    _ = try door.store.book.addToken(
      TokenRecord(
        id: TokenRecord.ID(high: 3, low: 3), account: door.record.account, name: "other",
        scope: .read, secret: other.secret, createdAt: door.clock.now), nil)
    #expect(try door.authenticator.caller(.token(other))?.token.name == "other")
  }

  @Test("does not remember what is over: a database that is set back may have it again")
  func over() throws {
    let door = try Door()
    let secret = door.record.secret
    _ = try door.store.book.revokeToken(door.record.id, of: door.record.account)
    for lookups in 1...2 {
      #expect(try door.authenticator.caller(.token(door.token)) == nil)
      #expect(door.lookups.value == lookups)
    }
    #expect(try door.store.book.token(secret)?.revokedAt != nil)
  }

  @Test("lets a token in until the instant at which it expires, remembered or not")
  func expiry() throws {
    for isRemembered in [true, false] {
      let door = try Door(expiresIn: 60)
      if isRemembered { _ = try door.authenticator.caller(.token(door.token)) }
      door.clock.set(to: door.clock.now.adding(milliseconds: 59_999))
      #expect(try door.authenticator.caller(.token(door.token)) != nil)
      door.clock.set(to: door.clock.now.adding(milliseconds: 1))
      #expect(try door.authenticator.caller(.token(door.token)) == nil)
    }
  }

  @Test("refuses a revoked token once it was told so")
  func revoked() throws {
    let door = try Door()
    #expect(try door.authenticator.caller(.token(door.token)) != nil)
    #expect(try door.store.book.revokeToken(door.record.id, of: door.record.account))
    door.authenticator.end(.token(door.record.id))
    #expect(try door.authenticator.caller(.token(door.token)) == nil)
  }

  @Test("does not keep what it was reading while it was told of a revocation")
  func forgottenMeanwhile() throws {
    let door = try Door()
    let (store, authenticator) = (door.store, door.authenticator)
    let (id, account) = (door.record.id, door.record.account)
    door.whenRead.change { whenRead in
      whenRead = {
        _ = try? store.book.revokeToken(id, of: account)
        authenticator.end(.token(id))
      }
    }
    _ = try door.authenticator.caller(.token(door.token))
    door.whenRead.change { $0 = nil }
    #expect(try door.authenticator.caller(.token(door.token)) == nil)
    #expect(door.lookups.value == 2)
  }

  @Test("does not keep what it was reading when a look at other servers began")
  func olderThanALook() throws {
    let door = try Door()
    let authenticator = door.authenticator
    door.whenRead.change { whenRead in whenRead = { _ = authenticator.beginLook() } }
    _ = try authenticator.caller(.token(door.token))
    #expect(authenticator.beginLook().isEmpty)
    door.whenRead.change { $0 = nil }
    _ = try authenticator.caller(.token(door.token))
    #expect(authenticator.beginLook() == [.token(door.record.id)])
  }

  @Test("says that it can't tell where the store can't")
  func storeFails() throws {
    let door = try Door()
    door.error.change { $0 = .corrupt("page 7") }
    #expect(throws: StoreError.corrupt("page 7")) {
      try door.authenticator.caller(.token(door.token))
    }
    door.error.change { $0 = nil }
    #expect(try door.authenticator.caller(.token(door.token)) != nil)
    door.error.change { $0 = .corrupt("page 7") }
    #expect(try door.authenticator.caller(.token(door.token)) != nil)
  }

  @Test("tells the store of uses when it is asked to, not at each")
  func uses() throws {
    let door = try Door()
    let stored = { try door.store.book.tokens(door.record.account).first?.lastUsedAt }
    #expect(door.authenticator.lastUse(of: door.record.id) == nil)
    _ = try door.authenticator.caller(.token(door.token))
    door.clock.advance(bySeconds: 5)
    _ = try door.authenticator.caller(.token(door.token))
    #expect(door.authenticator.lastUse(of: door.record.id) == door.clock.now)
    #expect(try stored() == nil)
    try door.authenticator.recordUses()
    #expect(try stored() == door.clock.now)
    #expect(door.authenticator.lastUse(of: door.record.id) == nil)
  }

  @Test("does not count a refused use")
  func refusedUse() throws {
    let door = try Door(expiresIn: 0)
    #expect(try door.authenticator.caller(.token(door.token)) == nil)
    #expect(door.authenticator.lastUse(of: door.record.id) == nil)
  }
}
