import Glibc

/// The listening sockets of a loop, and the one descriptor that it keeps in reserve.
///
/// A process without descriptors cannot even refuse a client, and a listener that stays ready would
/// keep the loop busy with nothing. So the reserve is closed for a moment, one client is refused
/// with its descriptor, and no other is accepted until a connection was closed or a while has
/// passed.
struct ListenerSet {
  /// By their tokens.
  private var listeners: [UInt64: Listener] = [:]
  private var reserve = ListenerSet.openReserve()
  private var resumes: Duration?

  /// How long no client is accepted when no connection of this process ends.
  private static let pause: Duration = .milliseconds(250)
  /// Tokens between the poller's and those of the connections.
  private static let firstToken: UInt64 = 16
  static let lastToken: UInt64 = 0xFFFF_FFFF

  var isPaused: Bool { resumes != nil }

  var tokens: [UInt64] { Array(listeners.keys) }

  func descriptor(_ token: UInt64) -> Int32? { listeners[token]?.descriptor }

  mutating func add(_ listener: Listener, _ poller: Poller) {
    let token = ListenerSet.firstToken + UInt64(listeners.count)
    listeners[token] = listener
    if !isPaused { _ = poller.add(listener.descriptor, token: token, .readable) }
  }

  /// Stops accepting, after one more client, which gets the reserve. Answers that client's
  /// descriptor.
  mutating func pause(_ token: UInt64, now: Duration, _ poller: Poller) -> Int32? {
    var client: Int32?
    if reserve >= 0, let listener = descriptor(token) {
      Socket.close(reserve)
      if case .connection(let descriptor, _) = Socket.accept(listener) { client = descriptor }
      reserve = -1
    }
    if !isPaused { for listener in listeners.values { poller.remove(listener.descriptor) } }
    resumes = now + ListenerSet.pause
    return client
  }

  /// Accepts again, if it is time or a descriptor has become free.
  mutating func resume(freed: Bool, now: Duration, _ poller: Poller) {
    guard let resumes, freed || resumes <= now else { return }
    self.resumes = nil
    if reserve < 0 { reserve = ListenerSet.openReserve() }
    for (token, listener) in listeners {
      _ = poller.add(listener.descriptor, token: token, .readable)
    }
  }

  mutating func close(_ poller: Poller) {
    for listener in listeners.values {
      if !isPaused { poller.remove(listener.descriptor) }
      listener.close()
    }
    listeners = [:]
    resumes = nil
    if reserve >= 0 { Socket.close(reserve) }
    reserve = -1
  }

  private static func openReserve() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
