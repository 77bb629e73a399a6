import ArgumentParser
import GoalsService

/// `goals account`.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Add, list and remove accounts.",
    subcommands: [Add.self, List.self, Remove.self])

  func run() throws {
    throw ValidationError("Say what to do: add, list or remove.")
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add an account.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "What to call it.") var name: String
    @Option(help: "Its time zone (default: UTC).") var timeZone: String?
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let reply = try Administrator(database).perform(.addAccount(name: name, timeZone: timeZone))
      guard case .addedAccount(let account) = reply else { throw reply.surprise }
      if json {
        try printJSON(account)
      } else {
        try StandardOutput.write(
          """
          Account \(account.name), id \(account.id)
          Its first token, shown this once: \(account.token)

          """)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the accounts.")

    @OptionGroup var database: DatabaseOptions
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let reply = try Administrator(database).perform(.listAccounts)
      guard case .accounts(let accounts) = reply else { throw reply.surprise }
      if json { return try printJSON(accounts) }
      for account in accounts {
        try StandardOutput.write(
          "\(account.id)  \(account.createdAt)  \(account.logBytes ?? 0) bytes  \(account.name)\n")
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an account with its goals, its log and its tokens, for good.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "Its id, or its name if only one has it.") var account: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let reply = try Administrator(database).perform(.removeAccount(account))
      guard case .removedAccount(let removed) = reply else { throw reply.surprise }
      if json { return try printJSON(removed) }
      try StandardOutput.write("Removed account \(removed.name), id \(removed.id)\n")
    }
  }
}
