/// `method SP request-target SP HTTP-version` (RFC 9112 §3).
struct RequestLine: Sendable {
  let method: Method
  let target: Target
  let version: Version

  /// What is wrong with the syntax is said first, then with the version, then with the method, and
  /// with the target last.
  init(_ line: ArraySlice<UInt8>) throws(Refusal) {
    let parts = line.split(
      separator: ASCII.space, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw .malformedRequest("The request line is not a method, a target and a version.")
    }
    let token = ByteSet.token
    guard !parts[0].isEmpty, parts[0].allSatisfy(token.contains) else {
      throw .malformedRequest("The method is not a token.")
    }
    version = try Version(parts[2])
    guard let method = Method(rawValue: String(decoding: parts[0], as: UTF8.self)) else {
      throw .notImplemented("The method is not implemented.")
    }
    self.method = method
    target = try Target(parts[1], method: method)
  }
}

extension Version {
  /// `HTTP-name "/" DIGIT "." DIGIT`, case-sensitive (RFC 9112 §2.3).
  init(_ text: ArraySlice<UInt8>) throws(Refusal) {
    let bytes = Array(text)
    guard bytes.count == 8, bytes.starts(with: "HTTP/".utf8), ASCII.isDigit(bytes[5]),
      bytes[6] == 0x2E, ASCII.isDigit(bytes[7])
    else {
      throw .malformedRequest("The version is not HTTP/1.x.")
    }
    guard bytes[5] == 0x31 else { throw .versionNotSupported }
    self = bytes[7] == ASCII.zero ? .http10 : .http11
  }
}
