import ArgumentParser
import Glibc
import GoalsService
import GoalsStore
import Terminal

/// The command line.
@main
struct Goals: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goals", abstract: "A sync server for recurring goals and habits.",
    version: version,
    subcommands: [
      Serve.self, Migrate.self, AccountCommand.self, GoalCommand.self, TokenCommand.self,
      BackupCommand.self, RestoreCommand.self, CopyCommand.self, Verify.self, Export.self,
      Import.self, Health.self, Login.self, Logout.self, List.self, Add.self, Bump.self, Skip.self,
      Undo.self, History.self, Watch.self, Completions.self, Titles.self,
    ])

  static let version = "0.1.0"

  private static var names: [String] { configuration.subcommands.map { $0._commandName } }

  /// Parses the arguments, with the environment filling in flags that are not among them.
  static func main() {
    let given = Array(CommandLine.arguments.dropFirst())
    do {
      try UnknownCommand.refuse(given.first, among: names)
      // NB: of a command of the terminal client the library knows only that it has arguments.
      if given.count == 2, given[0] == "help", ClientProgram.has(given[1]) {
        try ClientProgram.become(with: [given[1], "--help"])
      }
      try EnvironmentFlags.readInstalled(for: given)
      var command = try parseAsRoot(EnvironmentFlags.fill(given))
      try EnvironmentFlags.check()
      do {
        try command.run()
      } catch let error as ValidationError {
        // NB: the library would tell the usage of `goals`.
        let usage = usageString(for: type(of: command))
        StandardError.write("Error: \(error.message)\nUsage: \(usage)\n")
        Glibc.exit(ExitCode.validationFailure.rawValue)
      }
    } catch let failure as CommandFailure {
      failure.tell()
      Glibc.exit(failure.code)
    } catch {
      exit(withError: error)
    }
  }
}

/// The database that a command is about.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: "The database's file, or postgresql://USER@HOST/DATABASE. Also GOALS_DATABASE.")
  var database = "goals.sqlite"

  @Option(
    help:
      "The Unix socket for commands beside a running server (default: the database's name + .sock)."
  )
  var adminSocket: String?

  /// Whether it is on a server, where other servers may use it, too.
  var isShared: Bool { SharedDatabase.isOne(database) }

  /// The database on the server that the URL names.
  func shared(_ world: World) throws -> SharedDatabase {
    do {
      return try SharedDatabase(database, server: world.makeID())
    } catch {
      throw CommandFailure(error.description)
    }
  }
}
