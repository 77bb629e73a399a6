import Glibc

/// A listening socket.
struct Listener: Sendable {
  let descriptor: Int32
  /// With the port that the system picked.
  let address: ListenAddress
  /// The file of a Unix socket, remembered so that no other file is removed.
  private let file: File?

  private struct File: Sendable {
    let path: String
    let device: UInt
    let node: UInt

    init?(_ path: String) {
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      self.path = path
      device = UInt(status.st_dev)
      node = UInt(status.st_ino)
    }

    /// Removes the file, if it is still the same.
    func remove() {
      guard let now = File(path), now.device == device, now.node == node else { return }
      unlink(path)
    }
  }

  /// - Parameters:
  ///   - mode: of a Unix socket's file.
  ///   - sendBuffer: of the connections; see `Limits`. Those of a Unix socket do not inherit it.
  init(
    _ address: ListenAddress, mode: UInt32?, sendBuffer: Int = Limits().sendBuffer
  ) throws(ListenError) {
    switch address {
    case .internet(let host, let port):
      (descriptor, self.address) = try Listener.internet(address, host, port, sendBuffer)
      file = nil
    case .unix(let path):
      descriptor = try Listener.unix(address, path, mode)
      self.address = address
      file = File(path)
    }
  }

  func close() {
    Socket.close(descriptor)
    file?.remove()
  }

  /// How many clients may wait to be accepted; the system may allow fewer.
  private static let backlog: Int32 = 4096

  private static func internet(
    _ address: ListenAddress, _ host: String, _ port: UInt16, _ sendBuffer: Int
  ) throws(ListenError) -> (Int32, ListenAddress) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let list else {
      throw ListenError(address: address, reason: .unknownHost)
    }
    defer { freeaddrinfo(list) }
    // Of a name with addresses of both kinds IPv4 is taken, which every client reaches.
    let found = sequence(first: list.pointee) { $0.ai_next?.pointee }
    let first = found.first { $0.ai_family == AF_INET } ?? list.pointee
    let descriptor = try open(first.ai_family, for: address)
    Socket.set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    Socket.sendAtOnce(descriptor)
    Socket.limitSendBuffer(descriptor, sendBuffer)
    guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0,
      listen(descriptor, backlog) == 0
    else { throw failure(address, closing: descriptor) }
    return (descriptor, .internet(host: host, port: boundPort(descriptor) ?? port))
  }

  private static func boundPort(_ descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutableBytes(of: &storage) { bytes in
      let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      guard let address, getsockname(descriptor, address, &length) == 0 else { return nil }
      // The port is at the same offset in both kinds of address.
      return UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// Replaces a stale socket: one that a process left behind, and at which no process answers.
  private static func unix(
    _ address: ListenAddress, _ path: String, _ mode: UInt32?
  ) throws(ListenError) -> Int32 {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else {
      throw ListenError(address: address, reason: .pathTooLong)
    }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
    func named(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Bool {
      withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          call($0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
    }
    var status = stat()
    if lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw ListenError(address: address, reason: .notASocket)
      }
      let probe = try open(AF_UNIX, for: address)
      let isConnected = named { connect(probe, $0, $1) }
      let error = errno
      Socket.close(probe)
      // NB: EAGAIN is a full backlog, so a process listens there.
      guard !isConnected, error == ECONNREFUSED else {
        throw ListenError(address: address, reason: error == EACCES ? .notPermitted : .inUse)
      }
      unlink(path)
    }
    let descriptor = try open(AF_UNIX, for: address)
    // Before bind, so that the file never exists with a wider mode.
    if let mode { fchmod(descriptor, mode) }
    guard named({ bind(descriptor, $0, $1) }), mode.map({ chmod(path, $0) == 0 }) ?? true,
      listen(descriptor, backlog) == 0
    else { throw failure(address, closing: descriptor) }
    return descriptor
  }

  private static func open(
    _ family: Int32, for address: ListenAddress
  ) throws(ListenError) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(family, Int32(kind), 0)
    guard descriptor >= 0 else { throw failure(address, closing: nil) }
    return descriptor
  }

  /// By `errno`.
  private static func failure(_ address: ListenAddress, closing descriptor: Int32?) -> ListenError {
    let error = SystemError.last("listen")
    if let descriptor { Socket.close(descriptor) }
    let reason: ListenError.Reason =
      switch error.code {
      case EADDRINUSE: .inUse
      case EACCES, EPERM: .notPermitted
      case EADDRNOTAVAIL: .unknownHost
      default: .system(error.description)
      }
    return ListenError(address: address, reason: reason)
  }
}
