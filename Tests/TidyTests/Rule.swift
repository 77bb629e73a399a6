import Testing

/// A rule of the house that a program can check: a pure function from one file to its faults.
struct Rule: Sendable, CustomTestStringConvertible {
  let name: String
  let faults: @Sendable (SourceFile) -> [Fault]

  var testDescription: String { name }

  static let all: [Rule] = [
    asking, printing, crashing, importing, answering, lengthOfFiles, lengthOfFunctions, totality,
    unsafety,
    naming, running, documenting, widthOfComments, unfinished, workplace,
  ]

  /// A rule about Swift code in some folders.
  init(
    _ name: String, in folders: [String], except exceptions: [String] = [],
    swift faults: @escaping @Sendable (SourceFile, SwiftCode) -> [Fault]
  ) {
    self.init(name) { file in
      guard let code = file.code, file.isIn(folders), !file.isIn(exceptions) else { return [] }
      return faults(file, code)
    }
  }

  init(_ name: String, _ faults: @escaping @Sendable (SourceFile) -> [Fault]) {
    self.name = name
    self.faults = faults
  }
}

/// The folders whose code ends up in someone's process.
private let product = ["Sources/", "Migrations/", "Plugins/", "Examples/"]
/// The folders whose code only we run.
private let ours = ["Tests/", "Benchmarks/"]
/// The programs' own folders, where output is written.
private let programs = ["Sources/goals/", "Sources/goals-client/"] + toolsOfTheBuild
/// The programs that no user runs.
private let toolsOfTheBuild = ["Sources/embed/", "Examples/", "Plugins/"]
/// The server's clock is a part of it that `HTTPServer` hands in by itself.
private let liveWorld = [
  "Sources/GoalsClient/World/", "Sources/GoalsService/World/", "Sources/HTTPServer/Clock.swift",
]

extension Rule {
  /// House rule 1: the core never asks; nor does anything else but the live world.
  static let asking = Rule(
    "Clock, ids, zone and randomness come from the World", in: product,
    except: liveWorld + toolsOfTheBuild
  ) { file, code in
    let refused: [[String]] = [
      ["Date", "(", ")"], ["Date", ".", "now"], ["Date", "(", "timeIntervalSinceNow"],
      ["UUID", "(", ")"], ["TimeZone", ".", "current"], ["TimeZone", ".", "autoupdatingCurrent"],
      ["Calendar", ".", "current"], ["Calendar", ".", "autoupdatingCurrent"],
      ["SystemRandomNumberGenerator"], ["random", "(", "in"], ["getrandom"],
      ["Hasher", "(", ")"],
      ["randomElement", "(", ")"],
      ["shuffled", "(", ")"], ["shuffle", "(", ")"], ["ContinuousClock"], ["SuspendingClock"],
      ["DispatchTime", ".", "now"], ["DispatchWallTime", ".", "now"], ["clock_gettime"],
      ["gettimeofday"], ["deadline", ":", ".", "now"],
    ]
    return refused.flatMap { pattern in
      code.lines(of: pattern).map { file.fault($0, "asks for \(pattern.joined())") }
    }
  }

  static let printing = Rule(
    "Only the command line prints", in: product, except: liveWorld + programs
  ) { file, code in
    let calls = ["print", "debugPrint", "dump"].flatMap(code.lines(ofCallTo:))
    return (calls + code.lines(of: ["Swift", ".", "print", "("])).map { file.fault($0, "prints") }
  }

  /// A trap on input is a crash from afar. Force unwraps are the formatter's to refuse.
  static let crashing = Rule("Sources do not give up", in: product) { file, code in
    let refused = [["try", "!"], ["fatalError", "("], ["preconditionFailure", "("]]
    return refused.flatMap { pattern in
      code.lines(of: pattern).map { file.fault($0, "gives up by \(pattern.joined())") }
    }
  }

  static let importing = Rule("Imports point down", in: product) { file, code in
    guard let layer = Layer.all[file.target] else {
      return [file.fault(1, "\(file.target) has no row in the table of layers")]
    }
    return code.imports
      .filter { !layer.mayImport($0.module) }
      .map { file.fault($0.line, "\(file.target) must not import \($0.module)") }
  }

  /// A use case says what there is, and its endpoint makes an answer of that. The hub writes to
  /// streams by itself.
  static let answering = Rule(
    "Only endpoints speak HTTP",
    in: [
      "Domain", "Goals", "Edits", "Account", "Tokens", "Sessions", "Archive", "Changes", "Health",
    ]
    .map { "Sources/GoalsService/\($0)/" }
  ) { file, code in
    let name = file.path.split(separator: "/").last ?? ""
    let ways = ["Endpoint.swift", "Endpoints.swift", "WriteConditions.swift", "ChangeEvent.swift"]
    if ways.contains(where: name.hasSuffix) || name.hasPrefix("ChangeHub") { return [] }
    let imports = code.imports.filter { $0.module.hasPrefix("HTTP") }.map(\.line)
    return
      (imports
      + ["EntityTag", "ResponseStream", "Problem"].flatMap { code.lines(of: [$0]) })
      .map { file.fault($0, "speaks HTTP") }
  }

  static let lengthOfFiles = Rule(
    "A Swift file has at most 320 lines", in: product + ours + ["Package.swift"]
  ) { file, _ in
    let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    return count > 320 ? [file.fault(321, "is \(count) lines long")] : []
  }

  static let lengthOfFunctions = Rule(
    "A function has at most 60 lines", in: product + ours
  ) { file, code in
    code.functions.filter { $0.lines > 60 }
      .map { file.fault($0.line, "\($0.name) is \($0.lines) lines long") }
  }

  /// House rule 4. A switch over an enum that is not our own says so: `// NB: open`. A switch is
  /// taken for one over an enum where one of its cases names a member, as `.a`.
  static let totality = Rule(
    "Switches over enums are total", in: product + ours
  ) { file, code in
    (code.linesOfDefaultsOverEnums + code.lines(of: ["@", "unknown"]))
      .filter { code.comment(at: $0)?.contains("NB: open") != true }
      .map { file.fault($0, "has a default, and no \"NB: open\" beside it") }
  }

  /// House rule 8.
  static let unsafety = Rule("What is unsafe says why", in: product + ours) { file, code in
    let refused = [
      ["@", "unchecked"], ["nonisolated", "(", "unsafe", ")"], ["@", "unsafe"], ["unsafe"],
      ["unsafeBitCast"], ["unsafeDowncast"], ["unsafelyUnwrapped"],
    ]
    let lines = Set(refused.flatMap { code.lines(of: $0) }).sorted()
    return lines.filter { code.comment(at: $0) == nil }
      .map { file.fault($0, "is unsafe, and gives no reason on the line or above it") }
  }

  /// House rule 10: such a name says nothing of what the type is.
  static let naming = Rule("Names say what", in: product + ours) { file, code in
    let kinds = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    let empty = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities"]
    let names = kinds.flatMap { code.places[$0, default: []] }.sorted()
      .compactMap { $0 + 1 < code.tokens.count ? code.tokens[$0 + 1] : nil }
    return names.filter { name in empty.contains { name.text.hasSuffix($0) } }
      .map { file.fault($0.line, "\($0.text) is named for nothing") }
  }

  /// With a thousand open descriptors, Foundation's `Process.run` reads past the end of its list of
  /// them, and now and then crashes (github.com/swiftlang/swift-corelibs-foundation/pull/5472).
  static let running = Rule("Programs are not run by Foundation", in: product + ours) {
    file, code in
    [["Process", "("], ["Process", ".", "run", "("], ["Process", ".", "init", "("]]
      .flatMap { code.lines(of: $0) }
      .map { file.fault($0, "runs a program by Foundation's Process; use popen or posix_spawn") }
  }
}

extension Rule {
  /// The users of a library read its names in an editor. What is there for a protocol of the
  /// standard library says nothing new.
  static let documenting = Rule(
    "A public name of a library says what it is",
    in: ["ChangePropagation", "GoalsClient", "GoalsCore", "GoalsReplica"].map { "Sources/\($0)/" }
  ) { file, _ in
    let known = [
      "static func ==", "static func <", "func hash(into", "var description", "Literal ",
    ]
    let lines = file.lines.map { $0.drop { $0 == " " } }
    return lines.indices.filter { index in
      guard lines[index].hasPrefix("public "), !known.contains(where: lines[index].contains) else {
        return false
      }
      let above = lines[..<index].last { !$0.hasPrefix("@") }
      return above?.hasPrefix("///") != true
    }
    .map { file.fault($0 + 1, "has no comment that says what it is") }
  }

  /// The formatter breaks code, and leaves comments as they are.
  static let widthOfComments = Rule(
    "A comment has at most 100 columns", in: product + ours
  ) { file, code in
    file.lines.enumerated().filter { index, line in
      line.count > 100 && code.comments[index + 1] != nil && !line.contains("://")
    }
    .map { index, line in file.fault(index + 1, "has \(line.count) columns") }
  }

  /// The words are put together here so that this file does not refuse itself.
  static let unfinished = Rule("Nothing is left to do") { file in
    mentions(of: ["TO" + "DO", "FIX" + "ME", "XX" + "X"], in: file, asWord: true)
  }

  /// The project speaks of itself alone, not of the places where it is written.
  static let workplace = Rule("No workplace is mentioned") { file in
    mentions(of: ["shar" + "ed/", "/wo" + "rk/", "/opt/" + "swift-packages"], in: file)
  }

  private static func mentions(
    of words: [String], in file: SourceFile, asWord: Bool = false
  ) -> [Fault] {
    let words = words.filter(file.text.contains)
    guard !words.isEmpty else { return [] }
    return file.lines.enumerated().flatMap { index, line in
      words.filter { word in
        guard asWord else { return line.contains(word) }
        return line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains(word[...])
      }
      .map { file.fault(index + 1, "mentions \($0)") }
    }
  }
}
