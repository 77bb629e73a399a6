import GoalsCore
import GoalsReplica
import JSON
import ReplicaTestSupport
import TestSupport
import Testing

@testable import GoalsEngine

/// Devices over a network and disks that fail, each with an engine beside its replica that is told
/// the same by bytes.
@Suite struct `An engine beside a replica` {
  @Test func `decides the same and is the same after every event`() {
    SeededDice.each(of: Tier.volume(1, all: 3)) { dice in
      let beside = Beside()
      var world = SimulatedWorld(dice, isRestored: true) { beside.tell($0, $1, $2) }
      for _ in 0..<1_500 { world.step() }
      world.restore()
      for _ in 0..<500 { world.step() }
      let hasSettled = world.settle()
      #expect(hasSettled, "GOALS_TEST_SEED=\(dice.seed)")
      #expect(beside.fault == nil, "GOALS_TEST_SEED=\(dice.seed)")
      #expect(
        beside.events > 1_000 && beside.lookUps > 10 && beside.shown > 0,
        "GOALS_TEST_SEED=\(dice.seed)")
    }
  }
}

/// The engines of the devices of a world.
private final class Beside {
  private var engines: [String: Engine] = [:]
  /// What was ordered to be kept of the log, by device.
  private var logs: [String: [RecordedEdit]] = [:]
  private(set) var events = 0
  private(set) var lookUps = 0
  /// What the page of each device shows.
  private var lists: [String: [(id: String, text: String)]] = [:]
  /// How often only one goal was to be shown anew.
  private(set) var shown = 0
  /// The first difference.
  private(set) var fault: String?

  func tell(_ device: SimulatedDevice, _ event: Replica.Event, _ decisions: [Replica.Decision]) {
    guard fault == nil else { return }
    events += 1
    if case .loaded = event.kind {
      engines[device.name] = Engine()
      logs[device.name] = device.diskLog
    }
    var engine = engines[device.name] ?? Engine()
    var answer = engine.answer(event.message(known: nil))
    if let ids = (try? JSONDocument(parsing: answer).root)?["lookUp"]?.elements {
      lookUps += 1
      answer = engine.answer(event.message(known: known(ids.map { $0.text }, device.name)))
    }
    check(answer, decisions, engine, device, event)
    show(decisions, engine, device.name, event.now)
    engines[device.name] = engine
    for case .keep(let change, _) in decisions {
      if change.restart != nil { logs[device.name] = [] }
      logs[device.name, default: []] += change.recorded
    }
  }

  private func known(_ ids: [String], _ device: String) -> [RecordedEdit] {
    let log = logs[device] ?? []
    let asked = log.filter { ids.contains($0.id.description) }
    let roots = Set(asked.map(\.root))
    return log.filter { edit in
      asked.contains(edit) || edit.undone.map { roots.contains($0.root) } ?? false
    }
  }

  private func isSame(_ left: Replica, _ right: Replica) -> Bool {
    left.kept == right.kept && left.shown == right.shown && left.zones == right.zones
      && left.standing == right.standing && left.isCatchingUp == right.isCatchingUp
      && left.clockOffset == right.clockOffset
  }

  /// Keeps a list as a page does, which asks for the one goal that `show` names, and for all where
  /// it names none. It has to be the whole list each time.
  private func show(
    _ decisions: [Replica.Decision], _ engine: Engine, _ device: String, _ now: Instant
  ) {
    for case .show(let goal) in decisions {
      let all = list(engine, now)
      guard let goal else {
        lists[device] = all
        continue
      }
      shown += 1
      let anew = list(engine, now, ",\"goal\":\"\(goal)\"")
      let merged = lists[device, default: []].map { old in
        anew.first { $0.id == old.id } ?? old
      }
      lists[device] = merged
      if anew.count > 1 || merged.map(\.text) != all.map(\.text) {
        fault = "\(now): the list is not what it was shown to be"
      }
    }
  }

  private func list(
    _ engine: Engine, _ now: Instant, _ members: String = ""
  ) -> [(id: String, text: String)] {
    var engine = engine
    let answer = engine.answer(Array("{\"ask\":\"goals\",\"now\":\"\(now)\"\(members)}\n".utf8))
    let goals = (try? JSONDocument(parsing: answer).root)?["goals"]?.elements
    return goals?.map { ($0["id"]?.text ?? "", text(of: $0)) } ?? []
  }

  private func check(
    _ answer: [UInt8], _ decisions: [Replica.Decision], _ engine: Engine,
    _ device: SimulatedDevice, _ event: Replica.Event
  ) {
    let answered = (try? JSONDocument(parsing: answer).root)?["decisions"].map { text(of: $0) }
    var json = JSONWriter()
    json.value(decisions)
    let expected = String(decoding: json.bytes, as: UTF8.self)
    if answered != expected {
      fault = "\(event.kind):\nDIFF \(String(decoding: answer, as: UTF8.self)), \nDIFF \(expected)"
    } else if !isSame(engine.replica, device.replica) {
      fault = "\(event.kind): the replicas differ"
    }
  }
}
