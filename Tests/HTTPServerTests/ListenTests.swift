import Glibc
import HTTPTestSupport
import HTTP
import Testing

@testable import HTTPServer

@Suite("A listen address")
struct ListenAddressTests {
  @Test(
    "is a host and a port, or the path of a socket",
    arguments: [
      ("127.0.0.1:8080", ListenAddress.internet(host: "127.0.0.1", port: 8080)),
      ("[::1]:0", .internet(host: "::1", port: 0)),
      ("localhost:65535", .internet(host: "localhost", port: 65535)),
      ("unix:/run/a.sock", .unix(path: "/run/a.sock")), ("unix:a", .unix(path: "a")),
    ])
  func parsed(text: String, address: ListenAddress) {
    #expect(ListenAddress(text) == address)
    #expect(address.description == text)
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "8080", ":8080", "a", "a:", "a:65536", "a:-1", "a:+1", "::1:80", "[::1]", "[a]:1",
      "unix:",
      "a b:1", "http://a:1", "[::1]8:1", "a:1 ",
    ])
  func refused(text: String) {
    #expect(ListenAddress(text) == nil)
  }
}

@Suite("A listener")
struct ListenTests {
  @Test("tells the port that was picked", arguments: ["127.0.0.1", "localhost", "0.0.0.0", "::1"])
  func port(host: String) throws {
    try withServer(on: .internet(host: host, port: 0)) { address, _ in
      guard case .internet(host, let port) = address else {
        Issue.record("It listens on \(address).")
        return
      }
      #expect(port != 0)
    }
  }

  @Test("is refused an address that is taken or not there")
  func taken() throws {
    try withServer { address, _ in
      let other = try Server(handler: handler())
      #expect(throws: ListenError(address: address, reason: .inUse)) {
        try other.listen(on: address)
      }
    }
    for host in ["192.0.2.1", "no-such-host.invalid"] {
      let address = ListenAddress.internet(host: host, port: 0)
      #expect(throws: ListenError(address: address, reason: .unknownHost)) {
        try Server(handler: handler()).listen(on: address)
      }
    }
  }

  @Test("on a Unix socket serves, and removes its file at the end")
  func unix() throws {
    let path = temporaryPath()
    try withServer(on: .unix(path: path)) { address, _ in
      try #expect(Client(address).ask(get).status == 200)
      let other = try Server(handler: handler())
      #expect(throws: ListenError(address: address, reason: .inUse)) {
        try other.listen(on: address)
      }
      try #expect(Client(address).ask(get).status == 200)
    }
    #expect(access(path, F_OK) != 0)
  }

  @Test("takes the place of a stale socket, and of nothing else")
  func stale() throws {
    let path = temporaryPath()
    defer { unlink(path) }
    let address = ListenAddress.unix(path: path)
    // A process that was killed leaves its file behind.
    let left = try Listener(address, mode: nil)
    Socket.close(left.descriptor)
    #expect(access(path, F_OK) == 0)
    try withServer(on: address) { address, _ in
      try #expect(Client(address).ask(get).status == 200)
    }
    let file = open(path, O_CREAT | O_WRONLY, 0o600)
    close(file)
    #expect(throws: ListenError(address: address, reason: .notASocket)) {
      try Server(handler: handler()).listen(on: address)
    }
    #expect(access(path, F_OK) == 0)
  }

  @Test("gives its file the mode it is told")
  func mode() throws {
    let path = temporaryPath()
    let listener = try Listener(.unix(path: path), mode: 0o600)
    defer { listener.close() }
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("has a path of at most 107 bytes")
  func longPath() throws {
    let stem = temporaryPath() + "-"
    let fits = stem + String(repeating: "a", count: 107 - stem.utf8.count)
    let listener = try Listener(.unix(path: fits), mode: nil)
    listener.close()
    let address = ListenAddress.unix(path: fits + "a")
    #expect(throws: ListenError(address: address, reason: .pathTooLong)) {
      try Listener(address, mode: nil)
    }
  }

  @Test("may be one of several")
  func several() throws {
    let server = try Server(handler: handler())
    let other = try server.listen(on: .internet(host: "127.0.0.1", port: 0))
    try serving(server) { address, server in
      let late = try server.listen(on: .unix(path: temporaryPath()))
      for address in [address, other, late] {
        try #expect(Client(address).ask(get).status == 200)
      }
    }
  }
}
