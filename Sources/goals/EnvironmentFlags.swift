import ArgumentParser
import CSystem
import Glibc
import GoalsCore

/// Flags that the environment sets: `GOALS_LISTEN` for `--listen`, and so on. What is given on the
/// command line counts.
enum EnvironmentFlags {
  /// Every flag of `serve`; those that may be given several times are separated by commas.
  private static let serve = [
    "listen", "socket-mode", "database", "public-url", "admin-socket", "metrics-listen",
    "cors-origin",
    "time-zone", "sign-up", "trust-proxy", "log-level", "log-format", "max-request-line",
    "max-header-bytes", "max-header-fields", "max-body", "max-import", "max-edits", "max-goals",
    "max-account-bytes", "max-accounts", "max-connections", "max-account-connections",
    "max-account-streams", "header-timeout", "body-timeout", "idle-timeout", "stop-timeout",
    "stream-buffer", "rate-limit", "rate-burst", "button-rate", "failed-sign-ins", "sign-ups",
    "sign-up-bytes",
  ]
  private static let repeated: Set = ["listen", "cors-origin"]
  private static let switches: Set = ["trust-proxy"]
  private static let everywhere = ["database", "admin-socket"]
  /// What only the terminal client reads.
  private static let client = ["patience"]

  /// The arguments, with those flags behind them that only the environment sets.
  static func fill(_ arguments: [String]) -> [String] {
    let words = arguments.filter { !$0.hasPrefix("-") }
    let flags: [String]
    switch words.first {
    case "serve": flags = serve
    case "account", "token":
      flags = words.count < 2 ? [] : everywhere + (words[1] == "add" ? ["public-url"] : [])
    case "goal": flags = words.count > 1 ? everywhere : []
    case "backup", "restore", "verify", "export", "import", "migrate": flags = everywhere
    case nil, _?: flags = []
    }
    return arguments + flags.filter { !isGiven($0, in: arguments) }.flatMap(fromEnvironment)
  }

  /// The settings of the service on a machine where it is installed (systemd.exec(5),
  /// `EnvironmentFile=`).
  private static let installed = "/etc/goals.env"
  /// What root asks of that service. A server that root starts by hand is another one.
  private static let installedCommands: Set = [
    "account", "goal", "token", "backup", "restore", "verify", "export", "import", "migrate",
    "health",
  ]

  /// Puts the settings of the installed service into the environment, where root asks something of
  /// it. What is there already counts.
  static func readInstalled(for arguments: [String]) throws {
    guard geteuid() == 0, let command = arguments.first, installedCommands.contains(command),
      access(installed, F_OK) == 0
    else { return }
    let lines = String(decoding: try InputFile.read(installed), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map(\.trimmed)
    for line in lines where !line.hasPrefix("#") && !line.hasPrefix(";") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      var value = line[line.index(after: equals)...].trimmed
      if value.count > 1, let quote = value.first, quote == value.last, "\"'".contains(quote) {
        value = value.dropFirst().dropLast()
      }
      setenv(String(line[..<equals].trimmed), String(value), 0)
    }
  }

  /// Throws where a variable has our prefix and is no flag's: a typo never passes for a setting.
  static func check() throws {
    let known = (serve + client).map(variable)
    let strangers = variables.sorted().filter { $0.hasPrefix(prefix) && !known.contains($0) }
    guard !strangers.isEmpty else { return }
    let faults = strangers.map { stranger in
      let meant = nearest(to: stranger, among: known).map { " Did you mean \($0)?" } ?? ""
      return "There is no variable \(stranger).\(meant)"
    }
    throw ValidationError(
      faults.joined(separator: "\n") + "\n`goals serve --help` lists the flags that have one.")
  }

  /// The names in the environment.
  private static var variables: [String] {
    var names: [String] = []
    while let variable = csystem_variable(names.count) {
      names.append(String(String(cString: variable).prefix { $0 != "=" }))
    }
    return names
  }

  /// The variable that was probably meant: one with at most two typing mistakes, or one that has a
  /// word of this one, or a word that begins so. Nil where there is none.
  private static func nearest(to stranger: String, among known: [String]) -> String? {
    let (near, mistakes) = known.reduce(("", Int.max)) { best, name in
      let mistakes = distance(stranger, name)
      return mistakes < best.1 ? (name, mistakes) : best
    }
    let words = stranger.dropFirst(prefix.count).split(separator: "_")
    let alike = known.filter { name in
      let parts = name.dropFirst(prefix.count).split(separator: "_")
      return words.contains { word in
        word.count > 1 && parts.contains { $0 == word || word.count > 2 && $0.hasPrefix(word) }
      }
    }
    if mistakes <= 2 || alike.isEmpty { return mistakes <= 4 ? near : nil }
    return alike.min { distance(stranger, $0) < distance(stranger, $1) }
  }

  /// How many characters have to be put in, left out or replaced to make one text the other
  /// (Levenshtein's distance).
  private static func distance(_ left: String, _ right: String) -> Int {
    let right = Array(right)
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in right.indices {
        let replaced = diagonal + (right[column] == character ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[right.count]
  }

  /// What the environment sets a flag to; nil where it does not, or to nothing.
  static func value(of flag: String) -> String? {
    getenv(variable(of: flag)).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static let prefix = "GOALS_"

  private static func variable(of flag: String) -> String {
    prefix + flag.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  private static func isGiven(_ flag: String, in arguments: [String]) -> Bool {
    arguments.contains { $0 == "--\(flag)" || $0.hasPrefix("--\(flag)=") }
  }

  private static func fromEnvironment(_ flag: String) -> [String] {
    guard let value = value(of: flag) else { return [] }
    if switches.contains(flag) {
      switch value.lowercased() {
      case "1", "true", "yes", "on": return ["--\(flag)"]
      case "0", "false", "no", "off": return []
      // Refused as a flag that takes no value: a typo never passes for off.
      default: return ["--\(flag)=\(value)"]
      }
    }
    let values = repeated.contains(flag) ? value.split(separator: ",").map(String.init) : [value]
    return values.flatMap { ["--\(flag)=\($0)"] }
  }
}
