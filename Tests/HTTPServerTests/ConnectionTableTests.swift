import HTTP
import Testing

@testable import HTTPServer

/// Connections without sockets, at a time that the test says.
private final class Trial {
  var table = ConnectionTable()
  var now = Duration.zero
  private let limits = SharedLimits(Limits())

  func open(isTurnedAway: Bool = false) -> Connection {
    let connection = table.insert {
      Connection(
        -1, token: $0, peer: .unix, isTurnedAway: isTurnedAway, limits: limits,
        MessageQueue(wake: {}))
    }
    _ = connection.state.opened(isTurnedAway: isTurnedAway, now: now)
    return connection
  }

  func receive(_ text: String, on connection: Connection) {
    _ = connection.state.received(Array(text.utf8)[...], now: now)
  }

  /// A request, answered, after which the connection waits for another one.
  func serve(_ connection: Connection) {
    receive(get, on: connection)
    _ = connection.state.admitted(bodyLimit: 0, now: now)
    _ = connection.state.answered(Response(.ok), date: "now", now: now)
    _ = connection.state.flushed(now: now)
  }

  func pass(_ duration: Duration) { now = now + duration }

  /// Gives up one connection, and answers which.
  func giveUp() -> UInt64? {
    guard let connection = table.takeSpare(now: now) else { return nil }
    table.remove(connection)
    return connection.token
  }
}

@Suite("A full table of connections")
struct ConnectionTableTests {
  @Test("gives up those first on which nothing was ever asked, the oldest of them first")
  func unused() {
    let trial = Trial()
    let used = trial.open()
    trial.serve(used)
    var unused: [UInt64] = []
    for _ in 0..<100 {
      trial.pass(.milliseconds(1))
      unused.append(trial.open().token)
    }
    trial.pass(.seconds(10))
    for token in unused { #expect(trial.giveUp() == token) }
    #expect(trial.giveUp() == used.token)
    #expect(trial.giveUp() == nil)
    #expect(trial.table.isEmpty)
  }

  @Test("gives up what came after one that is kept for another request, if nothing was asked on it")
  func newerUnused() {
    let trial = Trial()
    let used = trial.open()
    trial.serve(used)
    trial.pass(.seconds(60))
    let fresh = trial.open()
    #expect(trial.giveUp() == fresh.token)
    let silent = trial.open()
    // An empty line asks for nothing.
    trial.receive("\r\n", on: silent)
    #expect(trial.giveUp() == silent.token)
    #expect(trial.giveUp() == used.token)
  }

  @Test("then gives up the one that has been idle for the longest, and none that was used just now")
  func idle() {
    let trial = Trial()
    let connections = (0..<200).map { _ in trial.open() }
    for connection in connections {
      trial.serve(connection)
      trial.pass(.milliseconds(10))
    }
    // The first is used again, and becomes the last.
    trial.serve(connections[0])
    trial.pass(.milliseconds(999))
    var given: [UInt64] = []
    while let token = trial.giveUp() {
      given.append(token)
      trial.pass(.milliseconds(1))
    }
    #expect(given == (connections[1...] + [connections[0]]).map(\.token))

    let busy = trial.open()
    trial.serve(busy)
    trial.pass(.milliseconds(999))
    #expect(trial.giveUp() == nil)
    trial.pass(.milliseconds(1))
    #expect(trial.giveUp() == busy.token)
  }

  @Test("gives up one whose request does not come to its end only after those that are idle")
  func slow() {
    let trial = Trial()
    let slow = trial.open()
    trial.receive("GET / HT", on: slow)
    trial.pass(.seconds(2))
    let idle = trial.open()
    trial.serve(idle)
    trial.pass(.seconds(2))
    #expect(trial.giveUp() == idle.token)
    #expect(trial.giveUp() == slow.token)
  }

  @Test("gives up one whose body does not come to its end, if it is nobody's")
  func slowBody() {
    let trial = Trial()
    let connections = (0..<2).map { _ in trial.open() }
    connections[0].visitor.seat = TestSeat()
    for connection in connections {
      trial.receive("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1", on: connection)
      _ = connection.state.admitted(bodyLimit: 9, now: trial.now)
    }
    trial.pass(.milliseconds(999))
    #expect(trial.giveUp() == nil)
    trial.pass(.seconds(1))
    let idle = trial.open()
    trial.serve(idle)
    trial.pass(.seconds(1))
    #expect(trial.giveUp() == idle.token)
    #expect(trial.giveUp() == connections[1].token)
    #expect(trial.giveUp() == nil)
  }

  @Test("keeps one that is being served, that sends a body, or that gets its one answer")
  func busy() {
    let trial = Trial()
    let served = trial.open()
    trial.receive(get, on: served)
    let sending = trial.open()
    sending.visitor.seat = TestSeat()
    trial.receive("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1", on: sending)
    #expect(sending.state.admitted(bodyLimit: 9, now: trial.now) == nil)
    _ = trial.open(isTurnedAway: true)
    trial.pass(.seconds(5))
    #expect(trial.giveUp() == nil)
  }

  /// The work is counted by the time that has to pass: a look at all of them is worth 64 of them.
  @Test("does not look at all of its connections for every one that comes")
  func looks() {
    let trial = Trial()
    let busy = (0..<100).map { _ in trial.open() }
    for connection in busy { trial.receive(get, on: connection) }
    trial.pass(.seconds(5))
    #expect(trial.giveUp() == nil)
    let last = trial.open()
    trial.serve(last)
    trial.pass(.microseconds(99))
    #expect(trial.giveUp() == nil)
    trial.pass(.seconds(1))
    #expect(trial.giveUp() == last.token)
  }
}
