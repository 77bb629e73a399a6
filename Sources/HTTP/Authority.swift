/// `uri-host [ ":" port ]` (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum Authority {
  /// Whether the text is one. An empty host is not valid for an http URI (RFC 9110 §4.2.1).
  static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
    let host: ArraySlice<UInt8>
    let rest: ArraySlice<UInt8>
    if text.first == ASCII.openBracket {
      guard let end = text.firstIndex(of: ASCII.closeBracket) else { return false }
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

  /// A registered name or an IPv4 address. A comma, which RFC 3986 would allow, is refused: it is
  /// what joins two fields of one name (RFC 9110 §5.3), and there may be only one host.
  private static func isName(_ host: ArraySlice<UInt8>) -> Bool {
    let legal = ByteSet.name
    var index = host.startIndex
    while index < host.endIndex {
      if host[index] == ASCII.percent {
        guard host.endIndex - index >= 3, ASCII.hex(host[index + 1]) != nil,
          ASCII.hex(host[index + 2]) != nil
        else { return false }
        index += 3
      } else {
        guard legal.contains(host[index]), host[index] != UInt8(ascii: ",") else { return false }
        index += 1
      }
    }
    return !host.isEmpty
  }

  /// `port = *DIGIT`, and a number that a port can be.
  private static func isPort(_ port: ArraySlice<UInt8>) -> Bool {
    guard port.count <= 5, port.allSatisfy(ASCII.isDigit) else { return false }
    return port.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) } <= 65535
  }

  /// Eight groups of at most four hexadecimal digits, one run of which may be left out; an IPv4
  /// address may stand for the last two. Later versions (`IPvFuture`) do not exist.
  private static func isIPv6(_ host: ArraySlice<UInt8>) -> Bool {
    var groups = 0
    var gaps = 0
    let parts = host.split(separator: ASCII.colon, omittingEmptySubsequences: false)
    guard parts.count >= 3, parts.count <= 9 else { return false }
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      if part.isEmpty {
        let isEdge = index == 0 || isLast
        let neighbour = index == 0 ? parts[1] : parts[index - 1]
        if isEdge {
          guard neighbour.isEmpty else { return false }
        } else {
          gaps += 1
        }
      } else if isLast, part.contains(0x2E) {
        guard isIPv4(part) else { return false }
        groups += 2
      } else {
        guard part.count <= 4, part.allSatisfy({ ASCII.hex($0) != nil }) else { return false }
        groups += 1
      }
    }
    return gaps == 0 ? groups == 8 : gaps == 1 && groups <= 7
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
