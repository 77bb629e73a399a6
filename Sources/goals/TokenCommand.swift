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
    @Option(help: "read, count, write or bump (default: write; with a goal, bump).")
    var scope: String?
    @Option(help: "The only goal that it may count: its title if only one has it, or its id.")
    var goal: String?
    @Option(help: "When it expires, as an RFC 3339 date and time.") var expires: String?
    @Flag(help: "Print a link that signs a device in once, within 15 minutes, not a token.")
    var link = false
    @Option(help: "What people type to get to the server (default: what the server says).")
    var publicURL: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let asked = AdminCommand.NewToken(
        account: account, name: name, scope: scope ?? (goal == nil ? "write" : "bump"), goal: goal,
        expires: expires, link: link)
      switch try Administrator(database).perform(.addToken(asked)) {
      case .addedToken(let added):
        guard let text = added.token else { throw AdminReply.addedToken(added).surprise }
        if json { return try printJSON(added) }
        StandardError.write(
          "Token \(added.name), id \(added.id), scope \(scope(of: added)). Shown this once:\n")
        try StandardOutput.write(text + "\n")
      case .addedLink(let added):
        let link = SignInLink(added, at: publicURL)
        if json { return try printJSON(Link(added, link)) }
        try link.show("Link for \(added.name), scope \(added.scope)")
      case let reply: throw reply.surprise
      }
    }

    private struct Link: Encodable {
      let name: String
      let scope: String
      @OrNull var goal: String?
      @OrNull var expiresAt: String?
      let link: String
      let linkExpiresAt: String

      init(_ added: AdminReply.NewLink, _ link: SignInLink) {
        (name, scope, goal, expiresAt) = (added.name, added.scope, added.goal, added.expiresAt)
        (self.link, linkExpiresAt) = (link.text, link.endsAt)
      }
    }

    private func scope(of added: AdminReply.ListedToken) -> String {
      let titles = goal == nil ? [:] : TokenCommand.titles(of: account, in: database)
      return added.scope + (added.goal.map { " of \(titles[$0] ?? $0)" } ?? "")
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
      let names = Dictionary(tokens.map { ($0.id, $0.name) }) { first, _ in first }
      var table = Table("TOKEN", "SCOPE", "LAST USED", "SINCE", "EXPIRES", "MADE BY", "ID")
      for token in tokens {
        table.add(
          token.name, token.scope + (token.goal.map { " \(titles[$0] ?? $0)" } ?? ""),
          Words.ago(token.lastUsedAt, at: now), Words.date(token.createdAt),
          Words.minute(token.expiresAt), token.madeBy.map { names[$0] ?? $0 } ?? "-", token.id)
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
