/// `method SP request-target SP HTTP-version` (RFC 9112 §3).
struct RequestLine: Sendable {
  let method: Method
  let target: Target
  let version: HTTPVersion

  fileprivate static let protocolName = Array("HTTP/".utf8)

  /// Throws the first of several faults: of the syntax, the version, the method and the target, in
  /// this order.
  init(
    _ line: ArraySlice<UInt8>, limits: MessageLimits
  ) throws(Refusal) {
    guard let first = line.firstIndex(of: ASCII.space),
      let last = line.lastIndex(of: ASCII.space), first < last,
      !line[(first + 1)..<last].contains(ASCII.space)
    else { throw .malformedRequest("The request line is not a method, a target and a version.") }
    let name = line[..<first]
    let token = ByteSet.token
    guard !name.isEmpty, name.allSatisfy(token.contains) else {
      throw .malformedRequest("The method is not a token.")
    }
    version = try HTTPVersion(line[(last + 1)...])
    guard let method = Method(rawValue: String(decoding: name, as: UTF8.self)) else {
      throw .notImplemented("The method is not implemented.")
    }
    self.method = method
    target = try Target(
      line[(first + 1)..<last], method: method, slashesBelow: limits.pathOfSlashes)
  }
}

extension HTTPVersion {
  /// `HTTP-name "/" DIGIT "." DIGIT`, case-sensitive (RFC 9112 §2.3).
  init(_ text: ArraySlice<UInt8>) throws(Refusal) {
    let start = text.startIndex
    guard text.count == 8, text.starts(with: RequestLine.protocolName),
      ASCII.isDigit(text[start + 5]), text[start + 6] == 0x2E, ASCII.isDigit(text[start + 7])
    else {
      throw .malformedRequest("The version is not HTTP/1.x.")
    }
    guard text[start + 5] == 0x31 else { throw .versionNotSupported }
    self = text[start + 7] == ASCII.zero ? .http10 : .http11
  }
}
