import Testing

@testable import GoalsService

@Suite("A condition of a write") struct UnheededConditionTests {
  private static let writes = Operation.allCases.filter { !$0.row.reads }

  @Test(
    "that does not hold, or that the write can't look at, keeps it from being made",
    arguments: writes, ["If-Match: \"zz\"", "If-None-Match: *"])
  func unheeded(_ operation: Operation, _ field: String) async throws {
    let service = try TestService(policy: .signUpOpen)
    try await service.addGoals(2)
    let version = try await service.ask("GET /v1/account").string("/version")
    let answer = try await service.ask(
      operation.row.request.with(field),
      type: operation == .importLog ? "application/x-ndjson" : "application/json")
    // A new goal is none that is there.
    if operation == .addGoal, field == "If-None-Match: *" {
      #expect(answer.status == 201)
    } else if Operation.edits.contains(operation) {
      // An edit that nobody made is looked for first.
      #expect(answer.status == 412 || answer.status == 404 && operation == .undoEdit)
    } else {
      #expect(answer.status == 422)
      #expect(answer.pointers == [field.hasPrefix("If-Match") ? "/If-Match" : "/If-None-Match"])
      #expect(try await service.ask("GET /v1/account").string("/version") == version)
    }
  }
}
