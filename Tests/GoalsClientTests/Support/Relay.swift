import Foundation
import Synchronization
import TestSupport
import Testing

/// A way to a server that passes bytes on as they are, and can fall silent: connections stay open,
/// and nothing comes.
final class Relay: Sendable {
  private struct Seen {
    var descriptors: [Int32] = []
    var isSilent = false
    var asked = ""
  }

  let url: URL
  private let target: UInt16
  /// A request with this in it is cut off.
  private let refused: String?
  private let seen = Mutex(Seen())

  init(to server: URL, refusing refused: String? = nil) throws {
    target = UInt16(try #require(server.port))
    self.refused = refused
    let (listener, port) = try Socket.listening()
    url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    seen.withLock { $0.descriptors.append(listener) }
    Thread.detachNewThread { [self] in
      while true {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        let far = Socket.connected(to: target)
        let isSilent = seen.withLock { seen in
          seen.descriptors += [near, far]
          return seen.isSilent
        }
        if isSilent { continue }
        Thread.detachNewThread { [self] in copy(from: near, to: far, isRequest: true) }
        Thread.detachNewThread { [self] in copy(from: far, to: near, isRequest: false) }
      }
    }
  }

  deinit {
    for descriptor in seen.withLock({ $0.descriptors }) { Foundation.close(descriptor) }
  }

  /// Waits for a request that has this in it.
  func sees(_ text: String) async {
    await until { seen.withLock { $0.asked.contains(text) } }
  }

  /// From now on nothing comes, on present connections for ever, and on new ones until `speak`.
  func fallSilent() { seen.withLock { $0.isSilent = true } }

  func speak() { seen.withLock { $0.isSilent = false } }

  /// Ends every connection.
  func close() {
    for descriptor in seen.withLock({ $0.descriptors }) { shutdown(descriptor, Socket.both) }
  }

  private func copy(from source: Int32, to target: Int32, isRequest: Bool) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &bytes, bytes.count)
      if seen.withLock({ $0.isSilent }) { return }
      let text = isRequest && count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
      seen.withLock { $0.asked += text }
      let isRefused = refused.map { text.contains($0) } ?? false
      if isRefused { shutdown(source, Socket.both) }
      guard count > 0, !isRefused, Socket.send(bytes[..<count], on: target) else {
        shutdown(target, Socket.both)
        return
      }
    }
  }
}

/// Sockets of this machine.
enum Socket {
  static let both = Int32(SHUT_RDWR)
  #if canImport(Darwin)
  private static let stream = SOCK_STREAM
  #else
  private static let stream = Int32(SOCK_STREAM.rawValue)
  #endif

  /// A socket that listens, and its port, which the system picks.
  static func listening() throws -> (Int32, UInt16) {
    let number = socket(AF_INET, stream, 0)
    var address = address(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 && listen(number, 64) == 0
          && getsockname(number, $0, &length) == 0
      }
    }
    try #require(isBound)
    return (number, UInt16(bigEndian: address.sin_port))
  }

  static func connected(to port: UInt16) -> Int32 {
    let number = socket(AF_INET, stream, 0)
    var address = address(port)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return number
  }

  /// Whether all of it could be sent.
  static func send(_ bytes: some Sequence<UInt8>, on number: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.send(number, $0.baseAddress, $0.count, noSignal)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  #if canImport(Darwin)
  private static let noSignal: Int32 = 0
  #else
  private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}
