import Dispatch
import GoalsCore
import GoalsStore
import HTTP
import HTTPServer

/// The way in over HTTP: finds the endpoint of a request and its caller, and has the endpoint ask
/// the domain.
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
  }

  let domain: Domain
  let gatekeeper: Gatekeeper
  let world: World
  let limits: Limits
  let isDraining: @Sendable () -> Bool
  let queues: Queues
  let hub: ChangeHub
  private let router: Router<Operation>
  private let requestIDs: RequestIDs

  package init(
    domain: @escaping Domain, authenticator: Authenticator, policy: AccessPolicy, world: World,
    queues: Queues, hub: ChangeHub, limits: Limits = Limits(),
    isDraining: @escaping @Sendable () -> Bool = { false }
  ) {
    self.domain = domain
    gatekeeper = Gatekeeper(authenticator, policy, in: world)
    self.world = world
    self.queues = queues
    self.hub = hub
    self.limits = limits
    self.isDraining = isDraining
    router = Router(Operation.allCases.map { ($0.endpoint.method, $0.endpoint.path, $0) })
    requestIDs = RequestIDs(start: world.random())
  }

  /// What an HTTP server does with requests.
  package var handler: Handler {
    Handler(
      admit: { self.admit($0, from: $1) },
      refusal: { refusal, head in
        self.finish(
          Problem(refusal).response, self.visit(head, head.flatMap { self.router.match($0).route }))
      })
  }

  /// Finds out everything that the head alone decides.
  private func admit(_ head: RequestHead, from visitor: Visitor) -> Admission {
    let match = router.match(head)
    let visit = visit(head, match.route)
    switch match {
    case .notFound: return .refuse(finish(Problem.notFound.response, visit))
    case .methodNotAllowed(let allowed):
      return .refuse(finish(Problem.methodNotAllowed(allowed).response, visit))
    case .options(let allowed):
      let response = Response(.noContent, fields: [.allow: Method.allow(allowed)])
      return .refuse(finish(response, visit))
    case .found(let operation, let parameters):
      do throws(Problem) {
        let endpoint = operation.endpoint
        let epoch = gatekeeper.epoch
        let caller = try gatekeeper.caller(of: head, from: visitor, for: endpoint.audience)
        if let caller { try check(caller, may: endpoint, parameters) }
        let limit = try bodyLimit(of: head, to: endpoint)
        return .accept(bodyLimit: limit) { request, responder in
          self.respond(
            to: request, by: caller, epoch, visit, endpoint, parameters, by: responder)
        }
      } catch {
        return .refuse(finish(error.response, visit))
      }
    }
  }

  private func check(
    _ caller: Caller, may endpoint: Endpoint, _ parameters: Parameters
  ) throws(Problem) {
    switch caller.token.scope {
    case .write: return
    case .read:
      guard endpoint.audience == .readers else { throw .forbidden }
    case .bump:
      guard endpoint.audience == .writersAndButtons, let goal = caller.token.goal,
        parameters["id"].flatMap({ Goal.ID($0) }) == goal
      else { throw .forbidden }
    }
  }

  /// How long a request's body may be; throws why it may have none such.
  private func bodyLimit(of head: RequestHead, to endpoint: Endpoint) throws(Problem) -> Int {
    // A part is not taken for the whole (RFC 9110 §14.5).
    if head.method == .put, head.fields.contains("Content-Range") { throw .contentRange }
    guard head.framing != .none else { return 0 }
    try checkMediaType(head, of: endpoint.body)
    let limit = endpoint.body == .lines ? limits.importBody : limits.body
    // Refused here, where the problem gets the fields of every response to this request.
    if case .length(let length) = head.framing, length > limit {
      throw Problem(.bodyTooLarge(limit: limit))
    }
    return limit
  }

  private func checkMediaType(_ head: RequestHead, of body: Endpoint.Body) throws(Problem) {
    guard body != .none else { return }
    guard let type = head.fields.only(.contentType), body.accepts(type) else {
      throw .unsupportedMediaType(body.mediaTypes)
    }
    // A compressed body is none of these either (RFC 9110 §8.4).
    let codings = head.fields.list(.contentEncoding)
    guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
      throw .unsupportedContentEncoding
    }
  }

  /// A request as it is told of afterwards.
  struct Visit: Sendable {
    let id: String
    /// Nil where it could not be read.
    let head: RequestHead?
    /// What it asks for; nil where there is nothing such.
    let operation: Operation?
    /// When the head was read; of a request with a body, when that was whole.
    var begun: Duration
  }

  private func visit(_ head: RequestHead?, _ operation: Operation?) -> Visit {
    Visit(id: requestIDs.next(), head: head, operation: operation, begun: world.uptime())
  }

  /// What every answer goes through: it is counted, names its request, and says what a browser has
  /// to know.
  func finish(
    _ response: consuming Response, _ visit: Visit, by caller: Caller? = nil
  ) -> Response {
    response.fields.append(.requestID, visit.id)
    gatekeeper.finish(&response, to: visit.head, by: caller)
    world.track(
      .answered(
        Happening.Answered(
          requestID: visit.id, operation: visit.operation?.rawValue, status: response.status.code,
          duration: world.uptime() - visit.begun)))
    return response
  }

  /// From how many bytes on a body is not read on the server's own queue: to read a hundred edits,
  /// and to write what came of them, takes as long as a hundred small requests.
  static let mediumBody = 16_384
  /// From how many bytes on it is one of the largest.
  static let largeBody = 65_536

  /// Answers a request, now or later, from any thread. What takes long is done neither on the
  /// calling queue nor on the writer's, where others wait.
  ///
  /// - Parameter epoch: that before the caller was let in.
  private func respond(
    to request: Request, by admitted: Caller?, _ epoch: Int, _ visit: Visit, _ endpoint: Endpoint,
    _ parameters: Parameters, by responder: Responder
  ) {
    var visit = visit
    if request.head.framing != .none { visit.begun = world.uptime() }
    let caller: Caller?
    do throws(Problem) {
      caller =
        if let admitted { try gatekeeper.returning(admitted, since: epoch) } else { nil }
    } catch {
      return responder.send(finish(error.response, visit))
    }
    let queue: DispatchQueue? =
      switch request.body.count {
      case ..<Self.mediumBody: nil
      case ..<Self.largeBody: queues.mediumRequests
      default: queues.largeRequests
      }
    let exchange = Exchange(
      request, by: caller, visit, endpoint, parameters, through: self, on: queue, by: responder)
    if let queue { queue.async { exchange.begin() } } else { exchange.begin() }
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
