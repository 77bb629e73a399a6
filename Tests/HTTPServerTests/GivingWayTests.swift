import HTTP
import HTTPTestSupport
import TestSupport
import Testing

@testable import HTTPServer

private let put = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1"

@Suite("A connection that is to give way")
struct GivingWayTests {
  /// A connection that was sent this.
  private func begun(_ text: String) -> ConnectionState {
    var state = ConnectionState(limits: SharedLimits(Limits()))
    _ = state.opened(isTurnedAway: false, now: .zero)
    _ = state.received(Array(text.utf8)[...], now: .zero)
    return state
  }

  private func isRefused(_ action: ConnectionState.Action?) -> Bool {
    if case .refuse(.tooManyConnections, _)? = action { true } else { false }
  }

  @Test("is closed between two requests")
  func idle() {
    var state = begun("")
    #expect(state.dismissed(now: .zero) == .close)
  }

  @Test("waits for no more of a request", arguments: ["GET / HT", put])
  func waiting(_ text: String) {
    var state = begun(text)
    _ = state.admitted(bodyLimit: 9, now: .zero)
    #expect(isRefused(state.dismissed(now: .zero)))
    #expect(state.bodyBytes == 0)
  }

  @Test("waits for no body where the handler was deciding, or the client waits to be told to go on")
  func deciding() {
    for text in [put, put.replacing("\r\n\r\n1", with: "\r\nExpect: 100-continue\r\n\r\n")] {
      var state = begun(text)
      #expect(state.dismissed(now: .zero) == nil)
      var action = state.admitted(bodyLimit: 9, now: .zero)
      if case .send? = action { action = state.flushed(now: .zero) }
      #expect(isRefused(action))
    }
  }

  @Test("waits for no body of the next request either")
  func pipelined() {
    var state = begun(get + put)
    _ = state.admitted(bodyLimit: 9, now: .zero)
    _ = state.answered(Response(.ok), date: "now", now: .zero)
    #expect(state.flushed(now: .zero) == .yield)
    #expect(state.dismissed(now: .zero) == nil)
    _ = state.resumed(now: .zero)
    #expect(isRefused(state.admitted(bodyLimit: 9, now: .zero)))
  }

  @Test("is told so by the server, and is closed")
  func told() throws {
    let dismissals = Locked<[@Sendable () -> Void]>([])
    let admitting = handler(admit: { _, visitor in
      let dismissal = visitor.dismissal
      dismissals.change { $0.append(dismissal) }
      return .accept(bodyLimit: 9) { $1.send(mirror($0)) }
    })
    try withServer(admitting) { address, _ in
      let slow = try Client(address)
      slow.send(put)
      #expect(eventually { !dismissals.value.isEmpty })
      dismissals.value[0]()
      let refused = try slow.answer()
      #expect(refused.status == 503)
      #expect(refused.body == "too-many-connections /")
      #expect(refused.head.contains("\r\nConnection: close\r\n"))
      #expect(try slow.isClosed())
    }
  }
}
