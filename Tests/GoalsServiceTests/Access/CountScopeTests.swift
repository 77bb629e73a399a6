import GoalsCore
import Testing

@testable import GoalsService
@testable import GoalsStore

private let goal = TestService.id(1)

@Suite("A token that may count") struct CountScopeTests {
  /// The members of an edit of each type but its id, and whether such a token may send it.
  private static let edits: [(EditType, String, Bool)] = EditType.allCases.map { type in
    switch type {
    case .add: (type, "\"goal\":{\"title\":\"C\"}", false)
    case .delete: (type, "\"goal\":\"\(goal)\"", false)
    case .update: (type, "\"goal\":{\"id\":\"\(goal)\",\"title\":\"C\"}", false)
    case .alter: (type, "\"goal\":\"\(goal)\",\"changes\":{\"title\":\"C\"}", false)
    case .setActivity: (type, "\"activity\":{\"\(goal)\":false}", false)
    case .move: (type, "\"goal\":\"\(goal)\",\"before\":null", false)
    case .configure: (type, "\"weekStart\":\"sunday\"", false)
    case .bump: (type, "\"goal\":\"\(goal)\",\"by\":-1", true)
    case .skip: (type, "\"goal\":\"\(goal)\"", true)
    case .undo: (type, "\"edit\":\"\(TestService.id(50))\"", true)
    }
  }

  private static func edit(_ id: Int, _ type: EditType, _ members: String) -> String {
    "{\"id\":\"\(TestService.id(id))\",\"type\":\"\(type)\",\(members)}"
  }

  private static func bump(_ id: Int) -> String { edit(id, .bump, "\"goal\":\"\(goal)\"") }

  private static let requests = [
    "POST /v1/edits\n\n{\"edits\":[EDITS]}", "POST /v1/edits?dryRun=true\n\n{\"edits\":[EDITS]}",
    "POST /v1/edits\n\n{\"atomic\":true,\"edits\":[EDITS]}",
    "POST /v1/sync\n\n{\"after\":null,\"edits\":[EDITS]}",
  ]

  /// Two goals, of which the first was counted once, as the edit 50.
  private func service() async throws -> (TestService, counter: String) {
    let service = try TestService()
    try await service.addGoals(2)
    let counter = try service.token("count").text
    let counted = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":[\(Self.bump(50))]}", as: counter)
    guard counted.string("/outcomes/0/status") == "applied" else {
      throw Answer.Unexpected(counted.body)
    }
    return (service, counter)
  }

  @Test("sends edits that count, and nothing of a batch with another", arguments: requests)
  func batches(_ request: String) async throws {
    for (type, members, isAllowed) in Self.edits {
      let (service, counter) = try await service()
      let before = try await service.version()
      let edits = "\(Self.bump(60)),\(Self.edit(61, type, members))"
      let answer = try await service.ask(request.replacing("EDITS", with: edits), as: counter)
      #expect(answer.status == (isAllowed ? 200 : 403), "\(type): \(answer.body)")
      if isAllowed {
        #expect(
          answer.list("/outcomes", "/status") == ["applied", "applied"], "\(type): \(answer.body)")
      } else {
        #expect(answer.code == "forbidden")
        #expect(
          answer.field("WWW-Authenticate")
            == #"Bearer error="insufficient_scope", scope="write""#)
        #expect(try await service.version() == before)
      }
    }
  }

  @Test("is told what is wrong with an edit that can't be read, as everybody is")
  func unreadable() async throws {
    let (service, counter) = try await service()
    let answer = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":[{\"id\":\"\(TestService.id(60))\",\"type\":\"x\"},\(Self.bump(61))]}",
      as: counter)
    #expect(answer.list("/outcomes", "/status") == ["rejected", "applied"])
    #expect(answer.string("/outcomes/0/code") == "invalid")
  }

  private func undo(
    _ edit: Int, as id: Int, in service: TestService, by token: String
  ) async throws -> Answer {
    try await service.ask(
      "POST /v1/edits/\(TestService.id(edit))/undo\nIdempotency-Key: \(TestService.id(id))",
      as: token)
  }

  @Test("takes back its own edits, and that again")
  func ownUndo() async throws {
    let (service, counter) = try await service()
    for (edit, id) in [(50, 70), (70, 71), (71, 72)] {
      let answer = try await undo(edit, as: id, in: service, by: counter)
      #expect(answer.status == 200 && answer.string("/status") == "applied", "\(answer.body)")
    }
    #expect(try await service.ask("GET /v1/goals")["/goals/0/progress"] == "0")
  }

  @Test("takes back no other's edits, by no request")
  func anothersUndo() async throws {
    let (service, counter) = try await service()
    _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(Self.bump(80))]}")
    let before = try await service.version()
    // A goal that was added, and a count.
    for edit in [101, 80] {
      let answer = try await undo(edit, as: 90, in: service, by: counter)
      #expect(answer.status == 409 && answer.code == "not-undoable")
      let undo = Self.edit(90, .undo, "\"edit\":\"\(TestService.id(edit))\"")
      for request in Self.requests {
        let batch = try await service.ask(request.replacing("EDITS", with: undo), as: counter)
        let isAtomic = request.contains("atomic")
        #expect(batch.status == (isAtomic ? 409 : 200))
        #expect(batch.string("/outcomes/0/code") == "not-undoable")
      }
    }
    #expect(try await service.version() == before)
    let unknown = try await undo(99, as: 90, in: service, by: counter)
    #expect(unknown.status == 404 && unknown.code == "unknown-edit")
  }

  @Test("is told of an undo that is recorded that it is, whoever sent it")
  func recordedUndo() async throws {
    let (service, counter) = try await service()
    _ = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(Self.bump(80))]}")
    for (edit, id, token) in [(80, 81, service.me.token), (50, 82, counter)] {
      let first = try await undo(edit, as: id, in: service, by: token)
      #expect(first.string("/status") == "applied")
      let again = try await undo(edit, as: id, in: service, by: counter)
      #expect(again.status == 200 && again.string("/status") == "duplicate", "\(again.body)")
      #expect(again["/version"] == first["/version"])
    }
  }

  @Test("is taken back by tokens that may write")
  func undoneByWriter() async throws {
    let (service, _) = try await service()
    let answer = try await undo(50, as: 70, in: service, by: service.me.token)
    #expect(answer.string("/status") == "applied")
  }

  @Test("counts with notes, and below what was counted")
  func bumps() async throws {
    let (service, counter) = try await service()
    for body in ["{\"by\":2,\"note\":\"x\"}", "{\"by\":-3}"] {
      let answer = try await service.ask("POST /v1/goals/\(goal)/bump\n\n\(body)", as: counter)
      #expect(answer.status == 200, "\(answer.body)")
    }
    #expect(try await service.ask("GET /v1/goals")["/goals/0/progress"] == "0")
  }
}

@Suite("A token that may only bump") struct ButtonTests {
  private let bump = "POST /v1/goals/\(goal)/bump"

  @Test(
    "writes no note, and takes nothing back",
    arguments: [
      "{\"note\":\"x\"}", "{\"by\":1,\"note\":\"x\"}", "{\"by\":-1}", "{\"by\":-1,\"note\":\"x\"}",
    ])
  func note(_ body: String) async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (_, button) = try service.token("bump", goal: goal)
    let refused = try await service.ask("\(bump)\n\n\(body)", as: button)
    #expect(refused.status == 403 && refused.code == "forbidden")
    #expect(
      refused.field("WWW-Authenticate") == #"Bearer error="insufficient_scope", scope="count""#)
    #expect(try await service.version() == "2")
    for body in ["", "{\"by\":2}"] {
      let answer = try await service.ask("\(bump)\n\n\(body)", as: button)
      #expect(answer.status == 200, "\(answer.body)")
    }
  }

  @Test("counts sixty times a minute, and then once a second")
  func rate() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let (_, button) = try service.token("bump", goal: goal)
    let (_, other) = try service.token("bump", goal: goal)
    for _ in 1...60 { #expect(try await service.ask(bump, as: button).status == 200) }
    let refused = try await service.ask(bump, as: button)
    #expect(refused.status == 429 && refused.code == "too-many-requests")
    #expect(refused.field("Retry-After") == "1")
    #expect(try await service.ask("GET /v1/goals/\(goal)", as: button)["/progress"] == "60")
    #expect(try await service.ask(bump, as: other).status == 200)
    #expect(try await service.ask(bump).status == 200)
    service.clock.set(to: service.clock.now.adding(milliseconds: 999))
    #expect(try await service.ask(bump, as: button).status == 429)
    service.clock.set(to: service.clock.now.adding(milliseconds: 1))
    #expect(try await service.ask(bump, as: button).status == 200)
    #expect(try await service.ask(bump, as: button).status == 429)
    service.clock.advance(bySeconds: 3600)
    for _ in 1...60 { #expect(try await service.ask(bump, as: button).status == 200) }
    #expect(try await service.ask(bump, as: button).status == 429)
  }

  @Test("counts at another rate where that is said, or at any", arguments: [2, 0])
  func otherRate(_ rate: Int) async throws {
    var policy = AccessPolicy.unlimited
    policy.buttonRate = rate
    let service = try TestService(policy: policy)
    try await service.addGoals(1)
    let (_, button) = try service.token("bump", goal: goal)
    var statuses: [Int] = []
    for _ in 1...70 { statuses.append(try await service.ask(bump, as: button).status) }
    #expect(statuses.count { $0 == 200 } == (rate == 0 ? 70 : rate))
    service.clock.advance(bySeconds: 29)
    #expect(try await service.ask(bump, as: button).status == (rate == 0 ? 200 : 429))
    service.clock.advance(bySeconds: 1)
    #expect(try await service.ask(bump, as: button).status == 200)
  }
}
