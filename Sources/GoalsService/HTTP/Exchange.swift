import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// Makes a response of a reply; nil for a reply that no such message can have.
typealias Presentation = @Sendable (Reply) throws(Problem) -> Response?

/// What is asked of the domain, and how its reply is shown.
struct Inquiry {
  let message: Message
  let present: Presentation
}

/// How a request is answered.
enum Course {
  /// With what can be said without asking the domain.
  case answer(Response)
  case ask(Inquiry)
}

/// One request on its way to the domain.
struct Exchange: Sendable {
  let operation: Operation
  let traits: Operation.Traits
  let request: Request
  let limits: Gateway.Limits
  private let parameters: Parameters
  private let knownCaller: Caller?

  init(_ call: Call, _ request: Request, limits: Gateway.Limits) {
    operation = call.operation
    traits = call.operation.traits
    parameters = call.parameters
    knownCaller = call.caller
    self.request = request
    self.limits = limits
  }

  /// How the request is to be answered; throws what is wrong with it.
  func course(in world: World) throws(Problem) -> Course {
    switch operation {
    case .listGoals: .ask(try listGoals())
    case .readGoal: .ask(try readGoal())
    case .readHistory: .ask(try readHistory())
    case .addGoal: .ask(try addGoal(in: world))
    case .putGoal: .ask(try putGoal(in: world))
    case .patchGoal: .ask(try patchGoal(in: world))
    case .deleteGoal: .ask(try deleteGoal(in: world))
    case .bumpGoal: .ask(try bumpGoal(in: world))
    case .skipGoal: .ask(try skipGoal(in: world))
    case .moveGoal: .ask(try moveGoal(in: world))
    case .setActivity: .ask(try setActivity(in: world))
    case .submitEdits: .ask(try submitEdits(in: world))
    case .sync: .ask(try sync(in: world))
    case .listEdits: .ask(try listEdits())
    case .readEdit: .ask(try readEdit())
    case .undoEdit: .ask(try undoEdit(in: world))
    case .readAccount: .ask(try readAccount())
    case .configureAccount: .ask(try configureAccount(in: world))
    case .readiness: .ask(readReadiness())
    case .health: .answer(Response(.ok, json: Array(#"{"status":"ok"}"#.utf8)))
    case .readPage:
      .answer(.file(EmbeddedFile.`index.html`.text, type: "text/html; charset=utf-8"))
    case .readOpenAPI:
      .answer(.file(EmbeddedFile.`openapi.yaml`.text, type: "application/yaml"))
    }
  }

  // MARK: What is in every request

  /// The query, with what is not known or comes twice among its faults.
  var query: Query { Query(request.query, known: traits.query) }

  /// Whose request it is.
  func caller() throws(Problem) -> Caller {
    guard let knownCaller else { throw .unauthenticated }
    return knownCaller
  }

  /// The goal of the path. What is no UUID names no goal.
  func goalID() throws(Problem) -> Goal.ID {
    guard let id = parameters["id"].flatMap({ Goal.ID($0) }) else { throw .unknownGoal }
    return id
  }

  /// The edit of the path.
  func editID() throws(Problem) -> Edit.ID {
    guard let id = parameters["id"].flatMap({ Edit.ID($0) }) else { throw .unknownEdit }
    return id
  }

  /// The body as JSON; where it may be left out, and is, an empty object.
  func json() throws(Problem) -> JSONValue {
    let isLeftOut = traits.body == .optional && request.body.isEmpty
    do throws(JSONError) {
      return try JSONDocument(parsing: isLeftOut ? Array("{}".utf8) : request.body).root
    } catch {
      throw .malformedJSON(error)
    }
  }

  /// The body taken apart; `read` asks for its fields.
  func body<Value>(
    _ read: (inout ObjectReader) -> Value
  ) throws(Problem) -> Value {
    var object = ObjectReader(try json())
    let value = read(&object)
    let faults = object.finish()
    guard faults.isEmpty else { throw .invalid(faults) }
    return value
  }

  func valid<Value>(_ validated: Validated<Value>) throws(Problem) -> Value {
    switch validated {
    case .valid(let value): return value
    case .invalid(let faults): throw .invalid(faults)
    }
  }

  /// What `Idempotency-Key` says; nil where it is not there.
  func idempotencyKey() throws(Problem) -> Edit.ID? {
    let keys = request.fields.values("Idempotency-Key")
    guard let key = keys.first else { return nil }
    guard keys.count == 1, let id = Edit.ID(key) else {
      throw .invalid("/Idempotency-Key", "the key is a UUID")
    }
    return id
  }

  /// What `If-Match` says (RFC 9110 §13.1.1); nil where it is not there or is `*`. An empty one asks for
  /// something, if only the client knew what: it must not pass for none.
  func ifMatch() throws(Problem) -> Batch.Precondition? {
    guard request.fields["If-Match"] != nil else { return nil }
    let tags = request.fields.entityTags("If-Match")
    if tags == ["*"] { return nil }
    let isWritten = { (tag: String) in
      let opaque = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
      return opaque.utf8.count > 1 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
        && opaque.dropFirst().dropLast().utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
    guard !tags.isEmpty, tags.allSatisfy(isWritten) else {
      throw .invalid("/If-Match", "an entity tag is in double quotes")
    }
    return .anyHead(tags.compactMap { EntityTag.head(of: $0) })
  }
}

/// The query of a request, taken apart as `ObjectReader` does with a body: every fault is collected.
struct Query {
  private var values: [String: String] = [:]
  private var faults: [Fault] = []

  /// Parameters that are not known, or come twice, are faults.
  init(_ items: [QueryItem], known: [String]) {
    for item in items {
      if !known.contains(item.name) {
        add("there is no such query parameter here", at: item.name)
      } else if values.updateValue(item.value, forKey: item.name) != nil {
        add("\(item.name) is there twice", at: item.name)
      }
    }
  }

  mutating func flag(_ name: String) -> Bool? {
    read(name, "true or false is expected") { ["true": true, "false": false][$0] }
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
    let rule = "a whole number from \(range.lowerBound) \(end) is expected"
    return read(name, rule) { text in
      let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
      guard text.utf8.allSatisfy(digits.contains), let value = Int(text) else { return nil }
      return range.contains(value) ? value : nil
    }
  }

  mutating func version(_ name: String) -> GoalsCore.Version? {
    integer(name, in: 0...Int.max).map { GoalsCore.Version($0) }
  }

  mutating func day(_ name: String) -> Day? {
    read(name, "a day is written YYYY-MM-DD") { Day($0) }
  }

  mutating func cursor(_ name: String) -> Cursor? {
    read(name, "this is no cursor") { Cursor($0) }
  }

  /// Throws everything that is wrong.
  func check() throws(Problem) {
    guard faults.isEmpty else { throw .invalid(faults) }
  }

  private mutating func read<Value>(
    _ name: String, _ rule: String, _ make: (String) -> Value?
  ) -> Value? {
    guard let text = values[name] else { return nil }
    let value = make(text)
    if value == nil { add(rule, at: name) }
    return value
  }

  private mutating func add(_ detail: String, at name: String) {
    faults.append(Fault(pointer: JSONPointer.root[name].description, detail: detail), at: .root)
  }
}
