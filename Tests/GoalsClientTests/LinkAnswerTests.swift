import Foundation
import Gzip
import Synchronization
import Testing

@testable import GoalsClient

@Suite("An answer that a link hears", .timeLimit(.minutes(5))) struct LinkAnswerTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nDate: Wed, 02 Jan 2030 10:00:00 GMT\r\nRetry-After: 7\r\n"
    + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n"

  @Test("is none where the connection ends anywhere before its last byte")
  func cutOff() async throws {
    let answer = Array((Self.head + "{}").utf8)
    let server = try RawServer { connection, _ in
      guard let length = connection.requestedNumber() else { return }
      connection.say(String(decoding: answer.prefix(length), as: UTF8.self))
    }
    let link = ServerLink(to: server.url, patience: patience)
    let answers = await link.answers(answer.count + 1)
    for length in answer.indices {
      #expect(answers[length] == nil, "cut after \(length) bytes")
    }
    let whole = try #require(answers[answer.count])
    #expect(whole.status == 200)
    #expect(whole.body == Array("{}".utf8))
    #expect(whole.fields.date == "Wed, 02 Jan 2030 10:00:00 GMT")
    #expect(whole.fields.retryAfter == "7")
    link.close()
  }

  @Test("is none where its chunks are cut off")
  func cutChunks() async throws {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    // The line after the last chunk is empty. What it is made of says nothing more.
    let chunks = Array("1\r\n{\r\n1\r\n}\r\n0\r\n".utf8)
    let server = try RawServer { connection, _ in
      guard let length = connection.requestedNumber() else { return }
      let end = length < chunks.count ? "" : "\r\n"
      connection.say(head + String(decoding: chunks.prefix(length), as: UTF8.self) + end)
    }
    let link = ServerLink(to: server.url, patience: patience)
    let answers = await link.answers(chunks.count + 1)
    for length in chunks.indices {
      #expect(answers[length] == nil, "cut after \(length) bytes")
    }
    #expect(answers[chunks.count]?.body == Array("{}".utf8))
    link.close()
  }

  @Test(
    "is none where it is no answer of HTTP",
    arguments: [
      "SSH-2.0-OpenSSH_9.2\r\n", "\r\n\r\n", "\0\0\0\0", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
      "{}", "<h1>Welcome</h1>\r\n\r\n{}", "HTTP/1.1 101 Switching Protocols\r\n\r\n{}",
      "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    ])
  func garbage(_ bytes: String) async throws {
    let server = try RawServer(saying: bytes)
    let link = ServerLink(to: server.url, patience: patience)
    #expect(await link.answer() == nil)
    link.close()
  }

  @Test("is the last one, behind those that only say that it comes")
  func interim() async throws {
    let server = try RawServer(
      saying: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\n"
        + "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}")
    let link = ServerLink(to: server.url, patience: patience)
    let answer = try #require(await link.answer())
    #expect(answer.status == 404)
    #expect(answer.fields.retryAfter == nil)
    link.close()
  }

  @Test("is none where its head does not end", arguments: ["X: 1\r\n", "x"])
  func endlessHead(piece: String) async throws {
    let sent = Mutex(0)
    let server = try RawServer { connection, _ in
      _ = connection.request()
      connection.say("HTTP/1.1 200 OK\r\n")
      let pieces = String(repeating: piece, count: 1000)
      while connection.say(pieces) { sent.withLock { $0 += pieces.utf8.count } }
    }
    let link = ServerLink(to: server.url, patience: patience)
    #expect(await link.answer() == nil)
    // Some of it is on its way in the system.
    #expect(sent.withLock(\.self) < 30 << 20)
    link.close()
  }

  @Test("is not what another address has, to which the token does not go")
  func redirection() async throws {
    let other = try RawServer(saying: Self.head + "{}")
    let server = try RawServer(
      saying: "HTTP/1.1 302 Found\r\nLocation: \(other.url)/v1/token\r\nContent-Length: 0\r\n\r\n")
    let link = ServerLink(to: server.url, patience: patience)
    link.use("goals_secret")
    #expect(await link.answer()?.status == 302)
    #expect(other.connections == 0)
    link.close()
  }

  @Test("may ask for a password, which nobody is asked for")
  func password() async throws {
    let server = try RawServer(
      saying: "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"hotel\"\r\n"
        + "Content-Length: 2\r\n\r\n{}")
    let link = ServerLink(to: server.url, patience: patience)
    let answer = try #require(await link.answer())
    #expect(answer.status == 401)
    #expect(answer.body == Array("{}".utf8))
    link.close()
  }

  @Test("may come while the request is still being sent", arguments: [401, 413])
  func early(status: Int) async throws {
    let server = try RawServer { connection, _ in
      _ = connection.request()
      connection.say(
        "HTTP/1.1 \(status) No\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
      connection.end()
    }
    let link = ServerLink(to: server.url, patience: patience)
    let body = [UInt8](repeating: 0x20, count: 16 << 20)
    #expect(await link.answer(to: "POST", "/v1/sync", body)?.status == status)
    link.close()
  }

  @Test("may be compressed, and is measured as it was before")
  func compressed() async throws {
    let bodies = try [2, ServerLink.maximum, ServerLink.maximum + 1].map { count in
      try #require(GzipEncoder.compress([UInt8](repeating: 0x20, count: count), .usual))
    }
    let server = try RawServer { connection, index in
      _ = connection.request()
      let body = bodies[index]
      connection.say(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
      _ = Socket.send(body, on: connection.number)
    }
    let link = ServerLink(to: server.url, patience: patience)
    #expect(await link.answer()?.body == [0x20, 0x20])
    #expect(await link.answer()?.body.count == ServerLink.maximum)
    #expect(await link.answer() == nil)
    link.close()
  }
}
