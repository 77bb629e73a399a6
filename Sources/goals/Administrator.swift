import FoundationEssentials
import Glibc
import GoalsService
import GoalsStore
import HTTPServer

/// Has commands carried out: by the running server, or where none runs on the database itself.
struct Administrator {
  private let options: DatabaseOptions

  init(_ options: DatabaseOptions) { self.options = options }

  func perform(_ command: AdminCommand) throws -> AdminReply {
    try Owner.become(ofDatabase: options.database)
    if let reply = try askServer(command) { return reply }
    do {
      let database = try OwnedDatabase.claim(path: options.database, ifMissing: command.ifMissing)
      let world = World.live(track: { _ in })
      let environment = StoreEnvironment(now: world.now, zones: world.zones, track: { _ in })
      let store = try Store.sqlite(database, environment: environment)
      defer { store.destroy() }
      let access = Access(
        store: store, world: world, authenticator: Authenticator(store: store, now: world.now))
      return try Administration(access).perform(command).orFailure
    } catch let error as OpeningError {
      // A server may have come up since, or one may be about to stop.
      if case .inUse = error, let reply = try askServer(command) { return reply }
      throw CommandFailure(error.description)
    }
  }

  /// Nil where no server answers.
  private func askServer(_ command: AdminCommand) throws -> AdminReply? {
    let path = options.adminSocket ?? Service.adminSocket(besideDatabase: resolvedDatabase)
    let body = Array(try JSONEncoder().encode(command))
    guard let connection = PlainHTTP.connect(to: .unix(path: path), patience: command.patience)
    else { return nil }
    let answer = try PlainHTTP.exchange(
      method: "POST", path: "/", body: body, over: connection)
    guard answer.status == 200,
      let reply = try? JSONDecoder().decode(AdminReply.self, from: Data(answer.body))
    else { throw CommandFailure("The running server did not understand the command.") }
    return try reply.orFailure
  }

  /// The database's path as the server knows it, with links followed.
  private var resolvedDatabase: String {
    guard let resolved = realpath(options.database, nil) else { return options.database }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}

extension AdminCommand {
  /// How long a server may take, in seconds; 0 is for ever. What is verified has no size one could
  /// foretell.
  fileprivate var patience: Int {
    switch self {
    case .verify: 0
    case .addAccount, .listAccounts, .removeAccount, .addToken, .listTokens, .revokeToken: 60
    }
  }

  /// Whether a database that is not there is made for it.
  fileprivate var ifMissing: OwnedDatabase.Missing {
    switch self {
    case .addAccount: .create
    case .listAccounts, .removeAccount, .addToken, .listTokens, .revokeToken, .verify: .refuse
    }
  }
}

extension AdminReply {
  fileprivate var orFailure: AdminReply {
    get throws {
      if case .failed(let sentence) = self { throw CommandFailure(sentence) }
      return self
    }
  }

  /// For a reply that no such command has.
  var surprise: CommandFailure { CommandFailure("The server answered another command.") }
}

/// Prints a value for programs: JSON with its members in order.
func printJSON(_ value: some Encodable) throws {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
  try StandardOutput.write(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
}
