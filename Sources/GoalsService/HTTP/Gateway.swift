import Dispatch
import GoalsCore
import GoalsStore
import HTTP
import HTTPServer
import PageFiles
import Synchronization

/// The way in over HTTP. It finds the endpoint of a request and its caller, and has the endpoint
/// ask the domain.
package final class Gateway: Sendable {
  /// The largest sizes of requests.
  package struct Limits: Sendable {
    /// In bytes.
    package var body = 4_194_304
    /// In bytes, of people without an account, who send no more than names.
    var strangersBody = 16_384
    /// In bytes, for an operation that takes no body. Some clients send `{}` with DELETE; it is not
    /// looked at (RFC 9110 §9.3.5).
    var unusedBody = 1024
    /// An export to be imported, in bytes.
    package var importBody = 67_108_864
    /// The number of edits in a batch.
    package var edits = 1000

    package init() {}
  }

  let domain: Domain
  let gatekeeper: Gatekeeper
  let world: World
  let limits: Limits
  let queues: Queues
  let hub: ChangeHub
  private let operations = Operation.allCases
  private let router: Router
  private let requestIDs: RequestIDs
  private let draining = Atomic(false)
  private let publicURL: Origin?
  private let madeFiles = Mutex<ClientFiles?>(nil)

  package init(
    domain: @escaping Domain, access: Access, policy: AccessPolicy, queues: Queues,
    hub: ChangeHub, limits: Limits = Limits()
  ) {
    self.domain = domain
    world = access.world
    gatekeeper = Gatekeeper(access.authenticator, policy, in: world)
    self.queues = queues
    self.hub = hub
    self.limits = limits
    publicURL = policy.publicURL
    router = Router(operations.map { ($0.endpoint.method, $0.endpoint.pattern) })
    requestIDs = RequestIDs(key: (world.random(), world.random()))
  }

  /// The files of the page. They are made when somebody asks for the first.
  var clientFiles: ClientFiles {
    madeFiles.withLock { made in
      let files = made ?? ClientFiles(PageFile.all, at: publicURL)
      made = files
      return files
    }
  }

  /// Whether the server is about to stop.
  var isDraining: Bool { draining.load(ordering: .acquiring) }

  /// From now on the server is about to stop. Answers false where it was before.
  func beginDraining() -> Bool { !draining.exchange(true, ordering: .acquiringAndReleasing) }

  /// The functions by which an HTTP server answers requests.
  package var handler: Handler {
    Handler(
      admit: { self.admit($0, from: $1) },
      refusal: { refusal, head in
        var visit = self.visit(head)
        if let head, case .found(let index, _) = self.router.match(head) {
          visit.operation = self.operations[index]
        }
        return self.finish(Problem(refusal).response, visit)
      })
  }

  /// Decides everything that depends on the head alone.
  private func admit(_ head: RequestHead, from visitor: Visitor) -> Admission {
    var visit = visit(head)
    switch router.match(head) {
    case .notFound: return .refuse(finish(Problem.notFound.response, visit))
    case .methodNotAllowed(let allowed):
      return .refuse(finish(Problem.methodNotAllowed(allowed).response, visit))
    case .options(let allowed):
      let response = Response(.noContent, fields: [.allow: Method.allow(allowed)])
      return .refuse(finish(response, visit))
    case .found(let index, let parameters):
      let operation = operations[index]
      let endpoint = operation.endpoint
      visit.operation = operation
      visit.parameter = parameters.first
      do throws(Problem) {
        if let look = gatekeeper.lookUp(for: head, from: visitor, for: endpoint.audience) {
          return .lookUp { [queues] found in queues.lookUps.async { found(look()) } }
        }
        let caller = try gatekeeper.caller(of: head, from: visitor, for: endpoint.audience)
        if let caller { try check(caller, may: endpoint, visit.parameter) }
        visit.caller = caller
        visit.peer = visitor.peer
        let limit = try bodyLimit(of: head, to: endpoint)
        if endpoint.audience == .newcomers {
          visit.newcomer = gatekeeper.address(of: head, visitor.peer)
        }
        return .accept(bodyLimit: limit) { [visit] request, responder in
          self.respond(to: request, visit, endpoint, by: responder)
        }
      } catch {
        return .refuse(finish(error.response, visit))
      }
    }
  }

  private func check(
    _ caller: Caller, may endpoint: Endpoint, _ parameter: String?
  ) throws(Problem) {
    switch (caller.token.scope, endpoint.audience) {
    case (.write, _), (_, .anyone), (_, .newcomers), (_, .holders), (.read, .readers),
      (.read, .readersAndButtons), (.read, .readersOrCode), (.count, .readers),
      (.count, .readersAndButtons), (.count, .readersOrCode), (.count, .counters),
      (.count, .writersAndButtons):
      return
    case (.bump, .readersAndButtons), (.bump, .writersAndButtons):
      guard let goal = caller.token.goal, parameter.flatMap({ Goal.ID($0) }) == goal else { break }
      return
    case (.read, .counters), (.read, .writers), (.read, .writersOrCode),
      (.read, .writersAndButtons), (.count, .writers), (.count, .writersOrCode), (.bump, .readers),
      (.bump, .readersOrCode), (.bump, .counters), (.bump, .writers), (.bump, .writersOrCode):
      break
    }
    throw .forbidden(needing: endpoint.audience.scope)
  }

  /// How many bytes a request's body may have. Throws the reason where it may have no such body.
  private func bodyLimit(of head: RequestHead, to endpoint: Endpoint) throws(Problem) -> Int {
    // A part must not pass for the whole (RFC 9110 §14.5).
    if head.method == .put, head.fields.contains("Content-Range") { throw .contentRange }
    guard head.framing != .none else { return 0 }
    try checkMediaType(head, of: endpoint.body)
    let limit = limits.bodyBytes(to: endpoint)
    // It is refused here, where the problem gets the fields of every response to this request.
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
    // A compressed body is of none of these types (RFC 9110 §8.4).
    let codings = head.fields.list(.contentEncoding)
    guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
      throw .unsupportedContentEncoding
    }
  }

  /// A request as far as its head tells of it.
  struct Visit: Sendable {
    let id: String
    /// Nil for a head that can't be read.
    let head: RequestHead?
    /// When the head was read; of a request with a body, when that was whole.
    var begun: Duration
    /// The gatekeeper's epoch before the caller was let in.
    let epoch: Int
    /// Nil for a path or a method that no operation has.
    var operation: Operation?
    /// The id or the name in the path: no path has two parameters.
    var parameter: String?
    /// Nil where the endpoint is for anyone.
    var caller: Caller?
    /// Who has sent it.
    var peer = Peer.unix
    /// The address that signs up by the request. It is counted once the request is whole.
    var newcomer: ClientAddress?
  }

  private func visit(_ head: RequestHead?) -> Visit {
    Visit(
      id: requestIDs.next(), head: head, begun: world.uptime(), epoch: gatekeeper.epoch)
  }

  /// Completes an answer: it is tracked, and gets the request's id and the fields for a browser.
  func finish(_ response: consuming Response, _ visit: Visit) -> Response {
    response.fields.append(.requestID, visit.id)
    if let newcomer = visit.newcomer, response.status != .created {
      gatekeeper.takeBackSignUp(from: newcomer)
    }
    // A browser that signs out has no use for a cookie that was refused. The answer to its first
    // try may have been a 503; what ended the session may be lost with a database, and then the
    // session is there again.
    if visit.operation == .endSession, response.status == .unauthorized, let head = visit.head,
      !Credentials(head.fields, gatekeeper.sessionCookie).areOfToken
    {
      for cookie in gatekeeper.cookies(nil, for: head) {
        response.fields.append("Set-Cookie", cookie)
      }
      response.fields.append(.clearCache)
    }
    gatekeeper.finish(&response, to: visit.head, by: visit.caller)
    world.track(
      .answered(
        Happening.Answered(
          requestID: visit.id, operation: visit.operation?.rawValue, status: response.status.code,
          wasLetIn: visit.caller != nil, duration: world.uptime() - visit.begun)))
    return response
  }

  /// From how many bytes on a body is not read on the server's own queue. To read a hundred edits,
  /// and to write their outcomes, takes as long as a hundred small requests.
  static let mediumBody = 16_384
  /// From how many bytes on a body is one of the largest.
  static let largeBody = 65_536

  /// Answers a request, now or later, from any thread. Long work is done neither on the calling
  /// queue nor on the writer's, where others wait.
  private func respond(
    to request: Request, _ visit: Visit, _ endpoint: Endpoint, by responder: Responder
  ) {
    var visit = visit
    if request.head.framing != .none { visit.begun = world.uptime() }
    if let caller = visit.caller, gatekeeper.mayLookUp(caller, since: visit.epoch) {
      queues.lookUps.async { [visit] in self.answer(request, visit, endpoint, by: responder) }
    } else {
      answer(request, visit, endpoint, by: responder)
    }
  }

  private func answer(
    _ request: Request, _ visit: Visit, _ endpoint: Endpoint, by responder: Responder
  ) {
    var visit = visit
    do throws(Problem) {
      if let caller = visit.caller {
        visit.caller = try gatekeeper.returning(caller, since: visit.epoch)
      }
      if let newcomer = visit.newcomer { try gatekeeper.countSignUp(from: newcomer) }
    } catch {
      visit.newcomer = nil
      return responder.send(finish(error.response, visit))
    }
    let queue: FairQueue? =
      switch request.body.count {
      case ..<Self.mediumBody: nil
      case ..<Self.largeBody: queues.mediumRequests
      default: queues.largeRequests
      }
    let exchange = Exchange(
      request, visit, endpoint, through: self, on: queue, by: responder)
    guard let queue, let account = visit.caller?.account else { return exchange.begin() }
    // A body that is none of the largest takes less than to ask whether its answer is awaited.
    let asker = request.body.count < Self.largeBody ? .patient : exchange.asker
    queue.run(
      of: account, for: asker, isOwed: true, in: world, { _ in exchange.begin() },
      exchange.completing { (_: Void) in })
  }
}

extension Gateway.Limits {
  /// How many bytes a body may have that is sent to this endpoint.
  fileprivate func bodyBytes(to endpoint: Endpoint) -> Int {
    switch endpoint.body {
    case .none: min(unusedBody, body)
    case .lines: importBody
    case .required, .optional, .patch:
      endpoint.audience.isOfStrangers ? min(strangersBody, body) : body
    }
  }
}

extension Response {
  init(_ status: Status, fields: Fields = [:], json: [UInt8]) {
    self.init(status, fields: fields, body: json)
    // Room for the fields below, and for those that every response gets.
    self.fields.reserveCapacity(fields.all.count + 6)
    self.fields.append(.json)
    self.fields.append(.nosniff)
    self.fields.append(.unframed)
    if self.fields[.cacheControl] == nil { self.fields.append(.noStore) }
  }
}
