import GoalsStore
import HTTP

/// The cookie of a session.
///
/// Where people type https, its name makes browsers take it from this host alone, over TLS and for
/// all paths: another host of the same domain can neither set it nor put its own beside it (RFC
/// 6265bis §4.1.3.2). The plain name then opens nothing, because any such host could have set it.
struct SessionCookie: Sendable {
  static let plainName = "goals_session"
  private static let hostName = "__Host-" + plainName

  let name: String
  /// The name under the other scheme.
  private let otherName: String

  init(publicURL: Origin?) {
    let isSecure = publicURL?.isSecure ?? false
    (name, otherName) =
      isSecure ? (Self.hostName, Self.plainName) : (Self.plainName, Self.hostName)
  }

  /// The keys that a request shows.
  enum Shown {
    case none
    case one(String)
    /// Two or more, under one name or both. One of them may come from somebody who can set cookies
    /// for this host, and not read them.
    case several
  }

  func shown(in fields: Fields) -> Shown {
    let own = Self.values(name, in: fields)
    guard own.count + Self.values(otherName, in: fields).count < 2 else { return .several }
    return own.first.map { .one($0) } ?? .none
  }

  /// `Set-Cookie` with the key of a session (RFC 6265 §4.1); nil takes the cookie away. Where the
  /// request shows one of the other name, that is taken away too.
  func set(_ key: SessionKey?, isSecure: Bool, after fields: Fields) -> [String] {
    let age = key == nil ? 0 : SessionRecord.lifetime / 1000
    let cookie = Self.text(name, key?.text ?? "", age: age, isSecure: isSecure)
    let isOtherShown = !Self.values(otherName, in: fields).isEmpty
    return isOtherShown
      ? [cookie, Self.text(otherName, "", age: 0, isSecure: isSecure)] : [cookie]
  }

  private static func text(_ name: String, _ value: String, age: Int64, isSecure: Bool) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(age); HttpOnly; SameSite=Strict"
      + (isSecure ? "; Secure" : "")
  }

  /// The values of the cookies with a name (RFC 6265 §4.2), quotes and all.
  private static func values(_ name: String, in fields: Fields) -> [String] {
    fields.values(.cookie).flatMap { $0.split(separator: ";") }.compactMap { pair in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, trimmed(halves[0]) == name else { return nil }
      return trimmed(halves[1])
    }
  }

  /// Without the white space that may stand around it.
  private static func trimmed(_ text: Substring) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    return String(String(text.drop(while: isSpace).reversed()).drop(while: isSpace).reversed())
  }
}
