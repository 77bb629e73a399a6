/// Reads requests from the bytes of one connection: a state machine that is asked for the next
/// event until it needs more input.
///
/// However the bytes are cut into pieces, the events are the same, but for the pieces of a body.
/// After a refusal nothing more is read.
///
/// The grammar is RFC 9112's without what it merely tolerates; where it leaves a choice, the
/// strict one is taken, because leniency is what request smuggling lives on.
package struct RequestParser: Sendable {
  package enum Event: Sendable, Equatable {
    /// All input was read; call again with more.
    case needsInput
    /// A head is complete. `admit(bodyLimit:)` may be called before the next event.
    case head(RequestHead)
    /// A piece of the body, never empty.
    case body([UInt8])
    /// The request is complete; what follows is the next one.
    case end
    case refused(Refusal)
  }

  enum Stage: Sendable {
    case requestLine(emptyLines: Int)
    case fields
    /// The head was given; its body is next.
    case framed(BodyFraming)
    case fixed(remaining: Int)
    case chunkLine
    case chunk(remaining: Int)
    case chunkEnd
    case trailers
    case refused(Refusal)
  }

  let limits: MessageLimits
  var stage = Stage.requestLine(emptyLines: 0)
  /// The head that was given last; of a request that is being read, or of the one before.
  var known: KnownHead?
  /// Where in the input the head begins that is being read, if all of it so far lies there.
  var headStart: Int?
  var lines = LineReader()
  var line: RequestLine?
  var asksHead = false
  var fields = Fields()
  var fieldCount = 0
  var fieldBytes = 0
  var bodyBytes = 0
  var extensionBytes = 0
  private var bodyLimit: Int

  package init(limits: MessageLimits = MessageLimits()) {
    self.limits = limits
    bodyLimit = max(0, limits.body)
  }

  /// Whether the first byte of a request was read and its last one was not.
  package var hasBegun: Bool {
    if case .requestLine = stage { return lines.hasBegun }
    return true
  }

  /// The method of the request that is being read, once it is known. That it is HEAD is known as soon as the
  /// token was read, whatever becomes of the line: the answer to HEAD has no content (RFC 9110 §9.3.2).
  package var method: Method? { line?.method ?? (asksHead ? .head : nil) }

  /// Lets the body of the request whose head was given last have this many bytes; without it, the
  /// limit is the parser's own.
  package mutating func admit(bodyLimit: Int) {
    self.bodyLimit = max(0, bodyLimit)
  }

  /// Reads on from the cursor, and moves it past what was read.
  package mutating func next(_ input: [UInt8], from cursor: inout Int) -> Event {
    do throws(Refusal) {
      while true {
        guard let event = try step(input, &cursor) else { continue }
        if case .needsInput = event { headStart = nil }
        return event
      }
    } catch {
      lines = LineReader()
      fields = Fields()
      stage = .refused(error)
      return .refused(error)
    }
  }

  /// Nil when the stage has changed and the next step gives the event.
  private mutating func step(
    _ input: [UInt8], _ cursor: inout Int
  ) throws(Refusal) -> Event? {
    switch stage {
    case .requestLine(let emptyLines): try readRequestLine(input, &cursor, emptyLines)
    case .fields: try readField(input, &cursor)
    case .framed(let framing): try begin(framing)
    case .fixed(let remaining): try readFixed(input, &cursor, remaining)
    case .chunkLine: try readChunkLine(input, &cursor)
    case .chunk(let remaining): readChunk(input, &cursor, remaining)
    case .chunkEnd: try readChunkEnd(input, &cursor)
    case .trailers: try readTrailer(input, &cursor)
    case .refused(let refusal): .refused(refusal)
    }
  }

  private mutating func begin(_ framing: BodyFraming) throws(Refusal) -> Event? {
    switch framing {
    case .none: return finish()
    case .length(let length):
      try count(length)
      stage = .fixed(remaining: length)
    case .chunked: stage = .chunkLine
    }
    return nil
  }

  private mutating func readFixed(
    _ input: [UInt8], _ cursor: inout Int, _ remaining: Int
  ) throws(Refusal) -> Event? {
    guard remaining > 0 else { return finish() }
    guard cursor < input.count else { return .needsInput }
    let piece = take(remaining, of: input, &cursor)
    stage = .fixed(remaining: remaining - piece.count)
    return .body(piece)
  }

  func take(_ most: Int, of input: [UInt8], _ cursor: inout Int) -> [UInt8] {
    let end = cursor + min(most, input.count - cursor)
    defer { cursor = end }
    return Array(input[cursor..<end])
  }

  /// Adds to the body's size, before those bytes are read.
  mutating func count(_ bytes: Int) throws(Refusal) {
    guard bytes <= bodyLimit - bodyBytes else { throw .bodyTooLarge(limit: bodyLimit) }
    bodyBytes += bytes
  }

  mutating func finish() -> Event {
    var next = RequestParser(limits: limits)
    swap(&next.known, &known)
    self = next
    return .end
  }

  /// Lets go of the head that was given last, where no other like it is to come.
  package mutating func forgetHead() { known = nil }
}
