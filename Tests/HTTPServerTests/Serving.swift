import Dispatch
import Foundation
import HTTP
import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPServer

/// Answers with the method, the path and the body.
func mirror(_ request: Request) -> Response {
  let text = "\(request.method.rawValue) \(request.head.target.path) "
  return Response(.ok, body: Array(text.utf8) + request.body)
}

/// A handler of which a test says only what it is about.
func handler(
  admit: (@Sendable (RequestHead, Visitor) -> Admission)? = nil,
  respond: @escaping Handler.Respond = { $1.send(mirror($0)) }
) -> Handler {
  Handler(
    admit: { head, visitor in
      admit?(head, visitor) ?? .accept(bodyLimit: 1_000_000, respond)
    },
    refusal: { refusal, head in
      let path = head.map { " \($0.target.path)" } ?? ""
      return Response(refusal.status, body: Array((refusal.code + path).utf8))
    })
}

/// Runs the test against a server on a port of its own, and drains it afterwards.
func withServer(
  limits: Limits = Limits(), _ handler: Handler = handler(), clock: Clock = .system,
  on address: ListenAddress = .internet(host: "127.0.0.1", port: 0),
  _ test: (ListenAddress, Server) throws -> Void
) throws {
  try serving(Server(limits: limits, handler: handler, clock: clock), on: address, test)
}

/// A clock that the test moves.
final class TestClock: Sendable {
  private let passed = Locked(Duration.seconds(1000))

  var clock: Clock {
    Clock(now: { [passed] in passed.value }, unixSeconds: { 0 })
  }

  func pass(_ count: Int) { passed.change { $0 += .seconds(count) } }
}

func serving(
  _ server: Server, on address: ListenAddress = .internet(host: "127.0.0.1", port: 0),
  _ test: (ListenAddress, Server) throws -> Void
) throws {
  let bound = try server.listen(on: address)
  server.start()
  defer {
    let done = Signal()
    server.drain(within: .zero) { done.raise() }
    #expect(done.wait())
  }
  try test(bound, server)
}

/// Begins to drain a server, with a minute for what has begun. Answers whether it is over by now.
func beginDraining(_ server: Server, at address: ListenAddress) -> Locked<Bool> {
  let isOver = Locked(false)
  server.drain(within: .seconds(60)) { isOver.change { $0 = true } }
  #expect(eventually { (try? Client(address)) == nil }, "it still lets clients in")
  return isOver
}

/// Something that will happen on another thread.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func raise() { semaphore.signal() }

  /// Whether it happened within two minutes.
  func wait() -> Bool { semaphore.wait(timeout: .now() + 120) == .success }
}

/// Whether the condition comes true within two minutes.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = DispatchTime.now() + 120
  while DispatchTime.now() < end {
    if try condition() { return true }
    // A pause between two looks at a condition that cannot be waited for.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(2))
  }
  return false
}

/// The same, where so many seconds of the server's clock pass before each look. A client's time
/// begins anew with every byte that the system moves on, which may be after the first look.
func eventually(
  after seconds: Int, by time: TestClock, _ condition: () throws -> Bool
) rethrows -> Bool {
  try eventually {
    time.pass(seconds)
    return try condition()
  }
}

/// The connections of somebody who was let in have one.
final class TestSeat: Seat {
  let holder: UInt64

  init(_ holder: UInt64 = 1) { self.holder = holder }
}

let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

/// A path in the folder for such things, which no other test uses.
func temporaryPath() -> String {
  FileManager.default.temporaryDirectory
    .appending(path: "http-\(UInt64.random(in: 0 ... .max))").path(percentEncoded: false)
}
