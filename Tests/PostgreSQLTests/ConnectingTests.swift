import Foundation
import PostgreSQLTestSupport
import Glibc
import TestSupport
import Testing

@testable import PostgreSQL

@Suite("A connection that is made", .enabled(if: Tier.isAll, "runs in make test-all"))
struct ConnectingTests {
  let cluster: Cluster

  init() throws {
    cluster = try Cluster.common.get()
  }

  private func failure(
    _ url: DatabaseURL, within limit: Duration = .seconds(30)
  ) throws
    -> PostgreSQLError
  {
    let error = #expect(throws: PostgreSQLError.self) {
      try Connection.connect(to: url, within: limit)
    }
    return try #require(error)
  }

  @Test("takes its password from a file, and never tells it")
  func password() throws {
    try Guarded.role.get()
    for (name, word) in [("right", "open-sesame"), ("wrong", "close-sesame")] {
      let file = try cluster.put("*:*:*:guarded:\(word)\n", in: "\(name)-\(UUID().uuidString)")
      let url = try DatabaseURL(
        "postgresql://guarded@/postgres?host=\(cluster.folder)&port=27000&passfile=\(file)")
      guard name == "wrong" else {
        #expect(try Connection.connect(to: url, within: .seconds(30)).isOpen)
        continue
      }
      let error = try failure(url)
      #expect(error.kind == .refused)
      #expect(error.state == .invalidPassword)
      #expect(error.message.contains("~/.pgpass"))
      #expect(!"\(error)".contains(word))
    }
    let without = try failure(cluster.url("guarded"))
    #expect(without.kind == .refused)
    #expect(without.message.contains("PGPASSFILE"))
  }

  /// A role that has to know its password, once for all tests.
  private enum Guarded {
    static let role = Result {
      try Cluster.common.get().connect()
        .execute("CREATE ROLE guarded LOGIN PASSWORD 'open-sesame'", within: .seconds(30))
    }
  }

  @Test("is refused for a role or a database that is not there")
  func missing() throws {
    let nobody = try failure(cluster.url("nobody"))
    #expect(nobody.kind == .refused)
    #expect(nobody.message.contains("createuser --pwprompt"))
    let error = try failure(cluster.url(database: "nothing"))
    #expect(error.kind == .refused)
    #expect(error.state?.description == "3D000")
    #expect(error.message.contains("\"nothing\""))
    #expect(error.message.contains("createdb --owner"))
    #expect(!error.message.contains("LOCATION"))
  }

  @Test(
    "finds no server where there is none, and says what to look at",
    arguments: [
      ("postgresql:///d?host=/tmp/no/such/folder", "is PostgreSQL running there"),
      ("postgresql://127.0.0.1:1/d", "is PostgreSQL running there"),
      ("postgresql://127.0.0.1:1,127.0.0.1:2/d", "is PostgreSQL running there"),
      ("postgresql://no-such-host.invalid/d", "is the host in the URL spelled right?"),
    ])
  func nowhere(_ text: String, _ advice: String) throws {
    let error = try failure(try DatabaseURL(text))
    #expect(error.message.contains(advice))
    #expect(error.kind == .unavailable)
    #expect(error.state == nil)
  }

  @Test("goes to the next host where one is down, reads only, or does not have the database")
  func nextHost() throws {
    let standby = try Cluster(["default_transaction_read_only = on"], port: 27001)
    try standby.connectAnywhere().execute(
      "BEGIN READ WRITE; CREATE TABLE here (); COMMIT", within: .seconds(30))
    for first in ["/tmp/no/such/folder", standby.folder] {
      let url = try DatabaseURL(
        "postgresql://postgres@/postgres?host=\(first),\(cluster.folder)&port=27001,27000")
      let connection = try Connection.connect(to: url, within: .seconds(30))
      #expect(try connection.bigint("SELECT count(*) FROM pg_class WHERE relname = 'here'") == 0)
    }
    let only = try failure(standby.url())
    #expect(only.kind == .unavailable)
    #expect(only.message.contains("read-only; name the primary"))
  }

  @Test("leaves a host that is silent while there is time for the next")
  func silentHost() throws {
    let silent = try SilentServer(in: cluster, port: 27002)
    let both = try DatabaseURL(
      """
      postgresql://postgres@/postgres?host=\(cluster.folder),\(cluster.folder)&port=27002,27000
      """)
    let first = try Connection.connect(to: both, within: .seconds(10))
    #expect(first.isOpen)
    #expect(first.host == 1)
    #expect(silent.takeClients() == 1)
    let second = try Connection.connect(to: both, beginningWith: first.host, within: .seconds(40))
    #expect(second.isOpen)
    #expect(silent.takeClients() == 0)
    let error = try failure(
      try DatabaseURL("postgresql://postgres@/postgres?host=\(cluster.folder)&port=27002"),
      within: .seconds(1))
    #expect(error.kind == .unavailable)
    #expect(error.message.contains("in time"))
    #expect(silent.takeClients() == 1)
  }

  @Test("is encrypted where it has to be, with who the certificate says it is, or not made")
  func encryption() throws {
    #expect(try !cluster.connect().isEncrypted)
    let port = 27100 + Int(getpid()) % 800
    let cluster = try Cluster(port: port, listens: true)
    func url(_ host: String, _ settings: String) throws -> DatabaseURL {
      try DatabaseURL("postgresql://postgres@\(host):\(port)/postgres?\(settings)")
    }
    let plain = try failure(url("127.0.0.1", "sslmode=require"))
    #expect(plain.kind == .unavailable)
    #expect(plain.message.contains("turn ssl on"))

    let first = try Connection.connect(
      to: url("127.0.0.1", "sslmode=disable"), within: .seconds(30))
    let certificate = try cluster.certify(name: "localhost")
    for setting in [
      "ssl = on", "ssl_cert_file = '\(certificate)'", "ssl_key_file = '\(certificate)'",
    ] {
      try first.execute("ALTER SYSTEM SET \(setting)", within: .seconds(30))
    }
    try first.execute("SELECT pg_reload_conf()", within: .seconds(30))
    try first.wait(until: "SELECT current_setting('ssl')")
    let verified = "sslmode=verify-full&sslrootcert=\(certificate)"
    let connection = try Connection.connect(
      to: url("localhost", verified + "&hostaddr=127.0.0.1"), within: .seconds(30))
    #expect(connection.isEncrypted)
    #expect(try connection.bigint("SELECT count(*) FROM generate_series(1, 10)") == 10)
    let impostor = try failure(url("127.0.0.1", verified))
    #expect(impostor.kind == .unavailable)
    #expect(impostor.message.contains("localhost"))
    #expect(impostor.message.contains("name the host as its certificate does"))
    let stranger = try self.cluster.certify(name: "localhost")
    let another = try failure(
      url("localhost", "sslmode=verify-full&sslrootcert=\(stranger)&hostaddr=127.0.0.1"))
    #expect(another.message.contains("certificate verify failed; sslrootcert in the URL"))
  }
}

extension Cluster {
  /// Connects though the server only reads.
  func connectAnywhere() throws -> Connection {
    try Connection.connect(
      to: url("postgres", "&target_session_attrs=any"), within: .seconds(30))
  }
}

/// A socket that takes connections and never answers, as a paused server does.
private final class SilentServer {
  private let descriptor: Int32

  init(in cluster: Cluster, port: Int) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = "\(cluster.folder)/.s.PGSQL.\(port)"
    unlink(path)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(isBound == 0 && listen(descriptor, 8) == 0)
  }

  deinit { close(descriptor) }

  /// How many clients have come since this was asked last.
  func takeClients() -> Int {
    var count = 0
    var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&one, 1, 0) > 0 {
      close(accept(descriptor, nil, nil))
      count += 1
    }
    return count
  }
}
