import CSystem
import Dispatch
import Glibc
import HTTP
import Synchronization

/// The one owner of a server's sockets: it waits for events, tells the connections' states of them,
/// and performs the actions that these answer.
///
/// `@unchecked Sendable`, because everything but `messages` and `published` is touched on `queue`
/// only.
final class Loop: @unchecked Sendable {
  enum Message: Sendable {
    case adopt(Listener)
    /// The answer to a request with such a body.
    case answer(UInt64, Responder.Answer, body: HeldBodies.Body)
    case command(UInt64, ResponseStream.Command)
    /// A piece for each of these streams.
    case announcement([UInt8], to: [UInt64])
    /// Go on with a connection after others were served.
    case resume(UInt64)
    /// End a connection, to make room for others.
    case dismiss(UInt64)
    /// What was looked up for the admission of a request.
    case found(UInt64, RequestHead, any AnyObject & Sendable)
    /// Work of a handler.
    case work(@Sendable () -> Void)
    /// Tells whether the client of a request waits for the answer.
    case inquiry(UInt64, @Sendable (Bool) -> Void)
    case drain(Duration, @Sendable () -> Void)
  }

  let messages: MessageQueue
  let published = Mutex(Statistics())
  let sharedLimits: SharedLimits
  let handler: Handler
  let clock: Clock
  let poller: Poller
  /// `Socket.accept`; in a test a function that fails.
  let acceptNext: @Sendable (Int32) -> Socket.Accepted
  var connections = ConnectionTable()
  var listeners = ListenerSet()
  var statistics = Statistics()
  var now = Duration.never
  var bodies: HeldBodies
  /// How many connections beyond the limit are open.
  var turnedAway = 0
  private let queue = DispatchQueue(label: "http")
  private let source: any DispatchSourceRead
  private var events = [csystem_event](repeating: csystem_event(), count: 256)
  var buffer = [UInt8](repeating: 0, count: 65536)
  private var date = (seconds: Int.min, text: "")
  /// Messages that were taken from the queue, and how many of them were handled.
  private var (taken, handled) = ([Message](), 0)
  private var isTicking = false
  private(set) var draining: (deadline: Duration, completions: [@Sendable () -> Void])?
  private var hasStopped = false

  /// How long it waits for more events before it gives its thread back: to be woken by Dispatch
  /// costs many times as much as to be woken in `epoll_wait`.
  private static let lingerMilliseconds: Int32 = 1

  init(
    limits: Limits, handler: Handler, clock: Clock,
    accept: @escaping @Sendable (Int32) -> Socket.Accepted
  ) throws(SystemError) {
    sharedLimits = SharedLimits(limits)
    bodies = HeldBodies(sharedLimits)
    self.handler = handler
    self.clock = clock
    acceptNext = accept
    poller = try Poller()
    messages = MessageQueue(wake: poller.wake)
    source = poller.source(queue: queue)
    source.setEventHandler { [self] in work() }
  }

  func start() {
    signal(SIGPIPE, SIG_IGN)
    raiseDescriptorLimit()
    source.activate()
  }

  /// How many descriptors the rest of the process may need, beside those of connections.
  private static let otherDescriptors = 512

  private func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    let needed = rlim_t(clamping: limits.maxConnections) &+ rlim_t(Loop.otherDescriptors)
    guard limit.rlim_cur < needed else { return }
    limit.rlim_cur = min(needed, limit.rlim_max)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// Serves until there has been nothing to do for a while.
  private func work() {
    dispatchPrecondition(condition: .onQueue(queue))
    var patience: Int32 = 0
    while !hasStopped {
      let count = poller.wait(&events, milliseconds: patience)
      if count == 0, patience > 0 { return }
      messages.awake()
      now = clock.now()
      for event in events.prefix(count) { handle(event) }
      patience = readAllMessages() ? Loop.lingerMilliseconds : 0
      stopIfDrained()
      publish()
    }
  }

  private func handle(_ event: csystem_event) {
    let ready = Poller.Interest(rawValue: event.ready)
    switch event.token {
    case Poller.wakeToken: poller.acknowledge(event.token)
    case Poller.timerToken:
      poller.acknowledge(event.token)
      tick()
    case let token where token <= ListenerSet.lastToken: accept(token)
    case let token:
      // One that was closed by an earlier event of this batch is not found any more.
      guard let connection = connections[token] else { return }
      let isUnwanted = ready.contains(.readable) && !connection.state.wantsInput
      if ready.contains(.writable) { perform(flush(connection), connection) }
      if ready.contains(.readable), !isUnwanted { read(connection) }
      // Both sides have ended. Input may still be read, and the client may still take its answers.
      let isEnding = connection.state.isLingering || connection.retiresBy != nil
      if ready.contains(.broken), !isEnding { return lose(connection) }
      settle(connection, dropsReading: isUnwanted)
    }
  }

  /// How many times the queue is emptied before the sockets are served.
  private static let batchesPerRound = 8
  /// After an announcement to so many streams the sockets are served at once.
  private static let many = 256

  /// Answers whether no message is left, so that the loop may sleep.
  private func readAllMessages() -> Bool {
    for _ in 0..<Loop.batchesPerRound {
      if handled == taken.count { (taken, handled) = (messages.take(), 0) }
      if taken.isEmpty { return true }
      while handled < taken.count {
        let message = taken[handled]
        handled += 1
        handle(message)
        // It takes some milliseconds, and more of them may follow.
        if case .announcement(_, let tokens) = message, tokens.count >= Loop.many { return false }
      }
    }
    return false
  }

  private func handle(_ message: Message) {
    switch message {
    case .adopt(let listener): listeners.add(listener, poller)
    case .answer(let token, let answer, let body):
      bodies.change(body, to: 0)
      deliver(answer, connections[token])
    case .command(let token, let command): perform(command, connections[token])
    case .announcement(let bytes, let tokens): announce(bytes, to: tokens)
    case .resume(let token):
      guard let connection = connections[token] else { return }
      act(connection.state.resumed(now: now), connection)
    case .dismiss(let token): connections[token].map(dismiss)
    case .found(let token, let head, let finding):
      guard let connection = connections[token] else { return }
      connection.visitor.attachment = finding
      act(admit(head, connection), connection)
    case .work(let work): work()
    case .inquiry(let token, let tell):
      tell(connections[token].map { !Socket.isEnded($0.descriptor) } ?? false)
    case .drain(let duration, let completion): drain(within: duration, completion)
    }
  }

  // MARK: Ending

  func endStream(_ connection: Connection) {
    guard let stream = connection.stream else { return }
    connection.stream = nil
    connection.isStreamEnded = false
    statistics.streamsOpen -= 1
    stream.close()
  }

  /// Closes the socket and forgets the connection.
  ///
  /// - Parameter drops: whether the system drops the bytes that it holds for the client. Those that
  ///   are held here are always dropped.
  func lose(_ connection: Connection, drops: Bool = false) {
    guard !connection.isClosed else { return }
    connection.isClosed = true
    connections.remove(connection)
    if connection.hasOutput || drops {
      Socket.reset(connection.descriptor)
    } else {
      Socket.close(connection.descriptor)
    }
    if connection.isTurnedAway { turnedAway -= 1 } else { statistics.connectionsOpen -= 1 }
    hold(0, of: connection)
    statistics.bytesUnread -= connection.unread
    endStream(connection)
    listeners.resume(freed: true, now: now, poller)
  }

  /// Checks every time limit. The cost depends on the connections, not on the requests.
  private func tick() {
    for connection in connections.all {
      if connection.state.watch.deadline <= now {
        act(connection.state.expired(now: now), connection)
      }
      checkUnread(of: connection)
    }
    if let draining, draining.deadline <= now {
      for connection in connections.all { lose(connection) }
    }
    listeners.resume(freed: false, now: now, poller)
    tickAsNeeded()
  }

  func tickAsNeeded() {
    let isNeeded = !connections.isEmpty || listeners.isPaused || draining != nil
    guard isNeeded != isTicking else { return }
    isTicking = isNeeded
    poller.tick(every: isNeeded ? limits.tick : nil)
  }

  var limits: Limits { sharedLimits.values }

  private func drain(within duration: Duration, _ completion: @escaping @Sendable () -> Void) {
    let deadline = now + duration
    draining = (
      min(deadline, draining?.deadline ?? .never), (draining?.completions ?? []) + [completion]
    )
    // Clients in the backlog came before the end.
    for token in listeners.tokens { accept(token) }
    listeners.close(poller)
    for connection in connections.all {
      // A request that has arrived, but was not looked at yet, has begun.
      read(connection)
      act(connection.state.drain(now: now), connection)
      if connection.retiresBy != nil { lose(connection) }
    }
    tickAsNeeded()
  }

  private func stopIfDrained() {
    guard let draining, connections.isEmpty, !hasStopped else { return }
    hasStopped = true
    source.cancel()
    publish()
    for completion in draining.completions { completion() }
    for message in taken[handled...] + messages.close() {
      switch message {
      case .adopt(let listener): listener.close()
      case .answer(_, .stream(_, let stream), _): stream.close()
      case .drain(_, let completion): completion()
      case .inquiry(_, let tell): tell(false)
      case .answer(_, .whole, _), .command, .announcement, .resume, .dismiss, .found, .work: break
      }
    }
  }

  // MARK: The rest

  private func publish() {
    published.withLock { if $0 != statistics { $0 = statistics } }
  }

  func httpDate() -> String {
    let seconds = clock.unixSeconds()
    if seconds != date.seconds { date = (seconds, HTTPDate.text(unixSeconds: seconds)) }
    return date.text
  }
}
