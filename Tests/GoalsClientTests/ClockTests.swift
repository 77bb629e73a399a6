import Foundation
import GoalsCore
import GoalsReplica
import Testing

@testable import GoalsClient

@Suite("A device whose clock is off", .timeLimit(.minutes(10))) struct ClockTests {
  private let database: TemporaryFolder
  private let folder: TemporaryFolder
  private let server: RealServer
  private static let hours = 3 * 3_600_000 as Int64
  /// More than all that a busy machine waits, and less than the clock is off.
  private static let tolerance = 3_600_000 as Int64

  init() async throws {
    database = try TemporaryFolder()
    folder = try TemporaryFolder()
    server = try await RealServer(in: database)
  }

  /// A world whose clock is so far ahead, on a device that was started under this name.
  private func world(ahead: Int64, boot: String = "first") -> ClientWorld {
    var world = ClientWorld.live
    world.now = { ClientWorld.live.now().adding(milliseconds: ahead) }
    world.clockSetting = {
      ClockSetting(boot: boot, start: Instant(milliseconds: 1_795_000_000_000 + ahead))
    }
    return world
  }

  /// How far from the right time an edit is dated without a server.
  private func error(in world: ClientWorld) async throws -> Int64 {
    let client = try GoalsClient(in: folder.path, of: try nowhere(), world: world)
    let goal = try #require(client.goals.current.items.first).goal.id
    let id = try await client.make(Edit(.bump(goal, by: .one, note: nil)))
    let at = try #require(client.replica.kept.own[id]?.proposed.at)
    client.close()
    return at.milliseconds - ClientWorld.live.now().milliseconds
  }

  @Test("dates edits right without the server once it has heard it", arguments: [-hours, hours])
  func kept(ahead: Int64) async throws {
    let client = try GoalsClient(
      in: folder.path, of: server.url, world: world(ahead: ahead))
    client.signIn(token: server.token)
    _ = try await client.add("Yoga")
    await client.meet()
    // One that does not lead knows it as well.
    #expect(abs(try await error(in: world(ahead: ahead))) < Self.tolerance)
    client.close()
    #expect(abs(try await error(in: world(ahead: ahead))) < Self.tolerance)
    // Nothing is known of a clock that was set, or of a machine that was started anew.
    #expect(abs(try await error(in: world(ahead: 0))) < Self.tolerance)
    #expect(abs(try await error(in: world(ahead: ahead, boot: "second")) - ahead) < Self.tolerance)

    let mended = try server.client(in: folder, world: world(ahead: 0))
    await mended.meet()
    mended.close()
    #expect(abs(try await error(in: world(ahead: 0))) < Self.tolerance)
    await server.stop()
  }

  /// Makes an edit in a process of its own, without a server.
  private func bump(in world: ClientWorld) async throws -> Edit.ID {
    let client = try GoalsClient(in: folder.path, of: try nowhere(), world: world)
    defer { client.close() }
    let goal = try #require(client.goals.current.items.first).goal.id
    return try await client.make(Edit(.bump(goal, by: .one, note: nil)))
  }

  @Test("dates edits right that other processes made before the server was first heard")
  func guessed() async throws {
    let before = try server.client(in: folder, world: world(ahead: 0, boot: "before"))
    _ = try await before.add("Yoga")
    await before.meet()
    before.close()
    let earlier = try await bump(in: world(ahead: -Self.hours, boot: "earlier"))
    let behind = world(ahead: -Self.hours)
    var ids = [try await bump(in: behind)]
    // One that leads takes what another has made, and one takes what was left to it.
    let leader = try GoalsClient(in: folder.path, of: try nowhere(), world: behind)
    ids.append(try await bump(in: behind))
    leader.close()
    ids.append(try await bump(in: behind))

    let hearing = try server.client(in: folder, world: behind)
    await hearing.meet()
    for (id, error) in ids.map({ ($0, 0) }) + [(earlier, -Self.hours)] {
      let own = try #require(hearing.replica.kept.own[id])
      let at = try #require(own.proposed.at).milliseconds
      #expect(abs(at - ClientWorld.live.now().milliseconds - error) < Self.tolerance, "\(id)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("guesses")))
    hearing.close()
    await server.stop()
  }

  @Test("reads no offset of a file that makes no sense")
  func damaged() throws {
    let device = try DeviceFolder(folder.path)
    let setting = ClockSetting(boot: "first", start: Instant(milliseconds: 1000))
    try device.keep(clockOffset: 90_000, of: setting)
    #expect(device.clockOffset(of: setting) == 90_000)
    let url = URL(filePath: folder.file("clock"))
    let bytes = try Data(contentsOf: url)
    // All but the end of the line.
    for bit in 0..<(bytes.count - 1) * 8 {
      var other = bytes
      other[bit / 8] ^= 1 << (bit % 8)
      try other.write(to: url)
      #expect(device.clockOffset(of: setting) == 0, "flipped \(bit)")
    }
    for text in [
      "", "90000", "90000 1000", "x 1000 first", "90000 1000 first more", "\u{FFFD}",
      "\(Int64.min) 1000 first", "\(Int64.max) 1000 first",
    ] {
      for bytes in [Array(text.utf8), CheckedLine.bytes(of: Array(text.utf8))] {
        try Data(bytes).write(to: url)
        #expect(device.clockOffset(of: setting) == 0, "\(text)")
      }
    }
    try device.keep(clockOffset: 0, of: setting)
    #expect(!FileManager.default.fileExists(atPath: folder.file("clock")))
  }
}
