import Dispatch
import HTTPTestSupport
import HTTP
import Synchronization
import Testing

@testable import HTTPServer

@Suite("A server")
struct ServerTests {
  @Test("answers one request after another on one connection")
  func keepsAlive() throws {
    try withServer { address, _ in
      let client = try Client(address)
      for number in 0..<3 {
        let answer = try client.ask("GET /\(number) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(answer.status == 200)
        #expect(answer.body == "GET /\(number) ")
        #expect(!answer.head.contains("Connection"))
        #expect(answer.head.contains("\r\nDate: "))
      }
    }
  }

  @Test("answers HEAD without a body")
  func head() throws {
    try withServer { address, _ in
      let client = try Client(address)
      client.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n" + get)
      #expect(try client.answer(toHead: true).head.contains("Content-Length: 8\r\n"))
      #expect(try client.answer().body == "GET / ")
    }
  }

  @Test("takes and gives a large body")
  func largeBody() throws {
    try withServer { address, _ in
      let client = try Client(address)
      let body = String(repeating: "0123456789", count: 100_000)
      let answer = try client.ask(
        "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      #expect(answer.body == "PUT / " + body)
    }
  }

  @Test("closes after its answer to HTTP/1.0, unless it is asked to stay")
  func closes() throws {
    try withServer { address, _ in
      var client = try Client(address)
      client.send("GET / HTTP/1.0\r\n\r\n")
      #expect(try client.rest().contains("Connection: close\r\n"))
      client = try Client(address)
      #expect(
        try client.ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").head
          .contains("Connection: keep-alive\r\n"))
      #expect(try client.ask(get).status == 200)
    }
  }

  @Test("answers 500 for a handler that does not answer")
  func dropped() throws {
    try withServer(handler(respond: { _, _ in })) { address, _ in
      try #expect(Client(address).ask(get).status == 500)
    }
  }

  @Test("takes only the first answer of a handler")
  func twice() throws {
    let talkative = handler(respond: { request, responder in
      responder.send(mirror(request))
      responder.send(Response(.internalServerError))
    })
    try withServer(talkative) { address, _ in
      let client = try Client(address)
      for _ in 0..<3 { #expect(try client.ask(get).status == 200) }
    }
  }

  @Test("tells its handler who asks")
  func peers() throws {
    let tell = handler(admit: { _, visitor in
      .refuse(Response(.ok, body: Array(visitor.peer.address.utf8)))
    })
    try withServer(tell) { address, _ in
      try #expect(Client(address).ask(get).body == "127.0.0.1")
    }
    try withServer(tell, on: .internet(host: "::", port: 0)) { address, _ in
      try #expect(Client(address).ask(get).body == "127.0.0.1")
    }
    try withServer(tell, on: .unix(path: temporaryPath())) { address, _ in
      try #expect(Client(address).ask(get).body == "unix")
    }
  }

  @Test("serves others while it is looked up who asks")
  func lookUps() throws {
    final class Finding: Sendable {}
    let found = Mutex<[@Sendable (Finding) -> Void]>([])
    let slow = handler(admit: { head, visitor in
      guard head.target.path == "/slow" else {
        return .accept(bodyLimit: 9) { $1.send(mirror($0)) }
      }
      guard visitor.attachment is Finding else {
        return .lookUp { tell in found.withLock { $0.append { tell($0) } } }
      }
      visitor.attachment = nil
      return .accept(bodyLimit: 9) { $1.send(mirror($0)) }
    })
    try withServer(slow) { address, server in
      let (waiting, other) = try (Client(address), Client(address))
      var gone: Client? = try Client(address)
      waiting.send(
        "POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
          + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
      gone?.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(eventually { found.withLock { $0.count } == 2 })
      gone = nil
      #expect(try other.ask("GET /other HTTP/1.1\r\nHost: a\r\n\r\n").body == "GET /other ")
      for tell in found.withLock({ $0 }) { tell(Finding()) }
      #expect(try waiting.answer().body == "POST /slow hi")
      #expect(try waiting.answer().body == "GET /next ")
      #expect(eventually { server.statistics.connectionsOpen == 2 })
    }
  }

  @Test("serves many clients from many threads")
  func manyClients() throws {
    let queue = DispatchQueue(label: "handler", attributes: .concurrent)
    let slow = handler(respond: { request, responder in
      queue.async { responder.send(mirror(request)) }
    })
    try withServer(slow) { address, server in
      let clients = try (0..<100).map { _ in try Client(address) }
      for round in 0..<5 {
        for (index, client) in clients.enumerated() {
          client.send("GET /\(round)/\(index) HTTP/1.1\r\nHost: a\r\n\r\n")
        }
        for (index, client) in clients.enumerated() {
          #expect(try client.answer().body == "GET /\(round)/\(index) ")
        }
      }
      #expect(eventually { server.statistics.requests == 500 })
      // A client that nobody holds hangs up.
      withExtendedLifetime(clients) { #expect(server.statistics.connectionsOpen == 100) }
    }
  }

  @Test("counts what it does")
  func statistics() throws {
    try withServer { address, server in
      var client: Client? = try Client(address)
      #expect(try client?.ask(get).status == 200)
      #expect(try client?.ask("GET\r\n").status == 400)
      client = nil
      #expect(eventually { server.statistics.connectionsOpen == 0 })
      let statistics = server.statistics
      #expect(statistics.connectionsAccepted == 1)
      #expect(statistics.requests == 1)
      #expect(statistics.refusals == 1)
      #expect(statistics.bytesReceived == get.utf8.count + 5)
    }
  }
}

extension String {
  /// How many times the other text is in it.
  func components(of other: String) -> Int {
    var count = 0
    var rest = self[...]
    while let found = rest.range(of: other) {
      count += 1
      rest = rest[found.upperBound...]
    }
    return count
  }
}

extension Substring {
  fileprivate func range(of other: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) {
        return start..<index(start, offsetBy: other.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
