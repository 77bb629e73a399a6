// swift-tools-version: 6.2
import PackageDescription

/// The peers that Goals is measured against. A package of its own, so that what they stand on is
/// never part of building Goals.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
  ],
  targets: [
    .executableTarget(
      name: "hummingbird-peer",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ],
      path: "Hummingbird",
      swiftSettings: [.treatAllWarnings(as: .error)])
  ]
)
