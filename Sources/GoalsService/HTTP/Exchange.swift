import Dispatch
import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import HTTPServer
import JSON
import Synchronization

/// A whole request that was let in, on its way to its answer.
final class Exchange: Sendable {
  let request: Request
  private let visit: Gateway.Visit
  private let endpoint: Endpoint
  private let gateway: Gateway
  private let responder: Responder
  /// The queue on which a large request is read and answered; nil for others.
  private let queue: FairQueue?

  init(
    _ request: Request, _ visit: Gateway.Visit, _ endpoint: Endpoint, through gateway: Gateway,
    on queue: FairQueue?, by responder: Responder
  ) {
    self.request = request
    self.visit = visit
    self.endpoint = endpoint
    self.gateway = gateway
    self.queue = queue
    self.responder = responder
  }

  var world: World { gateway.world }
  var limits: Gateway.Limits { gateway.limits }
  var queues: Queues { gateway.queues }
  var gatekeeper: Gatekeeper { gateway.gatekeeper }
  var hub: ChangeHub { gateway.hub }
  var clientFiles: ClientFiles { gateway.clientFiles }
  var isDraining: Bool { gateway.isDraining }
  var asker: Asker { Asker { [responder] tell in responder.askIfAwaited(tell) } }

  /// Has the endpoint answer, or tells the faults of the request.
  func begin() {
    do {
      // A write tells the faults of its query together with all others.
      if endpoint.method == .get, endpoint.query.isEmpty { try checkQuery() }
      switch endpoint.handling {
      case .serving(let serve): send(try serve(self))
      case .asking(let ask): gateway.domain(try ask(self))
      }
    } catch {
      send(problem(error).response)
    }
  }

  // MARK: The answer

  /// The completion that answers with a response: `show` makes it of the result.
  func answering<Value: Sendable>(
    _ show: @escaping @Sendable (Value) throws -> Response
  ) -> Completion<Value> {
    { [self] result in answer(result, show) }
  }

  /// The same, where a credential in the body may be wrong: that is a failed sign-in.
  func answeringSignIn<Value: Sendable>(
    _ show: @escaping @Sendable (Value) throws -> Response
  ) -> Completion<Value> {
    { [self] result in
      guard case .failure(.wrongCredential) = result else { return answer(result, show) }
      send(wrongCredential().response)
    }
  }

  /// The refusal of a credential in the body, which counts as a failed sign-in.
  func wrongCredential() -> Problem {
    gatekeeper.failure(of: request.head, from: visit.peer) ?? .wrongCredential
  }

  /// The completion that answers with JSON, which `show` makes of the result: compressed for a
  /// client that accepts it, if it is so long that this pays.
  func answeringPacked<Value: Sendable>(
    _ show: @escaping @Sendable (Value) throws -> [UInt8]
  ) -> Completion<Value> {
    { [self] result in
      let tell = { @Sendable [self] in
        do { sendPacked(try show(result.get())) } catch { send(problem(error).response) }
      }
      if !onQueue(tell) { tell() }
    }
  }

  /// Compresses a long text in portions, as all work that grows with an account's past is done.
  private func sendPacked(_ json: [UInt8]) {
    let coding = request.fields.preferredCoding
    guard json.count >= PackedText.least, coding != .identity, let account = visit.caller?.account
    else { return send(Response(.ok, fields: ["Vary": "Accept-Encoding"], json: json)) }
    let packing = Mutex<(text: PackedText?, rest: ArraySlice<UInt8>)>((nil, json[...]))
    queues.pages.run(
      of: account, for: asker, isOwed: true, in: world,
      { steps in
        try packing.withLock { packing in
          let text = try (packing.text ?? PackedText(coding)).or(.unforeseen)
          packing.text = text
          text.append(Array(packing.rest.prefix(PackedText.bytesAStep * steps)))
          packing.rest = packing.rest.dropFirst(PackedText.bytesAStep * steps)
          return packing.rest.isEmpty ? try text.finish().or(.unforeseen) : nil
        }
      },
      answering { (packed: [UInt8]) in
        let token = coding.token ?? ""
        return Response(
          .ok, fields: ["Vary": "Accept-Encoding", .contentEncoding: token], json: packed)
      })
  }

  /// The completion that hands the result on to `tell`, and answers a failure.
  func completing<Value: Sendable>(
    _ tell: @escaping @Sendable (Value) throws -> Void
  ) -> Completion<Value> {
    { [self] result in
      do { try tell(result.get()) } catch { send(problem(error).response) }
    }
  }

  /// Makes a response and sends it: on the queue of a large request, else at once.
  func answer<Value: Sendable>(
    _ result: Result<Value, Failure>,
    _ show: @escaping @Sendable (Value) throws -> Response
  ) {
    if !onQueue({ [self] in send(result, show) }) { send(result, show) }
  }

  func send<Value>(
    _ result: Result<Value, Failure>, _ show: (Value) throws -> Response
  ) {
    do { send(try show(result.get())) } catch { send(problem(error).response) }
  }

  func send(_ response: consuming Response) {
    responder.send(gateway.finish(response, visit))
  }

  /// Begins an answer whose body comes piece by piece. `ended` is called when the stream is over,
  /// however it ends.
  func stream(
    _ head: Response, ended: @escaping @Sendable () -> Void = {}
  ) -> ResponseStream {
    responder.stream(gateway.finish(head, visit), onClose: ended)
  }

  /// Does work on the queue of a large request, else on the server's queue: never on the writer's,
  /// where others wait.
  func leavingTheWriter(_ work: @escaping @Sendable () -> Void) {
    if !onQueue(work) { responder.onServersQueue(work) }
  }

  /// Does work on the queue of a large request. Answers false where the request is none.
  private func onQueue(_ work: @escaping @Sendable () -> Void) -> Bool {
    guard let queue, let account = visit.caller?.account else { return false }
    queue.finish(of: account) { _ in
      work()
      return true
    }
    return true
  }

  /// Why a request is refused, or has failed, as its client is told.
  private func problem(_ error: any Error) -> Problem {
    error as? Problem
      ?? (error as? Failure).flatMap { Problem($0, ofRead: endpoint.method == .get) }
      ?? internalError()
  }

  /// The problem of a request that failed as none should. The log has its id.
  func internalError() -> Problem {
    world.track(.failed(requestID: visit.id, operation: visit.operation?.rawValue ?? ""))
    return .internalError(visit.id)
  }

  // MARK: What is in every request

  /// The query. A parameter that is not known, or comes twice, is among its faults.
  var query: Query { Query(request.query, known: endpoint.query) }

  /// The caller of the request; thrown where the endpoint is for anyone.
  var caller: Caller {
    get throws {
      guard let caller = visit.caller else { throw Problem.unauthenticated }
      return caller
    }
  }

  /// What people type to reach this server; nil where that is nowhere said.
  var address: Origin? { gatekeeper.own(request.head) }

  /// Nil where nobody is let in by the head.
  var knownCaller: Caller? { visit.caller }

  var account: Account.ID { get throws { try caller.account } }

  /// The goal of the path. A text that is not a UUID names no goal.
  var goalID: Goal.ID { get throws { try id(or: .unknownGoal) } }
  var editID: Edit.ID { get throws { try id(or: .unknownEdit) } }
  var tokenID: TokenRecord.ID { get throws { try id(or: .unknownToken) } }

  /// The time zone of the path. A text that can't be the name of one names none.
  var zoneName: ZoneName {
    get throws {
      guard let name = visit.parameter.flatMap({ ZoneName($0) }) else { throw Problem.notFound }
      return name
    }
  }

  private func id<Subject>(or problem: @autoclosure () -> Problem) throws -> ID<Subject> {
    guard let id = visit.parameter.flatMap({ ID<Subject>($0) }) else { throw problem() }
    return id
  }

  /// The body as JSON; where it may be left out, and is, an empty object.
  func json() throws -> JSONValue {
    let isLeftOut = endpoint.body == .optional && request.body.isEmpty
    do throws(JSONError) {
      return try JSONDocument(parsing: isLeftOut ? Array("{}".utf8) : request.body).root
    } catch {
      throw Problem.malformedJSON(error)
    }
  }

  /// The body taken apart; `read` asks for its fields.
  func body<Value>(
    _ read: (inout ObjectReader) -> Value
  ) throws -> Validated<Value> {
    var object = ObjectReader(try json())
    let value = read(&object)
    let faults = object.finish()
    return faults.isEmpty ? .valid(value) : .invalid(faults)
  }

  /// Throws the faults of the query of an endpoint that reads no parameter.
  func checkQuery() throws { try valid(.valid(())) }

  /// The values of all parts of a request. Throws all of their faults, and those of the query.
  ///
  /// A write that can't look at `If-Match` and `If-None-Match` refuses them: they must not pass for
  /// conditions that held (RFC 9110 §13.1.1). `conditions(with:)` can.
  func valid<Value>(_ parts: Validated<Value>) throws -> Value {
    let conditions = endpoint.method == .get ? [] : faultsOfConditions
    switch parts.after(query.faults + conditions) {
    case .valid(let value): return value
    case .invalid(let faults): throw Problem.invalid(faults)
    }
  }

  private var faultsOfConditions: [Fault] {
    var pointers: [String] = []
    if request.fields.contains(.ifMatch) { pointers.append("/If-Match") }
    if request.fields.contains(.ifNoneMatch) { pointers.append("/If-None-Match") }
    return pointers.map { pointer in
      Fault(
        pointer: pointer,
        detail: "this request takes no such condition (a batch of edits takes ifVersion)")
    }
  }
}
