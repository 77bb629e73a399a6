@testable import GoalsService

extension Operation {
  /// Those of which a request is one edit, or two: each would record something of goal 1, which is
  /// active, or of the account, as its row asks for it.
  static let edits: [Operation] = [
    .addGoal, .putGoal, .patchGoal, .deleteGoal, .bumpGoal, .skipGoal, .moveGoal, .setActivity,
    .undoEdit, .configureAccount,
  ]
}

extension String {
  /// A request with more fields.
  func with(_ fields: String...) -> String {
    let lines = split(separator: "\n", omittingEmptySubsequences: false)
    return ([String(lines[0])] + fields + lines.dropFirst().map(String.init))
      .joined(separator: "\n")
  }
}
