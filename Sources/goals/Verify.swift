import ArgumentParser
import GoalsService
import Terminal

/// `goals verify`.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the database: SQLite's own check, the hash chain, and the log folded again.",
    discussion: """
      A database that no server has open, such as a backup, is copied into a folder for temporary files \
      (TMPDIR, else /var/tmp), and the copy is checked: the file stays as it is, of whatever version.
      """)

  @OptionGroup var database: DatabaseOptions
  @Flag(help: "Print JSON.") var json = false

  private struct Report: Encodable {
    let ok: Bool
    let accounts: Int
    let faults: [String]
  }

  func run() throws {
    let (accounts, faults) = try Administrator(database).verify()
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
