import HTTP

/// One connection as a state machine: it is told what came of the socket, the handler and the clock,
/// and says what is to be done. It touches neither socket nor clock.
///
/// It reads one request at a time: the next one is looked at when the answer before it has been
/// taken, so pipelined requests are answered in order and a client cannot pile up work.
struct ConnectionState: Sendable {
  enum Action: Sendable, Equatable {
    /// Ask whether this request may go on; the reply is `admitted` or `answered`.
    case admit(RequestHead)
    /// Hand the request to the handler; the reply is `answered` or `streamed`.
    case respond(Request)
    /// Ask for the answer to this refusal; the reply is `answered`.
    case refuse(Refusal)
    /// Send both, in this order. `flushed` tells that all was taken.
    case send([UInt8], [UInt8])
    /// End the sending side, and read on.
    case shutDown
    case close
  }

  private let lingerBytes: Int
  private(set) var watch: Watch
  private var parser: RequestParser
  private(set) var phase = Phase.reading
  private var input: [UInt8] = []
  private var cursor = 0
  /// The head of the request whose body is being read.
  private(set) var head: RequestHead?
  private var body: [UInt8] = []
  private var encoder: ResponseEncoder?
  private var ready: Due?
  private var clientEnded = false
  /// Whether it ever came to the end of a request's head.
  private(set) var hasAsked = false
  private var isDraining = false

  init(limits: Limits, _ watchLimits: WatchLimits) {
    lingerBytes = limits.lingerBytes
    watch = Watch(watchLimits)
    parser = RequestParser(limits: limits.message)
  }

  /// When `expired` is to be called.
  var deadline: Moment { watch.deadline }

  /// Whether the socket should be read.
  var wantsInput: Bool {
    switch phase {
    // One that has said more than it was asked about has its turn first.
    case .reading: !clientEnded && input.isEmpty
    case .lingering: !clientEnded
    case .deciding, .answering, .streaming, .sending, .closed: false
    }
  }

  /// How many bytes are held of a body that is not whole yet.
  var bodyBytes: Int { body.count }

  var isLingering: Bool { if case .lingering = phase { true } else { false } }

  /// Whether the input goes on behind an answer.
  var hasMore: Bool { if case .reading = phase { cursor < input.count } else { false } }

  /// What is to be done now; asked until it is nil, after every event.
  mutating func next(now: Moment) -> Action? {
    if let due = ready {
      ready = nil
      return due.action
    }
    guard case .reading = phase else { return nil }
    while true {
      switch parser.next(input, from: &cursor) {
      case .needsInput: return starve(now)
      case .head(let head): return admit(head)
      case .body(let piece):
        if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
      case .end:
        if let request = takeRequest() { return .respond(request) }
      case .refused(let refusal): return refuse(refusal).action
      }
    }
  }

  // MARK: The socket

  mutating func received(_ bytes: ArraySlice<UInt8>, now: Moment) {
    if case .lingering(let left) = phase {
      phase = .lingering(bytes: left - bytes.count)
      if bytes.count > left { close() }
    } else {
      input.append(contentsOf: bytes)
    }
  }

  /// The client sends no more; it may still read.
  mutating func ended() {
    clientEnded = true
    if isLingering { close() }
  }

  /// Some of what was to be sent has been taken by the system.
  mutating func progressed(now: Moment) {
    watch.progressed(now)
  }

  /// All that was to be sent has been taken by the system.
  mutating func flushed(now: Moment) {
    switch phase {
    case .sending(thenCloses: true): finish(now)
    case .sending(thenCloses: false):
      phase = .reading
      encoder = nil
      watch.stop()
    case .streaming: watch.stop()
    case .reading, .deciding, .answering, .lingering, .closed: break
    }
  }

  // MARK: The handler

  /// The body may have this many bytes.
  mutating func admitted(bodyLimit: Int, now: Moment) {
    guard case .deciding = phase, let head else { return }
    parser.admit(bodyLimit: bodyLimit)
    phase = .reading
    let hasRoom =
      switch head.framing {
      case .none: false
      case .length(let length): length <= bodyLimit
      case .chunked: true
      }
    // Who has begun to send the body waits no more (RFC 9110 §10.1.1).
    if head.expectsContinue, hasRoom, cursor == input.count {
      ready = .send(ResponseEncoder.continue, [])
    }
  }

  /// The whole answer, to a request or instead of one.
  mutating func answered(_ response: Response, date: String, now: Moment) {
    guard let encoder = beginAnswer(response) else { return }
    let (first, rest) = encoder.whole(response, date: date)
    phase = .sending(thenCloses: !encoder.keepsAlive)
    send(first, rest, now)
  }

  /// The head of an answer that comes in pieces, with the first one. Answers whether there will be
  /// more: HEAD has none.
  mutating func streamed(_ response: Response, date: String, now: Moment) -> Bool {
    guard var encoder = beginAnswer(response) else { return false }
    let hasBody = encoder.sendsBody(response.status)
    if hasBody, encoder.version == .http10 { encoder.keepsAlive = false }
    self.encoder = encoder
    let bytes = encoder.streamHead(of: response, date: date)
    phase = hasBody ? .streaming : .sending(thenCloses: !encoder.keepsAlive)
    // Thousands may be open, and none has another request before its end.
    if hasBody { parser.forgetHead() }
    send(bytes + (hasBody ? encoder.piece(response.body) : []), [], now)
    return hasBody
  }

  /// A piece of a streamed body.
  mutating func wrote(_ bytes: [UInt8], now: Moment) {
    guard case .streaming = phase, let encoder else { return }
    send(encoder.piece(bytes), [], now)
  }

  /// Whether a piece of the body that is streamed goes out as a chunk, whole and by itself.
  var takesChunks: Bool {
    if case .streaming = phase { encoder?.version == .http11 } else { false }
  }

  /// The end of a streamed body.
  mutating func streamEnded(now: Moment) {
    guard case .streaming = phase, let encoder else { return }
    phase = .sending(thenCloses: !encoder.keepsAlive)
    send(encoder.version == .http11 ? ResponseEncoder.lastChunk : [], [], now)
  }

  // MARK: The clock and the server

  /// The deadline has passed.
  mutating func expired(now: Moment) {
    switch watch.wait {
    case .nothing: break
    case .head, .body:
      ready = refuse(.requestTimeout)
      watch.stop()
    case .request, .reader, .linger: close()
    }
  }

  /// The server is full: one answer before anything is read.
  mutating func turnAway() {
    ready = refuse(.tooManyConnections)
  }

  /// There is no room for the body.
  mutating func refuseBody() {
    guard case .reading = phase, head != nil else { return }
    body = []
    ready = refuse(.tooManyBodies)
    watch.stop()
  }

  /// The server is about to stop: no request is begun after this.
  mutating func drain(now: Moment) {
    isDraining = true
    switch phase {
    case .reading where !parser.hasBegun && input.isEmpty: close()
    case .lingering: watch.hasten(now)
    case .reading, .deciding, .answering, .streaming, .sending, .closed: break
    }
  }
}

extension ConnectionState {
  /// All input was read, and the request is not complete.
  private mutating func starve(_ now: Moment) -> Action? {
    input = []
    cursor = 0
    guard parser.hasBegun else {
      if clientEnded || isDraining {
        phase = .closed
        return .close
      }
      watch.start(.request, now)
      return nil
    }
    if clientEnded {
      return refuse(.malformedRequest("The request ends before it is complete.")).action
    }
    watch.start(head == nil ? .head : .body, now)
    return nil
  }

  private mutating func admit(_ head: RequestHead) -> Action {
    self.head = head
    hasAsked = true
    encoder = ResponseEncoder(
      method: head.method, version: head.version, keepsAlive: head.keepsAlive)
    phase = .deciding
    return .admit(head)
  }

  private mutating func takeRequest() -> Request? {
    guard let head else { return nil }
    defer {
      self.head = nil
      body = []
    }
    if cursor == input.count {
      input = []
      cursor = 0
    }
    phase = .answering
    watch.stop()
    return Request(head, body: body)
  }

  private mutating func refuse(_ refusal: Refusal) -> Due {
    encoder = ResponseEncoder(
      method: parser.method, version: encoder?.version ?? .http11, keepsAlive: false)
    phase = .deciding
    return .refuse(refusal)
  }

  /// How to write this answer; nil when none is asked for.
  private mutating func beginAnswer(_ response: Response) -> ResponseEncoder? {
    guard var encoder else { return nil }
    switch phase {
    case .answering: break
    case .deciding:
      if let head {
        // The request was not admitted. A body that was announced stays unread, and where the next
        // request begins with it.
        if head.framing != .none { encoder.keepsAlive = false }
        self.head = nil
        if encoder.keepsAlive { _ = parser.next(input, from: &cursor) }
      }
    case .reading, .streaming, .sending, .lingering, .closed: return nil
    }
    let isLast = clientEnded && cursor == input.count
    if isDraining || isLast || response.fields.list(.connection, contains: "close") {
      encoder.keepsAlive = false
    }
    self.encoder = encoder
    return encoder
  }

  private mutating func send(_ first: [UInt8], _ rest: [UInt8], _ now: Moment) {
    watch.wrote(first.count + rest.count, now)
    ready = .send(first, rest)
  }

  private mutating func finish(_ now: Moment) {
    if clientEnded {
      close()
    } else {
      phase = .lingering(bytes: lingerBytes)
      input = []
      cursor = 0
      watch.start(.linger, now)
      if isDraining { watch.hasten(now) }
      ready = .shutDown
    }
  }

  private mutating func close() {
    phase = .closed
    watch.stop()
    input = []
    body = []
    ready = .close
  }
}
