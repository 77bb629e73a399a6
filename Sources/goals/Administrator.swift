import FoundationEssentials
import Glibc
import GoalsService
import GoalsStore
import HTTPServer
import Terminal

/// Has commands carried out: by the running server, or where none runs on the database itself.
struct Administrator {
  private let options: DatabaseOptions

  init(_ options: DatabaseOptions) { self.options = options }

  func perform(_ command: AdminCommand) throws -> AdminReply {
    if options.isShared { return try onServer { try $0.perform(command).orFailure } }
    try Owner.become(ofDatabase: options.database)
    return try reach(server: { try askServer(command) }) {
      // Before a database is made: a command that is refused makes none.
      if let refusal = Administration.refusal(of: command, in: .live(track: { _ in })) {
        throw CommandFailure(refusal.sentence)
      }
      return try alone(ifMissing: command.ifMissing) { try $0.perform(command).orFailure }
    }
  }

  /// Has the database checked. Where no server runs, a copy of it is: so it needs only to be
  /// readable, and root need not take on its owner.
  func verify() throws -> (accounts: Int, faults: [String]) {
    if options.isShared {
      return try onServer(toVerify: true) { administration in
        let reply = try administration.perform(.verify).orFailure
        guard case .verified(let accounts, let faults) = reply else { throw reply.surprise }
        return (accounts, faults)
      }
    }
    try Owner.refuseForeignLinks(on: options.database)
    let scratch = ScratchFolder(in: TemporaryFolders.all)
    StopSignals.cleanUp { end in scratch.remove(then: end) }
    return try reach(server: {
      guard let reply = try askServer(.verify) else { return nil }
      guard case .verified(let accounts, let faults) = reply else { throw reply.surprise }
      return (accounts, faults)
    }) {
      do throws(BackupError) {
        let verification = try Verification.run(
          of: options.database, scratch: scratch,
          now: World.live(track: { _ in }).now())
        return (verification.accounts, verification.faults)
      } catch .opening(let error) {
        throw error
      } catch {
        throw CommandFailure(error.description)
      }
    }
  }

  /// Has an account's log written, and makes sure that it is whole.
  func export(_ account: String, by write: ([UInt8]) throws -> Void) throws {
    func export(_ administration: Administration) throws {
      let archive = try Administration.waiting { administration.export(of: account, $0) }.get()
      while let piece = try archive.next() { try write(piece) }
    }
    if options.isShared { return try onServer(export) }
    try Owner.become(ofDatabase: options.database)
    try reach(server: { try askServer(toExport: account, by: write) }) {
      try alone(ifMissing: .refuse, export)
    }
  }

  /// Takes an export in, which needs the database for itself.
  func importLog(_ bytes: [UInt8], into account: String) throws -> AdminReply.ImportedLog {
    func take(_ administration: Administration) throws -> AdminReply.ImportedLog {
      try Administration.waiting { administration.importLog(bytes, into: account, $0) }.get()
    }
    if options.isShared { return try onServer(take) }
    try Owner.become(ofDatabase: options.database)
    do {
      return try alone(ifMissing: .refuse, take)
    } catch let error as OpeningError {
      guard case .inUse = error else { throw CommandFailure(error.description) }
      throw CommandFailure(
        "\(options.database) is in use: stop the server first, or send the file to POST /v1/import."
      )
    }
  }

  /// Has the server do something, or does it where none answers.
  private func reach<Result>(
    server ask: () throws -> Result?, otherwise perform: () throws -> Result
  ) throws -> Result {
    if let result = try ask() { return result }
    do {
      return try perform()
    } catch let error as OpeningError {
      // A server may have come up since, or one may be about to stop.
      if case .inUse = error, let result = try ask() { return result }
      throw CommandFailure(error.description)
    }
  }

  /// Does something with the database itself.
  private func alone<Result>(
    ifMissing: OwnedDatabase.Missing, _ body: (Administration) throws -> Result
  ) throws -> Result {
    let database = try OwnedDatabase.claim(path: options.database, ifMissing: ifMissing)
    let world = World.live(track: { _ in })
    return try administer(Store.sqlite(database, environment: environment(world)), world, body)
  }

  /// Does something with a database on a server, beside the servers that use it.
  private func onServer<Result>(
    toVerify: Bool = false, _ body: (Administration) throws -> Result
  ) throws -> Result {
    let world = World.live(track: { _ in })
    let database = try options.shared(world)
    let store: Store
    do throws(SharedDatabase.Refusal) {
      _ = try database.check(to: toVerify ? .verify : .serve)
      store = try database.store(environment: environment(world))
    } catch {
      throw CommandFailure(error.description)
    }
    return try administer(store, world, body)
  }

  /// An operator takes in what a server with other limits has recorded.
  private func environment(_ world: World) -> StoreEnvironment {
    StoreEnvironment(
      now: world.now, zone: world.zone, maximumGoals: .max, maximumLogBytes: .max,
      signUpLogBytes: .max, track: { _ in })
  }

  private func administer<Result>(
    _ store: Store, _ world: World, _ body: (Administration) throws -> Result
  ) throws -> Result {
    defer { store.destroy() }
    do {
      return try body(Administration(of: store, in: world))
    } catch let error as AdminError {
      throw CommandFailure(error.sentence)
    } catch let error as StoreError {
      throw CommandFailure(error.description)
    }
  }

  /// Nil where no server answers.
  private func askServer(
    toExport account: String, by write: ([UInt8]) throws -> Void
  ) throws -> Void? {
    let command = AdminCommand.export(account: account)
    let body = Array(try JSONEncoder().encode(command))
    guard let connection = connectToServer(patience: command.patience) else { return nil }
    var end: [UInt8] = []
    let answer = try answering(command) {
      try PlainHTTP.exchange(
        method: "POST", path: "/", body: body, over: connection,
        streaming: { type, piece in
          guard type == "application/x-ndjson" else { return false }
          end = (end + piece).suffix(ExportLine.maximumLastLine)
          try write(piece)
          return true
        })
    }
    if let reply = try? JSONDecoder().decode(AdminReply.self, from: Data(answer.body)) {
      _ = try reply.orFailure
    }
    guard ImportedLog.quote(in: end) != nil else {
      throw CommandFailure("The running server did not write all of it.")
    }
    return ()
  }

  /// Says what a command comes to whose server dies.
  private func answering(
    _ command: AdminCommand, _ exchange: () throws -> PlainHTTP.Answer
  ) throws -> PlainHTTP.Answer {
    do {
      return try exchange()
    } catch is PlainHTTP.ServerGone {
      throw CommandFailure("The server went away before it answered: \(command.unanswered).")
    }
  }

  private func connectToServer(patience: Int) -> PlainHTTP.Connection? {
    let path = options.adminSocket ?? Service.adminSocket(besideDatabase: resolvedDatabase)
    return PlainHTTP.connect(to: .unix(path: path), patience: patience)
  }

  /// Nil where no server answers.
  private func askServer(_ command: AdminCommand) throws -> AdminReply? {
    let body = Array(try JSONEncoder().encode(command))
    guard let connection = connectToServer(patience: command.patience) else { return nil }
    let answer = try answering(command) {
      try PlainHTTP.exchange(method: "POST", path: "/", body: body, over: connection)
    }
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
    case .verify, .backUp: 0
    case .addAccount, .setAccount, .listAccounts, .removeAccount, .listGoals, .addToken,
      .listTokens, .revokeToken, .export:
      60
    }
  }

  /// What is known of a command that was never answered.
  fileprivate var unanswered: String {
    switch self {
    case .verify: "nothing was found out"
    case .export: "what was written is not all"
    case .backUp: "no backup was made"
    case .listAccounts, .listGoals, .listTokens: "nothing was listed"
    case .addAccount, .setAccount, .removeAccount, .addToken, .revokeToken:
      "it may have been carried out all the same"
    }
  }

  /// Whether a database that is not there is made for it.
  fileprivate var ifMissing: OwnedDatabase.Missing {
    switch self {
    case .addAccount: .createFile
    case .setAccount, .listAccounts, .removeAccount, .listGoals, .addToken, .listTokens,
      .revokeToken, .verify, .export, .backUp:
      .refuse
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
