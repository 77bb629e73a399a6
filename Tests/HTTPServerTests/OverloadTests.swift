import HTTP
import Testing

@testable import HTTPServer

@Suite("A server with its hands full")
struct OverloadTests {
  @Test("turns further connections away, and takes new ones when others end")
  func maxConnections() throws {
    var limits = Limits()
    limits.maxConnections = 2
    try withServer(limits: limits) { address, server in
      var clients = try (0..<2).map { _ in try Client(address) }
      for client in clients { #expect(try client.ask(get).status == 200) }
      let third = try Client(address)
      third.send(get)
      let answer = try third.answer()
      #expect(answer.status == 503)
      #expect(answer.body == "too-many-connections")
      #expect(answer.head.contains("\r\nRetry-After: 1\r\n"))
      #expect(try third.isClosed())
      // Those that are in are served on.
      for client in clients { #expect(try client.ask(get).status == 200) }
      clients.removeLast()
      #expect(eventually { server.statistics.connectionsOpen == 1 })
      try #expect(Client(address).ask(get).status == 200)
      #expect(server.statistics.connectionsTurnedAway == 1)
    }
  }

  @Test("goes on by itself when descriptors were short for a while")
  func outOfDescriptors() throws {
    let failures = Box(3)
    let server = Server(limits: Limits(), handler: handler()) { listener in
      var isShort = false
      failures.change {
        isShort = $0 > 0
        $0 -= 1
      }
      return isShort ? .exhausted : Socket.accept(listener)
    }
    try serving(server) { address, server in
      // Each time, the reserve lets one client be told; the others wait until it is over.
      let clients = try (0..<6).map { _ in try Client(address) }
      var statuses: [Int] = []
      for client in clients { statuses.append(try client.ask(get).status) }
      #expect(statuses == [503, 503, 503, 200, 200, 200])
      #expect(failures.get() <= 0)
    }
  }

  @Test("loses no other client to one that was gone before it was accepted")
  func abortedConnection() throws {
    let failures = Box(1)
    let server = Server(limits: Limits(), handler: handler()) { listener in
      var isLost = false
      failures.change {
        isLost = $0 > 0
        $0 -= 1
      }
      return isLost ? .again : Socket.accept(listener)
    }
    try serving(server) { address, _ in
      try #expect(Client(address).ask(get).status == 200)
    }
  }
}

@Suite("A server that stops")
struct DrainTests {
  @Test("closes idle connections, finishes what has begun, and accepts no more")
  func drain() throws {
    let held = Box<Responder?>(nil)
    let slow = handler(respond: { request, responder in
      if request.segments == ["slow"] {
        held.change { $0 = responder }
      } else {
        responder.send(mirror(request))
      }
    })
    try withServer(slow) { address, server in
      let idle = try Client(address)
      #expect(try idle.ask(get).status == 200)
      let busy = try Client(address)
      busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + get)
      #expect(eventually { held.get() != nil })
      let begun = try Client(address)
      begun.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
      #expect(eventually { server.statistics.connectionsOpen == 3 })

      let done = Signal()
      server.drain(within: .seconds(60)) { done.raise() }
      #expect(try idle.isClosed())
      #expect(throws: Client.Failed.self) { try Client(address) }

      held.get()?.send(Response(.ok))
      let text = try busy.rest()
      #expect(text.contains("\r\nConnection: close\r\n"))
      #expect(text.components(of: "HTTP/1.1 ") == 1)
      begun.send("llo")
      let answer = try begun.answer()
      #expect(answer.body == "PUT / hello")
      #expect(answer.head.contains("\r\nConnection: close\r\n"))
      #expect(done.wait())
    }
  }

  @Test("closes by force what takes too long")
  func force() throws {
    let held = Box<Responder?>(nil)
    try withServer(handler(respond: { _, responder in held.change { $0 = responder } })) {
      address, server in
      let client = try Client(address)
      client.send(get)
      #expect(eventually { held.get() != nil })
      let done = Signal()
      server.drain(within: .milliseconds(50)) { done.raise() }
      #expect(done.wait())
      #expect(try client.isClosed())
    }
  }
}
