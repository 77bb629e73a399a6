/// The time limit that a connection is under, if any. Limits are total, not per read: asking for one
/// that runs already leaves it as it is.
struct Watch: Sendable {
  /// What is waited for.
  enum Wait {
    case nothing
    /// The first byte of a request.
    case request
    case head
    case body
    /// The client takes what is sent.
    case reader
    /// The client ends its side.
    case linger
  }

  private(set) var wait = Wait.nothing
  private(set) var deadline = Moment.never
  /// Since when it is waited for that.
  private(set) var began = Moment.never
  /// Shared by all connections of a server.
  private let limits: WatchLimits
  /// Until when the reader must have taken a byte, and all of them.
  private var stalled = Moment.never
  private var overdue = Moment.never

  init(_ limits: WatchLimits) {
    self.limits = limits
  }

  mutating func start(_ wait: Wait, _ now: Moment) {
    guard wait != self.wait else { return }
    self.wait = wait
    began = now
    deadline =
      switch wait {
      case .nothing, .reader: .never
      case .request: now + limits.idle
      case .head: now + limits.head
      case .body: now + limits.body
      case .linger: now + limits.linger
      }
  }

  mutating func stop() {
    wait = .nothing
    deadline = .never
  }

  /// So many bytes more wait for the reader.
  mutating func wrote(_ bytes: Int, _ now: Moment) {
    if wait != .reader {
      wait = .reader
      stalled = now + limits.write
      overdue = stalled
    }
    overdue = overdue + limits.writing(bytes)
    deadline = min(stalled, overdue)
  }

  /// The reader has taken some.
  mutating func progressed(_ now: Moment) {
    guard wait == .reader else { return }
    stalled = now + limits.write
    deadline = min(stalled, overdue)
  }

  /// The server is about to stop, and waits for nobody's end.
  mutating func hasten(_ now: Moment) {
    deadline = min(deadline, now + Watch.lingerWhileDraining)
  }

  /// Clients that keep a connection for later use do not notice its end.
  private static let lingerWhileDraining: Duration = .milliseconds(250)
}

/// The limits of time that connections are under; see `Limits`.
final class WatchLimits: Sendable {
  let head: Duration
  let body: Duration
  let idle: Duration
  let linger: Duration
  let write: Duration
  /// How long a byte may take, in nanoseconds.
  private let byteTime: Double

  init(_ limits: Limits) {
    head = limits.headerTimeout
    body = limits.bodyTimeout
    idle = limits.idleTimeout
    linger = limits.lingerTimeout
    write = limits.writeTimeout
    byteTime = 1e9 / Double(max(1, limits.writeRate))
  }

  /// How long so many bytes may take, beside `write`.
  func writing(_ bytes: Int) -> Duration {
    .nanoseconds(Int64(min(Double(bytes) * byteTime, 1e18)))
  }

  /// How often deadlines are looked at: a small part of the shortest limit, for precision, and
  /// rarely enough to cost nothing.
  var tick: Duration {
    let shortest = min(head, body, idle, write, linger)
    return min(max(shortest / 10, .milliseconds(5)), .milliseconds(200))
  }
}
