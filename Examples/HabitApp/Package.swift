// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "HabitApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    .package(url: "https://goals.example/goals.git", from: "0.1.0")
  ],
  targets: [
    .executableTarget(
      name: "HabitApp",
      dependencies: [
        .product(name: "GoalsClient", package: "goals"),
        .product(name: "GoalsCore", package: "goals"),
        .product(name: "GoalsReplica", package: "goals"),
        .product(name: "ChangePropagation", package: "goals"),
      ])
  ]
)
