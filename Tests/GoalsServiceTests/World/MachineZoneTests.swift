import Foundation
import GoalsCore
import Testing
import TestSupport

@testable import GoalsService

@Suite("The machine's time zone") struct MachineZoneTests {
  /// In place of /etc.
  private let etc: TemporaryFolder
  private let files = ZoneFiles { _, _ in }

  init() throws { etc = try TemporaryFolder() }

  private func zone(_ variable: String? = nil) -> String {
    files.machineZone(variable: variable, etc: etc.path).text
  }

  private func link(to target: String) { #expect(symlink(target, etc.file("localtime")) == 0) }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: etc.url(name))
  }

  private static let variables = [
    "Asia/Tokyo", ":Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo",
    ":/usr/share/zoneinfo/Asia/Tokyo",
  ]

  @Test("is what TZ names, by a name or a path", arguments: variables)
  func variable(_ text: String) {
    link(to: "/usr/share/zoneinfo/Europe/Berlin")
    #expect(zone(text) == "Asia/Tokyo")
  }

  private static let noZones = [
    "", ":", "Mars/Olympus", "CET-1CEST,M3.5.0,M10.5.0/3", "../../etc/passwd", "/etc/passwd",
    "/usr/share/zoneinfo/", "zoneinfo/../../../etc/passwd", "Europe", "tzdata.zi",
    String(repeating: "a", count: 100_000),
  ]

  @Test("is that of /etc/localtime where TZ names none", arguments: noZones)
  func link(_ variable: String) {
    link(to: "../usr/share/zoneinfo/Europe/Berlin")
    #expect(zone(variable) == "Europe/Berlin")
    #expect(zone() == "Europe/Berlin")
  }

  @Test("is that of /etc/timezone where no link names one")
  func text() throws {
    try write("America/Lima\n", to: "timezone")
    #expect(zone() == "America/Lima")
    link(to: "/somewhere/else")
    #expect(zone() == "America/Lima")
  }

  @Test("is the one whose file /etc/localtime is a copy of")
  func copy() throws {
    try FileManager.default.copyItem(
      atPath: "/usr/share/zoneinfo/Pacific/Auckland", toPath: etc.file("localtime"))
    #expect(zone() == "Pacific/Auckland")
    try write("nonsense", to: "timezone")
    #expect(zone() == "Pacific/Auckland")
  }

  @Test("is UTC where nothing names one that can be read", arguments: noZones)
  func none(_ text: String) throws {
    #expect(zone() == "UTC")
    try write(text, to: "timezone")
    try write(text, to: "localtime")
    #expect(zone(text) == "UTC")
  }

  @Test("is UTC, by that name, where Debian's installation left it so")
  func debian() {
    link(to: "/usr/share/zoneinfo/Etc/UTC")
    #expect(zone() == "UTC")
    #expect(zone("Etc/GMT+5") == "Etc/GMT+5")
  }
}
