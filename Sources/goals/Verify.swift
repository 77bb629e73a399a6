import ArgumentParser
import GoalsService

/// `goals verify`.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the database: SQLite's own check, the hash chain, and the log folded again.")

  @OptionGroup var database: DatabaseOptions
  @Flag(help: "Print JSON.") var json = false

  private struct Report: Encodable {
    let ok: Bool
    let accounts: Int
    let faults: [String]
  }

  func run() throws {
    let reply = try Administrator(database).perform(.verify)
    guard case .verified(let accounts, let faults) = reply else { throw reply.surprise }
    if json { try printJSON(Report(ok: faults.isEmpty, accounts: accounts, faults: faults)) }
    guard let first = faults.first else {
      if !json {
        try StandardOutput.write("Sound: \(accounts) account\(accounts == 1 ? "" : "s").\n")
      }
      return
    }
    throw CommandFailure(first)
  }
}
