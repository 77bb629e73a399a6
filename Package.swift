// swift-tools-version: 6.2
import Foundation
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

/// Whether libpq is here, with which a store can be kept on PostgreSQL. Without it everything else is
/// built. `WITH_POSTGRESQL=1` or `0` says so instead, as SwiftPM remembers what was found.
let hasPostgreSQL =
  switch Context.environment["WITH_POSTGRESQL"] {
  case "1": true
  case "0": false
  default:
    ["/usr/include/postgresql/libpq-fe.h", "/usr/include/libpq-fe.h"]
      .contains { FileManager.default.fileExists(atPath: $0) }
  }

let postgreSQL: [Target] =
  hasPostgreSQL
  ? [
    // It needs libpq's header. The library itself is loaded once it is asked for.
    .target(name: "CPostgreSQL", cSettings: [.treatAllWarnings(as: .error)]),
    source("PostgreSQL", ["CPostgreSQL", "CSystem"]),
    // Servers of PostgreSQL, as many as tests need.
    .target(
      name: "PostgreSQLTestSupport", dependencies: ["PostgreSQL"],
      path: "Tests/PostgreSQLTestSupport", exclude: ["cluster.sh"], swiftSettings: strict),
    test(
      "PostgreSQLTests", ["CPostgreSQL", "PostgreSQL", "PostgreSQLTestSupport", "TestSupport"]),
  ] : []

let package = Package(
  name: "goals",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "goals", targets: ["goals"]),
    .executable(name: "http-echo", targets: ["http-echo"]),
    .executable(name: "goals-client", targets: ["goals-client"]),
  ]
    + ["ChangePropagation", "GoalsClient", "GoalsCore", "GoalsReplica"].map {
      .library(name: $0, targets: [$0])
    },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.2")),
  ],
  targets: [
    // Pure, and importing no other target.
    source("ChangePropagation"),
    source("JSON"),
    source("GoalsCore"),
    source("HTTP"),

    // Pure, above the core.
    source("GoalsPictures", ["GoalsCore"]),
    source("GoalsReplica", ["GoalsCore"]),
    source("GoalsWire", ["GoalsCore", "JSON"]),
    source("GoalsEngine", ["GoalsReplica", "GoalsWire"]),

    // The client: files and HTTP around the replica, for phones, desktops and the terminal.
    // Apple's systems have URLSession in place of libcurl.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    source(
      "GoalsClient",
      [
        "ChangePropagation", "GoalsEngine",
        .target(name: "CCurl", condition: .when(platforms: [.linux])),
      ]),

    // The edges: sockets, SQLite, files made part of the binary.
    .target(name: "CSystem"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    source("HTTPServer", ["CSystem", "HTTP"]),
    .target(
      name: "CGatheringVFS", dependencies: ["CSQLite"], cSettings: [.treatAllWarnings(as: .error)]),
    source("SQLite", ["CGatheringVFS", "CSQLite"]),
    source("Migrations", path: "Migrations", plugins: ["EmbedFiles"]),
    source("PageFiles", plugins: ["EmbedFiles"]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    source("Gzip", ["CZlib"]),
    .systemLibrary(
      name: "CBrotli", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
    source("Brotli", ["CBrotli"]),
    // Apple's systems have CryptoKit in place of Nettle.
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    source("Digests", [.target(name: "CNettle", condition: .when(platforms: [.linux]))]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .executableTarget(name: "embed", dependencies: ["Brotli", "Gzip"], swiftSettings: strict),
    .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed"]),

    // What is printed for people.
    source("Terminal"),

    // The shell.
    .target(
      name: "GoalsStore",
      dependencies: [
        "ChangePropagation", "CSystem", "Digests", "GoalsWire", "Migrations", "SQLite",
      ]
        + (hasPostgreSQL ? ["PostgreSQL"] : []),
      exclude: hasPostgreSQL ? [] : ["PostgreSQL"], swiftSettings: strict),
    source(
      "GoalsService",
      [
        "Brotli", "ChangePropagation", "Digests", "GoalsPictures", "GoalsStore", "GoalsWire",
        "Gzip", "HTTPServer", "PageFiles", logging,
      ],
      plugins: ["EmbedFiles"]),
    .executableTarget(
      name: "goals",
      dependencies: ["CQREncode", "CSystem", "GoalsService", "Terminal", argumentParser, logging],
      swiftSettings: strict),
    .executableTarget(
      name: "goals-client",
      dependencies: ["GoalsClient", "GoalsPictures", "GoalsWire", "Terminal", argumentParser],
      swiftSettings: strict),
    .executableTarget(
      name: "http-echo", dependencies: ["HTTPServer"], path: "Examples/Echo",
      swiftSettings: strict),
    // Here, not in the package of Benchmarks, because it looks at what only this package sees.
    .executableTarget(
      name: "goals-micro", dependencies: ["GoalsEngine", "GoalsStore", "HTTP"],
      path: "Benchmarks/Micro", swiftSettings: strict),

    // What several of the suites need: a generator, sample values, a comparison with Foundation,
    // a decoder.
    .systemLibrary(
      name: "CBrotliDecoder", path: "Tests/CBrotliDecoder", pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"])]),
    source("TestSupport", ["CBrotliDecoder", "GoalsCore", "JSON"], path: "Tests/TestSupport"),
    // A server and devices, made of the core alone.
    source(
      "ReplicaTestSupport", ["GoalsReplica", "TestSupport"], path: "Tests/ReplicaTestSupport"),
    // A store in memory.
    source("StoreTestSupport", ["GoalsStore"], path: "Tests/StoreTestSupport"),
    test("ChangePropagationTests", ["ChangePropagation", "TestSupport"]),
    test("JSONTests", ["JSON", "TestSupport"]),
    test(
      "GoalsCoreTests", ["GoalsCore", "TestSupport"], exclude: ["Time/zoneinfo_vectors.py"]),
    test(
      "GoalsClientTests",
      ["GoalsClient", "GoalsService", "Gzip", "StoreTestSupport", "TestSupport"]),
    test("GoalsEngineTests", ["GoalsEngine", "HTTP", "ReplicaTestSupport"]),
    test("GoalsReplicaTests", ["ReplicaTestSupport"], exclude: ["transitions.txt"]),
    test("TerminalTests", ["Terminal"]),
    test("GoalsWireTests", ["GoalsWire", "TestSupport"]),
    test("HTTPTests", ["HTTP"]),
    // A client that sends and reads raw bytes.
    source("HTTPTestSupport", ["HTTPServer"], path: "Tests/HTTPTestSupport"),
    test("HTTPServerTests", ["HTTPServer", "HTTPTestSupport", "TestSupport"]),
    .target(
      name: "CFaultyVFS", dependencies: ["CSQLite"], path: "Tests/CFaultyVFS",
      cSettings: [.treatAllWarnings(as: .error)]),
    test("SQLiteTests", ["CFaultyVFS", "CGatheringVFS", "CSQLite", "SQLite", "TestSupport"]),
    .testTarget(
      name: "GoalsStoreTests",
      dependencies: ["GoalsStore", "StoreTestSupport", "TestSupport"]
        + (hasPostgreSQL ? ["PostgreSQLTestSupport"] : []),
      exclude: hasPostgreSQL ? [] : ["PostgreSQL"],
      swiftSettings: strict + (hasPostgreSQL ? [.define("POSTGRESQL")] : [])),
    test(
      "GoalsServiceTests",
      [
        "Digests", "GoalsService", "HTTPTestSupport", "PageFiles", "StoreTestSupport",
        "TestSupport",
      ]),
    harnesses(["GoalsEngine", "GoalsService", "StoreTestSupport", "TestSupport"]),
    test("TidyTests", []),
    test("GzipTests", ["Gzip", "TestSupport"]),
    test("BrotliTests", ["Brotli", "TestSupport"]),
    test("DigestsTests", ["Digests"]),
    test("embedTests", ["embed"]),
  ] + postgreSQL
)
