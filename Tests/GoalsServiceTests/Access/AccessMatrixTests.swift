import GoalsCore
import Testing

@testable import GoalsService
@testable import HTTPServer
@testable import GoalsStore

extension TestService {
  /// A token that may count, and may take back what `me` has done: edits are of the device that a
  /// token's name tells.
  fileprivate func counter() throws -> String {
    try token("count", name: Administration.firstToken).text
  }
}

/// An account with a goal, and everything that might be shown for it.
private struct AccessCase {
  /// An edit that counts: one that adds a goal is not taken back by whoever may only count.
  static let bump = TestService.id(110)

  let service: TestService
  let shown: Shown
  /// The fields that show it.
  let fields: [String]

  init(_ shown: Shown, policy: AccessPolicy = .unlimited) async throws {
    let service = try TestService(policy: policy)
    try await service.addGoals(2)
    _ = try await service.ask(
      "POST /v1/edits\n\n{\"edits\":[{\"id\":\"\(Self.bump)\",\"type\":\"bump\",\"goal\":\"\(TestService.id(1))\"}]}"
    )
    self.service = service
    self.shown = shown
    fields = try await Self.fields(shown, in: service)
  }

  private static func fields(_ shown: Shown, in service: TestService) async throws -> [String] {
    let me = service.me.token
    let own = "Origin: http://goals.example"
    func session() async throws -> [String] { cookie(try await service.signIn()) + [own] }
    switch shown {
    case .nothing: return []
    case .anotherScheme: return anotherScheme
    case .anothersToken: return anothersToken
    case .unknownToken: return unknownToken
    case .changedToken: return bearer(String(me.dropLast()) + (me.hasSuffix("0") ? "1" : "0"))
    case .twoTokens: return bearer(me) + bearer(me)
    case .expiredToken:
      let token = try service.token("write", expires: "2026-11-20T12:00:01Z")
      service.clock.advance(bySeconds: 1)
      return bearer(token.text)
    case .revokedToken:
      let token = try service.token("write")
      _ = service.administration.perform(.revokeToken(token.id))
      return bearer(token.text)
    case .tokenOfRemovedAccount:
      let token = try service.stranger()
      _ = service.administration.perform(.removeAccount("stranger"))
      return bearer(token)
    case .reader: return bearer(try service.token("read").text)
    case .counter: return bearer(try service.counter())
    case .writer: return bearer(me)
    case .button: return bearer(try service.token("bump", goal: TestService.id(1)).text)
    case .anotherButton: return bearer(try service.token("bump", goal: TestService.id(2)).text)
    case .session: return try await session()
    case .sessionWithoutOrigin: return cookie(try await service.signIn())
    case .sessionFromElsewhere:
      return cookie(try await service.signIn()) + ["Origin: http://goals.example.net"]
    case .sessionOfReader:
      let reader = try service.token("read").text
      return cookie(try await service.signIn(as: reader)) + [own]
    case .sessionOfCounter: return cookie(try await service.signIn(as: service.counter())) + [own]
    case .sessionBesideAnotherScheme: return anotherScheme + (try await session())
    case .sessionBesideAnothersToken: return anothersToken + (try await session())
    case .sessionBesideUnknownToken: return unknownToken + (try await session())
    case .endedSession:
      let key = try await service.signIn()
      let fields = "\n" + (cookie(key) + [own]).joined(separator: "\n")
      _ = try await service.ask("DELETE /v1/session" + fields, as: nil)
      return cookie(key) + [own]
    case .expiredSession:
      let key = try await service.signIn()
      service.clock.advance(bySeconds: 90 * 86_400)
      return cookie(key) + [own]
    case .sessionOfRevokedToken:
      let token = try service.token("write")
      let key = try await service.signIn(as: token.text)
      _ = service.administration.perform(.revokeToken(token.id))
      return cookie(key) + [own]
    case .unknownSession:
      return cookie("goals_session=" + String(repeating: "7", count: 64)) + [own]
    case .twoSessions:
      let (one, other) = (try await service.signIn(), try await service.signIn())
      return cookie("\(one); \(other)") + [own]
    }
  }

  private static let anotherScheme = ["Authorization: Basic bWU6bWU="]
  private static let anothersToken = bearer("eyJhbGciOiJub25lIn0.e30.")
  private static let unknownToken = bearer(Token.prefix + String(repeating: "7", count: 64))

  private static func bearer(_ token: String) -> [String] { ["Authorization: Bearer \(token)"] }

  private static func cookie(_ text: String) -> [String] { ["Cookie: \(text)"] }

  /// Sends the request with what is shown. Of a stream the head is the answer.
  func answer(to request: String, type: String = "application/json") async throws -> Answer {
    let lines = request.split(separator: "\n", omittingEmptySubsequences: false)
    let text = ([String(lines[0])] + fields + lines.dropFirst().map(String.init))
      .joined(separator: "\n")
    let sent = try TestService.request(TestService.bytes(of: text, token: nil, type: type))
    switch await service.reply(to: sent) {
    case .whole(let response): return try Answer(response, to: sent.method)
    case .stream(let head, let stream, _):
      stream.close()
      return try Answer(head, to: sent.method)
    }
  }

  /// Everything that a request could have changed: the head of the log, and who may come in.
  func content() throws -> [String] {
    let accounts = try service.store.book.accounts()
    return try accounts.map { account in
      let head = try service.store.state(account.id).map {
        "\($0.state.version) \($0.chain.prefix)"
      }
      let tokens = try service.store.book.tokens(account.id).map {
        "\($0.id) \($0.revokedAt as Any)"
      }
      return "\(account.id) \(head ?? "") \(tokens)"
    }
  }
}

/// Who may ask for what. The rows are in `AccessRow`, one for each operation.
@Suite("Whoever shows") struct AccessMatrixTests {
  @Test(
    "something is let in where the contract says so, and nowhere else", arguments: Shown.allCases)
  func matrix(_ shown: Shown) async throws {
    for operation in Operation.allCases {
      let row = operation.row
      let asker = try await AccessCase(shown)
      let before = try asker.content()
      let type = operation.endpoint.body.mediaTypes.first ?? "application/json"
      let request =
        operation == .undoEdit ? "POST /v1/edits/\(AccessCase.bump)/undo" : row.request
      let answer = try await asker.answer(to: request, type: type)
      let expected = shown.answer(to: row)
      #expect(answer.status == expected.status, "\(operation): \(answer.head) \(answer.body)")
      if let code = expected.code {
        #expect(answer.code == code, "\(operation): \(answer.body)")
        #expect(try asker.content() == before, "\(operation) changed something")
        #expect(expected.status != 401 || answer.field("WWW-Authenticate") != nil, "\(operation)")
        if code == "forbidden" {
          let challenge = "Bearer error=\"insufficient_scope\", scope=\"\(row.scope)\""
          #expect(answer.field("WWW-Authenticate") == challenge, "\(operation)")
          #expect(answer.string("/detail")?.hasSuffix(" \(row.scope).") == true, "\(operation)")
        }
      }
      guard row.reads else { continue }
      let head = "HEAD" + row.request.dropFirst("GET".count)
      let bare = try await asker.answer(to: head, type: type)
      #expect(bare.status == expected.status, "HEAD of \(operation): \(bare.head)")
      #expect(bare.body.isEmpty)
    }
  }

  @Test("anything makes an account where sign-up is open", arguments: Shown.allCases)
  func signUp(_ shown: Shown) async throws {
    let asker = try await AccessCase(shown, policy: .signUpOpen)
    #expect(try await asker.answer(to: Operation.addAccount.row.request).status == 201)
  }

  private static let ofOneGoal = [
    "POST /v1/goals/ID/bump", "GET /v1/goals/ID", "GET /v1/goals/ID/history.svg",
    "GET /v1/goals/ID/history", "POST /v1/goals/ID/skip", "DELETE /v1/goals/ID",
  ]

  @Test(
    "a token that bumps is told the same of every other goal, there or not", arguments: ofOneGoal)
  func button(_ request: String) async throws {
    let asker = try await AccessCase(.button)
    let before = try asker.content()
    var bodies: Set<String> = []
    for goal in [TestService.id(2), TestService.id(9), "x"] {
      let answer = try await asker.answer(to: request.replacing("ID", with: goal))
      #expect(answer.status == 403 && answer.code == "forbidden", "\(goal)")
      bodies.insert(answer.head.joined() + answer.body)
    }
    #expect(bodies.count == 1)
    #expect(try asker.content() == before)
  }

  @Test("what an operation's row says is what is sent for it")
  func rows() throws {
    for operation in Operation.allCases {
      let line = operation.row.request.split(separator: "\n")[0].split(separator: " ")
      #expect(line[0] == operation.endpoint.method.rawValue)
      let path = operation.endpoint.path.split(separator: "/")
      let sent = line[1].split(separator: "/")
      #expect(
        path.count == sent.count && zip(path, sent).allSatisfy { $0.hasPrefix("{") || $0 == $1 })
    }
  }
}
