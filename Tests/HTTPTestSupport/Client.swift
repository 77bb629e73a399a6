import Glibc

import HTTPServer

/// A client that sends and reads raw bytes, and waits no longer than two minutes.
package final class Client {
  package struct Failed: Error {
    let what: String

    package init(_ what: String) { self.what = what }
  }

  /// Not left open in a program that another test runs, which would keep the connection.
  private static let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

  package let descriptor: Int32
  private var unread: [UInt8] = []

  package init(_ address: ListenAddress, receiveBuffer: Int32? = nil) throws {
    switch address {
    case .internet(_, let port):
      descriptor = socket(AF_INET, Self.kind, 0)
      if var receiveBuffer {
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size)
      }
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      try connect(&name, MemoryLayout<sockaddr_in>.size)
    case .unix(let path):
      descriptor = socket(AF_UNIX, Self.kind, 0)
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
      try connect(&name, MemoryLayout<sockaddr_un>.size)
    }
  }

  deinit { Glibc.close(descriptor) }

  private func connect<Name>(_ name: inout Name, _ size: Int) throws {
    let result = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(size))
      }
    }
    guard result == 0 else { throw Failed("connect") }
  }

  /// Sends all of it; answers false when the server does not take it any more.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Sends as much as the system takes at once.
  package func sendWhatIsTaken(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends no more.
  package func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether there is something to read within that time.
  package func isReadable(milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, milliseconds) > 0
  }

  /// More bytes; nil at the end.
  private func more() throws -> [UInt8]? {
    guard isReadable(milliseconds: 120_000) else { throw Failed("nothing came in 120 s") }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Failed("the connection was reset") }
    return count == 0 ? nil : Array(buffer[..<count])
  }

  /// All that comes up to the end.
  package func rest() throws -> String {
    while let bytes = try more() { unread += bytes }
    defer { unread = [] }
    return String(decoding: unread, as: UTF8.self)
  }

  /// What comes up to and with this text.
  package func read(through end: String) throws -> String {
    let mark = Array(end.utf8)
    while true {
      if let found = unread.firstRange(of: mark) {
        defer { unread.removeSubrange(..<found.upperBound) }
        return String(decoding: unread[..<found.upperBound], as: UTF8.self)
      }
      guard let bytes = try more() else { throw Failed("the end came before \(end)") }
      unread += bytes
    }
  }

  private func read(count: Int) throws -> String {
    while unread.count < count {
      guard let bytes = try more() else { throw Failed("the end came too early") }
      unread += bytes
    }
    defer { unread.removeSubrange(..<count) }
    return String(decoding: unread[..<count], as: UTF8.self)
  }

  package struct Answer: Equatable {
    package let status: Int
    package let head: String
    package let body: String
  }

  /// The next response, whose body has a length.
  package func answer(toHead: Bool = false) throws -> Answer {
    let head = try read(through: "\r\n\r\n")
    guard let status = Int(head.dropFirst(9).prefix(3)) else { throw Failed("no status") }
    let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
      .flatMap { Int($0.dropFirst(16)) }
    return Answer(
      status: status, head: head, body: toHead ? "" : try read(count: length ?? 0))
  }

  /// The next response to a request of these bytes.
  package func ask(_ text: String) throws -> Answer {
    send(text)
    return try answer()
  }

  /// Whether the server has closed the connection, without another byte.
  package func isClosed() throws -> Bool { try unread.isEmpty && more() == nil }
}
