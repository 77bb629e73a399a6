import ArgumentParser
import GoalsService
import Terminal

/// `goals export`.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write an account's whole history to standard output.",
    discussion: """
      The same lines as GET /v1/export: the calendar, every recorded edit, and a last line that says that \
      it is whole and quotes the chain. goals import takes them in.
      """)

  @OptionGroup var database: DatabaseOptions
  @Argument(help: "The account's id, or its name if only one has it.") var account: String

  func run() throws {
    try Administrator(database).export(account) { try StandardOutput.write($0) }
  }
}
