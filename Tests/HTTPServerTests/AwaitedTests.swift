import HTTP
import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPServer

@Suite("Whether an answer is awaited") struct AwaitedTests {
  /// How a client goes on after it has asked.
  enum Course: CaseIterable {
    case waits, asksMore, ends, endsItsSide, endsWithMore
  }

  @Test("is told of each client as the system sees it", arguments: Course.allCases)
  func awaited(_ course: Course) throws {
    let responders = Locked<Responder?>(nil)
    let server = handler(respond: { _, responder in responders.change { $0 = responder } })
    try withServer(server) { address, _ in
      var client: Client? = try Client(address)
      client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(eventually { responders.value != nil })
      let responder = try #require(responders.value)
      #expect(Self.isAwaited(responder) == true)
      switch course {
      case .waits: break
      case .asksMore: client?.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
      case .ends: client = nil
      case .endsItsSide: client?.finish()
      case .endsWithMore:
        client?.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n")
        client?.finish()
      }
      switch course {
      case .waits, .asksMore: #expect(Self.isAwaited(responder) == true)
      case .ends, .endsItsSide, .endsWithMore:
        #expect(eventually { Self.isAwaited(responder) == false })
      }
      responder.send(Response(.ok))
      withExtendedLifetime(client) {}
    }
  }

  @Test("is told once the server has stopped: it is not")
  func stopped() throws {
    let responders = Locked<Responder?>(nil)
    let server = handler(respond: { _, responder in responders.change { $0 = responder } })
    try withServer(server) { address, _ in
      let client = try Client(address)
      client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(eventually { responders.value != nil })
    }
    #expect(Self.isAwaited(try #require(responders.value)) == false)
  }

  private static func isAwaited(_ responder: Responder) -> Bool? {
    let answer = Locked<Bool?>(nil)
    let signal = Signal()
    responder.askIfAwaited { isAwaited in
      answer.change { $0 = isAwaited }
      signal.raise()
    }
    return signal.wait() ? answer.value : nil
  }
}
