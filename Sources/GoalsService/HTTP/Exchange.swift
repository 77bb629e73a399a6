import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import HTTPServer
import JSON

/// Makes an answer of a reply; nil for a reply that no such message can have.
typealias Presentation = @Sendable (Reply) throws(Problem) -> Presented?

/// A reply as it goes back to the client.
enum Presented {
  case whole(Response)
  case stream(Streamed)
}

/// An answer whose body comes piece by piece.
struct Streamed: Sendable {
  /// Its body is the first piece.
  let head: Response
  /// Writes the rest.
  let begin: @Sendable (ResponseStream) -> Void
  /// Is called when the stream is over, by whatever end; that may be before `begin`.
  let ended: @Sendable () -> Void
}

/// What is asked of the domain, and how its reply is shown.
struct Inquiry {
  let message: Message
  let present: Presentation
  /// What of the account is read of what came of edits, before it is presented.
  var shown: @Sendable (Ruled) -> Ruled.Shown = { _ in .nothing }

  init(message: Message, present: @escaping @Sendable (Reply) throws(Problem) -> Response?) {
    self.message = message
    self.present = { reply throws(Problem) in try present(reply).map(Presented.whole) }
  }

  init(message: Message, presenting present: @escaping Presentation) {
    self.message = message
    self.present = present
  }

  init(message: Message, streaming: @escaping @Sendable (Reply) throws(Problem) -> Streamed?) {
    self.message = message
    present = { reply throws(Problem) in try streaming(reply).map(Presented.stream) }
  }
}

/// How a request is answered.
enum Course {
  /// With what can be said without asking the domain.
  case answer(Response)
  case ask(Inquiry)
}

/// One request on its way to the domain.
struct Exchange: Sendable {
  private let call: Call
  let request: Request
  let limits: Gateway.Limits
  let gatekeeper: Gatekeeper
  let asker: Asker
  private let knownCaller: Caller?

  init(
    _ call: Call, _ request: Request, by caller: Caller?, limits: Gateway.Limits,
    _ gatekeeper: Gatekeeper, for asker: Asker
  ) {
    self.asker = asker
    self.gatekeeper = gatekeeper
    self.call = call
    knownCaller = caller
    self.request = request
    self.limits = limits
  }

  var operation: Operation { call.operation }
  var traits: Operation.Traits { call.traits }

  /// How the request is to be answered; throws what is wrong with it.
  func course(in world: World) throws(Problem) -> Course {
    switch operation {
    case .listGoals: .ask(try listGoals())
    case .readGoal: .ask(try readGoal())
    case .readHistory: .ask(try readHistory())
    case .drawHistory: .ask(try drawHistory())
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
    case .followChanges: .ask(try followChanges())
    case .readAccount: .ask(try readAccount())
    case .configureAccount: .ask(try configureAccount(in: world))
    case .listTokens: .ask(try listTokens())
    case .addToken: .ask(try addToken(in: world))
    case .revokeToken: .ask(try revokeToken())
    case .exportLog: .ask(try exportLog())
    case .importLog: .ask(try importLog())
    case .exportCounts: .ask(try exportCounts())
    case .addAccount: .ask(try addAccount(in: world))
    case .beginSession: .ask(try beginSession())
    case .endSession: .ask(try endSession())
    case .readiness: .ask(readReadiness())
    case .health: .answer(Response(.ok, json: Array(#"{"status":"ok"}"#.utf8)))
    case .readPage: .answer(try ServedFile.page.response(to: request))
    case .readDocs: .answer(try ServedFile.docs.response(to: request))
    case .readOpenAPI: .answer(try ServedFile.openAPI.response(to: request))
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
    guard let id = call.parameters["id"].flatMap({ Goal.ID($0) }) else { throw .unknownGoal }
    return id
  }

  /// The edit of the path.
  func editID() throws(Problem) -> Edit.ID {
    guard let id = call.parameters["id"].flatMap({ Edit.ID($0) }) else { throw .unknownEdit }
    return id
  }

  /// The token of the path.
  func tokenID() throws(Problem) -> TokenRecord.ID {
    guard let id = call.parameters["id"].flatMap({ TokenRecord.ID($0) }) else {
      throw .unknownToken
    }
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
  ) throws(Problem) -> Validated<Value> {
    var object = ObjectReader(try json())
    let value = read(&object)
    let faults = object.finish()
    return faults.isEmpty ? .valid(value) : .invalid(faults)
  }

  /// Throws what is wrong with a query that asks for nothing.
  func checkQuery() throws(Problem) { try valid(.valid(())) }

  /// What a request says in all its parts; throws everything that is wrong with them, and with the
  /// query, whether any of it was asked for or not.
  func valid<Value>(_ parts: Validated<Value>) throws(Problem) -> Value {
    switch parts.after(query.faults) {
    case .valid(let value): return value
    case .invalid(let faults): throw .invalid(faults)
    }
  }
}
