import ArgumentParser
import GoalsService

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
    @Option(help: "read, write or bump.") var scope = "write"
    @Option(help: "For the scope bump: the goal's id.") var goal: String?
    @Option(help: "When it expires, as an RFC 3339 date and time.") var expires: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let asked = AdminCommand.NewToken(
        account: account, name: name, scope: scope, goal: goal, expires: expires)
      let reply = try Administrator(database).perform(.addToken(asked))
      guard case .addedToken(let added) = reply else { throw reply.surprise }
      if json {
        try printJSON(TokenListing(added.listed, token: added.token))
      } else {
        try StandardOutput.write(
          """
          Token \(added.listed.name), id \(added.listed.id), scope \(added.listed.scope)
          Shown this once: \(added.token)

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
      if json { return try printJSON(tokens.map { TokenListing($0, token: nil) }) }
      for token in tokens {
        let goal = token.goal.map { " \($0)" } ?? ""
        let expiry = token.expiresAt.map { "  expires \($0)" } ?? ""
        try StandardOutput.write(
          "\(token.id)  \(token.createdAt)  \(token.scope)\(goal)  \(token.name)\(expiry)\n")
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Revoke a token, at once.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The token's id.") var id: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let reply = try Administrator(database).perform(.revokeToken(id))
      guard case .revokedToken(let id) = reply else { throw reply.surprise }
      if json { return try printJSON(["id": id]) }
      try StandardOutput.write("Revoked token \(id)\n")
    }
  }
}

/// A token as programs read it: every field there, null where there is nothing to say.
private struct TokenListing: Encodable {
  let listed: AdminReply.ListedToken
  let token: String?

  init(_ listed: AdminReply.ListedToken, token: String?) {
    self.listed = listed
    self.token = token
  }

  private enum Key: String, CodingKey {
    case id, name, scope, goal, createdAt, lastUsedAt, expiresAt, token
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(listed.id, forKey: .id)
    try members.encode(listed.name, forKey: .name)
    try members.encode(listed.scope, forKey: .scope)
    try members.encode(listed.goal, forKey: .goal)
    try members.encode(listed.createdAt, forKey: .createdAt)
    try members.encode(listed.lastUsedAt, forKey: .lastUsedAt)
    try members.encode(listed.expiresAt, forKey: .expiresAt)
    try members.encodeIfPresent(token, forKey: .token)
  }
}
