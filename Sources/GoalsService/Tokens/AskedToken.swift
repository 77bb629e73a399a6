import GoalsCore
import GoalsStore
import GoalsWire
import JSON

package struct AskedToken: Hashable, Sendable {
  let name: Title
  let scope: TokenRecord.Scope
  /// For the scope `bump`, and no other.
  let goal: Goal.ID?
  let expiresAt: Instant?
  /// Whether a link is asked for, whose code makes the token.
  let isLink: Bool

  /// Reads `{"name", "scope", "goal", "expiresAt", "link"}`, of which the name has to be there;
  /// without a scope the token may write.
  static func read(_ value: JSONValue, at now: Instant) -> Validated<AskedToken> {
    var object = ObjectReader(value)
    let name = object.required("name", .label)
    let others = object.faults.count
    let scope = object.optional("scope", .scope) ?? .write
    let goal = object.optional("goal", Reading<Goal.ID>.id().orNothing) ?? nil
    if object.faults.count == others, (scope == .bump) != (goal != nil) {
      object.add("a goal goes with the scope bump, and with no other", at: "goal")
    }
    let expiresAt =
      object.optional("expiresAt", Reading<Instant>.expiry(after: now).orNothing) ?? nil
    let isLink = object.optional("link", .flag) ?? false
    let faults = object.finish()
    guard faults.isEmpty, let name else { return .invalid(faults) }
    return .valid(
      AskedToken(name: name, scope: scope, goal: goal, expiresAt: expiresAt, isLink: isLink))
  }
}

extension Reading {
  /// The same, and null for what is left out. The rule is told to people who write no JSON, too.
  var orNothing: Reading<Value?> {
    Reading<Value?>(rule) { $0.isNull ? .some(nil) : self.read($0).map(Optional.some) }
  }
}

extension Reading where Value == Title {
  /// What an account or a token is called: the same text as a goal's title, of which something is
  /// to be seen, so that a list shows which is which.
  static var label: Reading {
    Reading(
      """
      a name has 1 to 200 characters, besides white space around it, at least one that can be seen, \
      and no control characters
      """
    ) { Reading.title.read($0).flatMap { $0.isVisible ? $0 : nil } }
  }
}

extension Title {
  /// Whether a person sees anything of it. White space and what Unicode has ignored where it can't
  /// be shown (joiners, fillers, marks of direction) are not seen, nor is the empty Braille
  /// pattern.
  fileprivate var isVisible: Bool {
    text.unicodeScalars.contains { scalar in
      !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
        && scalar != "\u{2800}"
    }
  }
}

extension Reading where Value == TokenRecord.Scope {
  fileprivate static var scope: Reading {
    Reading("a scope is read, count, write or bump") { value in
      Reading<String>.string.read(value).flatMap { TokenRecord.Scope(rawValue: $0) }
    }
  }
}

extension Reading where Value == Instant {
  static func expiry(after now: Instant) -> Reading {
    Reading("an expiry is an RFC 3339 date and time with an offset, and is to come") { value in
      Reading.instant.read(value).flatMap { $0 > now ? $0 : nil }
    }
  }
}
