import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GoalsClient

@Suite("A link", .timeLimit(.minutes(5))) struct LinkTests {
  private static let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  @Test("hears a stream in whatever pieces it comes, and where it ends")
  func pieces() async throws {
    let server = try RawServer { connection, _ in
      _ = connection.request()
      for byte in (Self.stream + "data: 1\n\n:\n\nid: a\ndata: 2\n\ndata: cut").utf8 {
        _ = Socket.send([byte], on: connection.number)
      }
    }
    let link = ServerLink(to: server.url, patience: patience)
    let ear = StreamEar()
    ear.follow(link)
    await ear.hears(3)
    #expect(ear.all == ["1", "2", "ended, began: true"])
    link.close()
  }

  @Test(
    "hears no stream in another answer",
    arguments: [
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-streams\r\n\r\ndata: 1\n\n",
      "HTTP/1.1 404 Not Found\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n",
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n",
    ])
  func noStream(_ answer: String) async throws {
    let server = try RawServer(saying: answer)
    let link = ServerLink(to: server.url, patience: patience)
    let ear = StreamEar()
    ear.follow(link)
    await ear.hears(1)
    #expect(ear.all == ["ended, began: false"])
    link.close()
  }

  @Test("waits for no end of an answer that is no stream")
  func endlessAnswer() async throws {
    let server = try RawServer { connection, _ in
      _ = connection.request()
      connection.say("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
      // Until the other has gone.
      while connection.request() != nil {}
    }
    let link = ServerLink(to: server.url, patience: .seconds(1000))
    let ear = StreamEar()
    ear.follow(link)
    await ear.hears(1)
    #expect(ear.all == ["ended, began: false"])
    link.close()
  }

  @Test("sends no token that would be more than one field", arguments: ["a\r\nX: y", "a\0b"])
  func token(_ text: String) async throws {
    let requests = Mutex(0)
    let server = try RawServer { connection, _ in
      if connection.request() != nil { requests.withLock { $0 += 1 } }
      connection.say("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let link = ServerLink(to: server.url, patience: patience)
    link.use(text)
    #expect(await link.answer() == nil)
    link.use("a")
    #expect(await link.answer()?.status == 204)
    #expect(requests.withLock(\.self) == 1)
    link.close()
  }

  @Test("says nothing more of a stream once it is not followed", arguments: [false, true])
  func unfollowed(byClosing: Bool) async throws {
    let ended = Mutex(false)
    let server = try RawServer { connection, _ in
      _ = connection.request()
      connection.say(Self.stream + "data: 1\n\ndata: 2\n\n")
      // Until the other has gone.
      while connection.request() != nil {}
      ended.withLock { $0 = true }
    }
    let link = ServerLink(to: server.url, patience: patience)
    let ear = StreamEar()
    ear.follow(link) { [weak link] in byClosing ? link?.close() : link?.unfollow() }
    await until { ended.withLock(\.self) }
    #expect(ear.all == ["1"])
    link.close()
  }

  @Test("sends on while a stream is followed, and after it was")
  func beside() async throws {
    let server = try RawServer { connection, _ in
      while let request = connection.request() {
        if request.contains("GET /v1/changes") {
          connection.say(Self.stream + "data: 1\n\n")
        } else {
          connection.say("HTTP/1.1 204 No Content\r\n\r\n")
        }
      }
    }
    let link = ServerLink(to: server.url, patience: patience)
    let ear = StreamEar()
    ear.follow(link)
    await ear.hears(1)
    #expect(await link.answer()?.status == 204)
    link.unfollow()
    #expect(await link.answer()?.status == 204)
    #expect(server.connections == 2)
    link.close()
  }

  @Test("keeps a connection for the next request, and tells each what it is to have")
  func reuse() async throws {
    let server = try RawServer { connection, _ in
      for end in ["\r\n\r\n{}", "\r\n\r\n"] {
        let request = connection.request(to: end) ?? ""
        connection.say(
          "HTTP/1.1 200 OK\r\nContent-Length: \(request.utf8.count)\r\n\r\n\(request)")
      }
    }
    let link = ServerLink(to: server.url, patience: patience)
    let first = try #require(await link.answer(to: "POST", "/v1/sync?a=%20b", Array("{}".utf8)))
    link.use("goals_secret")
    let second = try #require(await link.answer())
    #expect(server.connections == 1)
    let host = server.url.absoluteString.dropFirst("http://".count)
    let codings = "Accept-Encoding: "
    for (answer, expected) in [
      (
        first,
        ["POST /v1/sync?a=%20b HTTP/1.1", "Host: \(host)", "Accept: */*"]
          + ["Content-Type: application/json", "Content-Length: 2", "", "{}"]
      ),
      (
        second,
        ["GET /v1/token HTTP/1.1", "Host: \(host)", "Accept: */*"]
          + ["Authorization: Bearer goals_secret", "", ""]
      ),
    ] {
      let lines = String(decoding: answer.body, as: UTF8.self).components(separatedBy: "\r\n")
      #expect(lines.contains { $0.hasPrefix(codings) && $0.contains("gzip") })
      #expect(lines.filter { !$0.hasPrefix(codings) } == expected)
    }
    link.close()
  }

  @Test("sends again where the server has closed the connection that was kept")
  func stale() async throws {
    let server = try RawServer(saying: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    let link = ServerLink(to: server.url, patience: patience)
    for _ in 0..<10 { #expect(await link.answer()?.status == 200) }
    link.close()
  }

  @Test("has no answer of who takes a connection and says nothing, or stops", arguments: Pause.all)
  func silence(_ pause: Pause) async throws {
    let asked = Mutex(false)
    let server = try RawServer { connection, _ in
      asked.withLock { $0 = connection.request() != nil }
      connection.say(pause.said)
      while connection.request() != nil {}
    }
    let link = ServerLink(to: server.url, patience: .seconds(1))
    #expect(await link.answer() == nil)
    #expect(asked.withLock { $0 })
    link.close()
  }

  struct Pause: CustomTestStringConvertible, Sendable {
    let said: String
    var testDescription: String { said }

    static let all = [
      "", "HTTP", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{",
    ].map(Pause.init)
  }

  @Test(
    "has no answer where there is no server",
    arguments: [
      "http://127.0.0.1:1", "http://goals.invalid", "file:///etc", "ftp://127.0.0.1", "http://[::",
      "goals",
    ])
  func nobody(address: String) async throws {
    guard let url = URL(string: address) else { return }
    let link = ServerLink(to: url, patience: patience)
    #expect(await link.answer(to: "GET", "/passwd") == nil)
    link.close()
  }

  #if !canImport(Darwin)
  @Test("keeps no thread once it is closed or gone", arguments: [false, true])
  func thread(isClosed: Bool) async throws {
    let server = try RawServer { connection, _ in
      connection.say(Self.stream + "data: 1\n\n")
      while connection.request() != nil {}
    }
    weak var transport: CurlTransport?
    do {
      let link = ServerLink(to: server.url, patience: patience)
      transport = link.transport
      let ear = StreamEar()
      ear.follow(link)
      await ear.hears(1)
      if isClosed { link.close() }
    }
    await until { transport == nil }
  }
  #endif
}
