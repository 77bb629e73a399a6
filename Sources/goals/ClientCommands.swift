import ArgumentParser
import Glibc
import Terminal

// The commands of the terminal client. They are a program of their own, `goals-client`, beside this
// one: what speaks HTTPS would make the server start later and need more memory.

/// A command that the terminal client carries out, with its arguments as they are.
protocol ClientCommand: ParsableCommand {
  var arguments: [String] { get }
}

extension ClientCommand {
  func run() throws { try ClientProgram.become(with: [Self._commandName] + arguments) }

  static func configured(_ abstract: String, shows: Bool = true) -> CommandConfiguration {
    CommandConfiguration(abstract: abstract, shouldDisplay: shows)
  }
}

struct Login: ClientCommand {
  static let configuration = configured("Sign in to a server, to use it from this terminal.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Logout: ClientCommand {
  static let configuration = configured("Sign out, and forget what this machine keeps.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct List: ClientCommand {
  static let configuration = configured("Show your goals and their progress.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Add: ClientCommand {
  static let configuration = configured("Add a goal, and turn it on.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Bump: ClientCommand {
  static let configuration = configured("Count progress of a goal.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Skip: ClientCommand {
  static let configuration = configured("Excuse the day, week or month of a goal.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Undo: ClientCommand {
  static let configuration = configured("Take back what was done last on this machine.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct History: ClientCommand {
  static let configuration = configured("Show what became of a goal, as a calendar.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Watch: ClientCommand {
  static let configuration = configured("Show your goals, and what changes.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Completions: ClientCommand {
  static let configuration = configured("Print the completions of bash, zsh or fish.")
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct Titles: ClientCommand {
  static let configuration = configured("Print the titles of your goals.", shows: false)
  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// The program beside this one.
enum ClientProgram {
  private static let name = "goals-client"

  /// Whether a command is one of that program's.
  static func has(_ command: String) -> Bool {
    Goals.configuration.subcommands.contains {
      $0 is any ClientCommand.Type && $0._commandName == command
    }
  }

  /// Goes on as that program: it has this process, and its input and output.
  static func become(with arguments: [String]) throws {
    let own = executable()
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? ""
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
    words.append(nil)
    execv(folder + name, words)
    let error = errno
    for word in words { free(word) }
    guard error == ENOENT else {
      throw CommandFailure("\(folder + name) can't be run: \(String(cString: strerror(error))).")
    }
    throw CommandFailure(
      "The terminal client is not installed: \(name) belongs beside goals, in \(folder) "
        + "(`make client` builds it).")
  }

  /// The path of this program.
  private static func executable() -> String {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    return count > 0
      ? String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : ""
  }
}
