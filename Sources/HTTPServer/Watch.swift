/// The time limit of a connection, if it is under one. A limit is for the whole wait, not for one
/// read: to start it while it runs changes nothing.
struct Watch: Sendable {
  /// The event that is waited for.
  enum Wait {
    case nothing
    /// The first byte of a request.
    case request
    case head
    case body
    /// The client takes the bytes that were sent.
    case reader
    /// The client ends its side.
    case linger
  }

  private(set) var wait = Wait.nothing
  private(set) var deadline = Duration.never
  /// When the wait began.
  private(set) var began = Duration.never
  private let shared: SharedLimits
  /// Until when the reader has to take the next byte.
  private var stalled = Duration.never
  /// Until when the reader has to take all bytes.
  private var overdue = Duration.never

  var limits: Limits { shared.values }

  init(_ limits: SharedLimits) { shared = limits }

  mutating func start(_ wait: Wait, _ now: Duration) {
    guard wait != self.wait else { return }
    self.wait = wait
    began = now
    deadline =
      switch wait {
      case .nothing, .reader: .never
      case .request: now + limits.idleTimeout
      case .head: now + limits.headerTimeout
      case .body: now + limits.bodyTimeout
      case .linger: now + limits.lingerTimeout
      }
  }

  mutating func stop() {
    wait = .nothing
    deadline = .never
  }

  /// So many bytes more wait for the reader.
  mutating func wrote(_ bytes: Int, _ now: Duration) {
    if wait != .reader {
      wait = .reader
      stalled = now + limits.writeTimeout
      overdue = stalled
    }
    overdue = overdue + limits.writing(bytes)
    deadline = min(stalled, overdue)
  }

  /// The reader has taken some.
  mutating func progressed(_ now: Duration) {
    guard wait == .reader else { return }
    stalled = now + limits.writeTimeout
    deadline = min(stalled, overdue)
  }

  /// The server is about to stop, and waits no longer for the client to end its side.
  mutating func hasten(_ now: Duration) {
    deadline = min(deadline, now + Watch.lingerWhileDraining)
  }

  /// Clients that keep a connection for later use do not notice its end.
  private static let lingerWhileDraining: Duration = .milliseconds(250)
}

/// The limits of a server, once for all its connections.
final class SharedLimits: Sendable {
  let values: Limits

  init(_ values: Limits) { self.values = values }
}
