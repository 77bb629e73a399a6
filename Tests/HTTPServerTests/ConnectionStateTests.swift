import HTTP
import Testing

@testable import HTTPServer

/// A connection and the clock that it is told.
private final class Trial {
  var state: ConnectionState
  var now = Moment(nanoseconds: 0)

  init(_ limits: Limits = Limits()) {
    state = ConnectionState(limits: limits, WatchLimits(limits))
    _ = actions()
  }

  func actions() -> [ConnectionState.Action] {
    var all: [ConnectionState.Action] = []
    while let action = state.next(now: now) { all.append(action) }
    return all
  }

  /// What the state wants when this arrives.
  func receive(_ text: String) -> [ConnectionState.Action] {
    state.received(Array(text.utf8)[...], now: now)
    return actions()
  }

  func admit(_ limit: Int = 100) -> [ConnectionState.Action] {
    state.admitted(bodyLimit: limit, now: now)
    return actions()
  }

  func answer(_ response: Response = Response(.ok)) -> [ConnectionState.Action] {
    state.answered(response, date: "now", now: now)
    return actions()
  }

  func flush() -> [ConnectionState.Action] {
    state.flushed(now: now)
    return actions()
  }

  func pass(_ duration: Duration) -> [ConnectionState.Action] {
    now = now + duration
    if state.deadline <= now { state.expired(now: now) }
    return actions()
  }
}

private func isAdmission(_ actions: [ConnectionState.Action]) -> Bool {
  if case .admit? = actions.first { actions.count == 1 } else { false }
}

private func isResponse(_ actions: [ConnectionState.Action]) -> Bool {
  if case .respond? = actions.first { actions.count == 1 } else { false }
}

private func sent(_ actions: [ConnectionState.Action]) -> String? {
  guard case .send(let first, let rest)? = actions.first, actions.count == 1 else { return nil }
  return String(decoding: first + rest, as: UTF8.self)
}

@Suite("A connection")
struct ConnectionStateTests {
  @Test("asks for admission, hands on the request, sends the answer, and reads the next one")
  func exchange() {
    let trial = Trial()
    for _ in 0..<2 {
      #expect(isAdmission(trial.receive(get)))
      #expect(isResponse(trial.admit()))
      #expect(!trial.state.wantsInput)
      #expect(
        sent(trial.answer()) == "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 0\r\n\r\n")
      #expect(trial.flush() == [])
      #expect(trial.state.wantsInput)
    }
  }

  @Test("looks at a pipelined request only when the answer before it has been taken")
  func pipelining() {
    let trial = Trial()
    #expect(isAdmission(trial.receive(get + get)))
    #expect(isResponse(trial.admit()))
    #expect(trial.answer().count == 1)
    #expect(trial.actions() == [])
    #expect(isAdmission(trial.flush()))
  }

  @Test("asks the client to continue once the request is admitted, and only then")
  func continuation() {
    let head =
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
    var trial = Trial()
    #expect(isAdmission(trial.receive(head)))
    #expect(sent(trial.admit()) == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(isResponse(trial.receive("hello")))

    // Who sends at once is not told to.
    trial = Trial()
    #expect(isAdmission(trial.receive(head + "hello")))
    #expect(isResponse(trial.admit()))

    // Nor who announces too much.
    trial = Trial()
    #expect(isAdmission(trial.receive(head)))
    #expect(trial.admit(4) == [.refuse(.bodyTooLarge(limit: 4))])

    // Nor who is not let in.
    trial = Trial()
    #expect(isAdmission(trial.receive(head)))
    #expect(sent(trial.answer(Response(.unauthorized)))?.contains("Connection: close") == true)
  }

  @Test("stays open after a refused admission only where no body was announced")
  func refusedAdmission() {
    var trial = Trial()
    #expect(isAdmission(trial.receive(get + get)))
    #expect(sent(trial.answer(Response(.unauthorized)))?.contains("Connection") == false)
    #expect(isAdmission(trial.flush()))

    trial = Trial()
    #expect(isAdmission(trial.receive("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")))
    #expect(sent(trial.answer(Response(.unauthorized)))?.contains("Connection: close") == true)
    #expect(trial.flush() == [.shutDown])
  }

  @Test("sends one answer to a refused request, then drops what comes until the client ends")
  func lingering() {
    let trial = Trial()
    #expect(trial.receive("GET /\n").count == 1)
    #expect(sent(trial.answer(Response(.badRequest)))?.contains("Connection: close") == true)
    #expect(trial.flush() == [.shutDown])
    #expect(trial.state.wantsInput)
    #expect(trial.receive(get) == [])
    trial.state.ended()
    #expect(trial.actions() == [.close])
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
    #expect(chatty.receive("0123456789") == [])
    #expect(chatty.receive("0") == [.close])
    let silent = lingering()
    #expect(silent.pass(.milliseconds(4999)) == [])
    #expect(silent.receive("a") == [])
    #expect(silent.pass(.milliseconds(1)) == [.close])
  }

  @Test("has one limit for all of a head, however it drips in")
  func slowHead() {
    let trial = Trial()
    _ = trial.pass(.seconds(70))
    #expect(trial.receive("G") == [])
    for _ in 0..<9 {
      #expect(trial.pass(.seconds(1)) == [])
      #expect(trial.receive("E") == [])
    }
    #expect(trial.pass(.seconds(1)) == [.refuse(.requestTimeout)])
  }

  @Test("has one limit for all of a body")
  func slowBody() {
    let trial = Trial()
    _ = trial.receive("POST / HTTP/1.1\r\nHost: a\r\n")
    _ = trial.pass(.seconds(9))
    #expect(isAdmission(trial.receive("Content-Length: 99\r\n\r\n")))
    #expect(trial.admit() == [])
    for _ in 0..<29 {
      #expect(trial.pass(.seconds(1)) == [])
      #expect(trial.receive("b") == [])
    }
    #expect(trial.pass(.seconds(1)) == [.refuse(.requestTimeout)])
  }

  @Test("is closed without a word when it is idle")
  func idle() {
    let trial = Trial()
    #expect(trial.pass(.milliseconds(74_999)) == [])
    // An empty line begins no request.
    #expect(trial.receive("\r\n") == [])
    #expect(trial.pass(.milliseconds(1)) == [.close])
  }

  @Test("has no limit while the handler works")
  func working() {
    let trial = Trial()
    _ = trial.receive(get)
    _ = trial.admit()
    #expect(trial.pass(.seconds(100_000)) == [])
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
    #expect(trial.pass(.milliseconds(29_999)) == [])
    trial.state.progressed(now: trial.now)
    #expect(trial.pass(.milliseconds(1)) == [])
  }

  @Test("is closed when its reader takes longer than the answer's size allows")
  func slowReader() {
    for (seconds, actions) in [(49, []), (51, [.close])] as [(Int, [ConnectionState.Action])] {
      let trial = answering()
      for _ in 1..<seconds {
        #expect(trial.pass(.seconds(1)) == [])
        trial.state.progressed(now: trial.now)
      }
      #expect(trial.pass(.seconds(1)) == actions)
    }
    let stalled = answering()
    #expect(stalled.pass(.seconds(30)) == [.close])
  }

  @Test("answers a client that has ended its side, then ends")
  func halfClosed() {
    let trial = Trial()
    #expect(isAdmission(trial.receive(get + get)))
    trial.state.ended()
    #expect(isResponse(trial.admit()))
    #expect(sent(trial.answer())?.contains("Connection") == false)
    #expect(isAdmission(trial.flush()))
    #expect(isResponse(trial.admit()))
    #expect(sent(trial.answer())?.contains("Connection: close") == true)
    #expect(trial.flush() == [.close])
  }

  @Test(
    "refuses a request that ends before it is complete", arguments: ["G", "GET / HTTP/1.1\r\n"])
  func cutShort(text: String) {
    let trial = Trial()
    #expect(trial.receive(text) == [])
    trial.state.ended()
    guard case .refuse(.malformedRequest)? = trial.actions().first else {
      Issue.record("It is not refused.")
      return
    }
  }

  @Test("is closed by a drain when it is idle, else after its answer")
  func draining() {
    var trial = Trial()
    trial.state.drain(now: trial.now)
    #expect(trial.actions() == [.close])

    trial = Trial()
    _ = trial.receive("GET / HT")
    trial.state.drain(now: trial.now)
    #expect(trial.actions() == [])
    #expect(isAdmission(trial.receive("TP/1.1\r\nHost: a\r\n\r\n")))
    _ = trial.admit()
    #expect(sent(trial.answer())?.contains("Connection: close") == true)
    #expect(trial.flush() == [.shutDown])
    #expect(trial.pass(.milliseconds(250)) == [.close])
  }

  @Test("sends a stream in pieces, and reads on after its end")
  func streaming() {
    let trial = Trial()
    _ = trial.receive(get + get)
    _ = trial.admit()
    let isOpen = trial.state.streamed(
      Response(.ok, body: [0x61]), date: "now", now: trial.now)
    #expect(isOpen)
    #expect(sent(trial.actions())?.hasSuffix("chunked\r\n\r\n1\r\na\r\n") == true)
    #expect(trial.flush() == [])
    trial.state.wrote([0x62], now: trial.now)
    #expect(sent(trial.actions()) == "1\r\nb\r\n")
    #expect(trial.flush() == [])
    #expect(trial.pass(.seconds(100_000)) == [])
    trial.state.streamEnded(now: trial.now)
    #expect(sent(trial.actions()) == "0\r\n\r\n")
    #expect(isAdmission(trial.flush()))
  }

  @Test("takes no second answer")
  func secondAnswer() {
    let trial = Trial()
    #expect(trial.answer() == [])
    _ = trial.receive(get)
    _ = trial.admit()
    #expect(trial.answer().count == 1)
    #expect(trial.answer() == [])
    let isOpen = trial.state.streamed(Response(.ok), date: "now", now: trial.now)
    #expect(!isOpen)
  }
}
