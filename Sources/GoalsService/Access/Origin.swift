import HTTP

/// A scheme, a host and a port, as browsers write the origin of a page (RFC 6454 §6.2): in lower
/// case, without the scheme's own port.
package struct Origin: Hashable, Sendable, CustomStringConvertible {
  package let isSecure: Bool
  private let authority: String

  /// Reads `http://host`, with or without a port; nil for anything else, `null` too.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard let target = Target(text), let authority = target.authority,
      let start = text.firstRange(of: "://")
    else { return nil }
    guard text[start.upperBound...] == authority else { return nil }
    self.init(isSecure: text[..<start.lowerBound].lowercased() == "https", authority)
  }

  /// Reads the same as a URL, with or without a slash at its end.
  package init?(url text: String) {
    self.init(text.hasSuffix("/") ? text.dropLast() : text[...])
  }

  init(isSecure: Bool, _ authority: String) {
    self.isSecure = isSecure
    let authority = authority.lowercased()
    let port = isSecure ? ":443" : ":80"
    self.authority = authority.hasSuffix(port) ? String(authority.dropLast(port.count)) : authority
  }

  package var description: String { "\(isSecure ? "https" : "http")://\(authority)" }
}
