import HTTP
import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPServer

@Suite("A server with its hands full")
struct OverloadTests {
  @Test("turns further connections away, and takes new ones when others end")
  func maxConnections() throws {
    var limits = Limits()
    limits.maxConnections = 2
    // On a clock that stands none of them is idle.
    try withServer(limits: limits, clock: TestClock().clock) { address, server in
      var clients = try (0..<2).map { _ in try Client(address) }
      for client in clients { #expect(try client.ask(get).status == 200) }
      let third = try Client(address)
      third.send(get)
      let answer = try third.answer()
      #expect(answer.status == 503)
      #expect(answer.body == "too-many-connections /")
      #expect(answer.head.contains("\r\nRetry-After: 1\r\n"))
      #expect(try third.isClosed())
      let fourth = try Client(address)
      fourth.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
      let head = try fourth.rest()
      #expect(head.hasPrefix("HTTP/1.1 503 ") && head.hasSuffix("\r\n\r\n"))
      // Those that are in are served on.
      for client in clients { #expect(try client.ask(get).status == 200) }
      clients.removeLast()
      #expect(eventually { server.statistics.connectionsOpen == 1 })
      try #expect(Client(address).ask(get).status == 200)
      #expect(server.statistics.connectionsTurnedAway == 2)
    }
  }

  @Test("gives the place of one that has said nothing to one that comes")
  func silentConnections() throws {
    var limits = Limits()
    limits.maxConnections = 3
    try withServer(limits: limits, clock: TestClock().clock) { address, server in
      let used = try Client(address)
      #expect(try used.ask(get).status == 200)
      let silent = try (0..<2).map { _ in try Client(address) }
      #expect(eventually { server.statistics.connectionsOpen == 3 })
      let client = try Client(address)
      #expect(try client.ask(get).status == 200)
      #expect(try silent[0].isClosed())
      // The next one takes the other's place, and then there is none.
      let next = try Client(address)
      #expect(try next.ask(get).status == 200)
      #expect(try silent[1].isClosed())
      try #expect(Client(address).ask(get).status == 503)
      for client in [used, client, next] { #expect(try client.ask(get).status == 200) }
      #expect(server.statistics.connectionsDisplaced == 2)
    }
  }

  @Test("gives the place of a slow body to one that comes, unless somebody counts it as theirs")
  func slowBodies() throws {
    var limits = Limits()
    limits.maxConnections = 2
    let seated = handler(admit: { head, visitor in
      if head.target.path == "/mine" { visitor.seat = TestSeat() }
      return .accept(bodyLimit: 9) { $1.send(mirror($0)) }
    })
    try withServer(limits: limits, seated) { address, server in
      let slow = try ["/mine", "/"].map { path in
        let client = try Client(address)
        client.send("PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1234")
        return client
      }
      // It may count as busy at first.
      #expect(eventually { (try? Client(address).ask(get).status) == 200 })
      #expect(try slow[1].isClosed())
      slow[0].send("56789")
      #expect(try slow[0].answer().body == "PUT /mine 123456789")
    }
  }

  @Test("never gives up one whose request has come already")
  func unreadRequest() throws {
    var limits = Limits()
    limits.maxConnections = 20
    let server = try Server(limits: limits, handler: handler())
    let address = try server.listen(on: .internet(host: "127.0.0.1", port: 0))
    // All of them come before the server looks at any.
    let clients = try (0..<25).map { _ in
      let client = try Client(address)
      client.send(get)
      return client
    }
    try serving(server) { _, server in
      let statuses = try clients.map { try $0.answer().status }
      #expect(statuses == Array(repeating: 200, count: 20) + Array(repeating: 503, count: 5))
      #expect(server.statistics.connectionsDisplaced == 0)
    }
  }

  @Test("gives up an idle connection where the system has no descriptor left")
  func displacedForDescriptor() throws {
    let failures = Locked(0)
    try serving(failing(.exhausted, failures)) { address, server in
      let silent = try Client(address)
      #expect(eventually { server.statistics.connectionsOpen == 1 })
      failures.change { $0 = 1 }
      try #expect(Client(address).ask(get).status == 200)
      #expect(try silent.isClosed())
    }
  }

  @Test("holds large bodies as far as there is room, and small ones always")
  func bodies() throws {
    var limits = Limits()
    (limits.bodyMemory, limits.bodyShare) = (320_000, 1000)
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

  @Test("has room for large bodies of others, however many one holder sends")
  func holders() throws {
    var limits = Limits()
    (limits.bodyMemory, limits.bodyShare) = (300_000, 1000)
    let seated = handler(admit: { head, visitor in
      visitor.seat = TestSeat(head.target.path == "/other" ? 2 : 1)
      return .accept(bodyLimit: 200_000) { $1.send(mirror($0)) }
    })
    try withServer(limits: limits, seated) { address, server in
      func begin(_ path: String, _ length: Int, of whole: Int) throws -> Client {
        let received = server.statistics.bytesReceived
        let client = try Client(address)
        let head = "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(whole)\r\n\r\n"
        client.send(head + String(repeating: "a", count: length))
        #expect(eventually { server.statistics.bytesReceived >= received + length })
        return client
      }
      let first = try begin("/", 140_000, of: 140_001)
      try #expect(begin("/", 140_000, of: 140_001).answer().status == 503)
      for _ in 0..<2 { try #expect(begin("/other", 50_000, of: 50_000).answer().status == 200) }
      first.send("a")
      #expect(try first.answer().status == 200)
      try #expect(begin("/", 140_000, of: 140_000).answer().status == 200)
    }
  }

  @Test("lets others have their turn between the answers to one, also where they are refusals")
  func turns() throws {
    let order = Locked<[String]>([])
    let strict = handler(admit: { head, _ in
      order.change { $0.append(head.target.path) }
      return .refuse(Response(.unauthorized))
    })
    let server = try Server(limits: Limits(), handler: strict)
    let address = try server.listen(on: .internet(host: "127.0.0.1", port: 0))
    let greedy = try Client(address)
    greedy.send(String(repeating: "GET /greedy HTTP/1.1\r\nHost: a\r\n\r\n", count: 300))
    let modest = try Client(address)
    modest.send("GET /modest HTTP/1.1\r\nHost: a\r\n\r\n")
    // Both have come before the server looks at any.
    try serving(server) { _, _ in
      for _ in 0..<300 { try #expect(greedy.answer().status == 401) }
      try #expect(modest.answer().status == 401)
      #expect(order.value.prefix(20).contains("/modest"))
      #expect(order.value.count == 301)
    }
  }

  @Test("goes on by itself when descriptors were short for a while")
  func outOfDescriptors() throws {
    let failures = Locked(3)
    try serving(failing(.exhausted, failures)) { address, server in
      // Each time, the reserve lets one client be told; the others wait until it is over.
      let clients = try (0..<6).map { _ in try Client(address) }
      var statuses: [Int] = []
      for client in clients { statuses.append(try client.ask(get).status) }
      #expect(statuses == [503, 503, 503, 200, 200, 200])
      #expect(failures.value <= 0)
    }
  }

  @Test("loses no other client to one that was gone before it was accepted")
  func abortedConnection() throws {
    let failures = Locked(1)
    try serving(failing(.again, failures)) { address, _ in
      try #expect(Client(address).ask(get).status == 200)
    }
  }
}

/// A server whose listener fails as many times as the box says.
private func failing(
  _ failure: Socket.Accepted, _ failures: Locked<Int>
) throws -> Server {
  try Server(limits: Limits(), handler: handler()) { listener in
    var fails = false
    failures.change {
      fails = $0 > 0
      $0 -= 1
    }
    return fails ? failure : Socket.accept(listener)
  }
}

@Suite("A server that stops")
struct DrainTests {
  @Test("closes idle connections, finishes what has begun, and accepts no more")
  func drain() throws {
    let held = Locked<Responder?>(nil)
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
      #expect(eventually { held.value != nil })
      let begun = try Client(address)
      begun.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
      #expect(eventually { server.statistics.connectionsOpen == 3 })

      let done = Signal()
      server.drain(within: .seconds(60)) { done.raise() }
      #expect(try idle.isClosed())
      #expect(throws: Client.Failed.self) { try Client(address) }

      held.value?.send(Response(.ok))
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
    let (held, time) = (Locked<Responder?>(nil), TestClock())
    let slow = handler(respond: { _, responder in held.change { $0 = responder } })
    try withServer(slow, clock: time.clock) { address, server in
      let client = try Client(address)
      client.send(get)
      #expect(eventually { held.value != nil })
      let isOver = beginDraining(server, at: address)
      time.pass(59)
      #expect(!client.isReadable(milliseconds: 0))
      #expect(!isOver.value)
      time.pass(1)
      #expect(try client.isClosed())
      #expect(eventually { isOver.value })
    }
  }
}
