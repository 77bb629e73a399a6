import HTTP

/// The operations of the HTTP interface, by their names in openapi.yaml.
package enum Operation: String, CaseIterable, Sendable {
  case listGoals, addGoal, readGoal, putGoal, patchGoal, deleteGoal
  case bumpGoal, skipGoal, moveGoal, readHistory, drawHistory, setActivity
  case submitEdits, listEdits, readEdit, undoEdit, sync, followChanges
  case readAccount, configureAccount
  case listTokens, addToken, revokeToken
  case exportLog, importLog, exportCounts
  case addAccount, beginSession, endSession
  case readPage, readDocs, readOpenAPI, health, readiness

  /// What is fixed about an operation.
  package struct Traits: Sendable {
    package let method: Method
    package let path: String
    /// The query parameters that it knows.
    let query: [String]
    let body: Body
    package let audience: Audience

    /// - Parameter audience: left out, who may read may use GET below `/v1`, and who may write all there.
    init(
      _ method: Method, _ path: String, query: [String] = [], body: Body = .none,
      for audience: Audience? = nil
    ) {
      self.method = method
      self.path = path
      self.query = query
      self.body = body
      self.audience =
        audience ?? (path.hasPrefix("/v1/") ? method == .get ? .readers : .writers : .anyone)
    }
  }

  /// Whom an operation is for.
  package enum Audience: Hashable, Sendable {
    /// No token is needed.
    case anyone
    /// Whoever has no account yet, where anyone may make one.
    case newcomers
    /// Tokens that may read, and those that may write.
    case readers
    /// Tokens that may write.
    case writers
  }

  /// Whether a body goes with it, and of which media types it may be.
  enum Body: Hashable {
    case none
    case required
    /// It may be left out, and is then an empty object.
    case optional
    /// A merge patch (RFC 7396).
    case patch
    /// An export.
    case lines

    var mediaTypes: [String] {
      switch self {
      case .none: []
      case .required, .optional: ["application/json"]
      case .patch: ["application/json", "application/merge-patch+json"]
      case .lines: ["application/x-ndjson"]
      }
    }

    /// Whether it may be of a type, by the value of `Content-Type`.
    func accepts(_ text: String) -> Bool {
      let types = mediaTypes
      // Most clients say the type and nothing else.
      if types.contains(text) { return true }
      guard let type = MediaType(text) else { return false }
      return types.contains(type.essence)
        && type.values(of: "charset").allSatisfy { $0.lowercased() == "utf-8" }
    }
  }

  package var traits: Traits {
    switch self {
    case .listGoals: Traits(.get, "/v1/goals", query: ["active", "version"])
    case .addGoal: Traits(.post, "/v1/goals", body: .required)
    case .readGoal: Traits(.get, "/v1/goals/{id}")
    case .putGoal: Traits(.put, "/v1/goals/{id}", body: .required)
    case .patchGoal: Traits(.patch, "/v1/goals/{id}", body: .patch)
    case .deleteGoal: Traits(.delete, "/v1/goals/{id}")
    case .bumpGoal: Traits(.post, "/v1/goals/{id}/bump", body: .optional)
    case .skipGoal: Traits(.post, "/v1/goals/{id}/skip", body: .optional)
    case .moveGoal: Traits(.post, "/v1/goals/{id}/move", body: .required)
    case .readHistory: Traits(.get, "/v1/goals/{id}/history", query: ["from", "to"])
    case .drawHistory: Traits(.get, "/v1/goals/{id}/history.svg", query: ["from", "to"])
    case .setActivity: Traits(.put, "/v1/activity", body: .required)
    case .submitEdits: Traits(.post, "/v1/edits", query: ["dryRun"], body: .required)
    case .listEdits: Traits(.get, "/v1/edits", query: ["after", "limit", "wait"])
    case .readEdit: Traits(.get, "/v1/edits/{id}")
    case .undoEdit: Traits(.post, "/v1/edits/{id}/undo", body: .optional)
    case .sync: Traits(.post, "/v1/sync", body: .required)
    case .followChanges: Traits(.get, "/v1/changes", query: ["after"])
    case .readAccount: Traits(.get, "/v1/account")
    case .configureAccount: Traits(.patch, "/v1/account", body: .patch)
    case .listTokens: Traits(.get, "/v1/tokens", for: .writers)
    case .addToken: Traits(.post, "/v1/tokens", body: .required)
    case .revokeToken: Traits(.delete, "/v1/tokens/{id}")
    case .exportLog: Traits(.get, "/v1/export")
    case .importLog: Traits(.post, "/v1/import", body: .lines)
    case .exportCounts: Traits(.get, "/v1/export.csv")
    case .addAccount: Traits(.post, "/v1/accounts", body: .required, for: .newcomers)
    case .beginSession: Traits(.post, "/v1/session", for: .readers)
    case .endSession: Traits(.delete, "/v1/session", for: .readers)
    case .readPage: Traits(.get, "/")
    case .readDocs: Traits(.get, "/docs")
    case .readOpenAPI: Traits(.get, "/openapi.yaml")
    case .health: Traits(.get, "/healthz")
    case .readiness: Traits(.get, "/readyz")
    }
  }
}
