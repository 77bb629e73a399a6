import CSystem
import Glibc

/// The system calls on sockets that do not block, with their errors as values.
enum Socket {
  enum Transfer {
    case bytes(Int)
    /// None can be read or taken now.
    case later
    case failed
  }

  /// Reads so many bytes at most into the array's beginning; 0 where the client has ended its side.
  static func receive(
    _ descriptor: Int32, into buffer: inout [UInt8], atMost most: Int
  ) -> Transfer {
    transfer {
      buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, min(most, $0.count), 0) }
    }
  }

  /// - Parameter more: whether more bytes follow at once, so that the system may send both
  ///   together.
  static func send(
    _ descriptor: Int32, _ bytes: [UInt8], from offset: Int, more: Bool
  ) -> Transfer {
    let flags = Int32(MSG_NOSIGNAL) | (more ? Int32(MSG_MORE) : 0)
    return transfer {
      bytes.withUnsafeBytes { all in
        let rest = UnsafeRawBufferPointer(rebasing: all[offset...])
        return Glibc.send(descriptor, rest.baseAddress, rest.count, flags)
      }
    }
  }

  private static func transfer(_ call: () -> Int) -> Transfer {
    while true {
      let count = call()
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .later
      default: return .failed
      }
    }
  }

  /// Whether the client has ended the connection or its side of it, even if bytes wait that it sent
  /// before (poll(2), `POLLRDHUP`, which Swift's Glibc module lacks).
  static func isEnded(_ descriptor: Int32) -> Bool {
    let ended: Int16 = 0x2000
    var entry = pollfd(fd: descriptor, events: ended, revents: 0)
    return poll(&entry, 1, 0) > 0
  }

  /// Has the system send bytes at once, not wait for more (tcp(7), TCP_NODELAY).
  static func sendAtOnce(_ descriptor: Int32) {
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
  }

  static func limitSendBuffer(_ descriptor: Int32, _ bytes: Int) {
    set(descriptor, SOL_SOCKET, SO_SNDBUF, Int32(clamping: bytes))
  }

  /// How many bytes the system holds that the client has not taken (tcp(7), SIOCOUTQ), less one:
  /// the end of a side counts as one.
  static func unreadBytes(_ descriptor: Int32) -> Int {
    var count: Int32 = 0
    guard ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0, count > 1 else { return 0 }
    return Int(count) - 1
  }

  /// Whether the connection is over for the system too: both sides have ended, or the client has
  /// reset it.
  static func isOver(_ descriptor: Int32) -> Bool {
    var state: UInt8 = 0
    var length = socklen_t(1)
    // The first byte of TCP_INFO is the state (tcp(7)); the call fails for other sockets.
    return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0
      && state == UInt8(TCP_CLOSE)
  }

  static func shutDown(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes the connection, and drops the bytes that the client has not taken.
  static func reset(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  static func close(_ descriptor: Int32) {
    // NB: never again after EINTR; Linux has closed it all the same (close(2)).
    _ = Glibc.close(descriptor)
  }

  @discardableResult
  static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) -> Bool {
    var value = value
    return setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
  }
}

extension Socket {
  enum Accepted {
    case connection(Int32, Peer)
    /// No client waits.
    case later
    /// This one is lost; the next one may be fine (accept(2), "Error handling").
    case again
    /// The process or the system has no descriptor or memory left.
    case exhausted
  }

  static func accept(_ listener: Int32) -> Accepted {
    var address = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let descriptor = withUnsafeMutableBytes(of: &address) {
      csystem_accept(listener, $0.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    if descriptor >= 0 { return .connection(descriptor, peer(address)) }
    return switch errno {
    case EAGAIN: .later
    case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted
    default: .again
    }
  }

  private static func peer(_ address: sockaddr_storage) -> Peer {
    withUnsafeBytes(of: address) { bytes in
      switch Int32(address.ss_family) {
      case AF_INET:
        let internet = bytes.load(as: sockaddr_in.self)
        return .internet(
          address: text(AF_INET, bytes, at: 4, count: 4), port: UInt16(bigEndian: internet.sin_port)
        )
      case AF_INET6:
        let internet = bytes.load(as: sockaddr_in6.self)
        let port = UInt16(bigEndian: internet.sin6_port)
        // ::ffff:a.b.c.d (RFC 4291 §2.5.5.2).
        let isMapped =
          bytes[8..<18].allSatisfy { $0 == 0 } && bytes[18] == 0xFF && bytes[19] == 0xFF
        return isMapped
          ? .internet(address: text(AF_INET, bytes, at: 20, count: 4), port: port)
          : .internet(address: text(AF_INET6, bytes, at: 8, count: 16), port: port)
      default: return .unix
      }
    }
  }

  private static func text(
    _ family: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int, count: Int
  ) -> String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let address = UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    inet_ntop(family, address.baseAddress, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
