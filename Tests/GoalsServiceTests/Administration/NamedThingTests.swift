import GoalsCore
import Testing

@testable import GoalsService

@Suite("An operator who sets an account") struct AccountSettingTests {
  @Test("changes its name and its calendar, the calendar by an edit in its log")
  func sets() async throws {
    let service = try TestService()
    let reply = service.administration.perform(
      .setAccount(
        .init(
          account: "me", name: " Ann ", timeZone: "Asia/Tokyo", weekStart: "sunday",
          dayStart: "03:00")))
    #expect(
      reply
        == .account(
          .init(
            id: service.me.id, name: "Ann", timeZone: "Asia/Tokyo", timeZoneChosen: true,
            weekStart: "sunday", dayStart: "03:00")))
    let log = try await service.ask("GET /v1/edits")
    #expect(log.list("/edits", "/type") == ["configure"])
    #expect(log.list("/edits", "/device") == ["goals account set"])
    #expect(try await service.ask("GET /v1/account").string("/name") == "Ann")
    #expect(service.administration.perform(.verify) == .verified(accounts: 1, faults: []))
  }

  @Test("leaves as it is what is not named, and records nothing for a name")
  func setsName() async throws {
    let service = try TestService(timeZone: "Europe/Berlin")
    for name in ["Ann", "Ann", "me"] {
      let reply = service.administration.perform(
        .setAccount(.init(account: service.me.id, name: name)))
      guard case .account(let account) = reply else { throw Answer.Unexpected("\(reply)") }
      #expect(account.name == name)
      #expect(account.timeZone == "Europe/Berlin")
    }
    #expect(try await service.version() == "0")
  }

  @Test("is refused a name that another account has, and nothing is changed")
  func takenName() async throws {
    let service = try TestService()
    _ = try service.stranger()
    #expect(
      service.administration.perform(
        .setAccount(.init(account: "me", name: "stranger", timeZone: "Asia/Tokyo")))
        == .failed("There is an account stranger already."))
    let account = try await service.ask("GET /v1/account")
    #expect(account.string("/name") == "me")
    #expect(account.string("/timeZone") == "UTC")
  }

  @Test("is told where a zone can't be read at the moment")
  func missingZone() throws {
    let tokyo = Tokyo()
    let service = try TestService(tokyo: tokyo)
    tokyo.become(.unavailable)
    #expect(
      service.administration.perform(.setAccount(.init(account: "me", timeZone: "Asia/Tokyo")))
        == .failed("A time zone that is needed can't be read at the moment."))
  }
}

@Suite("An operator who looks at an account") struct AccountListingTests {
  @Test("sees its goals with their progress, and how many edits there are")
  func goals() async throws {
    let service = try TestService()
    try await service.addGoals(2)
    _ = try await service.ask(
      "PATCH /v1/goals/\(TestService.id(1))\n\n"
        + "{\"title\":\"Water\",\"frequency\":8,\"unit\":\"glasses\",\"active\":true}")
    _ = try await service.ask("PATCH /v1/goals/\(TestService.id(2))\n\n{\"active\":false}")
    _ = try await service.ask("POST /v1/goals/\(TestService.id(1))/bump\n\n{\"by\":3}")
    let reply = service.administration.perform(.listGoals(account: "me"))
    guard case .goals(let list) = reply else { throw Answer.Unexpected("\(reply)") }
    #expect(list.id == service.me.id)
    #expect("\(list.edits)" == (try await service.version()))
    let water = try #require(list.goals.first { $0.id == TestService.id(1) })
    #expect(
      water
        == .init(
          id: TestService.id(1), title: "Water", interval: "daily", frequency: 8, unit: "glasses",
          active: true, progress: 3, today: 3, state: "open", streak: 0))
    let other = try #require(list.goals.first { $0.id == TestService.id(2) })
    #expect(!other.active && other.progress == nil && other.today == nil && other.state == nil)
  }

  @Test("sees when it was active last, by any of its tokens, a revoked one too")
  func lastActive() async throws {
    let service = try TestService()
    let (id, token) = try service.token("read")
    service.clock.advance(bySeconds: 60)
    _ = try await service.ask("GET /v1/goals", as: token)
    func lastActive() throws -> String? {
      let reply = service.administration.perform(.listAccounts)
      guard case .accounts(let accounts) = reply else { throw Answer.Unexpected("\(reply)") }
      return accounts[0].lastActiveAt
    }
    #expect(try lastActive() == "2026-11-20T12:01:00.000Z")
    _ = service.administration.perform(.revokeToken(id))
    #expect(try lastActive() == "2026-11-20T12:01:00.000Z")
    try service.authenticator.recordUses()
    service.clock.advance(bySeconds: 60)
    #expect(try lastActive() == "2026-11-20T12:01:00.000Z")
    _ = try await service.ask("GET /v1/goals")
    #expect(try lastActive() == "2026-11-20T12:02:00.000Z")
  }
}

@Suite("An operator who names a goal or a token") struct NamingTests {
  private func button(_ goal: String) -> AdminCommand {
    .addToken(.init(account: "me", name: "button", scope: "bump", goal: goal, expires: nil))
  }

  private func add(_ title: String, _ id: Int, to service: TestService) async throws {
    let answer = try await service.ask(
      "PUT /v1/goals/\(TestService.id(id))\n\n{\"title\":\"\(title)\"}")
    #expect(answer.status == 201)
  }

  private static let titles = [
    "Glasses of wäter", "GLASSES OF WÄTER", "glasses of wäter", TestService.id(1),
    TestService.id(1).uppercased(),
  ]

  @Test("finds a goal by its title in any case, or by its id", arguments: titles)
  func goal(_ reference: String) async throws {
    let service = try TestService()
    try await add("Glasses of wäter", 1, to: service)
    try await add("Glasses", 2, to: service)
    let reply = service.administration.perform(button(reference))
    guard case .addedToken(let added) = reply else { throw Answer.Unexpected("\(reply)") }
    #expect(added.goal == TestService.id(1))
  }

  @Test("is told the ids of goals of one title")
  func ambiguousGoal() async throws {
    let service = try TestService()
    for id in 1...3 { try await add("Run", id, to: service) }
    _ = try await service.ask("DELETE /v1/goals/\(TestService.id(2))")
    #expect(
      service.administration.perform(button("run"))
        == .failed(
          "2 goals are called run: use an id, \(TestService.id(3)) or \(TestService.id(1))."))
    for unknown in ["Ru", "", TestService.id(2)] {
      #expect(
        service.administration.perform(button(unknown))
          == .failed("The account has no goal \(unknown)."))
    }
  }

  @Test("revokes a token by a name that only one has")
  func token() async throws {
    let service = try TestService()
    let (id, text) = try service.token("read")
    #expect(
      service.administration.perform(.revokeToken("read")) == .revokedToken(id: id, name: "read"))
    #expect(try await service.ask("GET /v1/goals", as: text).status == 401)
    // Its name is free, so to speak.
    let (second, _) = try service.token("read")
    #expect(
      service.administration.perform(.revokeToken("read", of: "me"))
        == .revokedToken(id: second, name: "read"))
  }

  @Test("is told the ids of tokens of one name, unless the account is named")
  func ambiguousToken() throws {
    let service = try TestService()
    _ = try service.stranger()
    let (mine, _) = try service.token("read")
    let (other, _) = try service.token("read", account: "stranger")
    #expect(
      service.administration.perform(.revokeToken("read"))
        == .failed("2 tokens are called read: use an id, \(mine) or \(other)."))
    #expect(
      service.administration.perform(.revokeToken(other, of: "me"))
        == .failed("There is no token \(other)."))
    #expect(
      service.administration.perform(.revokeToken("read", of: "stranger"))
        == .revokedToken(id: other, name: "read"))
    #expect(
      service.administration.perform(.revokeToken(mine.uppercased()))
        == .revokedToken(id: mine, name: "read"))
  }
}
