import GoalsStore
import HTTP

/// An operation as HTTP has it: its route, its query and body, its callers, and its handling. Each
/// is in its feature's folder.
package final class Endpoint: Sendable {
  package let method: Method
  /// The pattern of its path, as `Router` reads it.
  let pattern: String
  /// The query parameters that it knows.
  let query: [String]
  let body: Body
  package let audience: Audience
  let handling: Handling

  enum Handling: Sendable {
    /// By a file of the binary, or by a fixed text.
    case serving(@Sendable (Exchange) throws -> Response)
    /// By a message to the domain, whose completion sends the response.
    case asking(@Sendable (Exchange) throws -> Message)
  }

  /// - Parameter audience: left out, tokens that may read may use GET, and those that may write
  ///   everything.
  init(
    _ method: Method, _ path: String, query: [String] = [], body: Body = .none,
    for audience: Audience? = nil,
    asking ask: @escaping @Sendable (Exchange) throws -> Message
  ) {
    self.method = method
    pattern = path
    self.query = query
    self.body = body
    self.audience = audience ?? (method == .get ? .readers : .writers)
    handling = .asking(ask)
  }

  /// An endpoint for anyone, which asks nothing of the domain.
  init(
    _ method: Method, _ path: String,
    serving serve: @escaping @Sendable (Exchange) throws -> Response
  ) {
    self.method = method
    pattern = path
    query = []
    body = .none
    audience = .anyone
    handling = .serving(serve)
  }

  /// The pattern as openapi.yaml has it, where every parameter is a name in braces.
  package var path: String { pattern.replacing("{+", with: "{") }

  /// The callers that an operation is for.
  package enum Audience: Hashable, Sendable {
    /// No token is needed.
    case anyone
    /// People without an account, where anyone may make one.
    case newcomers
    /// Every token and session, whatever its scope.
    case holders
    /// Tokens that may read, and those that may write.
    case readers
    /// The same, and tokens that may only bump the goal of the path.
    case readersAndButtons
    /// The same as `readers`, and people who show a token, or the code of a link, in the body.
    case readersOrCode
    /// Tokens that may count, and those that may write.
    case counters
    case writers
    /// The same, and people who show the code of a link in the body.
    case writersOrCode
    /// Tokens that may count or write, and those that may only bump the goal of the path.
    case writersAndButtons

    var needsCaller: Bool {
      switch self {
      case .anyone, .newcomers: false
      case .holders, .readers, .readersAndButtons, .readersOrCode, .counters, .writers,
        .writersOrCode, .writersAndButtons:
        true
      }
    }

    /// Whether it is open to people who show neither a token nor a cookie.
    var isOfStrangers: Bool {
      switch self {
      case .newcomers, .readersOrCode, .writersOrCode: true
      case .anyone, .holders, .readers, .readersAndButtons, .counters, .writers,
        .writersAndButtons:
        false
      }
    }

    /// The least scope that lets a caller do this with any goal.
    var scope: TokenRecord.Scope {
      switch self {
      case .anyone, .newcomers, .holders, .readers, .readersAndButtons, .readersOrCode: .read
      case .counters: .count
      case .writers, .writersOrCode, .writersAndButtons: .write
      }
    }
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

    /// Whether a body may have this value of `Content-Type`.
    func accepts(_ text: String) -> Bool {
      let types = mediaTypes
      // Most clients say the type and nothing else.
      if types.contains(text) { return true }
      guard let type = MediaType(text) else { return false }
      return types.contains(type.essence)
        && type.values(of: "charset").allSatisfy { $0.lowercased() == "utf-8" }
    }
  }
}
