import CPostgreSQL
import Glibc

/// Where a database is: `postgresql://USER@HOST:PORT,HOST:PORT/DATABASE?sslmode=verify-full`, as
/// libpq reads it (postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
///
/// It holds no password: a URL is seen in process lists and logs. libpq takes one from the file
/// that `PGPASSFILE` or the URL's `passfile` names, from `~/.pgpass`, or from `PGPASSWORD`.
package struct DatabaseURL: Equatable, Sendable, CustomStringConvertible {
  package let description: String
  /// libpq's settings but for those of the hosts, by their names.
  let settings: [String: String]
  /// One after the other is tried; at least one.
  let hosts: [Host]

  /// One server, by those of libpq's settings that name it; none where libpq's own default holds.
  struct Host: Equatable, Sendable {
    let settings: [String: String]
  }

  /// What each host may take of a time limit, so that one that is silent leaves time for the next.
  func share(of limit: Duration) -> Duration { limit / hosts.count }

  /// The file in which libpq looks for passwords, where it would pass it over, and why, with what
  /// to do: it is not there, this program may not read it, or others than its owner may.
  var passwordsPassedOver: (path: String, why: String)? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let named = settings["passfile"] ?? variable("PGPASSFILE")
    guard let path = named ?? variable("HOME").map({ "\($0)/.pgpass" }) else { return nil }
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      if errno == ENOENT {
        let advice = """
          is not there: make it, with a line HOST:PORT:DATABASE:USER:PASSWORD and mode 600, name \
          another by PGPASSFILE, or put the password into PGPASSWORD
          """
        return named.map { ($0, advice) }
      }
      return (
        path, "is passed over, as this program's user may not read it: chown \(geteuid()) \(path)"
      )
    }
    if status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 == 0 { return nil }
    return (
      path,
      "is passed over, as it has to be a file that only its owner may read: chmod 600 \(path)"
    )
  }

  package static func isOne(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Throws `.refused`, and never says what it was given: there may be a password in it.
  package init(_ text: String) throws(PostgreSQLError) {
    func refused(_ sentence: String) -> PostgreSQLError {
      PostgreSQLError(.refused, sentence, doing: "read the database's URL")
    }
    if let reason = cpostgresql_load() {
      throw refused("libpq (Debian's libpq5) can't be loaded: \(String(cString: reason))")
    }
    // A NUL would end the text early.
    guard Self.isOne(text), !text.utf8.contains(0), let options = PQconninfoParse(text, nil) else {
      throw refused(
        "it has the form postgresql://USER@HOST:PORT/DATABASE?NAME=VALUE, with names that libpq knows"
      )
    }
    defer { PQconninfoFree(options) }
    var settings: [String: String] = [:]
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        // libpq marks so what nobody may see.
        guard option.pointee.dispchar.pointee != CChar(UInt8(ascii: "*")) else {
          throw refused("a password may not be in it: put it into the file that PGPASSFILE names")
        }
        settings[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
    guard let hosts = Self.hosts(&settings) else {
      throw refused("it has as many ports as hosts, or one, each from 1 to 65535")
    }
    // Nothing can be written on a standby. libpq itself asks each server.
    if settings["target_session_attrs"] == nil { settings["target_session_attrs"] = "read-write" }
    settings["client_encoding"] = "UTF8"
    if settings["application_name"] == nil { settings["fallback_application_name"] = "goals" }
    description = text
    self.settings = settings
    self.hosts = hosts
  }

  /// Takes the hosts out of the settings, of which each is a list; nil where the lists don't match.
  private static func hosts(_ settings: inout [String: String]) -> [Host]? {
    let lists = ["host", "hostaddr", "port"].compactMap { name in
      settings.removeValue(forKey: name).map { value in
        (name, value.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
      }
    }
    let count = lists.filter { $0.0 != "port" }.map(\.1.count).max() ?? 1
    var hosts = [[String: String]](repeating: [:], count: count)
    for (name, values) in lists {
      guard values.count == count || (name == "port" && values.count == 1) else { return nil }
      for index in hosts.indices {
        let value = values[values.count == 1 ? 0 : index]
        if value.isEmpty { continue }
        guard name != "port" || (1...65535).contains(Int(value) ?? 0) else { return nil }
        hosts[index][name] = value
      }
    }
    return hosts.map(Host.init)
  }
}
