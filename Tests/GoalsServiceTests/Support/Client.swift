import Glibc
import HTTPServer

/// A client on a real socket, which waits no longer than ten seconds for anything.
final class Client {
  struct Failed: Error { let what: String }

  /// Not left open in a program that another test runs, which would keep the connection.
  private static let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)

  private let descriptor: Int32

  init(_ address: ListenAddress) throws {
    switch address {
    case .internet(_, let port):
      descriptor = socket(AF_INET, Self.kind, 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      try connect(&name)
    case .unix(let path):
      descriptor = socket(AF_UNIX, Self.kind, 0)
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
      try connect(&name)
    }
  }

  deinit { Glibc.close(descriptor) }

  private func connect<Name>(_ name: inout Name) throws {
    let result = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
    guard result == 0 else { throw Failed(what: "connect") }
  }

  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Failed(what: "send") }
      rest = rest.dropFirst(count)
    }
  }

  /// All that comes up to the end.
  func rest() throws -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 120_000) > 0 else { throw Failed(what: "nothing came in 120 s") }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 else { throw Failed(what: "the connection was reset") }
      if count == 0 { return String(decoding: all, as: UTF8.self) }
      all += buffer[..<count]
    }
  }

  /// The status and body of the answer to one request, on a connection of its own.
  ///
  /// - Parameter text: the method and target, then fields, then an empty line and the body.
  static func ask(_ text: String, at address: ListenAddress) throws -> (status: Int, body: String) {
    let client = try Client(address)
    try client.send(request(text))
    return try answer(client.rest())
  }

  static func request(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let fields = lines.dropFirst().prefix { !$0.isEmpty }
    let body = lines.dropFirst(fields.count + 2).joined(separator: "\n")
    let head =
      ["\(lines[0]) HTTP/1.1", "Host: x", "Connection: close"] + fields.map(String.init)
      + (body.isEmpty
        ? [] : ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"])
    return head.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  static func answer(_ text: String) throws -> (status: Int, body: String) {
    guard let status = Int(text.dropFirst(9).prefix(3)),
      let end = text.firstRange(of: "\r\n\r\n")
    else { throw Failed(what: "no answer: \(text)") }
    return (status, String(text[end.upperBound...]))
  }
}
