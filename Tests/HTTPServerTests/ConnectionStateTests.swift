import HTTP
import Testing

@testable import HTTPServer

/// A connection and the clock that it is told.
private final class Trial {
  var state: ConnectionState
  var now = Duration.zero

  init(_ limits: Limits = Limits(), isTurnedAway: Bool = false) {
    state = ConnectionState(limits: SharedLimits(limits))
    _ = state.opened(isTurnedAway: isTurnedAway, now: now)
  }

  func receive(_ text: String) -> ConnectionState.Action? {
    state.received(Array(text.utf8)[...], now: now)
  }

  func admit(_ limit: Int = 100) -> ConnectionState.Action? {
    state.admitted(bodyLimit: limit, now: now)
  }

  func answer(_ response: Response = Response(.ok)) -> ConnectionState.Action? {
    state.answered(response, date: "now", now: now)
  }

  func stream(_ response: Response = Response(.ok)) -> ConnectionState.Action? {
    state.streamed(response, date: "now", now: now)
  }

  func flush() -> ConnectionState.Action? { state.flushed(now: now) }

  func pass(_ duration: Duration) -> ConnectionState.Action? {
    now = now + duration
    return state.watch.deadline <= now ? state.expired(now: now) : nil
  }
}

extension ConnectionState.Action? {
  fileprivate var isAdmission: Bool { if case .admit? = self { true } else { false } }

  fileprivate var isResponse: Bool { if case .respond? = self { true } else { false } }

  fileprivate var refusal: Refusal? {
    if case .refuse(let refusal, _)? = self { refusal } else { nil }
  }

  fileprivate var sent: String? {
    switch self {
    case .send(let first, let rest)?: String(decoding: first + rest, as: UTF8.self)
    case .stream(let bytes)?: String(decoding: bytes, as: UTF8.self)
    case .admit, .respond, .refuse, .yield, .shutDown, .close, nil: nil
    }
  }
}

@Suite("A connection")
struct ConnectionStateTests {
  @Test("asks for admission, hands on the request, sends the answer, and reads the next one")
  func exchange() {
    let trial = Trial()
    for _ in 0..<2 {
      #expect(trial.receive(get).isAdmission)
      #expect(trial.admit().isResponse)
      #expect(!trial.state.wantsInput)
      #expect(
        trial.answer().sent == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\n\r\n")
      #expect(trial.flush() == nil)
      #expect(trial.state.wantsInput)
    }
  }

  @Test("looks at a pipelined request only when the answer before it has been taken")
  func pipelining() {
    let trial = Trial()
    #expect(trial.receive(get + get).isAdmission)
    #expect(trial.admit().isResponse)
    #expect(trial.answer() != nil)
    #expect(trial.flush() == .yield)
    #expect(trial.state.resumed(now: trial.now).isAdmission)
  }

  @Test("asks the client to continue once the request is admitted, and only then")
  func continuation() {
    let head =
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
    var trial = Trial()
    #expect(trial.receive(head).isAdmission)
    #expect(trial.admit().sent == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(trial.receive("hello").isResponse)

    // A client that sends its body at once is not told to.
    trial = Trial()
    #expect(trial.receive(head + "hello").isAdmission)
    #expect(trial.admit().isResponse)

    // Nor who announces too much.
    trial = Trial()
    #expect(trial.receive(head).isAdmission)
    #expect(trial.admit(4).refusal == .bodyTooLarge(limit: 4))

    // Nor who is not let in.
    trial = Trial()
    #expect(trial.receive(head).isAdmission)
    #expect(trial.answer(Response(.unauthorized)).sent?.contains("Connection: close") == true)
  }

  @Test("beyond the limit is turned away at its first request, or when none comes in time")
  func turnedAway() {
    let head = get.replacing("GET", with: "HEAD")
    for request in [get, head] {
      let trial = Trial(isTurnedAway: true)
      #expect(trial.receive(request).refusal == .tooManyConnections)
      let answer = trial.answer(Response(.serviceUnavailable, body: [0x61])).sent
      #expect(answer?.hasSuffix("\r\n\r\n") == (request == head))
    }
    let limits = Limits()
    for begun in ["", "GET /"] {
      let trial = Trial(limits, isTurnedAway: true)
      #expect(trial.receive(begun) == nil)
      #expect(trial.pass(limits.headerTimeout).refusal == .tooManyConnections)
    }
  }

  @Test("stays open after a refused admission only where no body was announced")
  func refusedAdmission() {
    var trial = Trial()
    #expect(trial.receive(get + get).isAdmission)
    #expect(trial.answer(Response(.unauthorized)).sent?.contains("Connection") == false)
    #expect(trial.flush() == .yield)
    #expect(trial.state.resumed(now: trial.now).isAdmission)

    trial = Trial()
    #expect(trial.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n").isAdmission)
    #expect(trial.answer(Response(.unauthorized)).sent?.contains("Connection: close") == true)
    #expect(trial.flush() == .shutDown)
  }

  @Test("sends one answer to a refused request, then drops what comes until the client ends")
  func lingering() {
    let trial = Trial()
    #expect(trial.receive("GET /\n").refusal != nil)
    #expect(trial.answer(Response(.badRequest)).sent?.contains("Connection: close") == true)
    #expect(trial.flush() == .shutDown)
    #expect(trial.state.wantsInput)
    #expect(trial.receive(get) == nil)
    #expect(trial.state.ended(now: trial.now) == .close)
  }

  @Test("lingers for a bounded time and number of bytes")
  func boundedLingering() {
    var limits = Limits()
    limits.lingerBytes = 10
    limits.lingerTimeout = .seconds(5)
    func lingering() -> Trial {
      let trial = Trial(limits)
      _ = trial.receive("\n")
      _ = trial.answer()
      _ = trial.flush()
      return trial
    }
    let chatty = lingering()
    #expect(chatty.receive("0123456789") == nil)
    #expect(chatty.receive("0") == .close)
    let silent = lingering()
    #expect(silent.pass(.milliseconds(4999)) == nil)
    #expect(silent.receive("a") == nil)
    #expect(silent.pass(.milliseconds(1)) == .close)
  }

  @Test("has one limit for all of a head, however it drips in")
  func slowHead() {
    let trial = Trial()
    _ = trial.pass(.seconds(70))
    #expect(trial.receive("G") == nil)
    for _ in 0..<9 {
      #expect(trial.pass(.seconds(1)) == nil)
      #expect(trial.receive("E") == nil)
    }
    #expect(trial.pass(.seconds(1)).refusal == .requestTimeout)
  }

  @Test("has one limit for all of a body")
  func slowBody() {
    let trial = Trial()
    _ = trial.receive("POST / HTTP/1.1\r\nHost: a\r\n")
    _ = trial.pass(.seconds(9))
    #expect(trial.receive("Content-Length: 99\r\n\r\n").isAdmission)
    #expect(trial.admit() == nil)
    for _ in 0..<29 {
      #expect(trial.pass(.seconds(1)) == nil)
      #expect(trial.receive("b") == nil)
    }
    #expect(trial.pass(.seconds(1)).refusal == .requestTimeout)
  }

  @Test("is closed without a word when it is idle")
  func idle() {
    let trial = Trial()
    #expect(trial.pass(.milliseconds(74_999)) == nil)
    // An empty line begins no request.
    #expect(trial.receive("\r\n") == nil)
    #expect(trial.pass(.milliseconds(1)) == .close)
  }

  @Test("has no limit while the handler works")
  func working() {
    let trial = Trial()
    _ = trial.receive(get)
    _ = trial.admit()
    #expect(trial.pass(.seconds(100_000)) == nil)
  }

  /// Sends 20 000 bytes to a client that is expected to take 1000 a second.
  private func answering() -> Trial {
    var limits = Limits()
    limits.writeTimeout = .seconds(30)
    limits.writeRate = 1000
    let trial = Trial(limits)
    _ = trial.receive(get)
    _ = trial.admit()
    _ = trial.answer(Response(.ok, body: [UInt8](repeating: 0, count: 20_000)))
    return trial
  }

  @Test("is closed when its reader takes nothing for a while")
  func stalledReader() {
    let trial = answering()
    #expect(trial.pass(.milliseconds(29_999)) == nil)
    trial.state.progressed(now: trial.now)
    #expect(trial.pass(.milliseconds(1)) == nil)
  }

  @Test("is closed when its reader takes longer than the answer's size allows")
  func slowReader() {
    for (seconds, action) in [(49, nil), (51, .close)] as [(Int, ConnectionState.Action?)] {
      let trial = answering()
      for _ in 1..<seconds {
        #expect(trial.pass(.seconds(1)) == nil)
        trial.state.progressed(now: trial.now)
      }
      #expect(trial.pass(.seconds(1)) == action)
    }
    let stalled = answering()
    #expect(stalled.pass(.seconds(30)) == .close)
  }

  @Test("answers a client that has ended its side, then ends")
  func halfClosed() {
    let trial = Trial()
    #expect(trial.receive(get + get).isAdmission)
    #expect(trial.state.ended(now: trial.now) == nil)
    #expect(trial.admit().isResponse)
    #expect(trial.answer().sent?.contains("Connection") == false)
    #expect(trial.flush() == .yield)
    #expect(trial.state.resumed(now: trial.now).isAdmission)
    #expect(trial.admit().isResponse)
    #expect(trial.answer().sent?.contains("Connection: close") == true)
    #expect(trial.flush() == .close)
  }

  @Test("is closed by a drain when it is idle, else after its answer")
  func draining() {
    var trial = Trial()
    #expect(trial.state.drain(now: trial.now) == .close)

    trial = Trial()
    _ = trial.receive("GET / HT")
    #expect(trial.state.drain(now: trial.now) == nil)
    #expect(trial.receive("TP/1.1\r\nHost: a\r\n\r\n").isAdmission)
    _ = trial.admit()
    #expect(trial.answer().sent?.contains("Connection: close") == true)
    #expect(trial.flush() == .shutDown)
    #expect(trial.pass(.milliseconds(250)) == .close)
  }

  @Test("sends a stream in pieces, and reads on after its end")
  func streaming() {
    let trial = Trial()
    _ = trial.receive(get + get)
    _ = trial.admit()
    #expect(
      trial.stream(Response(.ok, body: [0x61])).sent?.hasSuffix("chunked\r\n\r\n1\r\na\r\n") == true
    )
    #expect(trial.flush() == nil)
    #expect(trial.state.wrote([0x62], now: trial.now) == Array("1\r\nb\r\n".utf8))
    #expect(trial.flush() == nil)
    #expect(trial.pass(.seconds(100_000)) == nil)
    #expect(trial.state.streamEnded(now: trial.now).sent == "0\r\n\r\n")
    #expect(trial.flush() == .yield)
    #expect(trial.state.resumed(now: trial.now).isAdmission)
  }

  @Test("takes no second answer")
  func secondAnswer() {
    let trial = Trial()
    #expect(trial.answer() == nil)
    _ = trial.receive(get)
    _ = trial.admit()
    #expect(trial.answer() != nil)
    #expect(trial.answer() == nil)
    #expect(trial.stream() == nil)
  }
}
