/// Where a server listens: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/path`.
package enum ListenAddress: Sendable, Hashable, CustomStringConvertible {
  /// Port 0 lets the system pick one.
  case internet(host: String, port: UInt16)
  case unix(path: String)

  /// Nil for any other text.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[colon...].dropFirst()
    guard digits.first?.isWholeNumber == true, let port = UInt16(digits) else { return nil }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]"), host.contains(":") {
      host = host.dropFirst().dropLast()
    } else if host.contains(where: { ":[]".contains($0) }) {
      return nil
    }
    guard !host.isEmpty, !host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x2F }) else {
      return nil
    }
    self = .internet(host: String(host), port: port)
  }

  /// As it is parsed.
  package var description: String {
    switch self {
    case .internet(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }

  /// `http://127.0.0.1:8080`; for a Unix socket, the same as the description.
  package var url: String {
    switch self {
    case .internet: "http://\(description)"
    case .unix: description
    }
  }
}
