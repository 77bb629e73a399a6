extension RequestParser {
  /// For how many fields memory is reserved at once.
  private static let usualFields = 8
  private static let headToken = Array("HEAD ".utf8)

  mutating func readRequestLine(_ emptyLines: Int) throws(Refusal) -> Event? {
    if input[cursor...].starts(with: RequestParser.headToken) { method = .head }
    guard
      let text = try nextLine(
        limit: limits.requestLine, tooLong: .targetTooLong(limit: limits.requestLine))
    else { return .needsInput }
    if text.isEmpty {
      guard emptyLines < MessageLimits.emptyLines else {
        throw .malformedRequest("The request begins with empty lines.")
      }
      stage = .requestLine(emptyLines: emptyLines + 1)
    } else {
      line = try RequestLine(text, limits: limits)
      method = line?.method
      fields.reserveCapacity(min(RequestParser.usualFields, limits.headerFields))
      stage = .fields
    }
    return nil
  }

  mutating func readField() throws(Refusal) -> Event? {
    guard let text = try readFieldLine() else { return .needsInput }
    if text.isEmpty, let line { return .head(try finishHead(line)) }
    fields.append(try RequestParser.field(text))
    return nil
  }

  /// A line of the header or trailer section, within the limits that both share.
  mutating func readFieldLine() throws(Refusal) -> ArraySlice<UInt8>? {
    let room = max(0, max(0, limits.headerBytes) - fieldBytes - 2)
    guard let text = try nextLine(limit: room, tooLong: .headersTooLarge) else { return nil }
    if !text.isEmpty {
      guard fieldCount < limits.headerFields else { throw .headersTooLarge }
      fieldCount += 1
      fieldBytes += text.count + 2
    }
    return text
  }

  /// `field-name ":" OWS field-value OWS` (RFC 9112 §5). A space before the colon and a folded line
  /// (§5.1, §5.2) fail as names that are no tokens.
  static func field(_ text: ArraySlice<UInt8>) throws(Refusal) -> Fields.Field {
    guard let colon = text.firstIndex(of: ASCII.colon), let name = FieldName(text[..<colon]) else {
      throw .malformedRequest("A header field is not a name, a colon and a value.")
    }
    let value = ASCII.trimmed(text[(colon + 1)...])
    return Fields.Field(checked: name, RequestParser.text(value))
  }

  /// A value that is not UTF-8 is read as ISO 8859-1, which RFC 9110 §5.5 names for old values.
  private static func text(_ value: ArraySlice<UInt8>) -> String {
    // ASCII is UTF-8, and this test takes a tenth of the time.
    let isASCII = value.withUnsafeBufferPointer { $0.reduce(0, |) } < 0x80
    if isASCII { return String(decoding: value, as: UTF8.self) }
    if let text = String(validating: value, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
  }

  private mutating func finishHead(_ line: RequestLine) throws(Refusal) -> RequestHead {
    try checkHost(line.version)
    let head = RequestHead(
      method: line.method, target: line.target, version: line.version, fields: fields,
      framing: try framing(line.version), expectsContinue: try expectsContinue(line.version))
    fields = Fields()
    self.line = nil
    stage = .framed(head.framing)
    return head
  }

  /// Exactly one valid `Host`, whatever the form of the target (RFC 9112 §3.2); HTTP/1.0 may have
  /// none.
  private func checkHost(_ version: HTTPVersion) throws(Refusal) {
    if version == .http10, !fields.contains(.host) { return }
    guard let host = fields.only(.host) else {
      throw .malformedRequest("There is not exactly one Host field.")
    }
    guard Authority.isValid(Array(host.utf8)[...]) else {
      throw .malformedRequest("The Host field is not valid.")
    }
  }

  /// RFC 9112 §6. Two statements about one body, alike or not, are refused.
  private func framing(_ version: HTTPVersion) throws(Refusal) -> BodyFraming {
    let hasLength = fields.contains(.contentLength)
    guard fields.contains(.transferEncoding) else {
      guard hasLength else { return .none }
      guard let text = fields.only(.contentLength) else {
        throw .malformedRequest("Content-Length is given more than once.")
      }
      // `1*DIGIT` (RFC 9110 §8.6). A number too large to be held is too large for any limit.
      guard !text.isEmpty, text.utf8.allSatisfy(ASCII.isDigit) else {
        throw .malformedRequest("Content-Length is not a number.")
      }
      let length = Int(text) ?? .max
      return length == 0 ? .none : .length(length)
    }
    guard !hasLength else {
      throw .malformedRequest("Content-Length and Transfer-Encoding are given both.")
    }
    guard version == .http11 else {
      throw .malformedRequest("HTTP/1.0 has no Transfer-Encoding.")
    }
    // Empty elements are passed over (RFC 9110 §5.6.1.2).
    let codings = fields.list(.transferEncoding)
    let isChunked = codings.map { ASCII.equal($0, "chunked") }
    // Without it at the end no one can tell where the body ends (RFC 9112 §6.3).
    guard isChunked.last == true, isChunked.count(where: { $0 }) == 1 else {
      throw .malformedRequest("Transfer-Encoding does not end with chunked, once.")
    }
    guard codings.count == 1 else {
      throw .notImplemented("No transfer coding but chunked is implemented.")
    }
    return .chunked
  }

  /// RFC 9110 §10.1.1, which has HTTP/1.0 ignored.
  private func expectsContinue(_ version: HTTPVersion) throws(Refusal) -> Bool {
    guard version == .http11, fields.contains(.expect) else { return false }
    let expectations = fields.list(.expect)
    guard expectations.allSatisfy({ ASCII.equal($0, "100-continue") }) else {
      throw .expectationFailed
    }
    return !expectations.isEmpty
  }
}
