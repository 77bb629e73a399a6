import HTTP
import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPServer

@Suite("A refused client")
struct RefusedClientTests {
  /// RFC 9112 §9.6.
  @Test("gets its answer even when it sends all of a large body before it reads")
  func sendingOn() throws {
    try withServer { address, _ in
      let client = try Client(address)
      client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n")
      #expect(client.send([UInt8](repeating: 0x61, count: 30_000_000)))
      #expect(try client.answer().status == 413)
      #expect(try client.isClosed())
    }
  }

  /// RFC 9110 §9.3.2: "the server MUST NOT send content in the response" to HEAD, also where the
  /// request line is refused: its method was read by then.
  @Test(
    "gets its answer without a body to HEAD",
    arguments: [
      ("HEAD / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
      ("HEAD / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417),
      ("HEAD / HTTP/3.0\r\n\r\n", 505), ("HEAD /a b HTTP/1.1\r\n\r\n", 400),
      ("HEAD /%zz HTTP/1.1\r\n\r\n", 400), ("HEAD /\n", 400), ("\r\nHEAD /\0", 400),
      ("HEAD  / HTTP/1.1\r\n\r\n", 400), ("HEAD / \r\n\r\n", 400),
      ("HEAD /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\n\r\n", 414),
    ])
  func head(text: String, status: Int) throws {
    for pieces in [[text], text.map(String.init)] {
      try withServer { address, _ in
        let client = try Client(address)
        Socket.sendAtOnce(client.descriptor)
        for piece in pieces { client.send(piece) }
        let rest = try client.rest()
        #expect(rest.hasPrefix("HTTP/1.1 \(status) "))
        #expect(rest.hasSuffix("\r\n\r\n"))
        // As long as the answer to GET would be.
        #expect(!rest.contains("Content-Length: 0\r\n"))
      }
    }
  }

  @Test(
    "whose method is not HEAD gets its answer with a body",
    arguments: ["HEADER /", "HEAD\t/", "head /"])
  func notHead(start: String) throws {
    try withServer { address, _ in
      let client = try Client(address)
      client.send(start + "\n")
      #expect(try client.answer().body == "malformed-request")
    }
  }

  @Test("gets no body to HEAD that does not arrive in time")
  func lateHead() throws {
    let time = TestClock()
    try withServer(clock: time.clock) { address, server in
      let client = try Client(address)
      client.send("HEAD /a")
      #expect(eventually { server.statistics.bytesReceived == 7 })
      time.pass(10)
      let rest = try client.rest()
      #expect(rest.hasPrefix("HTTP/1.1 408 "))
      #expect(rest.hasSuffix("\r\n\r\n"))
    }
  }

  @Test(
    "is one that drips, however steadily",
    arguments: [
      ("GET / HTTP/1.1\r\nX: ", 10, "request-timeout"),
      ("PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\n", 30, "request-timeout /a"),
    ])
  func dripping(start: String, allowed: Int, body: String) throws {
    let time = TestClock()
    try withServer(clock: time.clock) { address, server in
      let client = try Client(address)
      client.send(start)
      #expect(eventually { server.statistics.bytesReceived == start.utf8.count })
      // A byte a second, by the server's clock. How many there are until it looks at that again
      // depends on the machine, so it may take a few more than the 10 or 30 that it allows.
      var seconds = 0
      while !client.isReadable(milliseconds: 10), seconds < 5000 {
        client.send("a")
        time.pass(1)
        seconds += 1
      }
      #expect(seconds >= allowed)
      let answer = try client.answer()
      #expect(answer.status == 408)
      #expect(answer.body == body)
      #expect(try client.isClosed())
    }
  }

  @Test("is not one that says nothing: it is closed without a word")
  func idle() throws {
    let time = TestClock()
    try withServer(clock: time.clock) { address, server in
      let fresh = try Client(address)
      let used = try Client(address)
      #expect(try used.ask(get).status == 200)
      #expect(eventually { server.statistics.connectionsOpen == 2 })
      time.pass(75)
      #expect(try fresh.isClosed())
      #expect(try used.isClosed())
    }
  }

  @Test("is cut off when it does not read its answer")
  func slowReader() throws {
    let time = TestClock()
    let large = handler(respond: { _, responder in
      responder.send(Response(.ok, body: [UInt8](repeating: 0x61, count: 20_000_000)))
    })
    try withServer(large, clock: time.clock) { address, server in
      let client = try Client(address, receiveBuffer: 4096)
      client.send(get)
      #expect(eventually { server.statistics.bytesSent > 0 })
      #expect(eventually(after: 30, by: time) { server.statistics.connectionsOpen == 0 })
      #expect(server.statistics.connectionsCut == 1)
    }
  }
}

@Suite("A client that has ended its side")
struct HalfClosedTests {
  @Test("still gets an answer that takes its time")
  func late() throws {
    let held = Locked<Responder?>(nil)
    try withServer(handler(respond: { _, responder in held.change { $0 = responder } })) {
      address, _ in
      let client = try Client(address)
      client.send(get)
      client.finish()
      #expect(eventually { held.value != nil })
      held.value?.send(Response(.ok, body: Array("late".utf8)))
      #expect(try client.rest().hasSuffix("late"))
    }
  }
}
