/// The limits that one connection watches itself; see `Limits`.
struct ConnectionTimes: Sendable {
  let head: Duration
  let body: Duration
  let idle: Duration
  let linger: Duration
  let lingerBytes: Int
  let write: Duration
  private let writeRate: Double

  /// Of a server that stops: clients that keep a connection for later use do not notice its end.
  static let lingerWhileDraining: Duration = .milliseconds(250)

  init(_ limits: Limits) {
    head = limits.headerTimeout
    body = limits.bodyTimeout
    idle = limits.idleTimeout
    linger = limits.lingerTimeout
    lingerBytes = limits.lingerBytes
    write = limits.writeTimeout
    writeRate = Double(max(1, limits.writeRate))
  }

  /// How long so many bytes may take, beside `write`.
  func writing(_ bytes: Int) -> Duration {
    .seconds(Double(bytes) / writeRate)
  }

  /// How often deadlines are looked at: a small part of the shortest limit, for precision, and
  /// rarely enough to cost nothing.
  var tick: Duration {
    let shortest = min(head, body, idle, write, linger)
    return min(max(shortest / 10, .milliseconds(5)), .milliseconds(200))
  }
}
