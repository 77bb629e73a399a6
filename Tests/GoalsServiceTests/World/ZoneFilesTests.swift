import Foundation
import GoalsCore
import Testing

@testable import GoalsService

@Suite("The system's time zones") struct ZoneFilesTests {
  private let zones = ZoneFiles().zones

  private func zone(_ name: String, in zones: Zones? = nil) -> Zone? {
    ZoneName(name).flatMap { (zones ?? self.zones).zone($0) }
  }

  private static let offsets: [(String, String, Int32)] = [
    ("Europe/Berlin", "2026-07-01T00:00:00Z", 7200),
    ("Europe/Berlin", "2026-11-20T12:00:00Z", 3600),
    ("Europe/Berlin", "2060-07-01T00:00:00Z", 7200), ("Asia/Tokyo", "2026-11-20T12:00:00Z", 32400),
    ("US/Pacific", "2026-11-20T12:00:00Z", -28800), ("UTC", "2026-11-20T12:00:00Z", 0),
    ("Etc/GMT+5", "2026-11-20T12:00:00Z", -18000),
  ]

  @Test("are read by their names, links too", arguments: offsets)
  func reads(_ name: String, _ instant: String, _ offset: Int32) throws {
    let zone = try #require(self.zone(name))
    #expect(zone.offset(at: try #require(Instant(instant))) == offset)
    #expect(zone.name.text == name)
  }

  private static let unknown = [
    "Mars/Olympus", "Europe", "Europe/Berlin/Mitte", "europe/berlin", "../etc/passwd",
    "../../../etc/passwd", "/etc/passwd", "posixrules", "localtime", "right/UTC", "leapseconds",
    "zone.tab", "tzdata.zi", "PST", "GMT+5", ".", "",
  ]

  @Test("are nothing else that is there, nor beside it", arguments: unknown)
  func refuses(_ name: String) {
    #expect(zone(name) == nil)
  }
}

@Suite("A folder of time zones") struct ZoneFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func zone(_ name: String, in zones: Zones) -> Zone? {
    ZoneName(name).flatMap { zones.zone($0) }
  }

  private func berlin() throws -> Data {
    try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
  }

  @Test("is read once a name, found or not")
  func readsOnce() throws {
    let zones = ZoneFiles(folder: folder.path).zones
    #expect(zone("New", in: zones) == nil)
    try berlin().write(to: folder.url("New"))
    #expect(zone("New", in: zones) == nil)
    try berlin().write(to: folder.url("Old"))
    #expect(zone("Old", in: zones) != nil)
    try FileManager.default.removeItem(at: folder.url("Old"))
    #expect(zone("Old", in: zones) != nil)
    #expect(zone("New", in: ZoneFiles(folder: folder.path).zones) != nil)
  }

  @Test("gives no zone of what is no zone's file")
  func spoilt() throws {
    let zones = ZoneFiles(folder: folder.path).zones
    try Data().write(to: folder.url("Empty"))
    try Data("TZif2".utf8).write(to: folder.url("Short"))
    try berlin().dropLast(20).write(to: folder.url("Cut"))
    try Data(repeating: 0x54, count: 2 << 20).write(to: folder.url("Large"))
    try FileManager.default.createDirectory(
      at: folder.url("Folder"), withIntermediateDirectories: false)
    #expect(mkfifo(folder.path + "/Pipe", 0o600) == 0)
    #expect(symlink("Loop", folder.path + "/Loop") == 0)
    #expect(symlink("/dev/zero", folder.path + "/Device") == 0)
    for name in ["Empty", "Short", "Cut", "Large", "Folder", "Pipe", "Loop", "Device", "None"] {
      #expect(zone(name, in: zones) == nil, "\(name)")
    }
  }

  @Test("need not hold UTC")
  func utc() {
    let zones = ZoneFiles(folder: folder.path + "/none").zones
    #expect(zone("UTC", in: zones) == .utc)
    #expect(zone("Europe/Berlin", in: zones) == nil)
  }

  @Test("is asked for more names than there are without an end to memory")
  func manyNames() throws {
    let zones = ZoneFiles(folder: folder.path).zones
    try berlin().write(to: folder.url("Here"))
    #expect(zone("Here", in: zones) != nil)
    for number in 0..<2500 { #expect(zone("None\(number)", in: zones) == nil) }
    #expect(zone("Here", in: zones) != nil)
  }
}
