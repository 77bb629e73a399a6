/// Why a server cannot listen, as one line for the person who starts it.
package struct ListenError: Error, Sendable, Equatable, CustomStringConvertible {
  package enum Reason: Sendable, Equatable {
    case inUse
    case notPermitted
    /// The host has no address, or its address is another machine's.
    case unknownHost
    /// There is a file at the path that is no socket.
    case notASocket
    /// A Unix socket's path has at most 107 bytes (`sun_path` of unix(7)).
    case pathTooLong
    /// Any other error of the system, in its words.
    case system(String)
  }

  package let address: ListenAddress
  package let reason: Reason

  package var description: String {
    let why =
      switch reason {
      case .inUse: "another process listens there"
      case .notPermitted: "permission denied"
      case .unknownHost: "this machine has no such address"
      case .notASocket: "there is a file that is not a socket"
      case .pathTooLong: "the path has more than 107 bytes"
      case .system(let text): text
      }
    return "cannot listen on \(address): \(why)"
  }
}
