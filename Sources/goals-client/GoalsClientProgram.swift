import ArgumentParser
import Foundation
import Terminal

/// The terminal client: the commands of `goals` for who uses a server, as a program of its own.
///
/// It is not a part of `goals`, because what speaks HTTPS would make the server start later and
/// keep more in memory.
@main
struct GoalsClientProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goals", abstract: "Count what you mean to do, with a server in reach or without.",
    version: "0.1.0",
    subcommands: [
      Login.self, Logout.self, List.self, Add.self, Bump.self, Skip.self, Undo.self, History.self,
      Watch.self, Completions.self, Titles.self,
    ],
    // What begins with a hyphen is a mistake more often than a question.
    helpNames: .long)

  static func main() async {
    // A pipe that nobody reads any more is an error of the write, and not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that may not grow any more.
    signal(SIGXFSZ, SIG_IGN)
    do {
      try Session.checkPatience()
      let words = try Bump.withoutSigns(Array(CommandLine.arguments.dropFirst()))
      let names = configuration.subcommands.map { $0._commandName }
      try UnknownCommand.refuse(words.first, among: names)
      var command = try parseAsRoot(words)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as CommandFailure {
      failure.tell()
      Foundation.exit(failure.code)
    } catch {
      exit(withError: error)
    }
  }
}

/// How results are printed.
struct PrintOptions: ParsableArguments {
  @Flag(help: "Print JSON, for programs.") var json = false
}
