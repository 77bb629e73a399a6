import Dispatch
import HTTPTestSupport
import HTTP
import Testing

@testable import HTTPServer

@Suite("A piece for many streams")
struct AnnouncementTests {
  /// A client whose stream is open, as the last one.
  private func follower(
    _ address: ListenAddress, receiveBuffer: Int32? = nil
  ) throws -> Client {
    let client = try Client(address, receiveBuffer: receiveBuffer)
    client.send("GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    _ = try client.read(through: "first\r\n")
    return client
  }

  @Test("comes to each of them once, between what is written to that one alone")
  func order() throws {
    let streams = Streams()
    try withServer(streams.handler) { address, server in
      let clients = try (0..<300).map { _ in try follower(address) }
      let all = streams.opened.value
      for stream in all { stream.write(Array("one".utf8)) }
      ResponseStream.write(Array("two".utf8), to: all)
      for stream in all {
        stream.write(Array("three".utf8))
        stream.end()
      }
      for client in clients {
        #expect(
          try client.read(through: "0\r\n\r\n")
            == "3\r\none\r\n3\r\ntwo\r\n5\r\nthree\r\n0\r\n\r\n")
      }
      let head = "HTTP/1.1 200 OK\r\n".utf8.count
      #expect(server.statistics.bytesSent > clients.count * (head + "3\r\ntwo\r\n".utf8.count))
    }
  }

  @Test("is no chunk for a client of HTTP/1.0")
  func oldClient() throws {
    let streams = Streams()
    try withServer(streams.handler) { address, _ in
      let client = try Client(address)
      client.send("GET /stream HTTP/1.0\r\n\r\n")
      _ = try client.read(through: "first")
      let all = streams.opened.value
      ResponseStream.write(Array("second".utf8), to: all)
      for stream in all { stream.end() }
      #expect(try client.rest() == "second")
    }
  }

  @Test("comes whole and in its place to clients that are slow to take it")
  func slowClients() throws {
    // Together more than the system holds for a socket, so that it takes some in parts.
    let pieces = (0..<26).map { [UInt8](repeating: 0x61 + $0, count: 450_000) }
    var limits = Limits()
    limits.streamBuffer = 100_000_000
    let streams = Streams()
    try withServer(limits: limits, streams.handler) { address, _ in
      // One reads while they are written, and one afterwards.
      let clients = try (0..<2).map { _ in try follower(address, receiveBuffer: 65536) }
      let all = streams.opened.value
      DispatchQueue.global().async {
        for piece in pieces { ResponseStream.write(piece, to: all) }
        for stream in all { stream.end() }
      }
      let chunks = pieces.map(ResponseEncoder.chunk) + [ResponseEncoder.lastChunk]
      let expected = String(decoding: chunks.reduce(into: []) { $0 += $1 }, as: UTF8.self)
      for client in clients {
        let isWhole = try client.rest() == expected
        #expect(isWhole)
      }
      #expect(eventually { streams.closed.value == 2 })
    }
  }

  @Test("cuts off who does not take it, and nobody else")
  func cutOff() throws {
    var limits = Limits()
    limits.streamBuffer = 100_000
    let streams = Streams()
    try withServer(limits: limits, streams.handler) { address, _ in
      let slow = try follower(address, receiveBuffer: 4096)
      let quick = try follower(address)
      let all = streams.opened.value
      let piece = [UInt8](repeating: 0x61, count: 10_000) + [0x21]
      var written = 0
      while all[0].isOpen, written < 50_000_000 {
        ResponseStream.write(piece, to: all)
        _ = try quick.read(through: "!\r\n")
        written += piece.count
      }
      #expect(written > limits.streamBuffer)
      #expect(written < 50_000_000)
      #expect(eventually { streams.closed.value == 1 })
      #expect(all[1].isOpen)
      withExtendedLifetime(slow) {}
    }
  }

  @Test("ends the stream of a client that is gone")
  func gone() throws {
    let streams = Streams()
    try withServer(streams.handler) { address, _ in
      var first: Client? = try follower(address)
      let second = try follower(address)
      let all = streams.opened.value
      withExtendedLifetime(first) {}
      first = nil
      for _ in 0..<3 {
        ResponseStream.write(Array("!".utf8), to: all)
        #expect(try second.read(through: "!\r\n") == "1\r\n!\r\n")
      }
      #expect(eventually { streams.closed.value == 1 })
    }
  }
}

/// Without a socket: what the loop is told.
@Suite("The streams of a server")
struct AnnouncedStreamTests {
  private func stream(_ messages: MessageQueue, _ token: UInt64) -> ResponseStream {
    ResponseStream(limit: 10, messages: messages, token: token, onClose: {})
  }

  private func text(_ message: Loop.Message) -> String {
    switch message {
    case .announcement(let bytes, let tokens): "\(bytes) to \(tokens)"
    case .command(let token, .write(let bytes, _)): "write \(bytes) to \(token)"
    case .command(let token, .cutOff): "cut off \(token)"
    case .command(let token, .end): "end \(token)"
    case .adopt, .answer, .resume, .dismiss, .found, .work, .inquiry, .drain: "something else"
    }
  }

  @Test("are told of together, but for one that holds too much or is over")
  func together() {
    let messages = MessageQueue(wake: {})
    let streams = (0..<5).map { stream(messages, $0) }
    streams[1].write([UInt8](repeating: 0, count: 9))
    streams[2].end()
    _ = messages.take()
    ResponseStream.write([7, 7], to: streams)
    #expect(messages.take().map(text) == ["cut off 1", "[7, 7] to [0, 3, 4]"])
    #expect(streams.map(\.isOpen) == [true, false, false, true, true])
    // It counted among what waits.
    #expect(streams[0].write([UInt8](repeating: 0, count: 8)))
    #expect(!streams[0].write([0]))
    ResponseStream.write([], to: streams)
    #expect(messages.take().map(text).last == "cut off 0")
  }

  @Test("are each told by their own server")
  func severalServers() {
    let queues = (0..<2).map { _ in MessageQueue(wake: {}) }
    let streams = [stream(queues[0], 1), stream(queues[1], 2), stream(queues[1], 3)]
    ResponseStream.write([7], to: streams)
    #expect(queues[0].take().map(text) == ["[7] to [1]"])
    #expect(queues[1].take().map(text) == ["[7] to [2, 3]"])
  }

  @Test("are told of in parts where they are very many")
  func parts() {
    let messages = MessageQueue(wake: {})
    ResponseStream.write([7], to: (0..<2500).map { stream(messages, $0) })
    let parts = messages.take().map {
      if case .announcement(_, let tokens) = $0 { tokens } else { [] as [UInt64] }
    }
    #expect(Array(parts.joined()) == Array(0..<2500))
    #expect(parts.allSatisfy { $0.count <= 1024 })
  }
}
