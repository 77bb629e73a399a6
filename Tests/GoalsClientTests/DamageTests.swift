import Foundation
import GoalsCore
import GoalsReplica
import TestSupport
import Testing

@testable import GoalsClient

@Suite("A folder that was damaged", .timeLimit(.minutes(5))) struct DamageTests {
  private static let yoga = Goal.ID(high: 1, low: 1)
  private let folder: TemporaryFolder
  /// What was kept, and where the snapshot was made.
  private let kept: Replica.Kept
  private let half: Replica.Kept
  private let place: Int
  /// How far the places are apart at which a file is damaged.
  private let step = Tier.volume(53, all: 7)

  /// Writes four edits of the log and two own ones. The snapshot has half of each.
  init() throws {
    folder = try TemporaryFolder()
    let device = try DeviceFolder(folder.path)
    #expect(try device.lead())
    var kept = try device.load().kept
    func keep(_ body: (inout Replica.Delta) throws -> Void) throws {
      var delta = Replica.Delta()
      try body(&delta)
      kept.apply(delta)
      try device.keep(delta, named: "unused")
    }
    func keep(half: Int) throws {
      try keep { $0.own = [try Self.own(half)] }
      try keep {
        $0.recorded = try [2 * half - 1, 2 * half].map(Self.recorded)
        $0.cursor = Replica.Cursor("\(2 * half)")
      }
    }
    try keep {
      $0.restart = Replica.Identity(account: Account.ID(high: 0, low: 1), calendar: .initial)
    }
    try keep(half: 1)
    place = try Self.length(of: folder.file("journal"))
    let snapshot = Snapshot(extent: Journal.Extent(end: place), line: kept.line)
    try WholeFile.replace(folder.file("snapshot"), with: snapshot.bytes)
    half = kept
    try keep(half: 2)
    device.close()
    self.kept = kept
  }

  private static func length(of path: String) throws -> Int {
    try Data(contentsOf: URL(filePath: path)).count
  }

  private static func own(_ number: Int) throws -> OwnEdit {
    OwnEdit(
      ProposedEdit(
        id: Edit.ID(high: 2, low: UInt64(number)), at: Instant(milliseconds: 1_795_000_000_000),
        edit: Edit(.bump(yoga, by: .one, note: Note("A note")))))
  }

  private static func recorded(_ version: Int) throws -> RecordedEdit {
    let instant = Instant(milliseconds: 1_795_000_000_000)
    let goal = Goal(id: yoga, title: try #require(Title("Yoga")))
    let payload = RecordedPayload(
      version: Version(version), id: Edit.ID(high: 3, low: UInt64(version)), at: instant,
      recordedAt: instant, device: "phone",
      edit: version == 1 ? Edit(.add(goal)) : Edit(.bump(yoga, by: .one, note: nil)),
      day: version == 1 ? nil : Day(year: 2026, month: 11, day: 18))
    let edit = payload?.with(undone: nil) { payload?.impliedReversal ?? Reversal($0) }
    return try #require(edit)
  }

  /// What a process finds, and the damaged file of which it tells.
  private func found(in folder: TemporaryFolder) throws -> (Shown, damagedFile: String?) {
    let device = try DeviceFolder(folder.path)
    #expect(try device.lead())
    defer { device.close() }
    let found = try device.load()
    let state = found.kept.isWhole ? found.kept.state : found.earlier ?? AccountState()
    return (Shown(state: state, own: found.kept.own), device.untoldDamage)
  }

  private struct Shown: Equatable {
    let state: AccountState
    let own: OwnEdits
  }

  private func check(
    _ bytes: Data, as name: String, _ what: String,
    _ check: (Shown, String?) throws -> Void
  ) throws {
    let copy = try folder.copied()
    try bytes.write(to: URL(filePath: copy.file(name)))
    let (shown, damagedFile) = try found(in: copy)
    try check(shown, damagedFile)
    // The mended folder stays mended, and tells of the damage until somebody has seen it.
    let (again, stillDamaged) = try found(in: copy)
    #expect(again == shown && stillDamaged == damagedFile, "\(name), \(what)")
    guard let damagedFile else { return }
    if name == "journal" {
      #expect(try Data(contentsOf: URL(filePath: damagedFile)) == bytes, "\(what)")
    }
    try DeviceFolder(copy.path).forgetDamage()
    #expect(try found(in: copy).damagedFile == nil, "\(name), \(what)")
  }

  private var whole: Shown { Shown(state: kept.state, own: kept.own) }

  @Test("shows its snapshot and tells of the damage, wherever its journal is cut off")
  func cut() throws {
    let bytes = try Data(contentsOf: URL(filePath: folder.file("journal")))
    for length in Set(stride(from: 0, to: bytes.count, by: step)).union(place - 1...place + 1) {
      try check(bytes.prefix(length), as: "journal", "cut at \(length)") { shown, damagedFile in
        #expect(shown.state.version >= Version(2), "cut at \(length)")
        #expect(shown.own.all.contains { $0.id.low == 1 }, "cut at \(length)")
        #expect((damagedFile != nil) == (length < place), "cut at \(length)")
      }
    }
  }

  @Test("has everything of its journal, wherever its snapshot is cut off")
  func cutSnapshot() throws {
    let bytes = try Data(contentsOf: URL(filePath: folder.file("snapshot")))
    for length in stride(from: 0, to: bytes.count, by: step) {
      try check(bytes.prefix(length), as: "snapshot", "cut at \(length)") { shown, damagedFile in
        #expect(shown == whole && damagedFile == nil, "cut at \(length)")
      }
    }
  }

  @Test("shows nothing that never was, and tells of it, where bits are others", arguments: [1, 2])
  func flipped(bits: Int) throws {
    for name in ["journal", "snapshot"] {
      let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
      // Without its end the last line is as one that a crash cut off.
      for index in stride(from: 0, to: bytes.count - bits, by: step) {
        var other = bytes
        for bit in 0..<bits { other[index + bit] ^= 1 << (index % 8) }
        try check(other, as: name, "flipped at \(index)") { shown, damagedFile in
          #expect(shown.own.all.allSatisfy { kept.own[$0.id] == $0 }, "\(name) at \(index)")
          guard damagedFile != nil else { return #expect(shown == whole, "\(name) at \(index)") }
          // Its last line but one has an own edit, and its last one has half of the log.
          #expect(bits > 1 && name == "journal" && index + 1 >= place, "\(name) at \(index)")
          #expect(shown.state == half.state, "\(name) at \(index)")
        }
      }
    }
  }

  /// What a client has where these bits of an edit that another process left are others.
  private func client(flipping bits: Int...) throws -> (GoalsClient, TemporaryFolder, Data) {
    let copy = try folder.copied()
    var delta = Replica.Delta()
    delta.own = [try Self.own(9)]
    try DeviceFolder(copy.path).leave(delta, named: "left")
    let file = URL(filePath: copy.file("inbox/left"))
    var bytes = try Data(contentsOf: file)
    for bit in bits { bytes[bit / 8] ^= 1 << (bit % 8) }
    try bytes.write(to: file)
    let client = try GoalsClient(in: copy.path, of: try nowhere())
    client.network.settle()
    return (client, copy, bytes)
  }

  @Test("has an edit of another process as it was made where a bit is another one")
  func flippedInInbox() throws {
    for bit in stride(from: 0, to: 1600, by: 67) {
      let (client, _, _) = try client(flipping: bit)
      #expect(client.status.current.unsent.last == (try Self.own(9)), "flipped \(bit)")
      #expect(client.status.current.damagedFile == nil)
      client.close()
    }
  }

  @Test("counts no edit of another process that was altered more than that, and tells of it")
  func alteredInInbox() throws {
    for bit in stride(from: 0, to: 1400, by: 97) {
      let (client, folder, bytes) = try client(flipping: bit, bit + 41)
      #expect(client.status.current.unsent == kept.own.all.filter { $0.standing == .due })
      let damaged = try #require(client.status.current.damagedFile)
      #expect(try Data(contentsOf: URL(filePath: damaged)) == bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("inbox")) == [])
      client.dismissDamage()
      client.network.settle()
      #expect(client.status.current.damagedFile == nil)
      client.close()
    }
  }
}
