import CSystem
import Dispatch
import Glibc
import HTTP
import Synchronization

/// The one owner of a server's sockets: waits for events, tells the connections' states, and does
/// what they say.
///
/// `@unchecked Sendable`, because everything but `mailbox` and `published` is touched on `queue` only.
final class Loop: @unchecked Sendable {
  enum Message: Sendable {
    case adopt(Listener)
    case reply(UInt64, Reply)
    case command(UInt64, ResponseStream.Command)
    case drain(Duration, @Sendable () -> Void)
  }

  let mailbox: Mailbox<Message>
  let published = Mutex(Statistics())
  let limits: Limits
  let handler: Handler
  let clock: Clock
  let poller: Poller
  /// `Socket.accept`, or a test's own, which fails.
  let acceptNext: @Sendable (Int32) -> Socket.Accepted
  var connections = ConnectionTable()
  var listeners = ListenerSet()
  var statistics = Statistics()
  var now = Moment.never
  /// Those that wait for the last answer to be read do not count as open.
  var turnedAway = 0
  private let queue = DispatchQueue(label: "http")
  private let source: any DispatchSourceRead
  private let times: ConnectionTimes
  private var events = [csystem_event](repeating: csystem_event(), count: 256)
  private var buffer = [UInt8](repeating: 0, count: 65536)
  private var date = (seconds: Int.min, text: "")
  private var isTicking = false
  private var draining: (deadline: Moment, completions: [@Sendable () -> Void])?
  private var hasStopped = false

  /// How long it waits for more in place before it gives its thread back: a wake by Dispatch costs
  /// many times what a wake in `epoll_wait` costs.
  private static let lingerMilliseconds: Int32 = 1

  init(
    limits: Limits, handler: Handler, clock: Clock,
    accept: @escaping @Sendable (Int32) -> Socket.Accepted = { Socket.accept($0) }
  ) throws(SystemError) {
    self.limits = limits
    self.handler = handler
    self.clock = clock
    acceptNext = accept
    poller = try Poller()
    mailbox = Mailbox(wake: poller.wake)
    source = poller.source(queue: queue)
    times = ConnectionTimes(limits)
    signal(SIGPIPE, SIG_IGN)
    source.setEventHandler { [self] in work() }
  }

  func start() { source.activate() }

  /// Serves until there has been nothing to do for a while.
  private func work() {
    var patience: Int32 = 0
    while !hasStopped {
      let count = poller.wait(&events, milliseconds: patience)
      if count == 0, patience > 0 { return }
      mailbox.awake()
      now = clock.now()
      for event in events.prefix(count) { handle(event) }
      patience = readAllMail() ? Loop.lingerMilliseconds : 0
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
    case let token where ListenerSet.isListener(token): accept(token)
    case let token:
      // One that was closed by an earlier event of this batch is not found any more.
      guard let connection = connections[token] else { return }
      let isUnwanted = ready.contains(.readable) && !connection.state.wantsInput
      if ready.contains(.writable) {
        flush(connection)
        advance(connection)
      }
      if ready.contains(.readable), !isUnwanted { read(connection) }
      if ready.contains(.broken) { return lose(connection, .gone) }
      settle(connection, dropsReading: isUnwanted)
    }
  }

  /// How many batches of messages are read before the sockets have their turn.
  private static let batchesInTurn = 8

  /// Answers whether nothing is left, so that the loop may sleep.
  private func readAllMail() -> Bool {
    for _ in 0..<Loop.batchesInTurn where !readMail() { return true }
    return false
  }

  /// Answers whether there was any.
  private func readMail() -> Bool {
    let messages = mailbox.take()
    for message in messages { handle(message) }
    return !messages.isEmpty
  }

  private func handle(_ message: Message) {
    switch message {
    case .adopt(let listener): adopt(listener)
    case .reply(let token, let reply): deliver(reply, connections[token])
    case .command(let token, let command): perform(command, connections[token])
    case .drain(let duration, let completion): drain(within: duration, completion)
    }
  }

  // MARK: Reading

  /// How many times a connection is read before others have their turn.
  private static let readsInTurn = 4

  private func read(_ connection: Connection) {
    for _ in 0..<Loop.readsInTurn where connection.state.wantsInput && !connection.isClosed {
      switch Socket.receive(connection.descriptor, into: &buffer) {
      case .bytes(let count):
        statistics.bytesReceived += count
        connection.state.received(buffer[..<count], now: now)
        advance(connection)
        if count < buffer.count { return }
      case .end:
        connection.state.ended()
        advance(connection)
      case .later: return
      case .failed: lose(connection, .gone)
      }
    }
  }

  /// Does what the connection's state asks for, until it asks for nothing.
  func advance(_ connection: Connection) {
    while !connection.isClosed, let action = connection.state.next(now: now) {
      switch action {
      case .admit(let head): admit(head, connection)
      case .respond(let request): respond(request, connection)
      case .refuse(let refusal):
        connection.state.answered(answer(to: refusal), date: httpDate(), now: now)
      case .send(let first, let rest):
        connection.enqueue(.init(bytes: first))
        if !rest.isEmpty { connection.enqueue(.init(bytes: rest)) }
        flush(connection)
      case .shutDown: Socket.shutDown(connection.descriptor)
      case .close: lose(connection, .gone)
      }
    }
  }

  func answer(to refusal: Refusal) -> Response {
    statistics.refusals += 1
    var response = handler.refusal(refusal)
    if let seconds = refusal.retryAfter, response.fields[.retryAfter] == nil {
      response.fields[.retryAfter] = "\(seconds)"
    }
    return response
  }

  private func admit(_ head: RequestHead, _ connection: Connection) {
    switch handler.admit(head, connection.peer) {
    case .accept(let bodyLimit): connection.state.admitted(bodyLimit: bodyLimit, now: now)
    case .refuse(let response):
      connection.state.answered(response, date: httpDate(), now: now)
    }
  }

  private func respond(_ request: Request, _ connection: Connection) {
    statistics.requests += 1
    let token = connection.token
    let mailbox = mailbox
    let responder = Responder(peer: connection.peer, streamBuffer: limits.streamBuffer) { reply in
      // It is posted before any command of its stream, and the mailbox keeps the order.
      let isTaken = mailbox.post(.reply(token, reply))
      guard case .stream(_, let stream) = reply else { return }
      stream.attach { mailbox.post(.command(token, $0)) }
      if !isTaken { stream.close(.gone) }
    }
    handler.respond(request, responder)
  }

  // MARK: Writing

  private func flush(_ connection: Connection) {
    var sent: [Connection.Outgoing] = []
    guard
      let count = connection.flush({ if $0.counted > 0 || $0.whenSent != nil { sent.append($0) } })
    else { return lose(connection, .gone) }
    statistics.bytesSent += count
    if !connection.hasOutput {
      connection.state.flushed(now: now)
      if connection.isStreamEnded { endStream(connection, .ended) }
    }
    for item in sent {
      connection.stream?.sent(item.counted)
      item.whenSent?()
    }
  }

  /// Tells the poller what is waited for. Interest in reading is dropped only when it disturbs, which
  /// spares two system calls a request.
  func settle(_ connection: Connection, dropsReading: Bool = false) {
    guard !connection.isClosed else { return }
    var interest: Poller.Interest = connection.hasOutput ? .writable : []
    if connection.state.wantsInput || !dropsReading && connection.interest.contains(.readable) {
      interest.insert(.readable)
    }
    guard interest != connection.interest else { return }
    connection.interest = interest
    poller.change(connection.descriptor, token: connection.token, interest)
  }

  private func deliver(_ reply: Reply, _ connection: Connection?) {
    guard let connection else {
      if case .stream(_, let stream) = reply { stream.close(.gone) }
      return
    }
    switch reply {
    case .whole(let response):
      connection.state.answered(response, date: httpDate(), now: now)
    case .stream(let response, let stream):
      Socket.limitSendBuffer(connection.descriptor, limits.streamBuffer)
      if connection.state.streamed(response, date: httpDate(), now: now) {
        connection.stream = stream
        statistics.streamsOpen += 1
      } else {
        stream.close(.gone)
      }
    }
    advance(connection)
    settle(connection)
  }

  private func perform(_ command: ResponseStream.Command, _ connection: Connection?) {
    guard let connection, connection.stream != nil else { return }
    switch command {
    case .write(let bytes, let whenSent):
      connection.state.wrote(bytes, now: now)
      if case .send(let framed, _) = connection.state.next(now: now) {
        connection.enqueue(
          .init(
            bytes: framed, counted: whenSent == nil ? bytes.count : 0, whenSent: whenSent))
        flush(connection)
      }
    case .end:
      connection.isStreamEnded = true
      connection.state.streamEnded(now: now)
    case .cutOff: return lose(connection, .cutOff)
    }
    advance(connection)
    settle(connection)
  }

  // MARK: Ending

  private func endStream(_ connection: Connection, _ end: ResponseStream.End) {
    guard let stream = connection.stream else { return }
    connection.stream = nil
    connection.isStreamEnded = false
    statistics.streamsOpen -= 1
    stream.close(end)
  }

  /// Closes the socket and forgets the connection.
  func lose(_ connection: Connection, _ end: ResponseStream.End) {
    guard !connection.isClosed else { return }
    connection.isClosed = true
    connections.remove(connection)
    if connection.hasOutput {
      Socket.reset(connection.descriptor)
    } else {
      Socket.close(connection.descriptor)
    }
    if connection.isTurnedAway { turnedAway -= 1 } else { statistics.connectionsOpen -= 1 }
    endStream(connection, end)
    resumeAccepting(freed: true)
  }

  /// Looks at every time limit. It costs the same however many requests there were.
  private func tick() {
    for connection in connections.all where connection.state.deadline <= now {
      connection.state.expired(now: now)
      advance(connection)
      settle(connection)
    }
    if let draining, draining.deadline <= now {
      for connection in connections.all { lose(connection, .gone) }
    }
    resumeAccepting()
    tickAsNeeded()
  }

  func tickAsNeeded() {
    let isNeeded = !connections.isEmpty || listeners.isPaused || draining != nil
    guard isNeeded != isTicking else { return }
    isTicking = isNeeded
    poller.tick(every: isNeeded ? times.tick : nil)
  }

  private func drain(within duration: Duration, _ completion: @escaping @Sendable () -> Void) {
    let deadline = now + duration
    draining = (
      min(deadline, draining?.deadline ?? .never), (draining?.completions ?? []) + [completion]
    )
    // What waits in the backlog came before the end.
    for token in listeners.tokens { accept(token) }
    listeners.close(poller)
    for connection in connections.all {
      // A request that has arrived, but was not looked at yet, has begun.
      read(connection)
      connection.state.drain(now: now)
      advance(connection)
      settle(connection)
    }
    tickAsNeeded()
  }

  private func stopIfDrained() {
    guard let draining, connections.isEmpty, !hasStopped else { return }
    hasStopped = true
    source.cancel()
    publish()
    for completion in draining.completions { completion() }
    for message in mailbox.close() {
      switch message {
      case .adopt(let listener): listener.close()
      case .reply(_, .stream(_, let stream)): stream.close(.gone)
      case .drain(_, let completion): completion()
      case .reply(_, .whole), .command: break
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
