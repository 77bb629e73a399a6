import ArgumentParser
import GoalsService
import GoalsStore

/// `goals restore`.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the place of the database.",
    discussion: """
      The backup is checked first, and stays as it is. A database that is there is moved aside with \
      its log, and not deleted. Tokens that were revoked in it stay revoked; tokens made since the \
      backup are gone with it.
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
  }

  func run() throws {
    try Owner.become(ofDatabase: database.database)
    let report: Restoration.Report
    do throws(BackupError) {
      report = try Restoration.run(
        from: file, to: database.database, isForced: force, now: World.live(track: { _ in }).now())
    } catch {
      if case .opening(.inUse) = error {
        throw CommandFailure("Nothing is restored while a server runs. \(error)")
      }
      throw CommandFailure(error.description)
    }
    if report.isUnreadable {
      StandardError.write(
        "goals: what was replaced can't be read: tokens that were revoked since the backup are valid "
          + "again. Look at: goals token list\n")
    }
    if json {
      return try printJSON(
        Result(
          database: report.database, accounts: report.accounts, replaced: report.replaced,
          revokedTokens: report.tokens?.revoked, goneTokens: report.tokens?.gone))
    }
    try StandardOutput.write(sentences(report))
  }

  private func sentences(_ report: Restoration.Report) -> String {
    let accounts = report.accounts == 1 ? "1 account" : "\(report.accounts) accounts"
    let restored = "Restored \(accounts) into \(report.database), and verified them.\n"
    guard let replaced = report.replaced else { return restored }
    let moved = "What was there is \(replaced) now."
    guard let tokens = report.tokens else { return "\(restored)\(moved)\n" }
    return "\(restored)\(moved) Of its tokens, \(tokens.revoked) revoked since the backup "
      + "stay\(tokens.revoked == 1 ? "s" : "") revoked, and \(tokens.gone) made since "
      + "\(tokens.gone == 1 ? "is" : "are") gone.\n"
  }
}
