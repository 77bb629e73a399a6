import Foundation
import GoalsCore
import Testing
import TestSupport

@testable import GoalsService

@Suite("The system's time zones") struct ZoneFilesTests {
  private static let files = ZoneFiles { _, _ in }

  private func zone(_ name: String) -> Zone? {
    ZoneName(name).flatMap { Self.files.lookUp($0).zone }
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

  private static let cases: [(String, String?)] = [
    ("us/pacific", "US/Pacific"), ("EUROPE/BERLIN", "Europe/Berlin"), ("utc", "UTC"),
    ("america/argentina/buenos_aires", "America/Argentina/Buenos_Aires"),
    ("etc/gmt+5", "Etc/GMT+5"), ("europe", nil), ("mars/olympus", nil),
    ("europe/berlin/mitte", nil),
    ("RIGHT/utc", nil), ("Posixrules", nil),
  ]

  @Test("are found by their letters, whatever their case", arguments: cases)
  func inAnotherCase(_ name: String, _ zone: String?) throws {
    let name = try #require(ZoneName(name))
    #expect(Self.files.nameInAnotherCase(name)?.text == zone)
  }

  private static let unknown = [
    "Mars/Olympus", "Europe", "Europe/Berlin/Mitte", "europe/berlin", "../etc/passwd",
    "../../../etc/passwd", "/etc/passwd", "posixrules", "localtime", "right/UTC", "leapseconds",
    "zone.tab", "tzdata.zi", "PST", "GMT+5", ".", "",
  ]

  @Test("are nothing else that is there, nor beside it", arguments: unknown)
  func refuses(_ name: String) {
    #expect(ZoneName(name).map(Self.files.lookUp) ?? .unknown == .unknown)
  }
}

@Suite("A folder of time zones") struct ZoneFolderTests {
  private let folder: TemporaryFolder
  private let files: ZoneFiles
  private let told = Locked<[String]>([])

  init() throws {
    folder = try TemporaryFolder()
    files = ZoneFiles(folder: folder.path) { [told] name, reason in
      told.change { $0.append("\(name): \(reason)") }
    }
  }

  private func lookUp(_ name: String) throws -> ZoneLookup {
    files.lookUp(try #require(ZoneName(name)))
  }

  private func berlin() throws -> Data {
    try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
  }

  @Test("keeps a zone that was read, and nothing else")
  func keepsZones() throws {
    #expect(try lookUp("New") == .unknown)
    try berlin().write(to: folder.url("New"))
    #expect(try lookUp("New").zone != nil)
    try FileManager.default.removeItem(at: folder.url("New"))
    #expect(try lookUp("New").zone != nil)
    #expect(told.value == [])
  }

  @Test("has no zone where there is no file")
  func noFiles() throws {
    try FileManager.default.createDirectory(
      at: folder.url("Folder"), withIntermediateDirectories: false)
    try berlin().write(to: folder.url("File"))
    #expect(mkfifo(folder.path + "/Pipe", 0o600) == 0)
    #expect(symlink("/dev/zero", folder.path + "/Device") == 0)
    #expect(symlink("Nothing", folder.path + "/Dangling") == 0)
    for name in ["None", "Folder", "Folder/None", "File/None", "Pipe", "Device", "Dangling"] {
      #expect(try lookUp(name) == .unknown, "\(name)")
    }
    #expect(told.value == [])
  }

  private static let damages: [(String, @Sendable (Data) -> Data)] = [
    ("the file ends too early", { _ in Data() }),
    ("the file is not in the TZif format", { Data(repeating: 0, count: $0.count) }),
    ("the file ends too early", { _ in Data("TZif2".utf8) + Data(repeating: 0, count: 15) }),
    ("the file is too large for a time zone", { $0 + Data(repeating: 0, count: 2 << 20) }),
  ]

  @Test("is damaged: that is told once, until the file is whole again", arguments: damages)
  func damaged(_ reason: String, _ damage: @Sendable (Data) -> Data) throws {
    try damage(berlin()).write(to: folder.url("Zone"))
    #expect(try lookUp("Zone") == .unavailable)
    #expect(try lookUp("Zone") == .unavailable)
    #expect(told.value == ["Zone: \(reason)"])
    try berlin().write(to: folder.url("Zone"))
    #expect(try lookUp("Zone").zone != nil)
  }

  @Test("whose file can't be opened gives no zone, and gives it once it can")
  func failingOpen() throws {
    #expect(symlink("Loop", folder.path + "/Loop") == 0)
    #expect(try lookUp("Loop") == .unavailable)
    #expect(told.value == ["Loop: Too many levels of symbolic links"])
    try FileManager.default.removeItem(at: folder.url("Loop"))
    try berlin().write(to: folder.url("Loop"))
    #expect(try lookUp("Loop").zone != nil)
    try FileManager.default.removeItem(at: folder.url("Loop"))
    #expect(try lookUp("Loop").zone != nil)
  }

  @Test("that is missing says nothing of what there is, but for UTC")
  func missingFolder() throws {
    let none = ZoneFiles(folder: folder.path + "/none") { [told] name, reason in
      told.change { $0.append("\(name): \(reason)") }
    }
    #expect(none.lookUp(.utc) == .found(.utc))
    let berlin = try #require(ZoneName("Europe/Berlin"))
    #expect(none.lookUp(berlin) == .unavailable)
    #expect(none.lookUp(berlin) == .unavailable)
    #expect(told.value == ["Europe/Berlin: there is no folder \(folder.path)/none"])
  }

  @Test("is asked for more names than there are without an end to memory or the log")
  func manyNames() throws {
    let none = ZoneFiles(folder: folder.path + "/none") { [told] name, reason in
      told.change { $0.append("\(name)") }
    }
    for number in 0..<500 {
      #expect(none.lookUp(try #require(ZoneName("None\(number)"))) == .unavailable)
    }
    #expect(told.value.count == ZoneFiles.maximumFailing)
  }
}
