import Foundation
import GoalsCore
import GoalsReplica
import TestSupport
import Testing

@testable import GoalsClient

@Suite("The folder of a device", .timeLimit(.minutes(5))) struct FolderTests {
  private let folder: TemporaryFolder
  private let yoga = Goal.ID(high: 1, low: 1)

  init() throws { folder = try TemporaryFolder() }

  private func own(_ number: UInt64) throws -> OwnEdit {
    let note = try #require(Note("é\"\\ line\u{2028}" + String(repeating: "x", count: 40)))
    return OwnEdit(
      ProposedEdit(
        id: Edit.ID(high: 2, low: number), at: Instant(milliseconds: 1_795_000_000_000),
        edit: Edit(.bump(yoga, by: .one, note: note))))
  }

  private func delta(_ numbers: UInt64..., forgetting: [UInt64] = []) throws -> Replica.Delta {
    var delta = Replica.Delta()
    delta.own = try numbers.map(own)
    delta.forgotten = Set(forgetting.map { Edit.ID(high: 2, low: $0) })
    return delta
  }

  private func opened(_ folder: TemporaryFolder) throws -> (DeviceFolder, Replica.Kept) {
    let device = try DeviceFolder(folder.path)
    #expect(try device.lead())
    return (device, try device.load().kept)
  }

  /// Writes so many changes, and tells where each ends in the journal.
  private func write(_ count: UInt64) throws -> [Int] {
    let (device, _) = try opened(folder)
    var ends: [Int] = []
    for number in 1...count {
      try device.keep(try delta(number), named: "unused")
      ends.append(try journal(of: folder).count)
    }
    device.close()
    return ends
  }

  private func journal(of folder: TemporaryFolder) throws -> Data {
    try Data(contentsOf: URL(filePath: folder.file("journal")))
  }

  @Test("has every change that was kept, wherever its last write was cut off")
  func cut() throws {
    let ends = try write(3)
    let bytes = try journal(of: folder)
    let near = ends.flatMap { [$0 - 1, $0, $0 + 1] }.filter { $0 <= bytes.count }
    let others = stride(from: 0, through: bytes.count, by: Tier.volume(10, all: 1))
    for length in Set(near).union(others) {
      try bytes.prefix(length).write(to: URL(filePath: folder.file("journal")))
      let (device, kept) = try opened(folder)
      let whole = UInt64(ends.filter { $0 <= length }.count)
      #expect(kept.own.all == (try (0..<whole).map { try own($0 + 1) }), "cut at \(length)")
      // And it goes on from there.
      if length % 10 == 0 {
        try device.keep(try delta(9), named: "unused")
        device.close()
        #expect(try opened(folder).1.own.count == Int(whole) + 1, "cut at \(length)")
      }
      device.close()
    }
  }

  @Test("removes what was never whole when somebody leads next, unless it is being written")
  func leftBehind() throws {
    let (first, _) = try opened(folder)
    first.close()
    let writing = try Descriptor(
      opening: folder.file("inbox/written.new"), O_WRONLY | O_CREAT)
    #expect(writing.lock())
    _ = try Descriptor(opening: folder.file("inbox/left.new"), O_WRONLY | O_CREAT)
    let (second, _) = try opened(folder)
    let inbox = folder.file("inbox")
    #expect(try FileManager.default.contentsOfDirectory(atPath: inbox) == ["written.new"])
    second.close()
  }

  /// What is kept where these bits of the journal are others, and whether something was damaged.
  private func kept(flipping bits: Int..., of journal: Data) throws -> ([OwnEdit], Bool) {
    let copy = try TemporaryFolder()
    var other = journal
    for bit in bits { other[bit / 8] ^= 1 << (bit % 8) }
    try other.write(to: URL(filePath: copy.file("journal")))
    let (device, kept) = try opened(copy)
    device.close()
    let (again, then) = try opened(copy)
    again.close()
    #expect(then.own == kept.own, "flipped \(bits)")
    return (kept.own.all, again.untoldDamage != nil)
  }

  @Test("has every own edit as it was made where a bit is another one")
  func flipped() throws {
    _ = try write(3)
    let bytes = try journal(of: folder)
    let edits = try (1...3).map(own)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.dropLast()
    // The end of the last line is as one that a crash cut off.
    let step = Tier.volume(101, all: 11)
    for bit in Array(stride(from: 0, to: (bytes.count - 1) * 8, by: step)) + ends.map({ $0 * 8 }) {
      #expect(try kept(flipping: bit, of: bytes).0 == edits, "flipped \(bit)")
    }
  }

  @Test("has no own edit that was altered more than that, and all others")
  func altered() throws {
    _ = try write(3)
    let bytes = try journal(of: folder)
    let edits = try (1...3).map(own)
    for bit in stride(from: 0, to: (bytes.count - 8) * 8, by: Tier.volume(307, all: 37)) {
      let (kept, isDamaged) = try kept(flipping: bit, bit + 41, of: bytes)
      #expect(kept.allSatisfy(edits.contains), "flipped \(bit)")
      // Two lines have a bit each, or one has both.
      #expect(kept.count == 3 || kept.count == 2 && isDamaged, "flipped \(bit)")
    }
  }

  @Test("begins at its snapshot, and without it at the start")
  func snapshot() throws {
    let (device, _) = try opened(folder)
    var kept = Replica.Kept()
    for number in UInt64(1)...230 {
      let delta = try delta(number, forgetting: number > 5 ? [number - 5] : [])
      kept.apply(delta)
      try device.keep(delta, named: "unused")
      try device.shorten(kept)
    }
    device.close()
    let url = URL(filePath: folder.file("snapshot"))
    let snapshot = try Data(contentsOf: url)
    #expect(try opened(try folder.copied()).1 == kept)
    for length in [0, 1, 6, 12, 13, 40] + stride(from: 99, to: snapshot.count, by: 397) {
      try snapshot.prefix(length).write(to: url)
      #expect(try opened(try folder.copied()).1.own == kept.own, "cut at \(length)")
    }
    // A journal that is shorter than its snapshot says has lost what an undo needs. The own edits
    // of the snapshot are there, and the log is read anew.
    try snapshot.write(to: url)
    try journal(of: folder).prefix(1000).write(to: URL(filePath: folder.file("journal")))
    let (mended, rest) = try opened(folder)
    #expect(rest.own.all.filter { $0.id.low > 100 }.count == 5)
    #expect(rest.cursor == nil)
    mended.close()
    #expect(FileManager.default.fileExists(atPath: folder.file("journal.damaged")))
  }

  @Test("takes nothing before it was read")
  func unread() throws {
    let device = try DeviceFolder(folder.path)
    #expect(try device.lead())
    #expect(throws: FileError.self) { try device.keep(try delta(1), named: "unread") }
  }

  @Test("is readable for the person's own account alone")
  func modes() throws {
    let (device, _) = try opened(folder)
    try device.keep(try delta(1), named: "unused")
    for (name, mode) in [("journal", 0o600), ("lock", 0o600), ("inbox", 0o700), ("zones", 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
      #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
    }
  }

  @Test("finds the edits of the log again, with their undos, and none of a log before a restore")
  func lookUp() throws {
    let bump = try #require(recorded(1, Edit(.bump(yoga, by: .one, note: nil))))
    let undo = try #require(
      recorded(2, Edit(.undo(bump.id)), undoing: bump))
    let other = try #require(recorded(3, Edit(.bump(yoga, by: .one, note: nil))))
    let (device, _) = try opened(folder)
    var delta = Replica.Delta()
    delta.restart = Replica.Identity(account: Account.ID(high: 0, low: 1), calendar: .initial)
    delta.recorded = [bump, undo, other]
    try device.keep(delta, named: "unused")
    let found = device.lookUp([bump.id])
    #expect(found[bump.id] == bump)
    #expect(found[other.id] == nil)
    #expect(found.chain(from: bump.version)?.isUndone == true)
    delta.recorded = []
    try device.keep(delta, named: "unused")
    #expect(device.lookUp([bump.id, other.id]) == RecordedEdits())
    device.close()
    #expect(try opened(folder).0.lookUp([bump.id]) == RecordedEdits())
  }

  private func recorded(
    _ version: Int, _ edit: Edit, undoing target: RecordedEdit? = nil
  ) -> RecordedEdit? {
    let payload = RecordedPayload(
      version: Version(version), id: Edit.ID(high: 3, low: UInt64(version)),
      at: Instant(milliseconds: 1_795_000_000_000),
      recordedAt: Instant(milliseconds: 1_795_000_000_000), device: "phone", edit: edit,
      day: target == nil ? Day(year: 2026, month: 11, day: 18) : nil)
    let undone = target.map { RecordedEdit.Undone(root: $0.root, effect: $0.reversal.effect) }
    return payload?.with(undone: undone) { effect in
      payload?.impliedReversal ?? Reversal(target?.effect ?? effect)
    }
  }
}
