import Foundation
import GoalsCore
import GoalsEngine
import GoalsReplica
import Testing

@testable import GoalsClient

@Suite("A client on a way that fails", .timeLimit(.minutes(10))) struct FailingWayTests {
  private let database: TemporaryFolder
  private let folder: TemporaryFolder
  private let server: RealServer

  init() async throws {
    database = try TemporaryFolder()
    folder = try TemporaryFolder()
    server = try await RealServer(in: database)
  }

  /// So that what it hears is news, and not an answer to what it sends.
  private func counts(_ goal: Goal.ID) async throws {
    let other = try server.client(in: try TemporaryFolder())
    await other.meet()
    try await other.make(Edit(.bump(goal, by: .one, note: nil)))
    await other.meet()
    other.close()
  }

  @Test("hears by long polls where nothing lets a stream through")
  func longPolls() async throws {
    let relay = try Relay(to: server.url, refusing: "GET /v1/changes")
    let phone = try server.client(in: folder, through: relay.url)
    let id = try await phone.add("Yoga")
    await phone.meet()
    await relay.sees("GET /v1/changes")
    await relay.sees("wait=")
    try await counts(id)
    await phone.reach("hears of the other's edit") { [weak phone] _ in
      phone?.progress == ["Yoga": 1]
    }
    phone.close()
    relay.close()
    await server.stop()
  }

  /// A stream says something every 15 seconds, so that this one is silent for too long.
  @Test("begins a stream anew that says nothing, and misses nothing")
  func silentStream() async throws {
    let relay = try Relay(to: server.url)
    let phone = try server.client(in: folder, through: relay.url, patience: .seconds(1))
    let id = try await phone.add("Yoga")
    await phone.meet()
    for count in 1...2 {
      try await counts(id)
      await phone.reach("hears of the other's edit") { [weak phone] _ in
        phone?.progress == ["Yoga": count]
      }
    }
    phone.close()
    relay.close()
    await server.stop()
  }

  @Test("takes a connection on which nothing comes for broken, and sends again on another")
  func silence() async throws {
    let relay = try Relay(to: server.url)
    let phone = try server.client(in: folder, through: relay.url, patience: .seconds(1))
    let id = try await phone.add("Yoga")
    await phone.meet()
    relay.fallSilent()
    try await phone.make(Edit(.bump(id, by: .one, note: nil)))
    await phone.reach("can't reach the server") {
      if case .waiting = $0.standing { true } else { false }
    }
    relay.speak()
    phone.cameToFront()
    await phone.meet()
    #expect(try await server.goals() == ["Yoga": 1])
    phone.close()
    relay.close()
    await server.stop()
  }
}

@Suite("A link to a server", .timeLimit(.minutes(5))) struct ServerLinkTests {
  @Test("takes the largest answer, and none that is a byte longer", arguments: [0, 1])
  func largest(more: Int) async throws {
    let (listener, port) = try Socket.listening()
    let length = ServerLink.maximum + more
    Thread.detachNewThread {
      let connection = accept(listener, nil, nil)
      let head = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n"
      _ = Socket.send(head.utf8, on: connection)
      _ = Socket.send([UInt8](repeating: 0x61, count: length), on: connection)
      shutdown(connection, Socket.both)
    }
    let answer = try await Self.answer(at: port, patience: .seconds(45))
    #expect(answer?.body.count == (more == 0 ? length : nil))
    shutdown(listener, Socket.both)
    close(listener)
  }

  /// The next byte always comes in time, and the last one never.
  @Test("waits for the end of an answer for a limited time", arguments: Drip.allCases)
  func drip(_ drip: Drip) async throws {
    let (listener, port) = try Socket.listening()
    Thread.detachNewThread {
      let connection = accept(listener, nil, nil)
      _ = Socket.send(drip.rawValue.utf8, on: connection)
      while Socket.send("1".utf8, on: connection) { usleep(100_000) }
      close(connection)
    }
    let answer = try await Self.answer(at: port, patience: .seconds(1))
    #expect(answer == nil)
    shutdown(listener, Socket.both)
    close(listener)
  }

  enum Drip: String, CaseIterable {
    case status = "HTTP/1.1 2"
    case field = "HTTP/1.1 200 OK\r\nX: "
    case body = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"
    case chunkSize = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    case untilTheEnd = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
  }

  private static func answer(
    at port: UInt16, patience: Duration
  ) async throws -> ServerLink.Answer? {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    let link = ServerLink(to: url, patience: patience)
    defer { link.close() }
    return await withCheckedContinuation { continuation in
      link.send("GET", "/v1/token") { continuation.resume(returning: $0) }
    }
  }
}
