import HTTP

/// One connection as a state machine. It is told each event of the socket, the handler and the
/// clock, and answers the one action to perform. It touches neither socket nor clock.
///
/// What is so between events are values that the loop reads: whether it wants input, and how much
/// at once; until when it waits; how many bytes of a body it holds; whether it lingers, or never
/// had a request; and whether a piece of its stream goes out as a chunk.
///
/// It reads one request at a time: the next one is looked at when the answer before it has been
/// taken. So pipelined requests are answered in order, and a client cannot pile up work.
struct ConnectionState: Sendable {
  /// Its deadline is when the loop calls `expired`.
  private(set) var watch: Watch
  private(set) var phase = Phase.reading
  private var parser: RequestParser
  /// The head of the request whose body is being read.
  private var head: RequestHead?
  private var body: [UInt8] = []
  private var encoder: ResponseEncoder?
  private var clientEnded = false
  /// Whether the head of a request has ever come whole.
  private(set) var hasAsked = false
  private var isDraining = false
  private var isDismissed = false
  private var isTurnedAway = false

  init(limits: SharedLimits) {
    watch = Watch(limits)
    parser = RequestParser(limits: limits.values.message)
  }

  /// Whether the socket should be read.
  var wantsInput: Bool {
    switch phase {
    case .reading, .lingering: !clientEnded
    case .yielding, .deciding, .answering, .streaming, .sending, .closed: false
    }
  }

  /// How many bytes to read at once: fewer of heads, which may be pipelined, than of a body.
  var appetite: Int { head != nil || isLingering ? 65_536 : 16_384 }

  /// How many bytes are held of a body that is not whole yet.
  var bodyBytes: Int { body.count }

  var isLingering: Bool { if case .lingering = phase { true } else { false } }

  /// Whether a piece of the body that is streamed goes out as a chunk, whole and by itself.
  var takesChunks: Bool {
    if case .streaming = phase { encoder?.version == .http11 } else { false }
  }

  // MARK: The socket

  /// The connection is open. One beyond the limit gets one answer, to its first request: that tells
  /// whether the answer may have content (RFC 9110 §9.3.2).
  mutating func opened(isTurnedAway: Bool, now: Duration) -> Action? {
    self.isTurnedAway = isTurnedAway
    return read(now)
  }

  mutating func received(_ bytes: ArraySlice<UInt8>, now: Duration) -> Action? {
    if case .lingering(let left) = phase {
      phase = .lingering(bytes: left - bytes.count)
      return bytes.count > left ? close() : nil
    }
    parser.append(bytes)
    return read(now)
  }

  /// The client sends no more; it may still read.
  mutating func ended(now: Duration) -> Action? {
    clientEnded = true
    return isLingering ? close() : read(now)
  }

  /// Some of the bytes to send have been taken by the system.
  mutating func progressed(now: Duration) {
    watch.progressed(now)
  }

  /// All bytes to send have been taken by the system.
  mutating func flushed(now: Duration) -> Action? {
    switch phase {
    case .sending(thenCloses: true): return clientEnded ? close() : linger(now)
    case .sending(thenCloses: false):
      encoder = nil
      watch.stop()
      phase = parser.unreadBytes > 0 ? .yielding : .reading
      return parser.unreadBytes > 0 ? .yield : read(now)
    case .streaming:
      watch.stop()
      return nil
    case .reading: return read(now)
    case .yielding, .deciding, .answering, .lingering, .closed: return nil
    }
  }

  /// Other connections were served.
  mutating func resumed(now: Duration) -> Action? {
    guard case .yielding = phase else { return nil }
    phase = .reading
    return read(now)
  }

  // MARK: The handler

  /// The handler lets the body have this many bytes.
  mutating func admitted(bodyLimit: Int, now: Duration) -> Action? {
    guard case .deciding = phase, let head else { return nil }
    parser.admit(bodyLimit: bodyLimit)
    phase = .reading
    let hasRoom =
      switch head.framing {
      case .none: false
      case .length(let length): length <= bodyLimit
      case .chunked: true
      }
    // A client that has begun to send the body waits no more (RFC 9110 §10.1.1).
    guard head.expectsContinue, hasRoom, parser.unreadBytes == 0 else { return read(now) }
    watch.start(.body, now)
    return .send(ResponseEncoder.continue, [])
  }

  /// The whole answer, to a request or instead of one.
  mutating func answered(_ response: Response, date: String, now: Duration) -> Action? {
    guard let encoder = beginAnswer(response) else { return nil }
    let (first, rest) = encoder.whole(response, date: date)
    phase = .sending(thenCloses: !encoder.keepsAlive)
    watch.wrote(first.count + rest.count, now)
    return .send(first, rest)
  }

  /// The head of an answer that comes in pieces, with the first one. The action is `stream` where
  /// more pieces will be sent: the answer to HEAD has none.
  mutating func streamed(_ response: Response, date: String, now: Duration) -> Action? {
    guard var encoder = beginAnswer(response) else { return nil }
    let hasBody = encoder.sendsBody(response.status)
    if hasBody, encoder.version == .http10 { encoder.keepsAlive = false }
    self.encoder = encoder
    var bytes = encoder.streamHead(of: response, date: date)
    if hasBody { bytes += encoder.piece(response.body) }
    phase = hasBody ? .streaming : .sending(thenCloses: !encoder.keepsAlive)
    watch.wrote(bytes.count, now)
    return hasBody ? .stream(bytes) : .send(bytes, [])
  }

  /// The bytes to send for a piece of a streamed body; nil where none is streamed.
  mutating func wrote(_ piece: [UInt8], now: Duration) -> [UInt8]? {
    guard case .streaming = phase, let encoder else { return nil }
    let bytes = encoder.piece(piece)
    watch.wrote(bytes.count, now)
    return bytes
  }

  mutating func streamEnded(now: Duration) -> Action? {
    guard case .streaming = phase, let encoder else { return nil }
    phase = .sending(thenCloses: !encoder.keepsAlive)
    let bytes = encoder.version == .http11 ? ResponseEncoder.lastChunk : []
    watch.wrote(bytes.count, now)
    return .send(bytes, [])
  }

  // MARK: The clock and the server

  /// The deadline has passed.
  mutating func expired(now: Duration) -> Action? {
    switch watch.wait {
    case .nothing: return nil
    case .head, .body:
      watch.stop()
      return refuse(isTurnedAway ? .tooManyConnections : .requestTimeout)
    case .request, .reader, .linger: return close()
    }
  }

  /// There is no room for the body.
  mutating func refuseBody() -> Action? {
    guard case .reading = phase, head != nil else { return nil }
    body = []
    watch.stop()
    return refuse(.tooManyBodies)
  }

  /// The connection has to give way to another one. It is ended after the answer that it waits
  /// for; the rest of a request is not waited for.
  mutating func dismissed(now: Duration) -> Action? {
    isDismissed = true
    if case .reading = phase, parser.hasBegun { return starve(now) }
    return drain(now: now)
  }

  /// The server is about to stop: no request is begun after this.
  mutating func drain(now: Duration) -> Action? {
    isDraining = true
    if isLingering { watch.hasten(now) }
    guard case .reading = phase, !parser.hasBegun else { return nil }
    return close()
  }
}

extension ConnectionState {
  /// Reads the input up to the next action.
  private mutating func read(_ now: Duration) -> Action? {
    guard case .reading = phase else { return nil }
    while true {
      switch parser.next() {
      case .needsInput: return starve(now)
      case .head(let head):
        self.head = head
        if isTurnedAway { return refuse(.tooManyConnections) }
        hasAsked = true
        watch.stop()
        encoder = ResponseEncoder(
          method: head.method, version: head.version, keepsAlive: head.keepsAlive)
        phase = .deciding
        return .admit(head)
      case .body(let piece):
        if body.isEmpty { body = piece } else { body.append(contentsOf: piece) }
      case .end:
        guard let head else { continue }
        defer {
          self.head = nil
          body = []
        }
        phase = .answering
        watch.stop()
        return .respond(Request(head, body: body))
      case .refused(let refusal): return refuse(refusal)
      }
    }
  }

  /// All input was read, and the request is not complete.
  private mutating func starve(_ now: Duration) -> Action? {
    guard parser.hasBegun else {
      if clientEnded || isDraining { return close() }
      watch.start(isTurnedAway ? .head : .request, now)
      return nil
    }
    if clientEnded {
      return refuse(.malformedRequest("The request ends before it is complete."))
    }
    if isDismissed {
      body = []
      watch.stop()
      return refuse(.tooManyConnections)
    }
    watch.start(head == nil ? .head : .body, now)
    return nil
  }

  private mutating func refuse(_ refusal: Refusal) -> Action {
    encoder = ResponseEncoder(
      method: parser.method, version: encoder?.version ?? .http11, keepsAlive: false)
    phase = .deciding
    return .refuse(refusal, head)
  }

  /// The encoder of this answer; nil where no answer is asked for.
  private mutating func beginAnswer(_ response: Response) -> ResponseEncoder? {
    guard var encoder else { return nil }
    switch phase {
    case .answering: break
    case .deciding:
      if let head {
        // The request was not admitted. A body that was announced stays unread, so nobody knows
        // where the next request begins.
        if head.framing != .none { encoder.keepsAlive = false }
        self.head = nil
        if encoder.keepsAlive { _ = parser.next() }
      }
    case .reading, .yielding, .streaming, .sending, .lingering, .closed: return nil
    }
    let isLast = clientEnded && parser.unreadBytes == 0
    if isDraining || isLast || response.fields.list(.connection, contains: "close") {
      encoder.keepsAlive = false
    }
    self.encoder = encoder
    return encoder
  }

  /// Reads on for a while, so that the answer is not lost in the reset that unread bytes cause.
  private mutating func linger(_ now: Duration) -> Action {
    phase = .lingering(bytes: watch.limits.lingerBytes)
    parser.discard()
    watch.start(.linger, now)
    if isDraining { watch.hasten(now) }
    return .shutDown
  }

  private mutating func close() -> Action {
    phase = .closed
    watch.stop()
    parser.discard()
    body = []
    return .close
  }
}
