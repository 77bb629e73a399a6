import Foundation
import Glibc
import PostgreSQL

/// A server of a test's own, in a folder of its own, reached by a socket in it. It is gone with the
/// test, and when the process of the tests ends, however that comes about.
///
/// Where PostgreSQL is not installed, making one throws: `scripts/setup test` installs it.
package final class Cluster: Sendable {
  package struct Failure: Error, CustomStringConvertible { package let description: String }

  /// One that no test stops or gives other settings.
  package static let common: Result<Cluster, Failure> = Result { () throws(Failure) in
    // A static value is never let go. The watcher stops the cluster too, but nobody waits for that.
    atexit { (try? Cluster.common.get())?.stop() }
    return try Cluster()
  }

  package let folder: String
  package let port: Int
  /// Ends what it started when its input ends. The address of a `FILE`, which only `deinit` uses.
  private let watcher: Int

  /// - Parameters:
  ///   - settings: as in postgresql.conf, a line each.
  ///   - port: of the socket's name; also on 127.0.0.1 where `listens` is true.
  package init(_ settings: [String] = [], port: Int = 27000, listens: Bool = false) throws(Failure)
  {
    let lines =
      settings + [
        "listen_addresses = '\(listens ? "127.0.0.1" : "")'", "port = \(port)",
        "max_connections = 1000",
        "shared_buffers = 4MB", "autovacuum = off",
      ]
    let output = try Self.run("start", lines.joined(separator: "\n"))
    let words = output.split(whereSeparator: \.isNewline)
    guard let last = words.last, last.hasPrefix("ready ") else {
      throw Failure(description: "no server was started: \(output)")
    }
    folder = String(last.dropFirst(6))
    self.port = port
    guard let file = popen(Self.command("watch", folder), "w") else {
      throw Failure(description: "nothing would stop the server: errno \(errno)")
    }
    watcher = Int(bitPattern: file)
  }

  deinit { stop() }

  private func stop() {
    if let file = UnsafeMutablePointer<FILE>(bitPattern: watcher) { pclose(file) }
  }

  package func url(
    _ user: String = "postgres", database: String = "postgres", _ settings: String = ""
  )
    throws -> DatabaseURL
  {
    try DatabaseURL(
      """
      postgresql://\(user)@/\(database)?host=\(folder)&port=\(port)&passfile=\(folder)/none\(settings)
      """)
  }

  package func connect(
    _ user: String = "postgres", database: String = "postgres"
  ) throws -> Connection {
    try Connection.connect(to: url(user, database: database), within: .seconds(30))
  }

  /// Ends the postmaster as a crash of the machine would: without a word.
  package func kill() throws {
    let text = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    guard let process = text.split(separator: "\n").first.flatMap({ Int32($0) }),
      Glibc.kill(process, SIGKILL) == 0
    else { throw Failure(description: "the server has no process: \(text)") }
  }

  package func start() throws {
    _ = try Self.run("restart", folder)
  }

  package func put(_ text: String, in name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: path))
    chmod(path, 0o600)
    return path
  }

  /// A certificate for this name, signed by itself, and its key; in one file.
  package func certify(name: String) throws -> String { try Self.run("certify", folder, name) }

  private static func run(_ words: String...) throws(Failure) -> String {
    guard let file = popen(command(words), "r") else {
      throw Failure(description: "no shell: errno \(errno)")
    }
    var output = ""
    var line = [CChar](repeating: 0, count: 4096)
    while fgets(&line, Int32(line.count), file) != nil {
      output += String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    guard pclose(file) == 0 else { throw Failure(description: output) }
    return output
  }

  private static func command(_ words: String...) -> String { command(words) }

  private static func command(_ words: [String]) -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "cluster.sh")
    return ([script.path(percentEncoded: false)] + words)
      .map { "'" + $0.replacing("'", with: "'\\''") + "'" }.joined(separator: " ") + " 2>&1"
  }
}
