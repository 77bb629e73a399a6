@testable import GoalsService

/// What the contract says about who may ask for an operation: written out for each, from
/// openapi.yaml and not from the code, so that a new operation needs a row before this compiles.
struct AccessRow: Sendable {
  /// Who is let in.
  enum Who: Sendable {
    /// Whatever is shown, nothing too.
    case everybody
    /// Whoever makes an account where that is open.
    case newcomers
    /// Tokens with the scope `read`, `count` or `write`.
    case readers
    /// Tokens with the scope `count` or `write`.
    case counters
    /// Tokens with the scope `write`.
    case writers
    /// Tokens with the scope `count` or `write`, and `bump` tokens of the goal in the path.
    case countersAndButtons
    /// Tokens with the scope `read`, `count` or `write`, and `bump` tokens of the goal in the path.
    case readersAndButtons
    /// Every token, and every session.
    case holders
    /// Tokens with the scope `read`, `count` or `write`, but no session.
    case tokens
  }

  let who: Who
  /// As `TestService.ask` takes it, for an account that `AccessCase` has made.
  let request: String
  /// The status of the answer to a caller that is let in.
  let status: Int

  init(_ who: Who, _ request: String, _ status: Int) {
    self.who = who
    self.request = request
    self.status = status
  }

  var reads: Bool { request.hasPrefix("GET ") }

  /// The scope that a refusal names.
  var scope: String {
    switch who {
    case .everybody, .newcomers, .readers, .readersAndButtons, .tokens, .holders: "read"
    case .counters: "count"
    case .writers, .countersAndButtons: "write"
    }
  }
}

extension Operation {
  private static let goal = TestService.id(1)
  private static let edit = TestService.id(101)

  var row: AccessRow {
    let (goal, edit) = (Self.goal, Self.edit)
    return switch self {
    case .listGoals: AccessRow(.readers, "GET /v1/goals", 200)
    case .addGoal: AccessRow(.writers, "POST /v1/goals\n\n{\"title\":\"B\"}", 201)
    case .readGoal: AccessRow(.readersAndButtons, "GET /v1/goals/\(goal)", 200)
    case .putGoal: AccessRow(.writers, "PUT /v1/goals/\(goal)\n\n{\"title\":\"B\"}", 200)
    case .patchGoal: AccessRow(.writers, "PATCH /v1/goals/\(goal)\n\n{\"title\":\"B\"}", 200)
    case .deleteGoal: AccessRow(.writers, "DELETE /v1/goals/\(goal)", 204)
    case .bumpGoal: AccessRow(.countersAndButtons, "POST /v1/goals/\(goal)/bump", 200)
    case .skipGoal: AccessRow(.counters, "POST /v1/goals/\(goal)/skip", 200)
    case .moveGoal: AccessRow(.writers, "POST /v1/goals/\(goal)/move\n\n{\"before\":null}", 200)
    case .readHistory: AccessRow(.readers, "GET /v1/goals/\(goal)/history", 200)
    case .drawHistory: AccessRow(.readersAndButtons, "GET /v1/goals/\(goal)/history.svg", 200)
    case .readHistories: AccessRow(.readers, "GET /v1/history", 200)
    case .setActivity:
      AccessRow(.writers, "PUT /v1/activity\n\n{\"activity\":{\"\(goal)\":false}}", 200)
    case .submitEdits:
      AccessRow(
        .counters,
        "POST /v1/edits\n\n{\"edits\":[{\"id\":\"\(edit)\",\"type\":\"skip\",\"goal\":\"\(goal)\"}]}",
        200)
    case .listEdits: AccessRow(.readers, "GET /v1/edits", 200)
    case .readEdit: AccessRow(.readers, "GET /v1/edits/\(edit)", 200)
    case .undoEdit: AccessRow(.counters, "POST /v1/edits/\(edit)/undo", 200)
    case .sync: AccessRow(.counters, "POST /v1/sync\n\n{\"after\":null,\"edits\":[]}", 200)
    case .followChanges: AccessRow(.readers, "GET /v1/changes", 200)
    case .readAccount: AccessRow(.readers, "GET /v1/account", 200)
    case .configureAccount:
      AccessRow(.writers, "PATCH /v1/account\n\n{\"weekStart\":\"sunday\"}", 200)
    case .readToken: AccessRow(.holders, "GET /v1/token", 200)
    case .readZone: AccessRow(.readers, "GET /v1/zones/UTC", 200)
    case .listTokens: AccessRow(.writers, "GET /v1/tokens", 200)
    case .addToken: AccessRow(.writers, "POST /v1/tokens\n\n{\"name\":\"x\"}", 201)
    case .revokeToken: AccessRow(.writers, "DELETE /v1/tokens/\(edit)", 404)
    case .exportLog: AccessRow(.readers, "GET /v1/export", 200)
    // Let in, and told that something is recorded there.
    case .importLog: AccessRow(.writers, "POST /v1/import\n\n{}", 409)
    case .exportCounts: AccessRow(.readers, "GET /v1/export.csv", 200)
    case .addAccount: AccessRow(.newcomers, "POST /v1/accounts\n\n{\"name\":\"x\"}", 201)
    case .beginSession: AccessRow(.tokens, "POST /v1/session", 204)
    case .endSession: AccessRow(.readers, "DELETE /v1/session", 204)
    case .readPage: AccessRow(.everybody, "GET /", 200)
    case .readClient: AccessRow(.everybody, "GET /client/goals.js", 307)
    case .readDocs: AccessRow(.everybody, "GET /docs", 200)
    case .readOpenAPI: AccessRow(.everybody, "GET /openapi.yaml", 200)
    case .health: AccessRow(.everybody, "GET /healthz", 200)
    case .readiness: AccessRow(.everybody, "GET /readyz", 200)
    }
  }
}

/// What a request shows to be let in.
enum Shown: CaseIterable, Sendable {
  case nothing, anotherScheme, anothersToken, unknownToken, changedToken, expiredToken, revokedToken
  case tokenOfRemovedAccount, twoTokens
  case reader, counter, writer, button, anotherButton
  case session, sessionWithoutOrigin, sessionFromElsewhere, sessionOfReader, sessionOfCounter
  case sessionBesideAnotherScheme, sessionBesideAnothersToken, sessionBesideUnknownToken
  case endedSession, expiredSession, sessionOfRevokedToken, unknownSession, twoSessions

  /// The status and code that the contract has for it; a nil code where it is let in.
  func answer(to row: AccessRow) -> (status: Int, code: String?) {
    let letIn: (Int, String?) = (row.status, nil)
    let stranger: (Int, String?) = (401, "unauthenticated")
    let outOfScope: (Int, String?) = (403, "forbidden")
    switch row.who {
    case .everybody: return letIn
    case .newcomers: return (403, "sign-up-closed")
    case .readers, .counters, .writers, .countersAndButtons, .readersAndButtons, .tokens, .holders:
      break
    }
    let mayRead = row.who.isOne(of: [.readers, .readersAndButtons, .tokens, .holders])
    let mayCount = mayRead || row.who.isOne(of: [.counters, .countersAndButtons])
    switch self {
    case .nothing, .anotherScheme, .anothersToken, .unknownToken, .changedToken, .expiredToken,
      .revokedToken, .tokenOfRemovedAccount, .twoTokens, .endedSession, .expiredSession,
      .sessionOfRevokedToken, .unknownSession, .twoSessions, .sessionBesideUnknownToken:
      return stranger
    case .writer: return letIn
    case .reader: return mayRead ? letIn : outOfScope
    case .counter: return mayCount ? letIn : outOfScope
    case .button:
      return row.who.isOne(of: [.countersAndButtons, .readersAndButtons, .holders])
        ? letIn : outOfScope
    case .anotherButton: return row.who.isOne(of: [.holders]) ? letIn : outOfScope
    case .session, .sessionBesideAnotherScheme, .sessionBesideAnothersToken:
      return row.who.isOne(of: [.tokens]) ? stranger : letIn
    case .sessionOfReader:
      return row.who.isOne(of: [.tokens]) ? stranger : mayRead ? letIn : outOfScope
    case .sessionOfCounter:
      return row.who.isOne(of: [.tokens]) ? stranger : mayCount ? letIn : outOfScope
    case .sessionWithoutOrigin, .sessionFromElsewhere:
      return row.reads ? letIn : (403, "cross-origin")
    }
  }
}

extension AccessRow.Who {
  fileprivate func isOne(of others: [AccessRow.Who]) -> Bool { others.contains(self) }
}
