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

  @Test("holds large bodies as far as there is room, and small ones always")
  func bodies() throws {
    var limits = Limits()
    (limits.bodyMemory, limits.bodyShare) = (200_000, 1000)
    try withServer(limits: limits) { address, server in
      func post(_ length: Int) -> String {
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n"
      }
      let first = try Client(address)
      first.send(post(150_001) + String(repeating: "a", count: 150_000))
      #expect(eventually { server.statistics.bytesReceived > 150_000 })
      let second = try Client(address)
      second.send(post(150_000) + String(repeating: "b", count: 100_000))
      let refused = try second.answer()
      #expect(refused.status == 503)
      #expect(refused.body == "too-many-connections /")
      #expect(refused.head.contains("\r\nRetry-After: 1\r\n"))
      try #expect(Client(address).ask(post(900) + String(repeating: "c", count: 900)).status == 200)
      first.send("a")
      #expect(try first.answer().status == 200)
      // There is room again, also for one after another on the same connection.
      let third = try Client(address)
      for _ in 0..<3 {
        #expect(try third.ask(post(150_000) + String(repeating: "d", count: 150_000)).status == 200)
      }
      for _ in 0..<3 {
        let received = server.statistics.bytesReceived
        let gone = try Client(address)
        gone.send(post(150_001) + String(repeating: "e", count: 150_000))
        #expect(eventually { server.statistics.bytesReceived > received + 150_000 })
      }
      let whole = post(150_000) + String(repeating: "f", count: 150_000)
      #expect(eventually { (try? Client(address).ask(whole).status) == 200 })
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
