/// The caller of a connection's last request, and the field that showed the token: so that the
/// token need not be hashed and looked up for each request.
///
/// It holds the token as it was sent, as long as its connection is open.
final class RememberedCaller: Sendable {
  /// The longest field that is remembered, in bytes: a token with its scheme has 75.
  static let maximumLength = 128

  let caller: Caller
  /// The gatekeeper's epoch before the caller was found.
  let epoch: Int
  private let authorization: String

  /// Nil for a field that is too long: there may be thousands of connections.
  init?(_ authorization: String, _ caller: Caller, _ epoch: Int) {
    guard authorization.utf8.count <= Self.maximumLength else { return nil }
    self.authorization = authorization
    self.caller = caller
    self.epoch = epoch
  }

  /// Whether a field is the same, to the byte. It takes as long wherever they differ: behind a
  /// proxy the next request of the connection may be somebody else's.
  func isShown(by other: String) -> Bool {
    let (known, shown) = (authorization.utf8.span, other.utf8.span)
    guard known.count == shown.count else { return false }
    var difference: UInt8 = 0
    for index in known.indices { difference |= known[index] ^ shown[index] }
    return difference == 0
  }
}
