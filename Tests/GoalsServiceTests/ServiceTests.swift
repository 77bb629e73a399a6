import Foundation
import HTTPTestSupport
import GoalsCore
import GoalsStore
import HTTPServer
import Testing
import TestSupport

@testable import GoalsService

/// A service with a database and sockets of its own, in a mock world.
private final class WholeService {
  let folder: TemporaryFolder
  let clock = World.MockClock()
  let happenings = Happenings()
  var configuration = Service.Configuration()

  init() throws {
    folder = try TemporaryFolder()
    configuration.database = folder.file("goals.sqlite")
    configuration.listeners = [.internet(host: "127.0.0.1", port: 0)]
  }

  func start() throws -> (Service, Service.Started) {
    let happenings = happenings
    return try Service.start(
      configuration, in: World.mock(clock: clock) { happenings.append($0) })
  }

  /// Starts, and stops once the body is done. The database is free when the last who held the
  /// service before has let go of it, which may be a moment after that has stopped.
  func serve(_ body: (Service, Service.Started, ListenAddress) async throws -> Void) async throws {
    while true {
      do {
        let (service, started) = try start()
        do { try await body(service, started, try #require(started.listeners.first)) } catch {
          await service.stop()
          throw error
        }
        return await service.stop()
      } catch OpeningError.inUse {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  /// A token of the account that the first start has made, by the code of its link.
  func token(of started: Service.Started) throws -> String {
    let code = try #require(started.firstAccount?.link?.code)
    let address = try #require(started.listeners.first)
    let made = try Client.ask("POST /v1/tokens\n\n{\"code\":\"\(code)\"}", at: address)
    let token = made.body.split(separator: "\"").first { $0.hasPrefix(Token.prefix) }
    return String(try #require(token, "\(made)"))
  }

  var adminSocket: ListenAddress {
    .unix(path: Service.adminSocket(besideDatabase: configuration.database))
  }
}

extension Service {
  fileprivate func stop() async {
    await withCheckedContinuation { continuation in stop { continuation.resume() } }
  }
}

@Suite("The service", .timeLimit(.minutes(10))) struct ServiceTests {
  @Test("makes an account on its first start, and tells a link into it once")
  func firstStart() async throws {
    let process = try WholeService()
    process.configuration.timeZone = "Europe/Berlin"
    var token: String?
    try await process.serve { _, started, address in
      #expect(started.firstAccount?.token == nil)
      #expect(started.firstAccount?.link?.address == address.url)
      #expect(started.firstAccount?.link?.endsAt == "2026-11-21T12:00:00.000Z")
      token = try process.token(of: started)
      let bearer = "Authorization: Bearer \(try #require(token))"
      let account = try Client.ask("GET /v1/account\n\(bearer)", at: address)
      #expect(account.status == 200)
      #expect(account.body.contains("\"name\":\"me\",\"timeZone\":\"Europe/Berlin\""))
      let added = try Client.ask(
        "POST /v1/goals\n\(bearer)\n\n{\"title\":\"Run\"}", at: address)
      #expect(added.status == 201)
    }
    try await process.serve { _, started, address in
      #expect(started.firstAccount == nil)
      let bearer = "Authorization: Bearer \(try #require(token))"
      let list = try Client.ask("GET /v1/goals\n\(bearer)", at: address)
      #expect(list.body.contains("\"title\":\"Run\""))
    }
  }

  @Test("listens at the port that the system picked, and says so")
  func port() async throws {
    let process = try WholeService()
    process.configuration.listeners.append(.unix(path: process.folder.file("web.sock")))
    try await process.serve { _, started, _ in
      guard case .internet("127.0.0.1", let port)? = started.listeners.first else {
        Issue.record("it listens at \(started.listeners)")
        return
      }
      #expect(port != 0)
      #expect(started.listeners.count == 2)
      for address in started.listeners {
        let health = try Client.ask("GET /healthz", at: address)
        #expect(health.status == 200)
        #expect(health.body == #"{"status":"ok"}"#)
        let ready = try Client.ask("GET /readyz", at: address)
        #expect(ready.status == 200)
        #expect(ready.body == #"{"status":"ready"}"#)
      }
      #expect(process.happenings.all.contains(.started(listeners: started.listeners.map(\.url))))
    }
  }

  @Test("takes commands beside the database, of the owner only")
  func adminSocket() async throws {
    let process = try WholeService()
    try await process.serve { _, _, address in
      let path = Service.adminSocket(besideDatabase: process.configuration.database)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let added = try Client.ask(
        "POST /\n\n{\"addAccount\":{\"name\":\"Ann\"}}", at: process.adminSocket)
      #expect(added.body.contains("\"name\":\"Ann\""))
      #expect(try Client.ask("GET /v1/goals", at: process.adminSocket).status == 404)
      #expect(try Client.ask("POST /\n\n{\"listAccounts\":{}}", at: address).status == 405)
    }
  }

  @Test("finishes what it has begun before it stops, and takes on nothing else")
  func drains() async throws {
    let process = try WholeService()
    let (service, started) = try process.start()
    let address = try #require(started.listeners.first)
    let token = try process.token(of: started)
    let request = Client.request(
      "POST /v1/goals\nAuthorization: Bearer \(token)\n\n{\"title\":\"Run\"}")
    let begun = try Client(address)
    begun.send(String(request.dropLast(5)))
    let ready = try Client(address)
    ready.send("GET /readyz HTTP/1.1\r\nHost: x\r\n")
    // Once a later request is answered, this one has arrived.
    #expect(try Client.ask("GET /healthz", at: address).status == 200)

    let isStopped = Locked(false)
    // NB: the server waits ten seconds for each of the requests and to drain; so nothing is awaited
    // until both are answered, because that may take longer where there are more tests than cores.
    service.stop { isStopped.change { $0 = true } }
    #expect(process.happenings.all.contains(.draining))
    #expect(!isStopped.value)
    ready.send("\r\n")
    let unready = try ready.rest()
    #expect(unready.hasPrefix("HTTP/1.1 503 "))
    #expect(unready.contains("\"code\":\"draining\""))
    #expect(!isStopped.value)
    begun.send(String(request.suffix(5)))
    #expect(try Client.answer(begun.rest()).status == 201)
    await until { isStopped.value }
    #expect(throws: Client.Failed.self) { try Client(address) }
    #expect(process.happenings.all.last == .stopped)
  }

  @Test("owns its database alone")
  func ownsDatabase() async throws {
    let process = try WholeService()
    try await process.serve { _, _, address in
      #expect(throws: OpeningError.self) { try process.start() }
      let ready = try Client.ask("GET /readyz", at: address)
      #expect(ready.status == 200)
    }
  }

  /// Starts a service on a copy of the database, and says whether that had no account.
  private func isWithoutAccount(_ process: WholeService) async throws -> Bool {
    let other = try WholeService()
    try FileManager.default.copyItem(
      atPath: process.configuration.database, toPath: other.configuration.database)
    var isWithout = false
    try await other.serve { _, started, _ in isWithout = started.firstAccount != nil }
    return isWithout
  }

  @Test("makes no account where it can't listen")
  func cannotListen() async throws {
    let process = try WholeService()
    process.configuration.listeners = [.unix(path: process.folder.file("none/web.sock"))]
    #expect(throws: ListenError.self) { try process.start() }
    #expect(try await isWithoutAccount(process))
  }

  @Test(
    "does not start in a zone that there is none of, and makes nothing",
    arguments: [("Mars/Olympus", "Mars/Olympus"), ("", "of no name"), (" ", " ")])
  func unknownZone(_ zone: String, _ shown: String) async throws {
    let process = try WholeService()
    process.configuration.timeZone = zone
    let sentence = "There is no time zone \(shown) in the IANA database (one is Europe/Berlin)."
    #expect(throws: AdminError(sentence)) { try process.start() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: process.folder.path) == [])
  }

  @Test("knows after a restart when a token was used last")
  func lastUse() async throws {
    let process = try WholeService()
    try await process.serve { _, started, address in
      process.clock.advance(bySeconds: 5)
      let token = try process.token(of: started)
      _ = try Client.ask("GET /v1/goals\nAuthorization: Bearer \(token)", at: address)
    }
    try await process.serve { _, _, _ in
      let listed = try Client.ask(
        "POST /\n\n{\"listTokens\":{\"account\":\"me\"}}", at: process.adminSocket)
      #expect(listed.body.contains("\"lastUsedAt\":\"2026-11-20T12:00:05.000Z\""))
    }
  }
}
