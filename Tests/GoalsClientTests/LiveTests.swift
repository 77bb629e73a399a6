import Foundation
import GoalsCore
import GoalsReplica
import HTTPServer
import Testing

@testable import GoalsClient

@Suite("A client of a real server", .timeLimit(.minutes(10))) struct LiveTests {
  private let database: TemporaryFolder
  private let folder: TemporaryFolder
  private let server: RealServer

  init() async throws {
    database = try TemporaryFolder()
    folder = try TemporaryFolder()
    server = try await RealServer(in: database)
  }

  @Test("sends what was made, and reads what others made, as they make it")
  func exchange() async throws {
    let phone = try server.client(in: folder)
    let id = try await phone.add("Yoga")
    try await phone.make(Edit(.bump(id, by: .one, note: nil)))
    await phone.meet()
    #expect(try await server.goals() == ["Yoga": 1])

    let laptop = try server.client(in: try TemporaryFolder())
    await laptop.meet()
    #expect(laptop.progress == ["Yoga": 1])
    // Both rest now for minutes, but for the stream.
    try await laptop.make(Edit(.bump(id, by: .one, note: nil)))
    await phone.reach("hears of the other's edit") { [weak phone] _ in
      phone?.progress == ["Yoga": 2]
    }
    phone.close()
    laptop.close()
    await server.stop()
  }

  @Test("keeps what is made without the server, and sends it when the server is back")
  func offline() async throws {
    let first = try server.client(in: folder)
    let id = try await first.add("Yoga")
    await first.meet()
    await server.stop()
    try await first.make(Edit(.bump(id, by: .one, note: nil)))
    await first.reach("can't reach the server") {
      if case .waiting = $0.standing { true } else { false }
    }
    #expect(first.progress == ["Yoga": 1])
    first.close()

    let second = try GoalsClient(in: folder.path, of: server.url)
    #expect(second.progress == ["Yoga": 1])
    #expect(second.status.current.unsent.count == 1)
    let again = try await RealServer.again(server, in: database)
    second.signIn(token: server.token)
    await second.meet()
    #expect(try await again.goals() == ["Yoga": 1])
    second.close()
    await again.stop()
  }

  @Test("sends nothing with a token of another account, and says whose it is")
  func otherAccount() async throws {
    let client = try server.client(in: folder)
    let id = try await client.add("Yoga")
    await client.meet()
    let elsewhere = try TemporaryFolder()
    let other = try await RealServer(in: elsewhere)
    client.close()

    let moved = try GoalsClient(in: folder.path, of: other.url)
    let ear = Ear(on: moved)
    try await moved.make(Edit(.bump(id, by: .one, note: nil)))
    moved.signIn(token: other.token)
    await moved.reach("stops") {
      if case .stopped(.otherAccount) = $0.standing { true } else { false }
    }
    #expect(try await other.goals() == [:])
    #expect(moved.status.current.unsent.count == 1)
    #expect(
      ear.heard.contains { if case .otherAccount = $0 { true } else { false } })
    moved.close()
    await other.stop()
    await server.stop()
  }

  @Test("asks to sign in again where the token is not valid, and keeps its edits")
  func revoked() async throws {
    let client = try GoalsClient(in: folder.path, of: server.url)
    let ear = Ear(on: client)
    let id = try await client.add("Yoga")
    client.signIn(token: "goals_" + String(repeating: "0", count: 64))
    await client.reach("stops") { $0.standing == .stopped(.signedOut) && $0.queue.count == 2 }
    client.network.settle()
    await client.reach("says so") { _ in ear.heard.contains(.signInNeeded) }
    client.signIn(token: server.token)
    try await client.make(Edit(.bump(id, by: .one, note: nil)))
    await client.meet()
    #expect(try await server.goals() == ["Yoga": 1])
    client.close()
    await server.stop()
  }

  @Test("takes the lead of a folder without seeming signed out")
  func takesOver() async throws {
    let first = try server.client(in: folder)
    await first.meet()
    let second = try server.client(in: folder)
    #expect(!second.status.current.leads)
    let eye = Eye(on: second)
    first.close()
    await second.meet()
    #expect(eye.seen.contains { $0.leads })
    #expect(!eye.seen.contains { $0.leads && $0.standing == .stopped(.signedOut) })
    second.close()
    await server.stop()
  }

  @Test("counts on the right day with a clock that is years off", arguments: [-5, 5])
  func clock(years: Int64) async throws {
    var world = ClientWorld.live
    world.now = { ClientWorld.live.now().adding(milliseconds: years * 365 * 86_400_000) }
    let client = try GoalsClient(in: folder.path, of: server.url, world: world)
    let ear = Ear(on: client)
    client.signIn(token: server.token)
    let id = try await client.add("Yoga")
    await client.meet()
    try await client.make(Edit(.bump(id, by: .one, note: nil)))
    await client.meet()
    #expect(try await server.goals() == ["Yoga": 1])
    #expect(client.progress == ["Yoga": 1])
    #expect(ear.heard.contains { if case .clockIsOff = $0 { true } else { false } })
    client.close()
    await server.stop()
  }

  @Test("shows a rejection of the server until it is dismissed")
  func rejected() async throws {
    let client = try server.client(in: folder)
    let id = try await client.add("Yoga")
    await client.meet()
    let other = try server.client(in: try TemporaryFolder())
    await other.meet()
    client.close()
    try await other.make(Edit(.delete(id)))
    await other.meet()
    other.close()

    let late = try GoalsClient(in: folder.path, of: server.url)
    let bump = try await late.make(Edit(.bump(id, by: .one, note: nil)))
    late.signIn(token: server.token)
    await late.reach("has a rejection") { $0.rejected.map(\.id) == [bump] }
    late.dismiss([bump])
    await late.reach("has none") { $0.rejected.isEmpty && $0.queue.isEmpty }
    late.close()
    await server.stop()
  }
}
