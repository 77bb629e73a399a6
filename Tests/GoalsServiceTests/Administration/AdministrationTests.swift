import GoalsCore
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("An operator") struct AdministrationTests {
  @Test("adds an account with a first token that may write")
  func addsAccount() async throws {
    let service = try TestService()
    let reply = service.administration.perform(
      .addAccount(name: " Ann ", timeZone: "Europe/Berlin"))
    guard case .addedAccount(let ann) = reply else { throw Answer.Unexpected("\(reply)") }
    #expect(ann.name == "Ann")
    let account = try await service.ask("GET /v1/account", as: ann.token)
    #expect(account.string("/id") == ann.id)
    #expect(account.string("/name") == "Ann")
    #expect(account.string("/timeZone") == "Europe/Berlin")
    let add = try await service.ask("POST /v1/goals\n\n{\"title\":\"Run\"}", as: ann.token)
    #expect(add.status == 201)
  }

  @Test("lists accounts in the order in which they were made")
  func listsAccounts() throws {
    let service = try TestService()
    service.clock.advance(bySeconds: 1)
    let ann = try service.administration.addAccountWithToken("Ann", timeZone: "Asia/Tokyo")
    let reply = service.administration.perform(.listAccounts)
    #expect(
      reply
        == .accounts([
          .init(
            id: service.me.id, name: "me", timeZone: "UTC", timeZoneChosen: false,
            createdAt: "2026-11-20T12:00:00.000Z", lastActiveAt: nil, logBytes: 0),
          .init(
            id: ann.id, name: "Ann", timeZone: "Asia/Tokyo", timeZoneChosen: true,
            createdAt: "2026-11-20T12:00:01.000Z", lastActiveAt: nil, logBytes: 0),
        ]))
  }

  @Test("names an account by its id, or by a name that only one has")
  func namesAccounts() async throws {
    let service = try TestService(policy: .signUpOpen)
    let administration = service.administration
    guard case .tokens = administration.perform(.listTokens(account: "me")) else {
      Issue.record("a name was not enough")
      return
    }
    let signedUp = try await service.ask("POST /v1/accounts\n\n{\"name\":\"me\"}", as: nil)
    let second = try #require(signedUp.string("/id"))
    let ambiguous = AdminReply.failed(
      "2 accounts are called me: use an id, \(service.me.id) or \(second).")
    #expect(administration.perform(.listTokens(account: "me")) == ambiguous)
    #expect(administration.perform(.removeAccount("me")) == ambiguous)
    #expect(
      administration.perform(
        .addToken(.init(account: "me", name: "x", scope: "read", goal: nil, expires: nil)))
        == ambiguous)
    for id in [service.me.id, second, second.uppercased()] {
      guard case .tokens(let tokens) = administration.perform(.listTokens(account: id)) else {
        Issue.record("the id \(id) was not enough")
        return
      }
      #expect(tokens.map(\.name) == ["first token"])
    }
    guard case .removedAccount = administration.perform(.removeAccount(second)) else {
      Issue.record("it was not removed")
      return
    }
    guard case .tokens = administration.perform(.listTokens(account: "me")) else {
      Issue.record("a name that only one has again was not enough")
      return
    }
  }

  @Test("names an account whose name looks like an id")
  func nameLikeID() throws {
    let service = try TestService()
    let name = TestService.id(5)
    _ = service.administration.perform(.addAccount(name: name, timeZone: nil))
    guard case .removedAccount(let removed) = service.administration.perform(.removeAccount(name))
    else {
      Issue.record("it was not found")
      return
    }
    #expect(removed.name == name)
    #expect(removed.createdAt == "2026-11-20T12:00:00.000Z")
  }

  @Test("adds tokens, and sees each but its text")
  func tokens() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let asked = AdminCommand.NewToken(
      account: "me", name: " button ", scope: "bump", goal: TestService.id(1),
      expires: "2027-01-01T00:00:00+01:00")
    guard case .addedToken(let added) = service.administration.perform(.addToken(asked)),
      let text = added.token
    else {
      Issue.record("it was not added")
      return
    }
    #expect(
      added
        == AdminReply.ListedToken(
          id: added.id, name: "button", scope: "bump", goal: TestService.id(1),
          createdAt: "2026-11-20T12:00:00.000Z", lastUsedAt: nil,
          expiresAt: "2026-12-31T23:00:00.000Z", token: text))
    #expect(Token(text) != nil)
    let bump = "POST /v1/goals/\(TestService.id(1))/bump"
    service.clock.advance(bySeconds: 5)
    #expect(try await service.ask(bump, as: text).status == 200)
    let reply = service.administration.perform(.listTokens(account: "me"))
    guard case .tokens(let tokens) = reply else { throw Answer.Unexpected("\(reply)") }
    #expect(tokens.map(\.name) == ["first token", "button"])
    #expect(tokens[1].lastUsedAt == "2026-11-20T12:00:05.000Z")
    #expect(!"\(reply)".contains("goals_"))
    #expect(
      service.administration.perform(.revokeToken(added.id))
        == .revokedToken(id: added.id, name: "button"))
    let remaining = service.administration.perform(.listTokens(account: "me"))
    guard case .tokens(let left) = remaining else { throw Answer.Unexpected("\(remaining)") }
    #expect(left.map(\.name) == ["first token"])
  }

  @Test("is told in one line why something was not done", arguments: refused)
  func refuses(_ command: AdminCommand, _ sentence: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    #expect(service.administration.perform(command) == .failed(sentence))
    #expect(!sentence.contains { $0.isNewline })
    guard case .accounts(let accounts) = service.administration.perform(.listAccounts),
      case .tokens(let tokens) = service.administration.perform(.listTokens(account: "me"))
    else {
      Issue.record("nothing is listed")
      return
    }
    #expect(accounts.count == 1)
    #expect(tokens.count == 1)
  }

  private static func token(
    _ account: String = "me", name: String = "x", scope: String = "write", goal: String? = nil,
    expires: String? = nil
  ) -> AdminCommand {
    .addToken(.init(account: account, name: name, scope: scope, goal: goal, expires: expires))
  }

  private static let expiry =
    "An expiry is an RFC 3339 date and time with an offset, and is to come."
  private static let name =
    """
    A name has 1 to 200 characters, besides white space around it, at least one that can be seen, \
    and no control characters.
    """
  private static let bumpGoal = "A goal goes with the scope bump, and with no other."
  private static func noZone(_ name: String) -> String {
    "There is no time zone \(name) in the IANA database (one is Europe/Berlin)."
  }

  private static let refused: [(AdminCommand, String)] = [
    (.addAccount(name: "", timeZone: nil), name),
    (.addAccount(name: " ", timeZone: nil), name),
    (.addAccount(name: "\u{200D}\u{3164}\u{2800}", timeZone: nil), name),
    (.setAccount(.init(account: "me", name: "\u{FEFF}")), name),
    (token(name: "\u{200B}"), name),
    (.addAccount(name: "a\nb", timeZone: nil), name),
    (.addAccount(name: String(repeating: "a", count: 201), timeZone: nil), name),
    (
      .addAccount(name: "a", timeZone: "Mars/Olympus"),
      noZone("Mars/Olympus")
    ),
    (
      .addAccount(name: "a", timeZone: "../x\ny"), noZone("../x y")
    ),
    (.addAccount(name: " me", timeZone: nil), "There is an account me already."),
    (.setAccount(.init(account: "you", name: "x")), "There is no account you."),
    (.setAccount(.init(account: "me", name: "")), name),
    (.setAccount(.init(account: "me", timeZone: "Mars/Olympus")), noZone("Mars/Olympus")),
    (.setAccount(.init(account: "me", timeZone: "../x")), noZone("../x")),
    (
      .setAccount(.init(account: "me", weekStart: "Monday", dayStart: "13:00")),
      "A week start is monday, tuesday, … or sunday; a day start is written HH:MM, from 00:00 to 12:00."
    ),
    (.listGoals(account: "you"), "There is no account you."),
    (.removeAccount("you"), "There is no account you."),
    (.removeAccount("Me"), "There is no account Me."),
    (.removeAccount("a\r\nb\u{2028}c"), "There is no account a b c."),
    (.removeAccount(TestService.id(9)), "There is no account \(TestService.id(9))."),
    (.listTokens(account: ""), "There is no account ."),
    (token("you"), "There is no account you."),
    (token(name: ""), name), (token(name: "a\u{0}"), name),
    (token(scope: "admin"), "A scope is read, count, write or bump."),
    (token(scope: "Write"), "A scope is read, count, write or bump."),
    (token(scope: "bump"), bumpGoal),
    (token(scope: "write", goal: TestService.id(1)), bumpGoal),
    (token(scope: "bump", goal: "x"), "The account has no goal x."),
    (
      token(scope: "bump", goal: TestService.id(9)),
      "The account has no goal \(TestService.id(9))."
    ),
    (token(expires: "tomorrow"), expiry), (token(expires: "2026-11-20T12:00:00Z"), expiry),
    (token(expires: ""), expiry),
    (.revokeToken("x\ny"), "There is no token x y."),
    (.revokeToken("first token", of: "you"), "There is no account you."),
    (.revokeToken(TestService.id(9)), "There is no token \(TestService.id(9))."),
  ]

  @Test("revokes a token once")
  func revokesOnce() throws {
    let service = try TestService()
    let (id, _) = try service.token("read")
    #expect(
      service.administration.perform(.revokeToken(id)) == .revokedToken(id: id, name: "read"))
    #expect(service.administration.perform(.revokeToken(id)) == .failed("There is no token \(id)."))
  }

  @Test("has everything verified")
  func verifies() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    #expect(service.administration.perform(.verify) == .verified(accounts: 1, faults: []))
  }

  @Test("is told of a store that fails, in one line")
  func storeFails() throws {
    let service = try TestService()
    service.store.destroy()
    for command in [AdminCommand.listAccounts, .addAccount(name: "a", timeZone: nil), .verify] {
      #expect(service.administration.perform(command) == .failed("The store is closed."))
    }
  }
}
