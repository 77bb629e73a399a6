import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

// What a server answers. A newer server may say more than is known here: what is not known is
// passed over.

extension Replica.Identity {
  /// Reads the account of `GET /v1/account?version=0`; nil for anything else.
  init?(account value: JSONValue) {
    var object = ObjectReader(value)
    guard let id = object.required("id", .id()) as Account.ID?,
      let calendar = CalendarSettings(from: &object)
    else { return nil }
    self.init(account: id, calendar: calendar)
  }
}

extension CalendarSettings {
  /// Takes the members of a calendar from an object that has others.
  init?(from object: inout ObjectReader) {
    let name = object.required("timeZone", .string)
    guard let zone = name.flatMap({ ZoneName($0) }),
      let weekStart = object.required("weekStart", .weekday),
      let dayStart = object.required("dayStart", .dayStart)
    else { return nil }
    self.init(timeZone: zone, weekStart: weekStart, dayStart: dayStart)
  }
}

extension Replica.Page {
  /// Reads the answer of `POST /v1/sync`, or of `GET /v1/edits`; nil for anything else.
  init?(_ value: JSONValue, hasOutcomes: Bool) {
    var object = ObjectReader(value)
    guard let edits = object.take("edits")?.elements,
      let cursor = object.required("cursor", .string), let more = object.required("more", .flag)
    else { return nil }
    var outcomes: [Outcome] = []
    if hasOutcomes {
      guard let read = object.take("outcomes").flatMap({ [Outcome]($0) }) else { return nil }
      outcomes = read
    }
    self.init(
      outcomes: outcomes, entries: edits.map { Replica.LogEntry($0) },
      cursor: Replica.Cursor(cursor), more: more)
  }
}

extension Replica.LogEntry {
  /// An entry that is not known here may be one of a newer server.
  init(_ value: JSONValue?) {
    self = value.flatMap { RecordedPayload($0) }.map { .edit($0) } ?? .unknown
  }
}

extension [Outcome] {
  /// Nil where one of them makes no sense.
  fileprivate init?(_ value: JSONValue) {
    guard let elements = value.elements else { return nil }
    self = []
    for element in elements {
      guard let outcome = Outcome(element) else { return nil }
      append(outcome)
    }
  }
}

extension Outcome {
  fileprivate init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    guard let id = object.required("id", .id()) as Edit.ID?,
      let name = object.required("status", .string)
    else { return nil }
    let version = object.optional("version", .version)
    let status: Status
    switch name {
    case "applied":
      guard let version else { return nil }
      status = .applied(version)
    case "duplicate":
      guard let version else { return nil }
      status = .duplicate(version)
    case "unchanged": status = .unchanged
    case "rejected": status = .rejected(Rejection(from: &object))
    case "skipped": status = .skipped
    // NB: open, a text
    default: return nil
    }
    self.init(id: id, status: status)
  }
}

extension Rejection {
  /// Takes the members of a rejection. A code that is not known here counts as `invalid`.
  init(from object: inout ObjectReader) {
    let code = object.optional("code", .string).flatMap { Code(rawValue: $0) }
    let detail = object.optional("detail", .string) ?? ""
    var faults: [Fault] = []
    for element in object.take("errors")?.elements.map({ Array($0) }) ?? [] {
      if let fault = Fault(element) { faults.append(fault) }
    }
    self.init(code ?? .invalid, detail, faults: faults)
  }

  /// Writes the members into the open object.
  func writeMembers(to json: inout JSONWriter) {
    json.member("code", code.rawValue)
    json.member("detail", detail)
    if !faults.isEmpty { json.member("errors", faults) }
  }
}

extension Fault {
  fileprivate init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    guard let pointer = object.required("pointer", .string) else { return nil }
    self.init(pointer: pointer, detail: object.optional("detail", .string) ?? "")
  }
}

extension Replica.Refusal {
  /// Reads a problem (RFC 9457). A body that is none may be a proxy's.
  init(status: Int, retryAfter: Int?, _ body: [UInt8]) {
    let root = try? JSONDocument(parsing: body).root
    guard let root, root.members != nil else {
      self.init(status: status, retryAfter: retryAfter)
      return
    }
    var object = ObjectReader(root)
    let code = object.optional("code", .string)
    var problem = Rejection(from: &object)
    if problem.detail.isEmpty, let title = object.optional("title", .string) {
      problem = Rejection(problem.code, title, faults: problem.faults)
    }
    self.init(
      status: status, code: code, detail: problem.detail,
      pointers: problem.faults.map { $0.pointer }, retryAfter: retryAfter,
      outcomes: object.take("outcomes").flatMap { [Outcome]($0) } ?? [])
  }
}
