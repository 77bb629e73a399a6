import HTTP
import HTTPServer

@testable import GoalsService

extension Harness {
  /// The fields of a request's head, one a line: what it shows to be let in, and where it says that
  /// it comes from.
  ///
  /// A token or a key that is read of them was shown, by itself: where there are two, nobody is let
  /// in. What is another's in `Authorization` is passed over.
  static let credentials = Harness(name: "credentials") { bytes in
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .joined(separator: "\r\n")
    let text = "GET / HTTP/1.1\r\nHost: goals.example\r\n" + lines + "\r\n\r\n"
    guard let head = head(of: Array(text.utf8)) else { return }
    let shown = head.fields.values(.authorization)
    let ours = shown.filter(isOurs)
    let cookies = head.fields.values(.cookie).flatMap { $0.split(separator: ";") }
    switch Credentials(head.fields, SessionCookie(publicURL: nil)) {
    case .none:
      let own = cookies.filter { isSession($0, named: ["goals_session"]) }
      try claim(ours.isEmpty && own.isEmpty, "what is ours is passed over")
    case .shown(.token(let token)):
      try claim(shown.count == 1 && shown[0].hasSuffix(token.text), "a token that was not shown")
      try claim(
        shown[0].prefix(6).lowercased() == "bearer"
          && shown[0].dropFirst(6).dropLast(token.text.count).allSatisfy { $0 == " " },
        "a token of another scheme")
      try claim(
        token.text.hasPrefix("goals_") && token.text.utf8.count == 70 && token.secret.count == 32,
        "what no token looks like")
    case .shown(.session(let key)):
      try claim(ours.isEmpty, "a cookie beside a token")
      let own = cookies.filter { isSession($0) }
      try claim(own.count == 1 && own[0].contains(key.text), "a key that was not shown once")
      let digits = Set("0123456789abcdef")
      try claim(
        key.text.count == 64 && key.text.allSatisfy(digits.contains), "what no key looks like")
    case .noToken:
      try claim(!ours.isEmpty, "no token, but nothing was shown")
    case .unreadable:
      try claim(ours.isEmpty && !cookies.isEmpty, "unreadable, but nothing was shown")
    case .severalCookies:
      try claim(ours.isEmpty && cookies.count > 1, "several cookies, but no two were shown")
    }
    let peer = Peer.internet(address: "192.0.2.1", port: 1)
    let own = ClientAddress(of: head, from: peer, trustingProxy: false)
    try claim(own == .version4(0xC000_0201), "an address is believed that nobody vouches for")
    _ = ClientAddress(of: head, from: peer, trustingProxy: true)
  }
}

/// Whether a field shows what begins as a token of ours does. Whatever else it shows is another's.
private func isOurs(_ field: String) -> Bool {
  let words = field.split(separator: " ", omittingEmptySubsequences: true)
  return words.count > 1 && words[0].lowercased() == "bearer" && words[1].hasPrefix("goals_")
}

/// Whether a cookie has one of a session's names, with blanks around it or without. The one of a
/// server behind https opens nothing here.
private func isSession(
  _ cookie: Substring, named names: [String] = ["goals_session", "__Host-goals_session"]
) -> Bool {
  let name = cookie.prefix { $0 != "=" }.drop { " \t".contains($0) }
  let end = name.lastIndex { !" \t".contains($0) }.map(name.index(after:)) ?? name.endIndex
  return names.contains(String(name[..<end])) && cookie.contains("=")
}

/// Nil where it is none.
private func head(of bytes: [UInt8]) -> RequestHead? {
  var parser = RequestParser()
  parser.append(bytes[...])
  guard case .head(let head) = parser.next() else { return nil }
  return head
}
