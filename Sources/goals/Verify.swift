import ArgumentParser
import GoalsService
import Terminal

/// `goals verify`.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check the database: its schema, the hash chains, and the logs folded again.",
    discussion: """
      It says what is wrong in the first place, with --json all of it, and ends with 1.

      A database that no server has open, such as a backup, is copied into a folder for temporary files \
      (TMPDIR, else /var/tmp), and the copy is checked: the file stays as it is, of whatever version.

      A database on PostgreSQL is checked where it is, beside its servers: goals verify --database \
      'postgresql://goals@db.example.org/goals?sslmode=verify-full'. libpq takes the password from \
      PGPASSWORD, ~/.pgpass or the file that PGPASSFILE names. The pages of its tables are for pg_amcheck.
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
