import Glibc

/// The listening sockets of a loop, and the one descriptor that it keeps in reserve.
///
/// A process without descriptors cannot even refuse a client, and a listener that stays ready would
/// keep the loop busy with nothing. So the reserve is given up for a moment, the next client is told,
/// and then nobody is accepted until a connection was closed or a while has passed.
struct ListenerSet {
  private var listeners: [Listener] = []
  private var spare = ListenerSet.openSpare()
  private var resumes: Moment?

  /// How long a shortage is left alone when no connection of ours ends.
  private static let pause: Duration = .milliseconds(250)
  /// Tokens below those of the connections and above the poller's.
  private static let firstToken: UInt64 = 16

  static func isListener(_ token: UInt64) -> Bool { token < 1 << 32 }

  var isPaused: Bool { resumes != nil }

  var tokens: [UInt64] { listeners.indices.map { ListenerSet.firstToken + UInt64($0) } }

  func descriptor(_ token: UInt64) -> Int32? {
    let index = Int(token) - Int(ListenerSet.firstToken)
    return listeners.indices.contains(index) ? listeners[index].descriptor : nil
  }

  mutating func add(_ listener: Listener, _ poller: borrowing Poller) {
    listeners.append(listener)
    guard !isPaused, let token = tokens.last else { return }
    _ = poller.add(listener.descriptor, token: token, .readable)
  }

  /// Stops accepting, after one client was given the reserve's place to be told so. Answers that
  /// client's descriptor.
  mutating func pause(_ token: UInt64, now: Moment, _ poller: borrowing Poller) -> Int32? {
    var client: Int32?
    if spare >= 0, let listener = descriptor(token) {
      Socket.close(spare)
      if case .connection(let descriptor, _) = Socket.accept(listener) { client = descriptor }
      spare = -1
    }
    if !isPaused { for listener in listeners { poller.remove(listener.descriptor) } }
    resumes = now + ListenerSet.pause
    return client
  }

  /// Accepts again, if it is time or a descriptor has become free.
  mutating func resume(freed: Bool, now: Moment, _ poller: borrowing Poller) {
    guard let resumes, freed || resumes <= now else { return }
    self.resumes = nil
    if spare < 0 { spare = ListenerSet.openSpare() }
    for (listener, token) in zip(listeners, tokens) {
      _ = poller.add(listener.descriptor, token: token, .readable)
    }
  }

  mutating func close(_ poller: borrowing Poller) {
    for listener in listeners {
      if !isPaused { poller.remove(listener.descriptor) }
      listener.close()
    }
    listeners = []
    resumes = nil
    if spare >= 0 { Socket.close(spare) }
    spare = -1
  }

  private static func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
