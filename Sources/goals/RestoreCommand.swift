import ArgumentParser
import GoalsService
import GoalsStore
import Terminal

/// `goals restore`.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the place of the database.",
    discussion: """
      The backup is checked first, and stays as it is. A database that is there is moved aside with \
      its log, and not deleted. What was done in it on purpose still holds: accounts that were \
      removed stay removed, and tokens that were revoked stay revoked. Accounts and tokens that \
      were made since the backup are gone with it: without --force they are named, and nothing is \
      done.
      """)

  @OptionGroup var database: DatabaseOptions
  @Argument(help: "The backup.") var file: String
  @Flag(help: "Replace a database that is there.") var force = false
  @Flag(help: "Print JSON.") var json = false

  private struct Result: Encodable {
    let database: String
    let accounts: Int
    let replaced: String?
    let revokedTokens: Int?
    let goneTokens: Int?
    let removedAccounts: [Name]?
    let returningAccounts: [Name]?
    let lostAccounts: [Name]?
    let lostTokens: [Name]?
  }

  private struct Name: Encodable {
    let id: String
    let name: String
    /// Of a token.
    var account: String?

    init(_ account: Restoration.AccountName) {
      (id, name) = (account.id.description, account.name)
    }

    init(_ token: Restoration.TokenName) {
      (id, name, account) = (token.id.description, token.name, token.account.name)
    }
  }

  func run() throws {
    guard !database.isShared else {
      throw CommandFailure(
        "A database on PostgreSQL is restored by PostgreSQL's own tools, from what pg_basebackup or "
          + "pg_dump wrote. Nothing was done.")
    }
    let report: Restoration.Report
    do {
      let owner = try Owner.ofDatabase(database.database)
      let source = try Owner.ofFolder(of: file).act { try BackupSource(file) }
      try owner?.become()
      report = try Restoration.run(
        from: source, to: database.database, now: World.live(track: { _ in }).now(),
        mayReplace: { differences in
          StandardError.write(differences.map { returns($0) + losses($0) } ?? Self.unreadable)
          return force
        })
    } catch BackupError.opening(.inUse(let path, let lock)) {
      throw CommandFailure(
        "Nothing is restored while a server runs. \(OpeningError.inUse(path, lock: lock))")
    } catch let error as BackupError {
      throw CommandFailure(error.description)
    }
    if json { return try printJSON(result(report)) }
    try StandardOutput.write(sentences(report))
  }

  private static let unreadable =
    "goals: the database that is there can't be read: accounts that were removed since the backup "
    + "come back, tokens that were revoked since are valid again, and what was made since is "
    + "lost, whatever it is. Look at: goals account list, goals token list ACCOUNT\n"

  /// The accounts that only the backup has, a line each.
  private func returns(_ differences: Restoration.Differences) -> String {
    let accounts = differences.returning.map { "  account \($0.name), id \($0.id)\n" }
    guard !accounts.isEmpty else { return "" }
    return "goals: in the backup alone, and back again with it:\n" + accounts.joined()
  }

  /// What the backup lacks, a line each.
  private func losses(_ differences: Restoration.Differences) -> String {
    let accounts = differences.lostAccounts.map { "  account \($0.name), id \($0.id)\n" }
    let tokens = differences.lostTokens.map { token in
      "  token \(token.name) of \(token.account.name), id \(token.id)\n"
    }
    guard !accounts.isEmpty || !tokens.isEmpty else { return "" }
    return "goals: made since the backup, and not in it:\n" + (accounts + tokens).joined()
  }

  private func result(_ report: Restoration.Report) -> Result {
    let differences = report.differences
    return Result(
      database: report.database, accounts: report.accounts, replaced: report.replaced,
      revokedTokens: differences?.revoked, goneTokens: differences?.lostTokens.count,
      removedAccounts: differences?.removed.map { Name($0) },
      returningAccounts: differences?.returning.map { Name($0) },
      lostAccounts: differences?.lostAccounts.map { Name($0) },
      lostTokens: differences?.lostTokens.map { Name($0) })
  }

  private func sentences(_ report: Restoration.Report) -> String {
    let accounts = report.accounts == 1 ? "1 account" : "\(report.accounts) accounts"
    let restored = "Restored \(accounts) into \(report.database), and verified them.\n"
    guard let replaced = report.replaced else { return restored }
    let moved = "What was there is \(replaced) now."
    guard let differences = report.differences else { return "\(restored)\(moved)\n" }
    let (revoked, gone) = (differences.revoked, differences.lostTokens.count)
    var sentences = [
      moved,
      "Of its tokens, \(revoked) revoked since the backup stay\(revoked == 1 ? "s" : "") revoked, "
        + "and \(gone) made since \(gone == 1 ? "is" : "are") gone.",
    ]
    if !differences.lostAccounts.isEmpty {
      let count = differences.lostAccounts.count
      sentences.append(
        "\(count) account\(count == 1 ? "" : "s") made since \(count == 1 ? "is" : "are") gone.")
    }
    if !differences.removed.isEmpty {
      let names = differences.removed.map(\.name).joined(separator: ", ")
      sentences.append("Removed since, and not brought back: \(names).")
    }
    return restored + sentences.joined(separator: " ") + "\n"
  }
}
