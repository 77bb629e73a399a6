import ArgumentParser
import Glibc
import GoalsService
import Terminal

/// `goals account`.
struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account", abstract: "Add, set, list and remove accounts.",
    subcommands: [Add.self, Set.self, List.self, Remove.self])

  func run() throws {
    throw ValidationError("Say what to do: add, set, list or remove.")
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add an account, and print a link by which its owner signs in once.",
      discussion: "The link opens the page, or signs the terminal in: goals login LINK.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "What to call it: a name that no other account has.") var name: String
    @Option(help: "Its time zone, by which its days begin (default: the machine's).")
    var timeZone: String?
    @Option(help: "Until when the link works, as an RFC 3339 date and time (default: 24 hours).")
    var expires: String?
    @Option(help: "What people type to get to the server (default: what the server says).")
    var publicURL: String?
    @Flag(help: "Print JSON, with a token in place of the link.") var json = false

    private struct Result: Encodable {
      let id: String
      let name: String
      let token: String
    }

    func validate() throws {
      if json, expires != nil {
        throw ValidationError("--expires is the link's, and --json prints a token in its place.")
      }
    }

    func run() throws {
      let reply = try Administrator(database).perform(
        .addAccount(name: name, timeZone: timeZone, link: !json, expires: expires))
      guard case .addedAccount(let account) = reply else { throw reply.surprise }
      if json, let token = account.token {
        return try printJSON(Result(id: account.id, name: account.name, token: token))
      }
      guard let link = account.link else { throw reply.surprise }
      try SignInLink(link, at: publicURL).show(
        "Account \(account.name), id \(account.id), time zone \(account.timeZone)")
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change an account's name, or how its time is cut into days and weeks.",
      discussion: "What was counted stays on its day.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "Its id, or its name if only one has it.") var account: String
    @Option(help: "What to call it: a name that no other account has.") var name: String?
    @Option(help: "The time zone by which its days begin, such as Europe/Berlin.")
    var timeZone: String?
    @Option(help: "The day on which its weeks begin: monday, tuesday, … or sunday.")
    var weekStart: String?
    @Option(help: "When its days begin, from 00:00 to 12:00.") var dayStart: String?
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
      if [name, timeZone, weekStart, dayStart].allSatisfy({ $0 == nil }) {
        throw ValidationError(
          "Say what to set: --name, --time-zone, --week-start or --day-start.")
      }
    }

    func run() throws {
      let change = AdminCommand.AccountChange(
        account: account, name: name, timeZone: timeZone, weekStart: weekStart, dayStart: dayStart)
      let reply = try Administrator(database).perform(.setAccount(change))
      guard case .account(let account) = reply else { throw reply.surprise }
      if json { return try printJSON(account) }
      try StandardOutput.write(
        """
        Account \(account.name), id \(account.id)
        Time zone \(account.timeZone), weeks from \(account.weekStart), days from \(account.dayStart)

        """)
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
      let now = World.live(track: { _ in }).now()
      var table = Table("ACCOUNT", "TIME ZONE", "LAST ACTIVE", "HISTORY", "SINCE", "ID")
      for account in accounts {
        table.add(
          account.name, account.timeZone, Words.ago(account.lastActiveAt, at: now),
          Words.count(account.logBytes, "byte"), Words.date(account.createdAt), account.id)
      }
      try StandardOutput.write(accounts.isEmpty ? "No accounts yet.\n" : table.text)
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an account with its goals, its log and its tokens, for good.",
      discussion: "Asks before it does, on a terminal; elsewhere it wants --yes.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "Its id, or its name if only one has it.") var account: String
    @Flag(help: "Ask nothing.") var yes = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let administrator = Administrator(database)
      let confirmed = yes ? account : try confirm(by: administrator)
      let reply = try administrator.perform(.removeAccount(confirmed))
      guard case .removedAccount(let removed) = reply else { throw reply.surprise }
      if json { return try printJSON(removed) }
      try StandardOutput.write("Removed account \(removed.name), id \(removed.id)\n")
    }

    /// Asks whether all that the account has may go, and answers its id.
    private func confirm(by administrator: Administrator) throws -> String {
      let reply = try administrator.perform(.listGoals(account: account))
      guard case .goals(let list) = reply else { throw reply.surprise }
      let what =
        "account \(list.name), id \(list.id), with \(Words.count(list.goals.count, "goal")), "
        + "\(Words.count(list.edits, "edit")) and all its tokens"
      guard isatty(STDIN_FILENO) == 1 else {
        throw ValidationError("To remove \(what), say --yes: there is no terminal to ask on.")
      }
      StandardError.write("Remove \(what), for good? [y/N] ")
      guard ["y", "yes"].contains(readLine()?.lowercased()) else {
        throw CommandFailure("Nothing was removed.")
      }
      return list.id
    }
  }
}
