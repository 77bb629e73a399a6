import HTTP
import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPServer

/// Answers with as many bytes as the path says.
private let sized = handler(respond: { request, responder in
  let count = request.segments.first.flatMap { Int($0) } ?? 0
  responder.send(Response(.ok, body: [UInt8](repeating: 0x61, count: count)))
})

private func ask(_ bytes: Int, _ field: String = "") -> String {
  "GET /\(bytes) HTTP/1.1\r\nHost: a\r\n\(field)\r\n"
}

@Suite("A client that does not read")
struct UnreadTests {
  /// What the system holds is twice `sendBuffer` at most, bookkeeping included.
  @Test("has its requests begun as far as the system takes the answers, and no further")
  func pipelining() throws {
    try withServer(sized) { address, server in
      let limits = Limits()
      let client = try Client(address, receiveBuffer: 4096)
      let requests = 10_000
      client.sendWhatIsTaken(String(repeating: ask(20_000), count: requests))
      #expect(eventually { server.statistics.bytesUnread > 20_000 })
      // While others are served nothing more is begun.
      let other = try Client(address)
      var begun: [Int] = []
      for number in 1...50 {
        #expect(try other.ask(ask(10)).status == 200)
        begun.append(server.statistics.requests - number)
      }
      #expect(server.statistics.bytesUnread <= 2 * limits.sendBuffer + 20_400)
      #expect((begun.last ?? 0) * 20_000 < 4 * limits.sendBuffer)
      // Of the requests, too, no more is read than is looked at.
      #expect(server.statistics.bytesReceived < 40_000)
    }
  }

  @Test("is cut off in time, also where its answer has gone into the system's buffer whole")
  func smallAnswer() throws {
    let time = TestClock()
    let server = try Server(limits: Limits(), handler: sized, clock: time.clock)
    try serving(server) { address, server in
      let client = try Client(address, receiveBuffer: 4096)
      client.send(ask(60_000))
      #expect(eventually { server.statistics.bytesUnread > 10_000 })
      time.pass(29)
      let other = try Client(address)
      #expect(try other.ask(ask(10)).status == 200)
      #expect(server.statistics.connectionsOpen == 2)
      #expect(eventually(after: 1, by: time) { server.statistics.connectionsCut == 1 })
      #expect(eventually { server.statistics.bytesUnread == 0 })
      // Nothing is left to the system.
      #expect(throws: Client.Failed.self) { try client.rest() }
      try #expect(Client(address).ask(ask(10)).status == 200)
    }
  }

  @Test(
    "and whose connection is to close is counted until it has read, or is cut off",
    arguments: [false, true])
  func closing(endsItsSide: Bool) throws {
    let time = TestClock()
    let server = try Server(limits: Limits(), handler: sized, clock: time.clock)
    try serving(server) { address, server in
      let patient = try Client(address, receiveBuffer: 4096)
      let lost = try Client(address, receiveBuffer: 4096)
      for client in [patient, lost] {
        client.send(ask(60_000, endsItsSide ? "" : "Connection: close\r\n"))
        if endsItsSide { client.finish() }
      }
      #expect(eventually { server.statistics.bytesUnread > 80_000 })
      // Past the time that a connection lingers.
      time.pass(20)
      #expect(server.statistics.connectionsOpen == 2)
      #expect(try patient.rest().hasSuffix(String(repeating: "a", count: 60_000)))
      #expect(eventually { server.statistics.connectionsOpen == 1 })
      #expect(eventually(after: 20, by: time) { server.statistics.connectionsOpen == 0 })
      #expect(server.statistics.connectionsCut == 1)
      #expect(throws: Client.Failed.self) { try lost.rest() }
    }
  }

  @Test(
    "is cut off where all of them leave too much unread, the one that has stalled longest first")
  func total() throws {
    var limits = Limits()
    limits.unreadMemory = 4_000_000
    let time = TestClock()
    let server = try Server(limits: limits, handler: sized, clock: time.clock)
    try serving(server) { address, server in
      let reader = try Client(address)
      var clients: [Client] = []
      for number in 1...12 {
        let client = try Client(address, receiveBuffer: 4096)
        client.send(ask(500_000))
        clients.append(client)
        #expect(eventually { server.statistics.requests == 2 * number - 1 })
        #expect(eventually { server.statistics.bytesUnread > 400_000 })
        time.pass(1)
        #expect(try reader.ask(ask(500_000)).body.utf8.count == 500_000)
        #expect(server.statistics.bytesUnread <= limits.unreadMemory)
      }
      #expect(eventually { server.statistics.connectionsCut >= 4 })
      #expect(throws: Client.Failed.self) { try clients[0].rest() }
      #expect(try clients[11].answer().body.utf8.count == 500_000)
      #expect(try reader.ask(ask(10)).status == 200)
    }
  }

  @Test("of a stream is cut off in time, however little waits")
  func stream() throws {
    let time = TestClock()
    let streams = Streams()
    let server = try Server(limits: Limits(), handler: streams.handler, clock: time.clock)
    try serving(server) { address, server in
      let client = try Client(address, receiveBuffer: 4096)
      client.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
      streams.first()?.write([UInt8](repeating: 0x61, count: 50_000))
      #expect(eventually { server.statistics.bytesUnread > 10_000 })
      #expect(eventually(after: 30, by: time) { streams.closed.value == 1 })
      #expect(eventually { server.statistics.connectionsOpen == 0 })
    }
  }
}
