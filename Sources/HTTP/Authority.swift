/// `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum Authority {
  /// Whether the text is an authority. An http URI has no empty host (RFC 9110 §4.2.1).
  static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    let host: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return false }
      host = text[(text.startIndex + 1)..<end]
      rest = text[(end + 1)...]
      guard isIPv6(host) else { return false }
    } else {
      let end = text.firstIndex(of: ASCII.colon) ?? text.endIndex
      host = text[..<end]
      rest = text[end...]
      guard isName(host) else { return false }
    }
    guard let colon = rest.first else { return true }
    return colon == ASCII.colon && isPort(rest.dropFirst())
  }

  /// A registered name or an IPv4 address. A comma, which RFC 3986 allows, is refused: it joins two
  /// fields of one name (RFC 9110 §5.3), and there may be only one host.
  private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
    let legal = ByteSet.name
    guard host.contains(ASCII.percent) else {
      return !host.isEmpty && host.allSatisfy { legal.contains($0) && $0 != ASCII.comma }
    }
    var rest = host
    while let byte = rest.popFirst() {
      if byte == ASCII.percent {
        guard rest.popFirst().flatMap(ASCII.hex) != nil, rest.popFirst().flatMap(ASCII.hex) != nil
        else { return false }
      } else {
        guard legal.contains(byte), byte != ASCII.comma else { return false }
      }
    }
    return true
  }

  /// `port = *DIGIT`, of a number that a port can have.
  private static func isPort(_ port: ArraySlice<UInt8>) -> Bool {
    guard port.count <= 5, port.allSatisfy(ASCII.isDigit) else { return false }
    return port.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) } <= 65535
  }

  /// Eight groups of at most four hexadecimal digits, one run of which may be left out; an IPv4
  /// address may stand for the last two. Later versions (`IPvFuture`) do not exist.
  private static func isIPv6(_ host: ArraySlice<UInt8>) -> Bool {
    var parts = host.split(separator: ASCII.colon, omittingEmptySubsequences: false)
    guard parts.count >= 3 else { return false }
    // A gap at an end leaves two empty parts there.
    if parts[0].isEmpty {
      parts.removeFirst()
      guard parts[0].isEmpty else { return false }
    }
    if parts[parts.count - 1].isEmpty {
      parts.removeLast()
      guard parts[parts.count - 1].isEmpty else { return false }
    }
    let gaps = parts.count(where: \.isEmpty)
    var groups = parts.count - gaps
    if let last = parts.last, isIPv4(last) {
      parts.removeLast()
      groups += 1
    }
    return parts.allSatisfy { $0.count <= 4 && $0.allSatisfy { ASCII.hex($0) != nil } }
      && (gaps == 0 ? groups == 8 : gaps == 1 && groups <= 7)
  }

  private static func isIPv4(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: 0x2E, omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        !part.isEmpty && part.count <= 3 && part.allSatisfy(ASCII.isDigit)
          && part.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) } <= 255
      }
  }
}
