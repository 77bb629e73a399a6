import ArgumentParser
import GoalsService
import Terminal

/// `goals import`.
struct Import: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take an exported history into an account without edits.",
    discussion: """
      All or nothing. A database in a file it needs for itself; beside a running server, send the \
      file to POST /v1/import. A database on PostgreSQL is taken in beside the servers.
      """)

  @OptionGroup var database: DatabaseOptions
  @Argument(help: "The account's id, or its name if only one has it.") var account: String
  @Argument(help: "What goals export or GET /v1/export wrote; - for standard input.")
  var file: String
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let bytes = try InputFile.read(file)
    let imported = try Administrator(database).importLog(bytes, into: account)
    if json { return try printJSON(imported) }
    let edits = "\(imported.version) edit\(imported.version == 1 ? "" : "s")"
    try StandardOutput.write(
      "Imported \(edits) into account \(imported.name), id \(imported.id)\n")
  }
}
