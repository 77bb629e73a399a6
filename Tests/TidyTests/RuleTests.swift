import Testing

/// A text that tells whether a rule does what it says.
struct Example: Sendable, CustomTestStringConvertible {
  let rule: Rule
  let path: String
  let text: String
  /// The lines that the rule names; none of a good example.
  let refused: [Int]

  var testDescription: String { "\(rule.name): \(String(text.prefix(40)).debugDescription)" }

  init(_ rule: Rule, _ path: String, _ text: String, refused: [Int] = []) {
    self.rule = rule
    self.path = path
    self.text = text
    self.refused = refused
  }
}

private let core = "Sources/GoalsCore/Example.swift"
private let service = "Sources/GoalsService/Example.swift"
private let world = "Sources/GoalsService/World/World.swift"

@Suite("A rule") struct RuleTests {
  @Test("names the line of what breaks it", arguments: bad)
  func refuses(_ example: Example) {
    let file = SourceFile(path: example.path, text: example.text)
    let faults = example.rule.faults(file)
    #expect(faults.map(\.line) == example.refused)
    #expect(faults.allSatisfy { "\($0)".hasPrefix("\(example.path):\($0.line): ") })
  }

  @Test("lets pass what only looks like it", arguments: good)
  func allows(_ example: Example) {
    #expect(example.rule.faults(SourceFile(path: example.path, text: example.text)).isEmpty)
  }

  @Test("has an example of what breaks it, and of what does not", arguments: Rule.all)
  func hasExamples(_ rule: Rule) {
    #expect(Self.bad.contains { $0.rule.name == rule.name && !$0.refused.isEmpty })
    #expect(Self.good.contains { $0.rule.name == rule.name })
  }
}

extension RuleTests {
  static let bad: [Example] = [
    Example(.asking, core, "\nlet now = Date()", refused: [2]),
    Example(.asking, service, "let now: Date = Date.now", refused: [1]),
    Example(.asking, service, "let now = Date(timeIntervalSinceNow: 1)", refused: [1]),
    Example(.asking, service, #"let s = "\(UUID())""#, refused: [1]),
    Example(.asking, service, ##"let s = #"\#(UUID( ))"#"##, refused: [1]),
    Example(.asking, "Migrations/M.swift", "let z = TimeZone.current", refused: [1]),
    Example(.asking, service, "let z = TimeZone.autoupdatingCurrent", refused: [1]),
    Example(.asking, service, "let c = Calendar\n  .current", refused: [1]),
    Example(.asking, service, "let c = Calendar.autoupdatingCurrent", refused: [1]),
    Example(.asking, service, "var g = SystemRandomNumberGenerator()", refused: [1]),
    Example(.asking, service, "let x = UInt64.random(in: 0...1)", refused: [1]),
    Example(.asking, service, "clock_gettime(CLOCK_MONOTONIC, &time)", refused: [1]),
    Example(.asking, service, "let n = DispatchTime.now()", refused: [1]),
    Example(.asking, service, "var hasher = Hasher()", refused: [1]),
    Example(.asking, service, "let e = all.shuffled()\n  .randomElement()", refused: [2, 1]),
    Example(.asking, "Sources/goals-client/C.swift", "let id = UUID()", refused: [1]),
    Example(.asking, service, "queue.asyncAfter(deadline: .now() + 1) {}", refused: [1]),

    Example(.printing, service, "f()\nprint(1)", refused: [2]),
    Example(.printing, service, "debugPrint(x)\ndump(x)", refused: [1, 2]),
    Example(.printing, service, "Swift.print(1)", refused: [1]),

    Example(.crashing, "Sources/goals/Goals.swift", "let x = try! f()", refused: [1]),
    Example(.crashing, core, "/* why\n */ fatalError(\"no\")", refused: [2]),
    Example(.crashing, core, "preconditionFailure()", refused: [1]),

    Example(.importing, core, "import Foundation", refused: [1]),
    Example(.importing, core, "@testable import GoalsWire", refused: [1]),
    Example(.importing, "Sources/JSON/J.swift", "import FoundationEssentials", refused: [1]),
    Example(.importing, "Sources/HTTP/H.swift", "\nimport struct JSON.Value", refused: [2]),
    Example(.importing, "Sources/ChangePropagation/C.swift", "import GoalsCore", refused: [1]),
    Example(.importing, "Sources/GoalsStore/S.swift", "import GoalsService", refused: [1]),
    Example(.importing, service, "package import SQLite", refused: [1]),
    Example(.importing, "Sources/Other/O.swift", "let x = 1", refused: [1]),

    Example(
      .answering, "Sources/GoalsService/Goals/GoalsFeature.swift",
      "import HTTP\nlet tag: EntityTag", refused: [1, 2]),
    Example(.lengthOfFiles, core, String(repeating: "\n", count: 321), refused: [321]),
    Example(.lengthOfFunctions, core, function("func f()", lines: 61), refused: [1]),
    Example(.lengthOfFunctions, core, function("init(a: Int = g { 1 })", lines: 61), refused: [1]),
    Example(.lengthOfFunctions, core, function("var x: Int", lines: 61), refused: [1]),
    Example(
      .lengthOfFunctions, core,
      "protocol P {\n  func f()\n" + function("func g()", lines: 61) + "\n}",
      refused: [3]),

    Example(.totality, core, "switch x {\ncase .a: 2\ndefault: 3\n}", refused: [3]),
    Example(
      .totality, "Tests/T/T.swift", "switch x {\ncase .a(let b) where f { b }: 2\ndefault: 3\n}",
      refused: [3]),
    Example(
      .totality, service, "let y = 1  // NB: open\nswitch y {\ncase .a: 2\ndefault: 3\n}",
      refused: [4]),
    Example(
      .totality, core, "switch (x, y) {\ncase (.a, .b): 2\ndefault: 3\n}", refused: [3]),
    Example(
      .totality, core, "switch (x, y) {\ncase (2...3, .b(let c)): c\ndefault: 3\n}",
      refused: [3]),
    Example(.totality, core, "@unknown default: 3", refused: [1]),

    Example(.unsafety, service, "final class C: @unchecked Sendable {}", refused: [1]),
    Example(.unsafety, service, "nonisolated(unsafe) var x = 1", refused: [1]),
    Example(.unsafety, service, "f()  // of f\nlet y = unsafe x", refused: [2]),
    Example(.unsafety, service, "let y = unsafeBitCast(x, to: Y.self)", refused: [1]),

    Example(.naming, service, "struct GoalManager {}", refused: [1]),
    Example(.naming, "Tests/T/T.swift", "enum TestHelpers {}", refused: [1]),
    Example(.documenting, core, "/// A\npublic struct A {\n  public let a: Int\n}", refused: [3]),
    Example(.documenting, core, "// A\n@inlinable\npublic func a() {}", refused: [3]),

    Example(.running, "Tests/T/T.swift", "let p = Process()", refused: [1]),
    Example(.running, service, "\nlet p = try Foundation.Process.run(url)", refused: [2]),

    Example(.widthOfComments, core, "\n" + comment(columns: 101), refused: [2]),
    Example(.widthOfComments, "Tests/T/T.swift", "f()" + comment(columns: 98), refused: [1]),

    Example(.unfinished, "docs/a.md", "One.\n\nTO" + "DO: two.", refused: [3]),
    Example(.unfinished, core, "// FIX" + "ME later", refused: [1]),

    Example(.workplace, "README.md", "see shar" + "ed/design.md", refused: [1]),
    Example(.workplace, "scripts/a", "#!/bin/sh\ncd /wo" + "rk/main", refused: [2]),
  ]

  static let good: [Example] = [
    Example(.asking, world, "now: { Date() }, id: { UUID() }"),
    Example(.asking, service, "RequestIDs(key: (world.random(), world.random()))"),
    Example(.asking, service, "let d = Date(timeIntervalSince1970: 0)"),
    Example(.asking, service, "// not Date()\n/* nor /* UUID() */ Date() */ let s = \"Date()\""),
    Example(.asking, service, "let s = \"\"\"\n  a \" Date()\n  \"\"\"\nlet t = #\"\"Date()\"#"),
    Example(.asking, service, "let u = UUID(uuidString: s)"),
    Example(.asking, service, "let e = all.randomElement(using: &dice)"),
    Example(.asking, service, "func hash(into hasher: inout Hasher) {}"),
    Example(.asking, "Sources/embed/E.swift", "let id = UUID()"),

    Example(.printing, "Sources/goals/Goals.swift", "print(1)"),
    Example(.printing, service, "console.print(1)\nblueprint(1)\nlet print = 1"),

    Example(.crashing, core, "let x = try? f()\nlet y = !fatalErrors"),
    Example(.crashing, core, "// fatalError() is refused"),

    Example(.importing, service, "import Foundation\nimport GoalsCore\nlet s = \"import SQLite\""),
    Example(.importing, "Sources/SQLite/S.swift", "@preconcurrency import CSQLite"),

    Example(.answering, "Sources/GoalsService/Goals/GoalsEndpoints.swift", "import HTTP"),
    Example(.answering, "Sources/GoalsService/HTTP/Gateway.swift", "import HTTP"),
    Example(.lengthOfFiles, core, String(repeating: "\n", count: 320)),
    Example(.lengthOfFunctions, core, function("func f()", lines: 60)),
    Example(.lengthOfFunctions, core, function("struct S", lines: 100)),
    Example(
      .lengthOfFunctions, core,
      "protocol P {\n  func f() -> Int\n}\n" + function("enum E", lines: 90)),
    Example(.lengthOfFunctions, core, "let x = s.init(1)\n" + function("enum E", lines: 90)),
    Example(.lengthOfFunctions, core, "var x: Int = 1\n" + function("do", lines: 90)),

    Example(.totality, core, "switch x {\ncase .a: 2\n// NB: open, errors of C\ndefault: 3\n}"),
    Example(.totality, core, "switch x {\ncase .a: 2\ndefault: 3  // NB: open\n}"),
    Example(.totality, core, "switch x {\ncase .a: counts[goal, default: 0] += 1\n}"),
    Example(
      .totality, service, "switch x {\ncase 1: switch y { case .a: 2 }\ndefault: 3\n}"),
    Example(.totality, core, "switch x {\ncase ..<2: 1\ncase ...5: 2\ndefault: 3\n}"),
    Example(
      .totality, core, "switch x {\ncase 1: guard case .a? = y else { return }\ndefault: 3\n}"),
    Example(.totality, core, "case default, other"),
    Example(
      .totality, core, "switch x {\ncase (1, _) where y == .a: 2\ncase (A.b, _): 3\ndefault: 4\n}"),

    Example(
      .unsafety, service, "/// Confined to the loop's queue.\nfinal class C: @unchecked Sendable {}"
    ),
    Example(
      .unsafety, service, "// Set once.\n@available(*, noasync)\nnonisolated(unsafe) var x = 1"),
    Example(.unsafety, service, "let y = unsafe x  // The buffer outlives the call."),
    Example(.unsafety, service, "withUnsafeBytes(of: x) { $0 }"),

    Example(.naming, service, "let files = FileManager.default\nstruct Managers {}"),
    Example(.documenting, core, "/// A\n@inlinable\npublic func a() {}\nfunc b() {}"),
    Example(.documenting, core, "  public static func == (a: A, b: A) -> Bool { true }"),
    Example(.documenting, service, "public struct A {}"),
    Example(.running, service, "Process.exit()\nlet p = LockingProcess(file: f)"),
    Example(.widthOfComments, core, comment(columns: 100)),
    Example(.widthOfComments, core, comment(columns: 90) + "https://example.org/a/page"),
    Example(.unfinished, core, "// TO" + "DOS, a system of old"),
    Example(.workplace, "README.md", "network/a and .github/workflows/ci.yml"),
  ]

  private static func comment(columns: Int) -> String {
    "// " + String(repeating: "a", count: columns - 3)
  }

  /// A declaration whose body makes it this many lines long.
  private static func function(_ head: String, lines: Int) -> String {
    "\(head) {\n" + String(repeating: "  f(\"}\")  // }\n", count: lines - 2) + "}"
  }
}
