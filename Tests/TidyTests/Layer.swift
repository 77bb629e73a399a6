/// What a target may import: the arrows of ARCHITECTURE.md, as a table.
struct Layer: Sendable {
  /// Targets of this package, and products of others.
  let below: Set<String>
  /// The modules of the toolchain and the system that it may use; nil: any.
  var system: Set<String>?

  /// What every target but the pure ones may import.
  private static let anySystem: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "FoundationNetworking", "Glibc", "Darwin",
    "Musl", "Synchronization",
  ]

  /// The pure layers: no other target, and of the toolchain only what is named.
  private static func pure(_ below: Set<String> = [], system: Set<String> = []) -> Layer {
    Layer(below: below, system: system)
  }

  func mayImport(_ module: String) -> Bool {
    below.contains(module) || (system ?? Self.anySystem).contains(module)
  }

  static let all: [String: Layer] = [
    "ChangePropagation": pure(system: ["Dispatch", "Synchronization"]),
    "JSON": pure(),
    "GoalsCore": pure(),
    "HTTP": pure(),

    "GoalsModel": pure(["ChangePropagation", "GoalsCore"]),
    "GoalsPictures": pure(["GoalsCore"]),
    "GoalsReplica": pure(["GoalsCore"]),
    "GoalsWire": pure(["GoalsCore", "JSON"]),

    "HTTPServer": Layer(below: ["CSystem", "HTTP"]),
    "SQLite": Layer(below: ["CGatheringVFS", "CSQLite"]),
    "Migrations": Layer(below: []),
    "Gzip": Layer(below: ["CZlib"]),

    "GoalsStore": Layer(below: [
      "CSystem", "ChangePropagation", "Crypto", "GoalsCore", "GoalsWire", "JSON", "Migrations",
      "SQLite",
    ]),
    "GoalsService": Layer(below: [
      "ChangePropagation", "Crypto", "GoalsCore", "GoalsPictures", "GoalsStore", "GoalsWire",
      "Gzip", "HTTP", "HTTPServer", "JSON", "Logging",
    ]),
    "goals": Layer(below: [
      "ArgumentParser", "CSystem", "GoalsCore", "GoalsService", "GoalsStore", "GoalsWire", "HTTP",
      "HTTPServer", "JSON", "Logging",
    ]),

    "embed": Layer(below: ["Gzip"]),
    "Plugins": Layer(below: ["PackagePlugin"]),
    "Examples": Layer(below: ["ChangePropagation", "GoalsCore", "GoalsModel", "HTTP", "HTTPServer"]
    ),
  ]
}
