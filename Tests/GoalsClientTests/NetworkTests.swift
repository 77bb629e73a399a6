import ChangePropagation
import Foundation
import GoalsCore
import GoalsReplica
import Synchronization
import TestSupport
import Testing

@testable import GoalsClient

@Suite("A client without a server", .timeLimit(.minutes(5))) struct NetworkTests {
  private let folder: TemporaryFolder
  private let client: GoalsClient

  init() throws {
    folder = try TemporaryFolder()
    client = try GoalsClient(in: folder.path, of: try nowhere())
  }

  private func goal(_ title: String) throws -> Goal {
    Goal(id: client.world.makeID(), title: try #require(Title(title)))
  }

  @Test("shows what is announced on its inlets")
  func inlets() throws {
    let yoga = try goal("Yoga")
    client.goalEdits.announce(.add(yoga))
    client.goalEdits.announce(.add(try goal("Run")))
    client.goalEdits.announce(.setActivity(.keyed([yoga.id: true])))
    client.progressEdits.announce(.bump(yoga.id, by: .one, note: nil))
    client.network.settle()
    #expect(client.progress == ["Run": -1, "Yoga": 1])
    #expect(client.goals.current.items.map(\.goal.title.text) == ["Run", "Yoga"])
    #expect(client.status.current.unsent.count == 4)
  }

  @Test("says why an edit was not made")
  func refusals() async throws {
    let id = try await client.add("Yoga")
    await #expect(throws: EditFailure.unchanged) {
      try await client.make(Edit(.setActivity(.keyed([id: true]))))
    }
    let less = try #require(Increment(-1))
    await #expect {
      try await client.make(Edit(.bump(id, by: less, note: nil)))
    } throws: { error in
      guard case EditFailure.rejected(let rejection) = error else { return false }
      return rejection.code == .belowZero && error.localizedDescription == rejection.detail
    }
    #expect(client.progress == ["Yoga": 0])
  }

  @Test("makes several edits together: after a crash at any byte it has all of them or none")
  func together() async throws {
    let yoga = try goal("Yoga")
    let ids = try await client.make([
      Edit(.add(yoga)), Edit(.setActivity(.keyed([yoga.id: true]))),
    ])
    #expect(client.status.current.unsent.map(\.id) == ids)
    client.close()
    let journal = URL(filePath: folder.file("journal"))
    let bytes = try Data(contentsOf: journal)
    for length in 0...bytes.count {
      try bytes.prefix(length).write(to: journal)
      let again = try GoalsClient(in: folder.path, of: try nowhere())
      #expect(again.progress == (length == bytes.count ? ["Yoga": 0] : [:]), "cut at \(length)")
      again.close()
    }
  }

  @Test("makes those of several edits that can be made, and says why another was not")
  func partly() async throws {
    let yoga = try goal("Yoga")
    let on = Edit(.setActivity(.keyed([yoga.id: true])))
    await #expect(throws: EditFailure.unchanged) {
      try await client.make([Edit(.add(yoga)), on, on, Edit(.bump(yoga.id, by: .one, note: nil))])
    }
    #expect(client.progress == ["Yoga": 1])
    #expect(try await client.make([]).isEmpty)
  }

  @Test("turns goals on and off when the person saves")
  func screen() async throws {
    let id = try await client.add("Yoga")
    client.steps.announce(.edit)
    client.steps.announce(.toggle(id))
    client.network.settle()
    #expect(client.screen.current != .displaying)
    #expect(client.progress == ["Yoga": 0])
    client.steps.announce(.save)
    client.network.settle()
    #expect(client.screen.current == .displaying)
    #expect(client.progress == ["Yoga": -1])
  }

  @Test("brings its values to a task, the present one first")
  func values() async throws {
    let id = try await client.add("Yoga")
    var seen: [Int] = []
    for await goals in client.goals.values {
      guard case .active(let running) = goals.items[0].progress else { continue }
      if running.count != seen.last { seen.append(running.count) }
      if running.count == 2 { break }
      client.progressEdits.announce(.bump(id, by: .one, note: nil))
      client.network.settle()
    }
    #expect(seen == [0, 1, 2])
  }

  @Test("takes back what was done here, last first")
  func undo() async throws {
    let id = try await client.add("Yoga")
    let bump = try await client.make(Edit(.bump(id, by: .one, note: nil)))
    #expect(client.undoable.first?.id == bump)
    try await client.make(Edit(.undo(bump)))
    #expect(client.progress == ["Yoga": 0])
    #expect(client.undoable.first?.id != bump)
  }

  @Test("has all of it after it was ended, and is the same in a second process")
  func reopened() async throws {
    _ = try await client.add("Yoga")
    let other = try GoalsClient(in: folder.path, of: try nowhere())
    #expect(!other.status.current.leads)
    #expect(other.progress == ["Yoga": 0])
    client.close()
    await other.reach("leads once the first has gone") { $0.leads }
    #expect(other.progress == ["Yoga": 0])
    #expect(other.status.current.unsent.count == 2)
  }

  @Test("takes the edits of a client beside it, and it those of this one")
  func beside() async throws {
    let id = try await client.add("Yoga")
    let other = try GoalsClient(in: folder.path, of: try nowhere())
    try await other.make(Edit(.bump(id, by: .one, note: nil)))
    #expect(other.progress == ["Yoga": 1])
    await client.reach("has the other's edit") { $0.unsent.count == 3 }
    client.network.settle()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("inbox")) == [])
    #expect(client.progress == ["Yoga": 1])
    try await client.make(Edit(.bump(id, by: .one, note: nil)))
    await other.reach("has this one's edit") { $0.unsent.count == 4 }
    #expect(other.progress == ["Yoga": 2])
  }

  @Test("never shows an edit as sent that lies before a leader who does not look")
  func suspended() async throws {
    let id = try await client.add("Yoga")
    client.close()
    let leader = try DeviceFolder(folder.path)
    #expect(try leader.lead())
    let other = try GoalsClient(in: folder.path, of: try nowhere())
    try await other.make(Edit(.bump(id, by: .one, note: nil)))
    let eye = Eye(on: other)
    try other.reopen()
    #expect(eye.seen.map(\.unsent.count).allSatisfy { $0 == 3 })
    #expect(other.progress == ["Yoga": 1])
    other.close()
    leader.close()
  }

  @Test("keeps what is left to it while nobody leads")
  func leftAlone() async throws {
    let id = try await client.add("Yoga")
    let other = try GoalsClient(in: folder.path, of: try nowhere())
    let bump = try await other.make(Edit(.bump(id, by: .one, note: nil)))
    client.close()
    other.close()
    let third = try GoalsClient(in: folder.path, of: try nowhere())
    #expect(third.progress == ["Yoga": 1])
    #expect(third.status.current.unsent.filter { $0.id == bump }.count == 1)
  }

  /// The server decides what was promised, here of two that turn the same goal on.
  @Test("sends an edit of another process that would change nothing here")
  func unchangedOfAnother() async throws {
    let id = try await client.add("Yoga")
    client.close()
    let own = OwnEdit(
      ProposedEdit(
        id: client.world.makeID(), at: client.world.now(),
        edit: Edit(.setActivity(.keyed([id: true])))))
    var delta = Replica.Delta()
    delta.own = [own]
    try DeviceFolder(folder.path).leave(delta, named: "left")
    let next = try GoalsClient(in: folder.path, of: try nowhere())
    next.network.settle()
    #expect(next.status.current.unsent.count == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("inbox")) == [])
  }

  /// One opens the folder just when another knocks, and leads.
  @Test("has the edits of all that opened the folder together and went again")
  func comingAndGoing() async throws {
    let id = try await client.add("Yoga")
    client.close()
    let folder = folder.path
    let url = try nowhere()
    let rounds = Tier.volume(6, all: 20)
    for _ in 0..<rounds {
      try await withThrowingTaskGroup { group in
        for _ in 0..<8 {
          group.addTask {
            let passing = try GoalsClient(in: folder, of: url)
            try await passing.make(Edit(.bump(id, by: .one, note: nil)))
            passing.close()
          }
        }
        try await group.waitForAll()
      }
    }
    let last = try GoalsClient(in: folder, of: url)
    #expect(last.progress == ["Yoga": 8 * rounds])
  }
}
