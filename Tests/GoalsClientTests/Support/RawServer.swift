import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GoalsClient

/// A server of raw bytes: what it does on a connection is the test's.
final class RawServer: Sendable {
  let url: URL
  private let listener: Int32
  private let taken = Mutex(0)

  /// - Parameter serve: serves one connection, which ends when it returns. It is given the number
  ///   of the connection, from 0.
  init(_ serve: @escaping @Sendable (RawConnection, Int) -> Void) throws {
    let (listener, port) = try Socket.listening()
    self.listener = listener
    url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    Thread.detachNewThread { [weak self] in
      while true {
        let number = accept(listener, nil, nil)
        guard number >= 0, let self else { return }
        let index = taken.withLock { taken in
          defer { taken += 1 }
          return taken
        }
        Thread.detachNewThread {
          serve(RawConnection(number: number), index)
          close(number)
        }
      }
    }
  }

  deinit {
    shutdown(listener, Socket.both)
    close(listener)
  }

  /// A server that answers the first request on each connection with these bytes, and closes it.
  convenience init(saying answer: String) throws {
    try self.init { connection, _ in
      _ = connection.request()
      connection.say(answer)
    }
  }

  var connections: Int { taken.withLock(\.self) }
}

/// A connection to a server of raw bytes.
struct RawConnection: Sendable {
  let number: Int32

  /// The next request, up to the end of its head or further; nil where the connection has ended.
  func request(to end: String = "\r\n\r\n") -> String? {
    var seen: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(number, &bytes, bytes.count)
      guard count > 0 else { return nil }
      seen += bytes[..<count]
      let text = String(decoding: seen, as: UTF8.self)
      if text.contains(end) { return text }
    }
  }

  /// The number that the next request asks for: 12 of `GET /12`.
  func requestedNumber() -> Int? {
    request()?.split(separator: " ").dropFirst().first.flatMap { Int($0.dropFirst()) }
  }

  @discardableResult func say(_ text: String) -> Bool { Socket.send(text.utf8, on: number) }

  /// Says no more, and hears the other to its end.
  func end() {
    shutdown(number, Int32(SHUT_WR))
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while read(number, &bytes, bytes.count) > 0 {}
  }
}

extension ServerLink {
  /// What is answered to one request.
  func answer(
    to method: String = "GET", _ target: String = "/v1/token", _ body: [UInt8]? = nil
  ) async -> Answer? {
    await withCheckedContinuation { continuation in
      send(method, target, body) { continuation.resume(returning: $0) }
    }
  }

  /// What is answered at `/0`, `/1` and so on. It asks for 32 of them at a time, because each wait
  /// is a turn of threads that all tests share.
  func answers(_ count: Int) async -> [Answer?] {
    var answers = [Answer?](repeating: nil, count: count)
    for start in stride(from: 0, to: count, by: 32) {
      await withTaskGroup { group in
        for index in start..<min(start + 32, count) {
          group.addTask { (index, await self.answer(to: "GET", "/\(index)")) }
        }
        for await (index, answer) in group { answers[index] = answer }
      }
    }
    return answers
  }
}

/// Keeps what a link says of a stream.
final class StreamEar: Sendable {
  private let heard = Mutex<[String]>([])

  /// - Parameter event: is called for each event.
  func follow(_ link: ServerLink, _ event: @escaping @Sendable () -> Void = {}) {
    link.follow("/v1/changes") { [self] said in
      switch said {
      case .event(let it):
        heard.withLock { $0.append(String(decoding: it.data, as: UTF8.self)) }
        event()
      case .ended(let began): heard.withLock { $0.append("ended, began: \(began)") }
      }
    }
  }

  var all: [String] { heard.withLock(\.self) }

  /// Waits until so much was heard.
  func hears(_ count: Int) async { await until { all.count >= count } }
}
