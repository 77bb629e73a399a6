import ChangePropagation
import GoalsCore
import GoalsModel
import Synchronization
import Testing

@Suite("A network of goals")
struct GoalsModelTests {
  private static let now = Instant(milliseconds: 1_795_000_000_000)
  private let network = Network()
  private let ids = Counter()

  @Test("leads to the list that its edits describe")
  func listOfEdits() throws {
    let model = makeModel()
    let yoga = try goal(1, "Yoga")
    let run = try goal(2, "Run")
    model.goalEdits.announce(.add(yoga))
    model.goalEdits.announce(.add(run))
    model.goalEdits.announce(.setActivity(.keyed([yoga.id: true])))
    model.progressEdits.announce(.bump(yoga.id, by: .one, note: nil))
    network.settle()

    let goals = model.state.current.goals(at: Self.now, in: Calendar())
    #expect(goals.entries.map(\.goal) == [run, yoga])
    #expect(goals.entries[0].progress == .inactive)
    let day = try #require(Day(year: 2026, month: 11, day: 18))
    let next = try #require(day.adding(days: 1))
    let period = try #require(Period(start: day, end: next))
    let running = RunningPeriod(period, count: 1, today: 1, .met)
    #expect(goals.entries[1].progress == .active(running))
  }

  @Test("stays as it is where an edit is rejected")
  func rejectedEdit() throws {
    let model = makeModel()
    let yoga = try goal(1, "Yoga")
    model.goalEdits.announce(.add(yoga))
    network.settle()
    let before = model.state.current
    model.progressEdits.announce(.bump(yoga.id, by: .one, note: nil))
    model.goalEdits.announce(.delete(try goal(9, "Unknown").id))
    network.settle()
    #expect(model.state.current == before)
  }

  @Test("tells of every edit in the order of both inlets, whatever comes of it")
  func everyEdit() throws {
    let model = makeModel()
    let yoga = try goal(1, "Yoga")
    let heard = Heard()
    model.edits.observe(withContext: heard) { heard, edit in
      heard.edits.withLock { $0.append(edit) }
    }
    model.progressEdits.announce(.skip(yoga.id))
    model.goalEdits.announce(.add(yoga))
    model.progressEdits.announce(.bump(yoga.id, by: .one, note: nil))
    network.settle()
    #expect(
      heard.edits.withLock { $0 } == [
        Edit(.skip(yoga.id)), Edit(.add(yoga)), Edit(.bump(yoga.id, by: .one, note: nil)),
      ])
  }

  @Test("tells its observers each state once")
  func observedStates() throws {
    let model = makeModel()
    let heard = Heard()
    let counts = model.state.map { $0.roster.count }
    counts.observe(withContext: heard) { heard, count in
      heard.counts.withLock { $0.append(count) }
    }
    model.goalEdits.announce(.add(try goal(1, "Yoga")))
    model.goalEdits.announce(.add(try goal(2, "Run")))
    model.goalEdits.announce(.delete(try goal(1, "Yoga").id))
    network.settle()
    #expect(heard.counts.withLock { $0 } == [0, 1, 2, 1])
    #expect(counts.current == 1)
  }

  private func makeModel() -> GoalsModel {
    GoalsModel(on: network, startingFrom: AccountState()) { [ids] edit, state in
      edit.transform(
        state, id: Edit.ID(high: 0, low: ids.next()), device: "test",
        under: Circumstances(now: Self.now, zones: Zones()))
    }
  }

  private func goal(_ number: UInt64, _ title: String) throws -> Goal {
    Goal(id: Goal.ID(high: 0, low: number), title: try #require(Title(title)))
  }
}

/// What an observer was told.
private final class Heard: Sendable {
  let edits = Mutex<[Edit]>([])
  let counts = Mutex<[Int]>([])
}

private final class Counter: Sendable {
  private let last = Mutex<UInt64>(0)

  func next() -> UInt64 {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
