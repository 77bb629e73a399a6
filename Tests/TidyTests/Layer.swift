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

    "GoalsEngine": pure(["GoalsCore", "GoalsReplica", "GoalsWire", "JSON"]),
    "GoalsPictures": pure(["GoalsCore"]),
    "GoalsReplica": pure(["GoalsCore"]),
    "GoalsWire": pure(["GoalsCore", "JSON"]),
    "GoalsWasm": pure(["CWasmRuntime", "GoalsEngine"]),

    "HTTPServer": Layer(below: ["CSystem", "HTTP"]),
    "SQLite": Layer(below: ["CGatheringVFS", "CSQLite"]),
    "PostgreSQL": Layer(below: ["CPostgreSQL", "CSystem"]),
    "Migrations": Layer(below: []),
    "PageFiles": Layer(below: []),
    "Gzip": Layer(below: ["CZlib"]),
    "Brotli": Layer(below: ["CBrotli"]),
    "Digests": Layer(below: ["CNettle"], system: ["CryptoKit"]),
    "GoalsClient": Layer(below: [
      "CCurl", "ChangePropagation", "GoalsCore", "GoalsEngine", "GoalsReplica",
    ]),
    "goals-client": Layer(below: [
      "ArgumentParser", "ChangePropagation", "GoalsClient", "GoalsCore", "GoalsPictures",
      "GoalsReplica", "GoalsWire", "JSON", "Terminal",
    ]),
    "Terminal": Layer(below: [], system: ["Darwin", "Glibc", "Musl"]),

    "GoalsStore": Layer(below: [
      "CSystem", "ChangePropagation", "Digests", "GoalsCore", "GoalsWire", "JSON", "Migrations",
      "PostgreSQL", "SQLite",
    ]),
    "GoalsService": Layer(below: [
      "Brotli", "ChangePropagation", "Digests", "GoalsCore", "GoalsPictures", "GoalsStore",
      "GoalsWire", "Gzip", "HTTP", "HTTPServer", "JSON", "Logging", "PageFiles",
    ]),
    "goals": Layer(below: [
      "ArgumentParser", "CQREncode", "CSystem", "GoalsCore", "GoalsService", "GoalsStore",
      "GoalsWire", "HTTP", "HTTPServer", "JSON", "Logging", "Migrations", "Terminal",
    ]),

    "embed": Layer(below: ["Brotli", "Gzip"]),
    "Plugins": Layer(below: ["PackagePlugin"]),
    "Examples": Layer(below: [
      "ChangePropagation", "GoalsClient", "GoalsCore", "GoalsReplica", "HTTP", "HTTPServer",
      "PackageDescription", "SwiftUI",
    ]),
  ]
}
