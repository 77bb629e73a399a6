import Glibc
import HTTP
import HTTPServer

/// The clients whose attempts are counted together.
enum ClientAddress: Hashable, Sendable {
  case version4(UInt32)
  /// An IPv6 prefix of 64 bits: a client that has one address of it has all (RFC 7934).
  case version6(UInt64)
  /// A client of a Unix socket, or with an address that can't be read.
  case unknown

  /// The client of a request.
  ///
  /// - Parameter trustingProxy: whether the last element of `X-Forwarded-For` is the client's
  ///   address. The proxy in front wrote that element; the client may have invented those before
  ///   it.
  init(of head: RequestHead, from peer: Peer, trustingProxy: Bool) {
    self = ClientAddress(Self.host(of: head, from: peer, trustingProxy: trustingProxy))
  }

  /// The client's own address, as people and programs read it in a log. It is spelled anew, so that
  /// it can hold nothing else; "unknown" where it can't be read.
  static func text(of head: RequestHead, from peer: Peer, trustingProxy: Bool) -> String {
    let host = host(of: head, from: peer, trustingProxy: trustingProxy)
    switch ClientAddress(host) {
    case .version4(let word):
      return [24, 16, 8, 0].map { "\(word >> $0 & 0xFF)" }.joined(separator: ".")
    case .version6:
      var address = in6_addr()
      var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      guard inet_pton(AF_INET6, String(host), &address) == 1,
        inet_ntop(AF_INET6, &address, &text, socklen_t(text.count)) != nil
      else { return "unknown" }
      return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    case .unknown: return "unknown"
    }
  }

  private static func host(
    of head: RequestHead, from peer: Peer, trustingProxy: Bool
  ) -> Substring {
    let forwarded = trustingProxy ? head.fields.list("X-Forwarded-For").last : nil
    return host(forwarded ?? peer.address)
  }

  /// Without the port that some proxies add.
  private static func host(_ text: String) -> Substring {
    if text.hasPrefix("[") { return text.dropFirst().prefix { $0 != "]" } }
    return text.count { $0 == ":" } == 1 ? text.prefix { $0 != ":" } : text[...]
  }

  private init(_ text: Substring) {
    var narrow = in_addr()
    if inet_pton(AF_INET, String(text), &narrow) == 1 {
      self = .version4(UInt32(bigEndian: narrow.s_addr))
      return
    }
    var wide = in6_addr()
    guard inet_pton(AF_INET6, String(text), &wide) == 1 else {
      self = .unknown
      return
    }
    let bytes = withUnsafeBytes(of: wide) { Array($0) }
    let word = { (range: Range<Int>) in bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    // An IPv4 client of an IPv6 listener (RFC 4291 §2.5.5.2).
    if word(0..<8) == 0, word(8..<12) == 0xFFFF {
      self = .version4(UInt32(word(12..<16)))
    } else {
      self = .version6(word(0..<8))
    }
  }
}
