import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// An error as clients read it (RFC 9457), with all faults of the request, and nothing of the
/// server's inside.
package struct Problem: Error, Sendable {
  package let status: Status
  package let code: String
  /// A sentence for a person.
  package let detail: String
  package var faults: [Fault] = []
  package var fields: Fields = [:]
  /// Further members, by the code.
  package var more: More?

  package enum More: Sendable {
    case outcomes([Outcome])
    case version(Version, outcomes: [Outcome])
    case requestID(String)
  }

  init(_ status: Status, _ code: String, _ detail: String) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  package var response: Response {
    var json = JSONWriter()
    json.object { json in
      json.member("type", "/docs#\(code)")
      json.member("title", status.reason)
      json.member("status", status.code)
      json.member("detail", detail)
      json.member("code", code)
      if !faults.isEmpty {
        json.array("errors") { json in
          for fault in faults { json.value(fault) }
        }
      }
      switch more {
      case nil: break
      case .outcomes(let outcomes): json.member(outcomes: outcomes)
      case .version(let version, let outcomes):
        json.member("version", version)
        json.member(outcomes: outcomes)
      case .requestID(let id): json.member("requestId", id)
      }
    }
    var response = Response(status, fields: fields, body: json.bytes)
    response.fields.append(.contentType, "application/problem+json")
    response.fields.append(.noStore)
    response.fields.append(.nosniff)
    response.fields.append(.unframed)
    return response
  }

  fileprivate func with(_ name: FieldName, _ value: String) -> Problem {
    var problem = self
    problem.fields.append(name, value)
    return problem
  }
}

extension Problem {
  static func invalid(_ faults: [Fault]) -> Problem {
    let detail =
      switch faults.count {
      case 1: "One thing is wrong with the request."
      case ...[Fault].maximumTold: "\(faults.count) things are wrong with the request."
      default: "More than \([Fault].maximumTold) things are wrong with the request."
      }
    var problem = Problem(.unprocessableContent, "invalid", detail)
    problem.faults = faults
    return problem
  }

  static func invalid(_ pointer: String, _ detail: String) -> Problem {
    invalid([Fault(pointer: pointer, detail: detail)])
  }

  static func malformedJSON(_ error: JSONError) -> Problem {
    Problem(.badRequest, "malformed-json", "The body is not JSON: \(error.description)")
  }

  /// The request shows no credentials, or none that can be read.
  static let unauthenticated = unauthenticated(
    "A valid token is needed: Authorization: Bearer …", challenge: "Bearer")

  /// The request shows a token that is not valid (RFC 6750 §3.1).
  static let invalidToken = unauthenticated(
    "The token is not valid: it is unknown, revoked or expired, or no token at all.",
    challenge: #"Bearer error="invalid_token""#)

  /// The body shows a token that is not valid, or a code.
  static let wrongCredential = unauthenticated(
    "The token or the code is not valid: it is unknown, expired, or a code that was used before.",
    challenge: #"Bearer error="invalid_token""#)

  static let severalCookies = unauthenticated(
    "The request shows several session cookies, and only one can be this server's. Take the cookies of "
      + "this site away, and sign in again.", challenge: "Bearer")

  private static func unauthenticated(_ detail: String, challenge: String) -> Problem {
    Problem(.unauthorized, "unauthenticated", detail).with("WWW-Authenticate", challenge)
  }

  /// The token's scope is another (RFC 6750 §3.1). `scope` is the one that is needed.
  static func forbidden(needing scope: TokenRecord.Scope) -> Problem {
    Problem(
      .forbidden, "forbidden",
      "The token's scope does not allow this: it takes a token with the scope \(scope.rawValue)."
    ).with("WWW-Authenticate", "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\"")
  }

  static let crossOrigin = Problem(
    .forbidden, "cross-origin", "With a cookie, only a page of this server may do this.")

  static let signUpClosed = Problem(
    .forbidden, "sign-up-closed", "Accounts are made by whoever runs this server.")

  static func tooManyRequests(after seconds: Int) -> Problem {
    Problem(.tooManyRequests, "too-many-requests", "There were too many requests; try again later.")
      .with(.retryAfter, String(seconds))
  }

  static let abandoned = Problem(
    .badRequest, "malformed-request",
    "The connection was ended, at least by this side, before an answer that takes long was there.")

  static let notFound = Problem(.notFound, "not-found", "There is nothing here.")

  static func methodNotAllowed(_ allowed: [Method]) -> Problem {
    Problem(.methodNotAllowed, "method-not-allowed", "This can't be done here.")
      .with(.allow, Method.allow(allowed))
  }

  static func unsupportedMediaType(_ known: [String]) -> Problem {
    Problem(
      .unsupportedMediaType, "unsupported-media-type",
      known.contains("application/json")
        ? "The body has to be JSON in UTF-8, with Content-Type: application/json."
        : "The body has to be of Content-Type: \(known.joined(separator: " or ")).")
  }

  /// With the codings that are accepted, by RFC 9110 §15.5.16: none.
  static let unsupportedContentEncoding = Problem(
    .unsupportedMediaType, "unsupported-media-type",
    "The body has to be sent as it is, without Content-Encoding."
  ).with("Accept-Encoding", "identity")

  static let contentRange = Problem(
    .badRequest, "malformed-request",
    "PUT takes a whole body: a part of one, with Content-Range, can't be put.")

  static let unknownGoal = Problem(.notFound, "unknown-goal", "There is no such goal.")
  static let unknownEdit = Problem(.notFound, "unknown-edit", "There is no such edit.")

  static let unknownToken = Problem(.notFound, "not-found", "There is no such token.")

  /// Of what was to be recorded. It may be, now or later: the server may crash while its disk
  /// fails, the answer of a database over a network may be lost, or what is read after the edits.
  static let unavailable = Problem(
    .serviceUnavailable, "store-unavailable",
    "The database can't be used at the moment. Whether what was sent is recorded is left open: send it "
      + "again with the same ids, and it counts once."
  ).with(.retryAfter, "1")

  /// The same of what reads.
  static let unreadable = Problem(
    .serviceUnavailable, "store-unavailable",
    "The database can't be used at the moment. Nothing was recorded: ask again."
  ).with(.retryAfter, "1")

  static let noCalendar = Problem(
    .serviceUnavailable, "store-unavailable",
    "The time zone can't be had on this server at the moment. Nothing was recorded."
  ).with(.retryAfter, "1")

  static let accountFull = Problem(
    .insufficientStorage, "account-full",
    "The account's history has reached the size that this server lets one have, so nothing more is "
      + "recorded in it. It can be read and exported; whoever runs the server can raise "
      + "--max-account-bytes, or --sign-up-bytes of accounts that were made by sign-up.")

  /// - Parameter current: the ETag of the present state.
  static func preconditionFailed(_ current: String?) -> Problem {
    let problem = Problem(
      .preconditionFailed, "version-mismatch",
      "What is there is not what If-Match or If-None-Match asks for: see ETag.")
    return current.map { problem.with(.entityTag, $0) } ?? problem
  }

  static let versionRequired = Problem(
    .preconditionRequired, "version-required",
    "An activity array needs If-Match with the ETag of the list that it was made for; * names none."
  )

  static func internalError(_ id: String) -> Problem {
    var problem = Problem(
      .internalServerError, "internal", "Something went wrong here. The log knows it by the id.")
    problem.more = .requestID(id)
    return problem
  }
}

/// The one table from failures to HTTP.
extension Problem {
  /// Nil for a failure that should not happen. It is answered as an internal error with the
  /// request's id.
  ///
  /// - Parameter isRead: whether nothing was to be recorded.
  init?(_ failure: Failure, ofRead isRead: Bool) {
    switch failure {
    case .unknownAccount: self = .invalidToken
    case .unknownGoal: self = .unknownGoal
    case .unknownEdit: self = .unknownEdit
    case .unknownToken: self = .unknownToken
    case .wrongCredential: self = .wrongCredential
    case .insufficientScope(let scope): self = .forbidden(needing: scope)
    case .invalid(let faults): self = .invalid(faults)
    case .unknownTimeZone(let fault):
      self.init(Rejection.unknownTimeZone)
      faults = [fault]
    case .unknownZone: self = .notFound
    case .unknownTokenGoal(let goal): self = .invalid("/goal", "the account has no goal \(goal)")
    case .tooManyTokens:
      self.init(
        .conflict, "limit-reached",
        "The account has as many tokens as it may have. Revoke one that is not needed.")
    case .tooManyLinks:
      self.init(
        .conflict, "limit-reached",
        "The account has \(LinkRecord.maximumPerAccount) links that wait to be used. They end by "
          + "themselves.")
    case .window(let window):
      self = .invalid(
        window.from == nil ? "/to" : "/from",
        "from has to be before to, by \(window.maximum) days at most")
    case .tooManyBumps:
      self = .invalid(
        "/edits",
        "the days have more than \(BumpSearch.maximum) edits: ask for fewer days at a time")
    case .unknownVersion: self = .invalid("/version", "the log does not reach this version")
    case .cursorDiverged:
      self.init(
        .gone, "cursor-diverged", "The cursor is of another history: read the goals anew.")
    case .accountNotEmpty:
      self.init(
        .conflict, "account-not-empty",
        "Something is recorded in the account already: an import needs one without edits.")
    case .accountFull: self = .accountFull
    case .tooManyAccounts:
      self.init(
        .forbidden, "sign-up-closed", "This server has as many accounts as it takes by sign-up.")
    case .noExport(let fault):
      self.init(.unprocessableContent, "invalid", fault.sentence)
      faults = [Fault(pointer: "/\(fault.line)", detail: fault.detail)]
    case .tooManyAtOnce: self = .tooManyRequests(after: 1)
    case .abandoned: self = .abandoned
    case .unavailable: self = isRead ? .unreadable : .unavailable
    case .store(.unknown): self = isRead ? .unreadable : .unavailable
    case .noCalendar: self = .noCalendar
    case .store(let error) where error.passes: self = isRead ? .unreadable : .unavailable
    case .unforeseen, .store, .ambiguous, .nameTaken, .noBackup: return nil
    }
  }

  /// The problem of an operation whose one edit was rejected.
  init(_ rejection: Rejection) {
    if rejection.code == .versionRequired {
      // Such an operation gives the version by a field.
      self = .versionRequired
      return
    }
    let status: Status =
      switch rejection.code {
      case .unknownGoal, .unknownEdit: .notFound
      case .invalid, .inFuture, .tooOld, .unknownTimeZone: .unprocessableContent
      case .goalExists, .inactiveGoal, .belowZero, .activityMismatch, .versionRequired,
        .idConflict, .notUndoable, .limitReached:
        .conflict
      }
    self.init(status, rejection.code.rawValue, rejection.detail)
    faults = rejection.faults
  }

  init(_ refusal: Refusal) {
    self.init(refusal.status, refusal.code, refusal.detail)
    if let seconds = refusal.retryAfter { fields.append(.retryAfter, String(seconds)) }
  }
}

extension JSONWriter {
  /// The member `outcomes`, of the object that is open: one for each of the request's `edits`, or
  /// only those that have no faults.
  mutating func member(outcomes: [Outcome]) {
    array("outcomes") { json in
      for (index, outcome) in outcomes.enumerated() {
        outcome.write(to: &json, edit: JSONPointer.root["edits"][index])
      }
    }
  }
}
