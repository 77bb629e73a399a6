import Dispatch
import GoalsCore
import GoalsStore
import HTTP
import HTTPServer

/// The way in over HTTP: finds the operation of a request and who makes it, asks the domain, and
/// makes a response of the reply.
package final class Gateway: Sendable {
  /// The largest sizes of what comes in.
  package struct Limits: Sendable {
    /// In bytes.
    package var body = 4_194_304
    /// Of an export that is taken in.
    package var importBody = 67_108_864
    /// Of one batch.
    package var edits = 1000

    package init() {}

    func body(of traits: Operation.Traits) -> Int { traits.body == .lines ? importBody : body }
  }

  let domain: Domain
  let gatekeeper: Gatekeeper
  let world: World
  let limits: Limits
  let isDraining: @Sendable () -> Bool
  private let queues: Queues
  private let router: Router<Operation>
  private let requestIDs: RequestIDs

  package init(
    domain: @escaping Domain, authenticator: Authenticator, policy: AccessPolicy, world: World,
    queues: Queues, limits: Limits = Limits(),
    isDraining: @escaping @Sendable () -> Bool = { false }
  ) {
    self.domain = domain
    gatekeeper = Gatekeeper(authenticator, policy, in: world)
    self.world = world
    self.queues = queues
    self.limits = limits
    self.isDraining = isDraining
    router = Router(Operation.allCases.map { ($0.traits.method, $0.traits.path, $0) })
    requestIDs = RequestIDs(start: world.random())
  }

  /// What an HTTP server does with requests.
  package var handler: Handler {
    Handler(
      admit: { self.admit($0, from: $1) },
      refusal: { refusal, head in
        let begun = self.world.uptime()
        return self.finish(
          Problem(refusal).response, self.visit(head, head.flatMap { self.router.match($0).route }),
          since: begun)
      })
  }

  /// Finds out everything that the head alone decides.
  private func admit(_ head: RequestHead, from visitor: Visitor) -> Admission {
    let begun = world.uptime()
    let match = router.match(head)
    let visit = visit(head, match.route)
    if case .options(let allowed) = match {
      let response = Response(.noContent, fields: [.allow: Method.allow(allowed)])
      return .refuse(finish(response, visit, since: begun))
    }
    do throws(Problem) {
      let call = try resolve(head, match, from: visitor)
      let limit = limits.body(of: call.traits)
      // Refused here, where the problem gets the fields of every response to this request.
      if case .length(let length) = head.framing, length > limit {
        throw Problem(.bodyTooLarge(limit: limit))
      }
      return .accept(bodyLimit: head.framing == .none ? 0 : limit) { request, responder in
        self.respond(to: request, call, visit, since: begun, by: responder)
      }
    } catch {
      return .refuse(finish(error.response, visit, since: begun))
    }
  }

  /// A request as it is told of afterwards.
  private final class Visit: Sendable {
    let id: String
    /// Nil where it could not be read.
    let head: RequestHead?
    /// What it asks for; nil where there is nothing such.
    let operation: Operation?

    init(id: String, _ head: RequestHead?, _ operation: Operation?) {
      self.id = id
      self.head = head
      self.operation = operation
    }
  }

  private func visit(_ head: RequestHead?, _ operation: Operation?) -> Visit {
    Visit(id: requestIDs.next(), head, operation)
  }

  /// What every answer goes through: it is counted, names its request, and says what a browser has to
  /// know.
  ///
  /// - Parameter begun: when the head was read; of a request with a body, when that was whole.
  private func finish(
    _ response: consuming Response, _ visit: Visit, since begun: Duration, by caller: Caller? = nil
  ) -> Response {
    response.fields.append(.requestID, visit.id)
    gatekeeper.finish(&response, to: visit.head, by: caller)
    world.track(
      .answered(
        Happening.Answered(
          requestID: visit.id, operation: visit.operation?.rawValue, status: response.status.code,
          duration: world.uptime() - begun)))
    return response
  }

  /// From how many bytes on a body is not read on the server's own queue: to read a hundred edits, and to
  /// write what came of them, takes as long as a hundred small requests.
  static let mediumBody = 16_384
  /// From how many bytes on it is one of the largest.
  static let largeBody = 65_536

  /// Answers a request, now or later, from any thread. What takes long is done neither on the caller's
  /// queue nor on the writer's, where others wait.
  private func respond(
    to request: Request, _ call: Call, _ visit: Visit, since headRead: Duration,
    by responder: Responder
  ) {
    let queue: DispatchQueue? =
      switch request.body.count {
      case ..<Self.mediumBody: nil
      case ..<Self.largeBody: queues.mediumRequests
      default: queues.largeRequests
      }
    let begun = request.head.framing == .none ? headRead : world.uptime()
    guard let queue else {
      // What reads is mostly answered at once, and here; what writes, by the writer.
      let place: AnswerPlace = call.traits.method == .get ? .here : .serversQueue
      return answer(request, call, visit, since: begun, on: place, by: responder)
    }
    queue.async {
      self.answer(request, call, visit, since: begun, on: .queue(queue), by: responder)
    }
  }

  /// Where an answer is made of a reply.
  private enum AnswerPlace {
    /// Where the reply comes.
    case here
    case serversQueue
    case queue(DispatchQueue)
  }

  private func answer(
    _ request: Request, _ call: Call, _ visit: Visit, since begun: Duration,
    on place: AnswerPlace, by responder: Responder
  ) {
    var caller: Caller?
    do throws(Problem) {
      if let known = call.caller {
        caller = try gatekeeper.returning(known, since: call.turn)
      }
      let exchange = Exchange(
        call, request, by: caller, limits: limits, gatekeeper, for: Asker(responder))
      // Of a write it is told with whatever else is wrong with it.
      if exchange.traits.method == .get, exchange.traits.query.isEmpty {
        try exchange.checkQuery()
      }
      if exchange.operation == .readiness, isDraining() { throw Problem(.draining) }
      switch try exchange.course(in: world) {
      case .answer(let response): responder.send(finish(response, visit, since: begun))
      case .ask(let inquiry):
        let (present, shown) = (inquiry.present, inquiry.shown)
        domain(inquiry.message) { [caller] reply in
          @Sendable func tell() {
            self.send(
              self.present(reply, visit, by: present), visit, since: begun, caller, by: responder)
          }
          let answer = { @Sendable in
            if self.isRead(reply, shown) { tell() } else { self.readOn(reply, shown, tell) }
          }
          switch (place, reply) {
          case (.queue(let queue), _): queue.async(execute: answer)
          // The writer goes on.
          case (.serversQueue, .ruled): responder.onServersQueue(answer)
          // It comes from where nobody waits, and may be long.
          case (.serversQueue, _), (.here, _): answer()
          }
        }
      }
    } catch {
      responder.send(finish(error.response, visit, since: begun, by: caller))
    }
  }

  /// Reads what is shown of what came of edits, if there is anything such; false where that takes more than a
  /// few steps.
  private func isRead(_ reply: Reply, _ shown: (Ruled) -> Ruled.Shown) -> Bool {
    guard case .ruled(let ruled) = reply else { return true }
    return ruled.read(shown(ruled), Folds.stepsHere)
  }

  /// Reads the rest of it where nobody else waits, and goes on.
  private func readOn(
    _ reply: Reply, _ shown: (Ruled) -> Ruled.Shown, _ next: @escaping @Sendable () -> Void
  ) {
    guard case .ruled(let ruled) = reply else { return next() }
    let shown = shown(ruled)
    queues.folds.finish(of: ruled.account) { steps in
      guard ruled.read(shown, steps) else { return false }
      next()
      return true
    }
  }

  private func send(
    _ presented: consuming Presented, _ visit: Visit, since begun: Duration, _ caller: Caller?,
    by responder: Responder
  ) {
    switch consume presented {
    case .whole(let response):
      responder.send(finish(consume response, visit, since: begun, by: caller))
    case .stream(let streamed):
      let head = finish(streamed.head, visit, since: begun, by: caller)
      // Thousands of streams may be open: what is kept for the end holds nothing else.
      let ended = streamed.ended
      streamed.begin(responder.stream(head) { _ in ended() })
    }
  }

  private func present(
    _ reply: Reply, _ visit: Visit, by present: Presentation
  ) -> Presented {
    if case .failed(let failure) = reply {
      return .whole(Problem(failure, requestID: { self.fail(visit) }).response)
    }
    do throws(Problem) {
      return try present(reply) ?? .whole(Problem.internalError(fail(visit)).response)
    } catch {
      return .whole(error.response)
    }
  }

  /// Takes note of a request that failed as none should, and names it.
  private func fail(_ visit: Visit) -> String {
    world.track(.failed(requestID: visit.id, operation: visit.operation?.rawValue ?? ""))
    return visit.id
  }
}

extension Response {
  /// A response with a JSON body.
  init(_ status: Status, fields: Fields = [:], json: [UInt8]) {
    self.init(status, fields: fields, body: json)
    // These, and the id of the request.
    self.fields.reserveCapacity(fields.all.count + 4)
    self.fields.append(.json)
    self.fields.append(.nosniff)
    if self.fields[.cacheControl] == nil { self.fields.append(.noStore) }
  }
}
