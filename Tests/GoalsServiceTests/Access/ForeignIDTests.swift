import GoalsCore
import Testing
import TestSupport

@testable import GoalsService
@testable import HTTPServer
@testable import GoalsStore

/// Two accounts in a database: one that asks, and a stranger, who has a goal, edits, a token and a
/// cursor.
private struct TwoAccounts {
  let service: TestService
  let steps: StepCount
  private let folder: TemporaryFolder
  private let database: OwnedDatabase
  private let token: String
  /// A position in the stranger's log.
  let cursor: String
  /// - Parameter mark: where the stranger's ids begin; the token's is the mark itself.
  init(strangersIDsFrom mark: Int) async throws {
    folder = try TemporaryFolder()
    steps = StepCount(of: folder.path)
    let database = try OwnedDatabase.claim(path: folder.file("goals.sqlite"), ifMissing: .create)
    self.database = database
    let clock = World.MockClock()
    let world = World.mock(clock: clock)
    let environment = StoreEnvironment(now: world.now, zone: world.zone, track: { _ in })
    let store = try Store.sqlite(database, environment: environment)
    service = try TestService(clock: clock, spoil: { _ in store })
    let administration = Administration(of: store, in: world)
    let mine = try administration.addAccountWithToken("x", timeZone: nil)
    let stranger = try administration.addAccountWithToken("y", timeZone: nil)
    token = mine.token
    let record = TokenRecord(
      id: try #require(TokenRecord.ID(TestService.id(mark))),
      account: try #require(Account.ID(stranger.id)),
      name: "x", scope: .read, secret: [UInt8](repeating: UInt8(mark % 256), count: 32),
      createdAt: world.now())
    _ = try store.book.addToken(record, nil)
    cursor = try await Self.fill(service, as: stranger.token, from: mark)
    _ = try await Self.fill(service, as: mine.token, from: 1)
    _ = steps.take()
  }

  private static func fill(
    _ service: TestService, as token: String, from mark: Int
  ) async throws -> String {
    let goal = TestService.id(mark)
    let edits = [
      "\"type\":\"add\",\"goal\":{\"id\":\"\(goal)\",\"title\":\"\(mark)\"}",
      "\"type\":\"setActivity\",\"activity\":{\"\(goal)\":true}",
      "\"type\":\"bump\",\"goal\":\"\(goal)\"",
    ]
    let body = edits.enumerated().map { "{\"id\":\"\(TestService.id(mark + $0))\",\($1)}" }
      .joined(separator: ",")
    let answer = try await service.ask("POST /v1/edits\n\n{\"edits\":[\(body)]}", as: token)
    try #require(answer.status == 200 && answer["/version"] == "3", "\(answer.body)")
    return try #require(try await service.ask("GET /v1/goals", as: token).string("/cursor"))
  }

  /// What is answered to the account that asks, and what SQLite did for that.
  func answer(to request: String) async throws -> (answer: [String], steps: [String]) {
    _ = steps.take()
    var lines: [String]
    switch try await service.reply(request, as: token) {
    case .whole(let response):
      let answer = try Answer(response, to: TestService.request(request, as: token).method)
      lines = answer.head + [answer.body]
    case .stream(let head, let stream, _):
      stream.close()
      lines = try Answer(head, to: .get).head
    }
    // Another reading of the same: what the first has brought into memory is there for both.
    for queue in [service.queues.reads, service.queues.pages.queue] {
      queue.sync(flags: .barrier) {}
    }
    return (lines, steps.take())
  }

  func close() { service.store.destroy() }
}

/// An account never learns from any answer whether another's goal, edit, token or position in the
/// log is there: the same request is answered to the byte, and takes the same work.
@Suite("An id that another account has") struct ForeignIDTests {
  private static let mark = 5001

  @Test(
    "is answered as one that nobody has, in as many steps",
    arguments: Operation.allCases.flatMap { operation in
      operation.foreign.map { (operation.rawValue, $0) }
    })
  func isAnsweredTheSame(_ operation: String, _ request: String) async throws {
    let there = try await TwoAccounts(strangersIDsFrom: Self.mark)
    let missing = try await TwoAccounts(strangersIDsFrom: 6001)
    defer {
      there.close()
      missing.close()
    }
    // A position that no log has: the stranger's version with another chain.
    let cursor = there.cursor
    #expect(cursor != missing.cursor)
    let text = request.replacing("{cursor}", with: cursor)
    let (foreign, work) = try await there.answer(to: text)
    let (none, workForNone) = try await missing.answer(to: text)
    #expect(foreign == none, "\(operation)")
    #expect(work == workForNone, "\(operation)")
  }

  @Test("is named by a request of every operation that takes one in its path or query")
  func isNamed() {
    for operation in Operation.allCases {
      let takesOne =
        operation.endpoint.path.contains("{id}") || operation.endpoint.query.contains("after")
      #expect(!takesOne || !operation.foreign.isEmpty, "\(operation)")
    }
  }
}

extension Operation {
  /// Requests that name something of the stranger's.
  fileprivate var foreign: [String] {
    let theirs = TestService.id(5001)
    let mine = TestService.id(1)
    let new = TestService.id(900)
    let batch = { (edit: String) in "{\"edits\":[{\"id\":\"\(new)\",\(edit)}]}" }
    switch self {
    case .listGoals, .readAccount, .readZone, .readToken, .listTokens, .exportLog, .exportCounts,
      .configureAccount, .importLog, .addAccount, .beginSession, .endSession, .readPage,
      .readClient,
      .readDocs, .readOpenAPI, .health, .readiness:
      return []
    case .addGoal: return ["POST /v1/goals\n\n{\"id\":\"\(theirs)\",\"title\":\"x\"}"]
    case .readGoal: return ["GET /v1/goals/\(theirs)"]
    case .putGoal: return ["PUT /v1/goals/\(theirs)\n\n{\"title\":\"x\"}"]
    case .patchGoal: return ["PATCH /v1/goals/\(theirs)\n\n{\"title\":\"x\"}"]
    case .deleteGoal: return ["DELETE /v1/goals/\(theirs)"]
    case .bumpGoal: return ["POST /v1/goals/\(theirs)/bump"]
    case .skipGoal: return ["POST /v1/goals/\(theirs)/skip"]
    case .moveGoal:
      return [
        "POST /v1/goals/\(theirs)/move\n\n{\"before\":null}",
        "POST /v1/goals/\(mine)/move\n\n{\"before\":\"\(theirs)\"}",
      ]
    case .readHistory: return ["GET /v1/goals/\(theirs)/history"]
    case .readHistories: return ["GET /v1/history?cursor=\(theirs)"]
    case .drawHistory: return ["GET /v1/goals/\(theirs)/history.svg"]
    case .setActivity: return ["PUT /v1/activity\n\n{\"activity\":{\"\(theirs)\":true}}"]
    case .submitEdits:
      return [
        batch("\"type\":\"bump\",\"goal\":\"\(theirs)\""),
        batch("\"type\":\"undo\",\"edit\":\"\(theirs)\""),
        batch("\"type\":\"move\",\"goal\":\"\(mine)\",\"before\":\"\(theirs)\""),
        "{\"edits\":[{\"id\":\"\(theirs)\",\"type\":\"bump\",\"goal\":\"\(mine)\"}]}",
      ].map { "POST /v1/edits\n\n\($0)" }
    case .listEdits:
      return ["", "&wait=1", "&order=newest", "&goal=\(theirs)"].map {
        "GET /v1/edits?after={cursor}\($0)"
      } + ["GET /v1/edits?goal=\(theirs)"]
    case .readEdit: return ["GET /v1/edits/\(theirs)"]
    case .undoEdit: return ["POST /v1/edits/\(theirs)/undo"]
    case .sync:
      return [
        "POST /v1/sync\n\n{\"after\":\"{cursor}\",\"edits\":[]}",
        "POST /v1/sync\n\n{\"after\":\"{cursor}\",\"list\":\"\\\"{cursor}~-\\\"\"}",
        "POST /v1/sync\n\n" + batch("\"type\":\"skip\",\"goal\":\"\(theirs)\""),
      ]
    case .followChanges: return ["GET /v1/changes?after={cursor}"]
    case .addToken:
      return ["POST /v1/tokens\n\n{\"name\":\"x\",\"scope\":\"bump\",\"goal\":\"\(theirs)\"}"]
    case .revokeToken: return ["DELETE /v1/tokens/\(theirs)"]
    }
  }
}
