import HTTP

/// The operations of the HTTP interface, by their names in openapi.yaml.
package enum Operation: String, CaseIterable, Sendable {
  case listGoals, addGoal, readGoal, putGoal, patchGoal, deleteGoal
  case bumpGoal, skipGoal, moveGoal, readHistory, setActivity
  case submitEdits, listEdits, readEdit, undoEdit, sync
  case readAccount, configureAccount
  case readPage, readOpenAPI, health, readiness

  /// Its method and path.
  package var route: (method: Method, path: String) {
    switch self {
    case .listGoals: (.get, "/v1/goals")
    case .addGoal: (.post, "/v1/goals")
    case .readGoal: (.get, "/v1/goals/{id}")
    case .putGoal: (.put, "/v1/goals/{id}")
    case .patchGoal: (.patch, "/v1/goals/{id}")
    case .deleteGoal: (.delete, "/v1/goals/{id}")
    case .bumpGoal: (.post, "/v1/goals/{id}/bump")
    case .skipGoal: (.post, "/v1/goals/{id}/skip")
    case .moveGoal: (.post, "/v1/goals/{id}/move")
    case .readHistory: (.get, "/v1/goals/{id}/history")
    case .setActivity: (.put, "/v1/activity")
    case .submitEdits: (.post, "/v1/edits")
    case .listEdits: (.get, "/v1/edits")
    case .readEdit: (.get, "/v1/edits/{id}")
    case .undoEdit: (.post, "/v1/edits/{id}/undo")
    case .sync: (.post, "/v1/sync")
    case .readAccount: (.get, "/v1/account")
    case .configureAccount: (.patch, "/v1/account")
    case .readPage: (.get, "/")
    case .readOpenAPI: (.get, "/openapi.yaml")
    case .health: (.get, "/healthz")
    case .readiness: (.get, "/readyz")
    }
  }

  /// Whether it needs a token.
  var needsCaller: Bool { route.path.hasPrefix("/v1/") }

  /// Whether a body goes with it.
  enum Body: Hashable {
    case none, required
    /// It may be left out, and is then an empty object.
    case optional
  }

  var body: Body {
    switch self {
    case .addGoal, .putGoal, .patchGoal, .moveGoal, .setActivity, .submitEdits, .sync,
      .configureAccount:
      .required
    case .bumpGoal, .skipGoal, .undoEdit: .optional
    case .listGoals, .readGoal, .readHistory, .deleteGoal, .listEdits, .readEdit, .readAccount,
      .readPage,
      .readOpenAPI, .health, .readiness:
      .none
    }
  }

  /// The media types that its body may be of.
  var mediaTypes: [String] {
    route.method == .patch
      ? ["application/json", "application/merge-patch+json"] : ["application/json"]
  }

  /// The query parameters that it knows.
  var parameters: [String] {
    switch self {
    case .listGoals: ["active", "version"]
    case .readHistory: ["from", "to"]
    case .submitEdits: ["dryRun"]
    case .listEdits: ["after", "limit"]
    case .addGoal, .readGoal, .putGoal, .patchGoal, .deleteGoal, .bumpGoal, .skipGoal, .moveGoal,
      .setActivity, .readEdit, .undoEdit, .sync, .readAccount, .configureAccount, .readPage,
      .readOpenAPI,
      .health, .readiness:
      []
    }
  }
}
