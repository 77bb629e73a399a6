import CPostgreSQL
import Glibc

extension Connection {
  /// Connects to the first host of a URL that takes it, one after the other. `.unavailable` where
  /// none does; `.refused` where each that answers refuses the role, its password or the database.
  ///
  /// NB: libpq asks for a host's address without a limit of its own: resolv.conf(5) has one.
  ///
  /// - Parameters:
  ///   - first: the place in the URL of the host that is asked first, then the others in order.
  ///   - limit: each host gets its share of it.
  package static func connect(
    to url: DatabaseURL, beginningWith first: Int = 0, within limit: Duration
  ) throws(PostgreSQLError) -> Connection {
    let deadline = try Deadline()
    var errors: [PostgreSQLError] = []
    for host in [first] + url.hosts.indices.filter({ $0 != first }) {
      deadline.set(url.share(of: limit))
      let inbox = Inbox()
      do {
        let handle = try handle(url, url.hosts[host], deadline, inbox)
        return Connection(handle, to: url, host, deadline, inbox)
      } catch {
        errors.append(error)
      }
    }
    let kind: PostgreSQLError.Kind =
      errors.allSatisfy { $0.kind == .refused } ? .refused : .unavailable
    throw PostgreSQLError(
      kind, state: errors.first { $0.kind == kind }?.state,
      errors.map(\.message).joined(separator: "; "), doing: "connect")
  }

  private static func handle(
    _ url: DatabaseURL, _ host: DatabaseURL.Host, _ deadline: Deadline, _ inbox: Inbox
  ) throws(PostgreSQLError) -> OpaquePointer {
    var settings = url.settings.merging(host.settings) { $1 }
    let passedOver = url.passwordsPassedOver
    // NB: libpq might pass it over with a line of its own. A file in a file is never there.
    if let passedOver { settings["passfile"] = "\(passedOver.path)/none" }
    guard let handle = start(settings) else {
      throw PostgreSQLError(.unavailable, "there is no memory for a connection", doing: "connect")
    }
    inbox.receive(from: handle)
    // Only so does libpq say the SQLSTATE of why a server refuses a connection.
    PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
    var next = PGRES_POLLING_WRITING
    while PQstatus(handle) != CONNECTION_BAD, next != PGRES_POLLING_FAILED {
      if next == PGRES_POLLING_OK {
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        PQsetnonblocking(handle, 1)
        return handle
      }
      let events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard case .ready = deadline.wait(for: PQsocket(handle), Int32(events)) else {
        PQfinish(handle)
        let name = host.settings["host"] ?? host.settings["hostaddr"] ?? "the server"
        throw PostgreSQLError(
          .unavailable, "\(name) did not take the connection in time", doing: "connect")
      }
      next = PQconnectPoll(handle)
    }
    defer { PQfinish(handle) }
    throw PostgreSQLError(
      connecting: String(cString: PQerrorMessage(handle)),
      lacksPassword: PQconnectionNeedsPassword(handle) != 0,
      passwordsPassedOver: passedOver.map { "\($0.path) \($0.why)" })
  }

  private static func start(_ settings: [String: String]) -> OpaquePointer? {
    let settings = settings.sorted { $0.key < $1.key }
    // Both lists end with a null, and libpq keeps neither.
    var keys = settings.map { UnsafePointer(strdup($0.key)) } + [nil]
    var values = settings.map { UnsafePointer(strdup($0.value)) } + [nil]
    defer { for text in keys + values { free(UnsafeMutableRawPointer(mutating: text)) } }
    return PQconnectStartParams(&keys, &values, 0)
  }
}

extension PostgreSQLError {
  /// What libpq says of a connection that did not come about, in its verbose form: `connection to
  /// server at … failed: FATAL:  28P01: …`, and on a line of its own where in the server's source.
  ///
  /// - Parameter passwordsPassedOver: why libpq passes over the file of passwords; nil where it
  ///   does not.
  init(connecting text: String, lacksPassword: Bool = false, passwordsPassedOver: String? = nil) {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("LOCATION:") }
    let words = lines.joined(separator: "\n").split(separator: " ", omittingEmptySubsequences: true)
    // "FATAL" has five capital letters too.
    let coded = words.firstIndex {
      $0.hasSuffix(":") && $0.contains(where: \.isNumber) && SQLState($0.dropLast()) != nil
    }
    let state = coded.flatMap { SQLState(words[$0].dropLast()) }
    var sentence = words
    if let coded { sentence.remove(at: coded) }
    let kind = state.map(Kind.init)
    let lacksPassword = lacksPassword || state == .invalidPassword
    let advice =
      (lacksPassword ? passwordsPassedOver : nil)
      ?? Self.advice(state, text, lacksPassword: lacksPassword)
    self.init(
      // Before there is a connection, nothing was asked for, and what an operator has to mend is
      // told apart from what may pass.
      lacksPassword || kind == .refused ? .refused : .unavailable, state: state,
      (sentence.joined(separator: " ").asOneLine ?? "the connection failed")
        + (advice.map { "; \($0)" } ?? ""),
      doing: "connect")
  }

  /// What to do next; nil where that is not known.
  private static func advice(_ state: SQLState?, _ text: String, lacksPassword: Bool) -> String? {
    if lacksPassword {
      return """
        put the role's password into PGPASSWORD, or into ~/.pgpass or the file that PGPASSFILE \
        names: HOST:PORT:DATABASE:USER:PASSWORD, mode 600
        """
    }
    switch state {
    case .unknownDatabase:
      return "make it: createdb --owner=ROLE --encoding=UTF8 --template=template0 DATABASE"
    case .unknownRole where text.contains("does not exist"):
      return "make it: createuser --pwprompt ROLE"
    case .unknownRole:
      return "pg_hba.conf there has to let it in"
    case nil where text.contains("could not translate host name"):
      return "is the host in the URL spelled right?"
    case nil where text.contains("Connection refused") || text.contains("No such file"):
      return "is PostgreSQL running there, and are host and port in the URL its own?"
    case nil:
      return [
        ("session is read-only", "name the primary in the URL, too, or let a standby take over"),
        (
          "certificate verify failed",
          "sslrootcert in the URL has to name the CA that signed the server's certificate, which has to be valid"
        ),
        ("does not match host name", "the URL has to name the host as its certificate does"),
        ("server does not support SSL", "turn ssl on in its postgresql.conf"),
      ].first { text.contains($0.0) }?.1
    // NB: open: a server has many reasons.
    default:
      return nil
    }
  }
}
