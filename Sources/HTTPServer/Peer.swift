/// The other end of a connection.
package enum Peer: Sendable, Hashable {
  /// The address without its port, as `inet_ntop` prints it; an IPv4 client of an IPv6 listener
  /// appears with its IPv4 address.
  case internet(address: String, port: UInt16)
  case unix

  /// The address, or `unix`.
  package var address: String {
    switch self {
    case .internet(let address, _): address
    case .unix: "unix"
    }
  }
}
