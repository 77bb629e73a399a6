// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same settings: the Swift 6 language mode (the tools version brings
/// it) and warnings as errors.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func source(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
  plugins: [Target.PluginUsage] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path, swiftSettings: strict, plugins: plugins)
}

func test(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// The harnesses of Tests/Fuzz are tests, which feed them with what is kept in its corpus. For
/// `scripts/fuzz` they are a program instead, in which libFuzzer feeds them.
func harnesses(_ dependencies: [Target.Dependency]) -> Target {
  guard Context.environment["GOALS_FUZZ"] != nil else {
    return .testTarget(
      name: "FuzzTests", dependencies: dependencies, path: "Tests/Fuzz",
      exclude: ["corpus", "main.swift", "words"], swiftSettings: strict)
  }
  return .executableTarget(
    name: "goals-fuzz", dependencies: dependencies, path: "Tests/Fuzz",
    exclude: ["corpus", "ReplayTests.swift", "words"], swiftSettings: strict)
}

let package = Package(
  name: "goals",
  products: [
    .executable(name: "goals", targets: ["goals"]),
    .executable(name: "http-echo", targets: ["http-echo"]),
    .library(name: "ChangePropagation", targets: ["ChangePropagation"]),
    .library(name: "GoalsModel", targets: ["GoalsModel"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    // Pure, and importing no other target.
    source("ChangePropagation"),
    source("JSON"),
    source("GoalsCore"),
    source("HTTP"),

    // Pure, above the core.
    source("GoalsModel", ["ChangePropagation", "GoalsCore"]),
    source("GoalsPictures", ["GoalsCore"]),
    source("GoalsReplica", ["GoalsCore"]),
    source("GoalsWire", ["GoalsCore", "JSON"]),

    // The edges: sockets, SQLite, files made part of the binary.
    .target(name: "CSystem"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    source("HTTPServer", ["CSystem", "HTTP"]),
    .target(
      name: "CGatheringVFS", dependencies: ["CSQLite"], cSettings: [.treatAllWarnings(as: .error)]),
    source("SQLite", ["CGatheringVFS", "CSQLite"]),
    source("Migrations", path: "Migrations", plugins: ["EmbedFiles"]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    source("Gzip", ["CZlib"]),
    .executableTarget(name: "embed", dependencies: ["Gzip"], swiftSettings: strict),
    .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed"]),

    // The shell.
    source(
      "GoalsStore",
      ["ChangePropagation", "CSystem", "GoalsWire", "Migrations", "SQLite", crypto]),
    source(
      "GoalsService",
      [
        "ChangePropagation", "GoalsPictures", "GoalsStore", "GoalsWire", "Gzip", "HTTPServer",
        crypto, logging,
      ],
      plugins: ["EmbedFiles"]),
    .executableTarget(
      name: "goals", dependencies: ["CSystem", "GoalsService", argumentParser, logging],
      swiftSettings: strict),
    .executableTarget(
      name: "http-echo", dependencies: ["HTTPServer"], path: "Examples/Echo",
      swiftSettings: strict),
    // Here, not in the package of Benchmarks, because it looks at what only this package sees.
    .executableTarget(
      name: "goals-micro", dependencies: ["GoalsStore", "HTTP"], path: "Benchmarks/Micro",
      swiftSettings: strict),

    // What several of the suites need: a generator, sample values, a comparison with Foundation.
    source("TestSupport", ["GoalsCore", "JSON"], path: "Tests/TestSupport"),
    // A store in memory.
    source("StoreTestSupport", ["GoalsStore"], path: "Tests/StoreTestSupport"),
    test("ChangePropagationTests", ["ChangePropagation", "TestSupport"]),
    test("JSONTests", ["JSON", "TestSupport"]),
    test(
      "GoalsCoreTests", ["GoalsCore", "TestSupport"], exclude: ["Time/zoneinfo_vectors.py"]),
    test("GoalsModelTests", ["GoalsModel"]),
    test("GoalsReplicaTests", ["GoalsReplica", "TestSupport"]),
    test("GoalsWireTests", ["GoalsWire", "TestSupport"]),
    test("HTTPTests", ["HTTP"]),
    test("HTTPServerTests", ["HTTPServer"]),
    .target(
      name: "CFaultyVFS", dependencies: ["CSQLite"], path: "Tests/CFaultyVFS",
      cSettings: [.treatAllWarnings(as: .error)]),
    test("SQLiteTests", ["CFaultyVFS", "CGatheringVFS", "CSQLite", "SQLite"]),
    test("GoalsStoreTests", ["GoalsStore", "StoreTestSupport", "TestSupport"]),
    test("GoalsServiceTests", ["GoalsService", "StoreTestSupport", "TestSupport"]),
    harnesses(["GoalsService", "StoreTestSupport", "TestSupport"]),
    test("TidyTests", []),
    test("GzipTests", ["Gzip"]),
    test("embedTests", ["embed"]),
  ]
)
