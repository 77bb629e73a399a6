import GoalsCore
import TestSupport
import GoalsStore
import HTTP
import Testing

@testable import GoalsService
@testable import HTTPServer
@testable import StoreTestSupport

/// The service without a socket, over a store in memory, in a world that the test rules.
struct TestService {
  let clock: World.MockClock
  let happenings = Happenings()
  let world: World
  let store: Store
  private let backing: MemoryBacking
  let authenticator: Authenticator
  let administration: Administration
  let gateway: Gateway
  let hub: ChangeHub
  let queues = Queues()
  /// The account `me`, and its first token, which may write.
  let me: (id: String, token: String)

  /// - Parameters:
  ///   - metrics: hear of everything.
  ///   - other: writes the same log; its clock and its first account are this server's, too.
  ///   - isLogShared: whether others write the log.
  ///   - spoil: makes another store of the one in memory, for the gateway only.
  init(
    clock: World.MockClock = World.MockClock(), timeZone: String? = nil, maximumGoals: Int = 1000,
    limits: Gateway.Limits = .init(), policy: AccessPolicy = .unlimited, isDraining: Bool = false,
    metrics: Metrics? = nil, tokyo: Tokyo = Tokyo(), machineZone: String = "UTC",
    beside other: TestService? = nil, isLogShared: Bool = false,
    spoil: (Store) -> Store = { $0 }
  ) throws {
    let happenings = happenings
    let clock = other?.clock ?? clock
    self.clock = clock
    var world = World.mock(clock: clock) {
      happenings.append($0)
      metrics?.observe($0)
    }
    world.zone = tokyo.lookUp
    world.machineZone = { ZoneName(machineZone) ?? .utc }
    if let other { world.random = other.world.random }
    let track = world.track
    backing =
      other.map { MemoryBacking(beside: $0.backing) } ?? MemoryBacking(isLogShared: isLogShared)
    let sound = Store.memory(
      backing,
      environment: StoreEnvironment(
        now: world.now, zone: world.zone, maximumGoals: maximumGoals,
        track: { track(.store($0)) }))
    let store = spoil(sound)
    let authenticator = Authenticator(store: store, in: world)
    let soundAccess = Access(store: sound, world: world, authenticator: authenticator)
    administration = Administration(
      makeDomain(soundAccess, queues: queues, waitingBy: ChangeHub(soundAccess).wait), in: world)
    let access = Access(
      store: store, world: world, authenticator: authenticator,
      maximumAccounts: policy.maximumAccounts)
    hub = ChangeHub(access)
    gateway = Gateway(
      domain: makeDomain(
        access, queues: queues, waitingBy: hub.wait, receivers: [{ metrics?.observe($0, $1) }]),
      access: access, policy: policy, queues: queues, hub: hub, limits: limits)
    if isDraining { _ = gateway.beginDraining() }
    me = try other?.me ?? administration.addAccountWithToken("me", timeZone: timeZone)
    self.world = world
    self.store = store
    self.authenticator = authenticator
    happenings.forget()
  }

  /// Has commits tracked, as the running server does.
  func recordCommits() {
    store.updated.observe(withContext: happenings) { [world] in world.record($1) }
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Parameters:
  ///   - text: the method and target, then fields, then an empty line and the body. What every
  ///     client adds is added: version, `Host`, the token, the length and type of a body.
  ///   - token: nil for a client without one.
  func ask(
    _ text: String, as token: String?, type: String? = "application/json"
  ) async throws
    -> Answer
  {
    try await ask(bytes: Self.bytes(of: text, token: token, type: type))
  }

  /// As above, with the token of `me`.
  func ask(_ text: String, type: String? = "application/json") async throws -> Answer {
    try await ask(text, as: me.token, type: type)
  }

  /// The request that is sent for a text.
  static func request(_ text: String, as token: String) throws -> Request {
    try request(bytes(of: text, token: token, type: "application/json"))
  }

  /// Sends exactly these bytes.
  func ask(bytes: [UInt8], from peer: Peer = .unix) async throws -> Answer {
    let request = try Self.request(bytes)
    guard case .whole(let response) = await reply(to: request, from: peer) else {
      throw Answer.Unexpected("a stream")
    }
    return try Answer(response, to: request.method)
  }

  /// What is answered to a request, be it a stream.
  func reply(_ text: String, as token: String?) async throws -> Reply {
    await reply(to: try Self.request(Self.bytes(of: text, token: token, type: "application/json")))
  }

  /// The status of an answer, which may be a stream.
  func status(of text: String, as token: String?) async throws -> Int {
    switch try await reply(text, as: token) {
    case .whole(let response): return response.status.code
    case .stream(let head, let stream, _):
      stream.close()
      return head.status.code
    }
  }

  func reply(to request: Request, from peer: Peer = .unix) async -> Reply {
    let handler = gateway.handler
    let visitor = Visitor(peer)
    var admission = handler.admit(request.head, visitor)
    while case .lookUp(let look) = admission {
      visitor.attachment = await handedOver { look($0) }
      admission = handler.admit(request.head, visitor)
    }
    switch admission {
    case .lookUp: return .whole(Response(.internalServerError))
    case .refuse(let refusal): return .whole(refusal)
    case .accept(let bodyLimit, let respond):
      guard request.body.count <= bodyLimit else {
        return .whole(handler.refusal(.bodyTooLarge(limit: bodyLimit), request.head))
      }
      return await handedOver { respond(request, Responder(deliver: $0)) }
    }
  }

  static func bytes(of text: String, token: String?, type: String?) -> [UInt8] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let fields = lines.dropFirst().prefix { !$0.isEmpty }
    let body = lines.dropFirst(fields.count + 2).joined(separator: "\n")
    var head = ["\(lines[0]) HTTP/1.1", "Host: goals.example"] + fields.map(String.init)
    if let token { head.append("Authorization: Bearer \(token)") }
    if !body.isEmpty {
      head.append("Content-Length: \(body.utf8.count)")
      if let type { head.append("Content-Type: \(type)") }
    }
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }

  static func request(_ bytes: [UInt8]) throws -> Request {
    var limits = MessageLimits()
    limits.pathOfSlashes = Endpoint.pathOfZones
    var parser = RequestParser(limits: limits)
    parser.append(bytes[...])
    var head: RequestHead?
    var body: [UInt8] = []
    while true {
      switch parser.next() {
      case .head(let read): head = read
      case .body(let piece): body += piece
      case .end: return Request(try #require(head), body: body)
      case .needsInput: throw Answer.Unexpected("the request is not whole")
      case .refused(let refusal): throw Answer.Unexpected(refusal.detail)
      }
    }
  }
}

extension Administration {
  /// Adds an account with its first token, which may write.
  func addAccountWithToken(
    _ name: String, timeZone: String?
  ) throws -> (id: String, token: String) {
    let reply = perform(.addAccount(name: name, timeZone: timeZone))
    guard case .addedAccount(let added) = reply, let token = added.token else {
      throw Answer.Unexpected("\(reply)")
    }
    return (added.id, token)
  }
}

extension Handler {
  /// Admits a request and answers it, as a server does with one that comes whole.
  func respond(to request: Request, by responder: Responder) {
    switch admit(request.head, Visitor(.unix)) {
    case .refuse(let refusal): responder.send(refusal)
    case .accept(_, let respond): respond(request, responder)
    // Only a store far away needs one.
    case .lookUp: break
    }
  }
}

extension AccessPolicy {
  /// The same for everyone, without a limit.
  static var unlimited: AccessPolicy {
    var policy = AccessPolicy()
    policy.failedSignIns = 0
    policy.rateLimit = 0
    policy.signUps = 0
    return policy
  }

  /// Without a limit, and anyone may sign up.
  static var signUpOpen: AccessPolicy {
    var policy = AccessPolicy.unlimited
    policy.isSignUpOpen = true
    return policy
  }
}

/// What was tracked since the account was made, in order.
final class Happenings: Sendable {
  private let list = Locked<[Happening]>([])

  var all: [Happening] { list.value }

  /// But for the answers to requests.
  var beyondAnswers: [Happening] {
    all.filter { if case .answered = $0 { false } else { true } }
  }

  func append(_ happening: Happening) { list.change { $0.append(happening) } }

  func forget() { list.change { $0 = [] } }
}
