/// Reads requests from the bytes of one connection: a state machine that is given bytes as they
/// arrive, and asked for the next event until it needs more of them.
///
/// However the bytes are cut into pieces, the events are the same, but for the pieces of a body.
/// After a refusal nothing more is read.
///
/// The grammar is RFC 9112's, without the forms that it merely tolerates. Where the RFC leaves a
/// choice, the strict one is taken: request smuggling lives on leniency.
package struct RequestParser: Sendable {
  package enum Event: Sendable, Equatable {
    /// The bytes that were appended hold no more events.
    case needsInput
    /// A head is complete. `admit(bodyLimit:)` may be called before the next event.
    case head(RequestHead)
    /// A piece of the body, never empty.
    case body([UInt8])
    /// The request is complete; the bytes after it belong to the next one.
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
  /// Of the request whose fields are being read.
  var line: RequestLine?
  /// The method of the request that is being read, once it is known. HEAD is known before its line
  /// is complete, because the answer to HEAD has no content, whatever is wrong with the line (RFC
  /// 9110 §9.3.2).
  package internal(set) var method: Method?
  var fields = Fields()
  var fieldCount = 0
  var fieldBytes = 0
  var extensionBytes = 0
  var input: [UInt8] = []
  /// The index of the first byte that was not read.
  var cursor = 0
  /// The index up to which no line ends in the input, so that no byte is searched twice.
  private var searched = 0
  private var bodyBytes = 0
  private var bodyLimit: Int

  package init(limits: MessageLimits = MessageLimits()) {
    self.limits = limits
    bodyLimit = max(0, limits.body)
  }

  /// Whether the first byte of a request has come and its last one was not read.
  package var hasBegun: Bool {
    if case .requestLine = stage { return unreadBytes > 0 }
    return true
  }

  /// How many bytes were appended and not read.
  package var unreadBytes: Int { input.count - cursor }

  package mutating func append(_ bytes: ArraySlice<UInt8>) {
    input.append(contentsOf: bytes)
  }

  /// Drops the bytes that were not read.
  package mutating func discard() {
    input = []
    cursor = 0
    searched = 0
  }

  /// Sets the limit for the body of the request whose head was given last. Without a call, the
  /// limit is the parser's own.
  package mutating func admit(bodyLimit: Int) {
    self.bodyLimit = max(0, bodyLimit)
  }

  package mutating func next() -> Event {
    do throws(Refusal) {
      while true {
        guard let event = try step() else { continue }
        if case .needsInput = event, cursor > 0 {
          // The rest is a part of a line, or nothing.
          input = Array(input[cursor...])
          searched = max(0, searched - cursor)
          cursor = 0
        }
        return event
      }
    } catch {
      fields = Fields()
      discard()
      stage = .refused(error)
      return .refused(error)
    }
  }

  /// Nil when the stage has changed and the next step gives the event.
  private mutating func step() throws(Refusal) -> Event? {
    switch stage {
    case .requestLine(let emptyLines): try readRequestLine(emptyLines)
    case .fields: try readField()
    case .framed(let framing): try begin(framing)
    case .fixed(let remaining): readFixed(remaining)
    case .chunkLine: try readChunkLine()
    case .chunk(let remaining): readChunk(remaining)
    case .chunkEnd: try readChunkEnd()
    case .trailers: try readTrailer()
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

  private mutating func readFixed(_ remaining: Int) -> Event {
    guard remaining > 0 else { return finish() }
    guard let piece = takePiece(remaining) else { return .needsInput }
    stage = .fixed(remaining: remaining - piece.count)
    return .body(piece)
  }

  /// Takes the bytes of the body that have come, so many at most; nil when none have come.
  mutating func takePiece(_ most: Int) -> [UInt8]? {
    guard unreadBytes > 0 else { return nil }
    let piece = Array(input[cursor...].prefix(most))
    cursor += piece.count
    return piece
  }

  /// Adds to the body's size, before those bytes are read.
  mutating func count(_ bytes: Int) throws(Refusal) {
    guard bytes <= bodyLimit - bodyBytes else { throw .bodyTooLarge(limit: bodyLimit) }
    bodyBytes += bytes
  }

  mutating func finish() -> Event {
    var next = RequestParser(limits: limits)
    if unreadBytes > 0 {
      swap(&next.input, &input)
      next.cursor = cursor
    }
    self = next
    return .end
  }
}

extension RequestParser {
  /// The next line without its end; nil when it is not complete, and stays in the input.
  ///
  /// A line ends with CR LF and nothing else. RFC 9112 §2.2 lets a server take a lone LF for a line
  /// end and asks it to refuse a lone CR. Here both are refused, with NUL and every other control
  /// character: where two readers of one byte stream may disagree about its lines, requests can be
  /// smuggled.
  ///
  /// - Parameter limit: the most bytes of the line, without its end. `tooLong` is thrown at the
  ///   first byte beyond.
  mutating func nextLine(
    limit: Int, tooLong: Refusal
  ) throws(Refusal) -> ArraySlice<UInt8>? {
    let start = max(cursor, searched)
    let end = input.withUnsafeBufferPointer { ASCII.firstControl($0, from: start) }
    searched = end
    guard end - cursor <= limit else { throw tooLong }
    guard end < input.count else { return nil }
    switch input[end] {
    case ASCII.carriageReturn: break
    case ASCII.lineFeed: throw .malformedRequest("A line ends with a line feed alone.")
    default: throw .malformedRequest("The request holds a control character.")
    }
    guard end + 1 < input.count else { return nil }
    guard input[end + 1] == ASCII.lineFeed else {
      throw .malformedRequest("A carriage return is not followed by a line feed.")
    }
    defer { cursor = end + 2 }
    return input[cursor..<end]
  }
}
