import ArgumentParser
import Glibc
import GoalsService
import GoalsStore
import Terminal

/// `goals copy`.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy all accounts from one database to another.",
    discussion: """
      From a file to PostgreSQL, or back, with tokens and sessions: nobody has to sign in again. \
      Stop all servers of FROM first. A file is made where there is none; on PostgreSQL run goals \
      migrate before. An account is copied in one transaction: what was cut off goes on when the \
      same command is run again. Accounts that are in TO already stay as they are. In the end all \
      accounts of FROM are compared with those in TO.
      """)

  @Argument(help: "The database's file, or postgresql://USER@HOST/DATABASE.") var from: String
  @Argument(help: "The same, of the database to copy to.") var to: String

  func run() throws {
    guard resolved(from) != resolved(to) else {
      throw CommandFailure("FROM and TO are the same. Nothing was done.")
    }
    let world = World.live(track: { _ in })
    for path in [from, to] where !SharedDatabase.isOne(path) { try Owner.become(ofDatabase: path) }
    let report: Copying.Report
    do {
      report = try Copying.run(from: side(from, world), to: side(to, world), now: world.now())
    } catch OpeningError.inUse(let path, _) {
      throw CommandFailure("\(path) is in use: stop its server first. A copy needs it for itself.")
    } catch let error as OpeningError {
      throw CommandFailure(error.description)
    } catch let error as SharedDatabase.Refusal {
      throw CommandFailure(error.description)
    } catch let failure as Copying.Failure {
      let place = failure.account.map { " at account \($0)" } ?? ""
      throw CommandFailure(
        "The copy ended\(place). \(failure.error) Accounts that were copied before stay in TO"
          + (failure.error.passes ? ": run the same command again to go on." : "."))
    }
    try StandardOutput.write(summary(of: report))
    if let differences = sentences(about: report.differences) { throw CommandFailure(differences) }
  }

  private func summary(of report: Copying.Report) -> String {
    let copied =
      "Copied \(Words.count(report.copied, "account")) with \(Words.count(report.edits, "edit")), "
      + "and skipped \(report.present) that \(report.present == 1 ? "was" : "were") there already."
    guard report.differences.isEmpty else { return copied + "\n" }
    let verb = report.accounts == 1 ? "is" : "are"
    return "\(copied) \(Words.count(report.accounts, "account")) \(verb) the same on both sides.\n"
  }

  /// How many accounts that differ are named.
  private static let named = 10

  /// Nil where none differs.
  private func sentences(about differences: [String]) -> String? {
    guard !differences.isEmpty else { return nil }
    let count = differences.count
    let others = count > Self.named ? ["and \(count - Self.named) more"] : []
    return
      "\(Words.count(count, "account")) of FROM \(count == 1 ? "is" : "are") not the same in TO: "
      + (differences.prefix(Self.named) + others).joined(separator: "; ")
      + ". What was in TO before was not altered. Once no server of FROM runs, remove such an account "
      + "from TO (goals account remove), and run the same command again."
  }

  private func side(_ database: String, _ world: World) throws -> CopySide {
    guard SharedDatabase.isOne(database) else { return .file(database) }
    return .server(try SharedDatabase(database, server: world.makeID()))
  }

  /// A file's path with links followed; a URL as it is.
  private func resolved(_ database: String) -> String {
    guard let path = realpath(database, nil) else { return database }
    defer { free(path) }
    return String(cString: path)
  }
}
