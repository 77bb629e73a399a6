import Glibc
import HTTPServer
import Terminal

/// A client for one request to one's own server: HTTP/1.0 (RFC 1945), so that the answer ends where
/// the connection does.
enum PlainHTTP {
  struct Answer {
    let status: Int
    let body: [UInt8]
  }

  /// The server closed the connection before it had answered.
  struct ServerGone: Error {}

  /// A connection that is closed when it is let go.
  final class Connection {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  static func exchange(
    method: String, path: String, body: [UInt8]?, with address: ListenAddress, patience: Int
  ) throws -> Answer {
    guard let connection = connect(to: address, patience: patience) else {
      throw CommandFailure("No server answers at \(address.url).")
    }
    do {
      return try exchange(method: method, path: path, body: body, over: connection)
    } catch is ServerGone {
      throw CommandFailure("The server at \(address.url) went away before it answered.")
    }
  }

  /// Throws `ServerGone` where there is no answer, as what follows from that is the caller's to
  /// say.
  static func exchange(
    method: String, path: String, body: [UInt8]?, over connection: Connection
  ) throws -> Answer {
    try send(head(method, path, body) + (body ?? []), over: connection)
    return try answer(in: try receive(over: connection))
  }

  /// Sends the same, and hands the body on as it comes: `take` is given the media type and a piece,
  /// and says whether it took it. What it does not take is in the answer.
  static func exchange(
    method: String, path: String, body: [UInt8], over connection: Connection,
    streaming take: (String, [UInt8]) throws -> Bool
  ) throws -> Answer {
    try send(head(method, path, body) + body, over: connection)
    var received: [UInt8] = []
    var type: String?
    while let piece = try receivePiece(over: connection) {
      if let type {
        received += try take(type, piece) ? [] : piece
        continue
      }
      received += piece
      guard let end = headEnd(of: received) else { continue }
      let known = mediaType(in: received[..<end])
      type = known
      let begun = Array(received[end...])
      if try begun.isEmpty || take(known, begun) { received = Array(received[..<end]) }
    }
    return try answer(in: received)
  }

  /// Nil where nobody listens.
  ///
  /// - Parameter patience: how long each step may take, in seconds; 0 is for ever.
  static func connect(to address: ListenAddress, patience: Int) -> Connection? {
    switch address {
    case .unix(let path):
      var socketAddress = sockaddr_un()
      let room = MemoryLayout.size(ofValue: socketAddress.sun_path)
      guard path.utf8.count < room else { return nil }
      socketAddress.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: path.utf8) }
      return withUnsafeBytes(of: &socketAddress) { connect(AF_UNIX, $0, patience) }
    case .internet(let host, let port):
      var hints = addrinfo()
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var found: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, String(port), &hints, &found) == 0 else { return nil }
      defer { freeaddrinfo(found) }
      var next = found
      while let info = next?.pointee {
        let bytes = UnsafeRawBufferPointer(start: info.ai_addr, count: Int(info.ai_addrlen))
        if let connection = connect(info.ai_family, bytes, patience) { return connection }
        next = info.ai_next
      }
      return nil
    }
  }

  private static func connect(
    _ family: Int32, _ address: UnsafeRawBufferPointer, _ patience: Int
  ) -> Connection? {
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    let connection = Connection(descriptor)
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, size)
    }
    guard let start = address.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
      return nil
    }
    return Glibc.connect(descriptor, start, socklen_t(address.count)) == 0 ? connection : nil
  }

  private static func send(_ bytes: [UInt8], over connection: Connection) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(errno) }
      rest = rest.dropFirst(count)
    }
  }

  private static func head(_ method: String, _ path: String, _ body: [UInt8]?) -> [UInt8] {
    var head = "\(method) \(path) HTTP/1.0\r\nHost: localhost\r\n"
    if let body {
      head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
    }
    return Array((head + "\r\n").utf8)
  }

  private static func receive(over connection: Connection) throws -> [UInt8] {
    var received: [UInt8] = []
    while let piece = try receivePiece(over: connection) { received += piece }
    return received
  }

  /// Nil at the end.
  private static func receivePiece(over connection: Connection) throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes {
        recv(connection.descriptor, $0.baseAddress, $0.count, 0)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      return count == 0 ? nil : Array(buffer[..<count])
    }
  }

  private static func failure(_ error: Int32) -> any Error {
    error == EAGAIN || error == EWOULDBLOCK
      ? CommandFailure("The server did not answer in time.") : ServerGone()
  }

  /// Where the head is over; nil where it is not.
  private static func headEnd(of bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    return bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + end.count }
  }

  private static func mediaType(in head: ArraySlice<UInt8>) -> String {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let line = lines.first { $0.lowercased().hasPrefix("content-type: ") }
    return line.map { String($0.dropFirst("content-type: ".count)) } ?? ""
  }

  private static func answer(in bytes: [UInt8]) throws -> Answer {
    if bytes.isEmpty { throw ServerGone() }
    let text = String(decoding: bytes.prefix(12), as: UTF8.self)
    guard text.hasPrefix("HTTP/1."), let status = Int(text.suffix(3)),
      let end = headEnd(of: bytes)
    else {
      throw CommandFailure("What answered is no HTTP server.")
    }
    return Answer(status: status, body: Array(bytes[end...]))
  }
}
