import ArgumentParser
import GoalsService
import Terminal

/// `goals token`.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Add, list and revoke the tokens of accounts.",
    subcommands: [Add.self, List.self, Revoke.self])

  func run() throws {
    throw ValidationError("Say what to do: add, list or revoke.")
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a token.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The account's id, or its name if only one has it.") var account: String
    @Option(help: "What to call it: the device that will use it.") var name: String
    @Option(help: "read, write or bump (default: write; with a goal, bump).") var scope: String?
    @Option(help: "The only goal that it may count: its title if only one has it, or its id.")
    var goal: String?
    @Option(help: "When it expires, as an RFC 3339 date and time.") var expires: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let asked = AdminCommand.NewToken(
        account: account, name: name, scope: scope ?? (goal == nil ? "write" : "bump"), goal: goal,
        expires: expires)
      let reply = try Administrator(database).perform(.addToken(asked))
      guard case .addedToken(let added) = reply, let text = added.token else {
        throw reply.surprise
      }
      if json {
        try printJSON(added)
      } else {
        let titles = goal == nil ? [:] : TokenCommand.titles(of: account, in: database)
        let counted = added.goal.map { " of \(titles[$0] ?? $0)" } ?? ""
        try StandardOutput.write(
          """
          Token \(added.name), id \(added.id), scope \(added.scope)\(counted)
          Shown this once: \(text)

          """)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the tokens of an account.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The account's id, or its name if only one has it.") var account: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let reply = try Administrator(database).perform(.listTokens(account: account))
      guard case .tokens(let tokens) = reply else { throw reply.surprise }
      if json { return try printJSON(tokens) }
      let now = World.live(track: { _ in }).now()
      let isAnyOfAGoal = tokens.contains { $0.goal != nil }
      let titles = isAnyOfAGoal ? TokenCommand.titles(of: account, in: database) : [:]
      var table = Table("TOKEN", "SCOPE", "LAST USED", "SINCE", "EXPIRES", "ID")
      for token in tokens {
        table.add(
          token.name, token.scope + (token.goal.map { " \(titles[$0] ?? $0)" } ?? ""),
          Words.ago(token.lastUsedAt, at: now), Words.date(token.createdAt),
          Words.minute(token.expiresAt), token.id)
      }
      try StandardOutput.write(tokens.isEmpty ? "No tokens.\n" : table.text)
    }
  }

  /// The titles of the account's goals, by their ids; none where they can't be had.
  private static func titles(of account: String, in database: DatabaseOptions) -> [String: String] {
    let reply = try? Administrator(database).perform(.listGoals(account: account))
    guard case .goals(let list)? = reply else { return [:] }
    return Dictionary(list.goals.map { ($0.id, $0.title) }) { first, _ in first }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a token, at once; where servers share a database, within 2 seconds.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The token's id, or its name if only one has it.") var token: String
    @Option(help: "Look among the tokens of this account only.") var account: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let reply = try Administrator(database).perform(.revokeToken(token, of: account))
      guard case .revokedToken(let id, let name) = reply else { throw reply.surprise }
      if json { return try printJSON(["id": id, "name": name]) }
      try StandardOutput.write("Revoked token \(name), id \(id)\n")
    }
  }
}
