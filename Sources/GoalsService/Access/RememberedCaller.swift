import HTTP

/// Who made a connection's last request, and by which field: so that its token need not be hashed and looked
/// up for each request. And what that request's head asked for, because most heads of a connection come
/// again.
///
/// It holds the token as it was sent, as long as its connection is open. So does the parser, with the last
/// head, whoever it is by.
final class RememberedCaller: Sendable {
  /// The longest field that is remembered, in bytes: a token with its scheme has 75.
  static let maximumLength = 128

  let caller: Caller
  /// The gatekeeper's `turn` before the caller was found.
  let turn: Int
  private let authorization: String
  /// What was asked for last, and by which head.
  private let last: (head: RequestHead, call: Call)?

  /// Nil for a field that is too long: there may be thousands of connections.
  init?(_ authorization: String, _ caller: Caller, _ turn: Int) {
    guard authorization.utf8.count <= Self.maximumLength else { return nil }
    self.authorization = authorization
    self.caller = caller
    self.turn = turn
    last = nil
  }

  /// The same caller, with the last call: of theirs, and by a head that may be known again, or none.
  init(_ remembered: RememberedCaller, asking call: Call?, by head: RequestHead) {
    authorization = remembered.authorization
    caller = remembered.caller
    turn = remembered.turn
    last = call.flatMap { $0.caller === remembered.caller && head.isKept ? (head, $0) : nil }
  }

  var remembersCall: Bool { last != nil }

  /// What a head asks for that is the last one's again.
  func call(by head: RequestHead) -> Call? {
    guard let last, last.head === head else { return nil }
    return last.call
  }

  /// Whether a field is the same, to the byte. It takes as long wherever they differ: behind a proxy the
  /// next request of the connection may be somebody else's.
  func isShown(by other: String) -> Bool {
    let (known, shown) = (authorization.utf8.span, other.utf8.span)
    guard known.count == shown.count else { return false }
    var difference: UInt8 = 0
    for place in known.indices { difference |= known[place] ^ shown[place] }
    return difference == 0
  }
}
