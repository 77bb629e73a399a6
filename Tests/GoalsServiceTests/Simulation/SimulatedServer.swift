import GoalsCore
import TestSupport
import HTTP
import HTTPServer

@testable import GoalsService
@testable import GoalsStore
@testable import StoreTestSupport

/// The service in process, without a socket, over data that outlive it.
final class SimulatedServer {
  /// Where the data are.
  private enum Data {
    case memory(UnreliableBacking)
    case sqlite(DatabaseFiles, OwnedDatabase)
  }

  /// The data as they were at some time.
  enum Backup {
    case memory(MemoryBacking.Data)
    case sqlite(String)
  }

  let clock = World.MockClock()
  let world: World
  /// What went wrong in the store though nobody had it fail.
  let failures: Locked<[String]>
  private var data: Data
  private(set) var store: Store
  private var gateway: Gateway
  let record: AccountRecord
  /// One a device, named for it.
  let tokens: [String]

  init(_ schedule: Schedule) throws {
    let failures = Locked<[String]>([])
    world = World.mock(clock: clock) { happening in
      guard case .store(let happening) = happening, let error = happening.failure else { return }
      if !error.isIntended { failures.change { $0.append(error.description) } }
    }
    self.failures = failures
    data =
      switch schedule.home {
      case .memory: .memory(UnreliableBacking())
      case .sqlite: try Self.database(DatabaseFiles(), "goals.sqlite")
      }
    let opened = try Self.open(data, world)
    store = opened.store
    gateway = opened.gateway
    let administration = Administration(of: store, in: world)
    let me = try administration.addAccount("me", timeZone: schedule.timeZone)
    tokens = try (0..<Schedule.devices).map { number in
      let reply = administration.perform(
        .addToken(
          .init(
            account: me.id, name: Self.deviceName(number), scope: "write", goal: nil,
            expires: nil)))
      guard case .addedToken(let added) = reply, let token = added.token else {
        throw Violation("\(reply)")
      }
      return token
    }
    guard let record = try opened.store.book.accounts().first else {
      throw Violation("the account is not there")
    }
    self.record = record
  }

  deinit { store.destroy() }

  static func deviceName(_ number: Int) -> String { "device \(number)" }

  private static func database(_ files: DatabaseFiles, _ path: String) throws -> Data {
    let path = path.hasPrefix("/") ? path : files.path(path)
    return .sqlite(files, try OwnedDatabase.claim(path: path, ifMissing: .create))
  }

  private static func open(
    _ data: Data, _ world: World
  ) throws -> (store: Store, gateway: Gateway) {
    let environment = StoreEnvironment(
      now: world.now, zone: world.zone, track: { world.track(.store($0)) })
    let store =
      switch data {
      case .memory(let backing):
        Store(StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
      case .sqlite(_, let database):
        try Store.sqlite(database, environment: environment)
      }
    let authenticator = Authenticator(store: store, in: world)
    let access = Access(store: store, world: world, authenticator: authenticator)
    let (queues, hub) = (Queues(), ChangeHub(access))
    let gateway = Gateway(
      domain: makeDomain(access, queues: queues, waitingBy: hub.wait), access: access,
      policy: .unlimited,
      queues: queues, hub: hub)
    return (store, gateway)
  }

  // MARK: What happens to it

  /// Stops it and starts it again. In a crash nothing is written any more once it happens.
  func restart(byCrash isCrash: Bool) throws {
    var next = data
    if isCrash, case .sqlite(let files, let database) = data {
      next = try Self.database(files, files.copy(of: database.file.path))
    }
    try start(with: next)
  }

  func backUp() throws -> Backup {
    switch data {
    case .memory(let backing): .memory(backing.content)
    case .sqlite(let files, let database): .sqlite(try files.copy(of: database.file.path))
    }
  }

  func restore(_ backup: Backup) throws {
    switch (backup, data) {
    case (.memory(let content), _): try start(with: .memory(UnreliableBacking(content)))
    case (.sqlite(let path), .sqlite(let files, _)):
      try start(with: Self.database(files, files.copy(of: path)))
    case (.sqlite, .memory): throw Violation("a backup of something else")
    }
  }

  private func start(with next: Data) throws {
    store.destroy()
    data = next
    (store, gateway) = try Self.open(next, world)
  }

  /// Has the next commit fail, where the data are in memory.
  func failOnce(with error: StoreError?) {
    if case .memory(let backing) = data { backing.failOnce(with: error) }
  }

  // MARK: Asking

  func answer(_ asked: Asked) async throws -> Answered {
    try Answered(await Self.send(asked.request(token: tokens[asked.device]), to: gateway))
  }

  /// The answers to requests that come before the writer looks at the first, in the order of the
  /// requests.
  func answers(_ asked: [Asked]) async throws -> [Answered] {
    if asked.count == 1 { return [try await answer(asked[0])] }
    let gateway = gateway
    let requests = try asked.map { try $0.request(token: tokens[$0.device]) }
    let (responses, sink) = AsyncStream.makeStream(of: (place: Int, response: Response).self)
    store.updated.network.async {
      for (place, request) in requests.enumerated() {
        gateway.handler.respond(
          to: request,
          by: Responder { if case .whole(let response) = $0 { sink.yield((place, response)) } })
      }
    }
    return try await responses.prefix(asked.count).reduce(into: []) { $0.append($1) }
      .sorted { $0.place < $1.place }.map { try Answered($0.response) }
  }

  private static func send(_ request: Request, to gateway: Gateway) async -> Response {
    await withCheckedContinuation { continuation in
      gateway.handler.respond(
        to: request,
        by: Responder { reply in
          // NB: nothing is streamed in a simulation.
          if case .whole(let response) = reply { continuation.resume(returning: response) }
        })
    }
  }
}

extension StoreError {
  /// What a simulation has commits fail with.
  static let intended = StoreError.full("as it was meant to be")

  fileprivate var isIntended: Bool { self == .intended }
}

extension StoreEvent {
  fileprivate var failure: StoreError? {
    switch self {
    case .unrecorded(_, let error), .failed(let error): error
    case .writer, .persisted, .reopened, .probed, .risk: nil
    }
  }
}
