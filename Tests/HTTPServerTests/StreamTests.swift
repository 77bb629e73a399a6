import HTTP
import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPServer

/// Keeps the streams that it opens, and how many are over.
final class Streams: Sendable {
  let opened = Locked<[ResponseStream]>([])
  let closed = Locked(0)

  var handler: Handler {
    HTTPServerTests.handler(respond: { [self] request, responder in
      guard request.segments == ["stream"] else { return responder.send(mirror(request)) }
      let stream = responder.stream(
        Response(.ok, fields: [.contentType: "text/event-stream"], body: Array("first".utf8)),
        onClose: { [self] in closed.change { $0 += 1 } })
      opened.change { $0.append(stream) }
    })
  }

  /// The first stream, once it is open.
  func first() -> ResponseStream? {
    _ = eventually { !opened.value.isEmpty }
    return opened.value.first
  }
}

private let ask = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n"

@Suite("A stream")
struct StreamTests {
  @Test("brings each piece when it is written, and leaves the connection open at its end")
  func pieces() throws {
    let streams = Streams()
    try withServer(streams.handler) { address, server in
      let client = try Client(address)
      client.send(ask + get)
      let head = try client.read(through: "\r\n\r\n")
      #expect(head.contains("\r\nTransfer-Encoding: chunked\r\n"))
      #expect(try client.read(through: "first\r\n") == "5\r\nfirst\r\n")
      let stream = streams.first()
      #expect(stream?.write(Array("second".utf8)) == true)
      #expect(try client.read(through: "second\r\n") == "6\r\nsecond\r\n")
      #expect(eventually { server.statistics.streamsOpen == 1 })
      stream?.end()
      #expect(try client.read(through: "0\r\n\r\n") == "0\r\n\r\n")
      #expect(try client.answer().body == "GET / ")
      #expect(streams.closed.value == 1)
      #expect(stream?.write([1]) == false)
      #expect(eventually { server.statistics.streamsOpen == 0 })
    }
  }

  @Test("keeps the order of what is written before it is open")
  func order() throws {
    let eager = handler(respond: { _, responder in
      let stream = responder.stream(Response(.ok))
      for number in 0..<100 { stream.write(Array("\(number) ".utf8)) }
      stream.end()
    })
    try withServer(eager) { address, _ in
      let client = try Client(address)
      client.send("GET / HTTP/1.0\r\n\r\n")
      let text = try client.rest()
      #expect(text.hasSuffix("\r\n\r\n" + (0..<100).map { "\($0) " }.joined()))
      #expect(!text.contains("chunked"))
    }
  }

  @Test("has no body for HEAD, and is over at once")
  func head() throws {
    let streams = Streams()
    try withServer(streams.handler) { address, _ in
      let client = try Client(address)
      client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n" + get)
      #expect(try client.answer(toHead: true).status == 200)
      #expect(try client.answer().body == "GET / ")
      #expect(streams.closed.value == 1)
    }
  }

  @Test("ends when its client goes")
  func gone() throws {
    let streams = Streams()
    try withServer(streams.handler) { address, server in
      var client: Client? = try Client(address)
      client?.send(ask)
      _ = try client?.read(through: "first\r\n")
      client = nil
      let stream = streams.first()
      #expect(
        eventually {
          stream?.write([0x0A])
          return streams.closed.value == 1
        })
      #expect(eventually { server.statistics.connectionsOpen == 0 })
      #expect(stream?.isOpen == false)
    }
  }

  @Test("is cut off when its client does not read, without harm to others")
  func cutOff() throws {
    var limits = Limits()
    limits.streamBuffer = 100_000
    let streams = Streams()
    try withServer(limits: limits, streams.handler) { address, server in
      let slow = try Client(address, receiveBuffer: 4096)
      slow.send(ask)
      let stream = streams.first()
      let piece = [UInt8](repeating: 0x61, count: 1000)
      var written = 0
      while stream?.write(piece) == true, written < 50_000_000 { written += piece.count }
      #expect(written < 50_000_000)
      #expect(eventually { streams.closed.value == 1 })
      #expect(eventually { server.statistics.connectionsOpen == 0 })
      try #expect(Client(address).ask(get).status == 200)
    }
  }

  @Test("waits for a slow client when its writer does")
  func paced() throws {
    var limits = Limits()
    limits.streamBuffer = 1000
    let pieces = Locked(0)
    @Sendable func next(_ stream: ResponseStream) {
      var number = 0
      pieces.change {
        number = $0
        $0 += 1
      }
      guard number < 50 else { return stream.end() }
      stream.write([UInt8](repeating: 0x61, count: 100_000)) { next(stream) }
    }
    let export = handler(respond: { _, responder in next(responder.stream(Response(.ok))) })
    try withServer(limits: limits, export) { address, _ in
      let client = try Client(address)
      client.send("GET / HTTP/1.0\r\n\r\n")
      _ = try client.read(through: "\r\n\r\n")
      let body = try client.rest()
      #expect(body == String(repeating: "a", count: 5_000_000))
    }
  }

  @Test("is closed by force when its server stops")
  func stopped() throws {
    let (streams, time) = (Streams(), TestClock())
    try withServer(streams.handler, clock: time.clock) { address, server in
      let client = try Client(address)
      client.send(ask)
      _ = try client.read(through: "first\r\n")
      let isOver = beginDraining(server, at: address)
      time.pass(59)
      #expect(streams.closed.value == 0)
      time.pass(1)
      #expect(eventually { isOver.value })
      #expect(streams.closed.value == 1)
    }
  }

  /// The limit of bytes that wait, without a socket.
  @Test("takes bytes up to its limit, and not one more")
  func limit() {
    for (last, isOpen) in [(1, true), (2, false)] {
      let messages = MessageQueue(wake: {})
      let stream = ResponseStream(limit: 10, messages: messages, token: 0, onClose: {})
      #expect(stream.write([UInt8](repeating: 0, count: 9)))
      #expect(stream.write([UInt8](repeating: 0, count: last)) == isOpen)
      #expect(stream.isOpen == isOpen)
    }
    let messages = MessageQueue(wake: {})
    let stream = ResponseStream(limit: 10, messages: messages, token: 0, onClose: {})
    #expect(stream.write([UInt8](repeating: 0, count: 10)))
    stream.sent(10)
    #expect(stream.write([UInt8](repeating: 0, count: 10)))
  }
}
