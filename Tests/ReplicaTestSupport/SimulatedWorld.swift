import GoalsCore
import GoalsReplica
import TestSupport

/// Devices, a server, and a network between them that loses, doubles, delays and reorders.
package struct SimulatedWorld {
  package var dice: SeededDice
  package var server = SimulatedServer()
  package var backup = SimulatedServer()
  package var devices: [SimulatedDevice]
  package var now = Instant.at("2026-11-20T12:00:00Z")
  package var messages: [Message] = []
  package private(set) var edits = 0
  package private(set) var restores = 0
  /// What no replica may do: it names the first that did.
  package private(set) var fault: String?
  /// Looks at each event of a device, once its replica has decided it.
  package var observe: ((SimulatedDevice, Replica.Event, [Replica.Decision]) -> Void)?
  /// Whether backups are brought back.
  package let isRestored: Bool

  package enum Message {
    case request(Replica.Request, Replica.Ticket, from: Int, life: Int)
    case event(Replica.Event.Kind, to: Int, life: Int)
  }

  package init(
    _ dice: SeededDice, isRestored: Bool, devices: Int = 4,
    observe: ((SimulatedDevice, Replica.Event, [Replica.Decision]) -> Void)? = nil
  ) {
    self.dice = dice
    self.isRestored = isRestored
    self.observe = observe
    self.devices = (0..<devices).map {
      SimulatedDevice("device \($0)", skew: Self.skews[$0 % Self.skews.count])
    }
    for index in self.devices.indices { start(index) }
  }

  /// How far clocks are ahead, in milliseconds.
  private static let skews: [Int64] = [0, 0, 7_200_000, -108_000_000]

  // MARK: Devices

  package mutating func start(_ index: Int) {
    feed(.loaded(devices[index].disk), to: index)
    feed(.signedIn, to: index)
  }

  package mutating func feed(_ kind: Replica.Event.Kind, to index: Int) {
    let event = Replica.Event(
      kind, at: now.adding(milliseconds: devices[index].skew),
      chance: Double(dice.number(in: 0...99)) / 100, known: devices[index].known(for: kind))
    let decisions = decide(event, &devices[index].replica)
    observe?(devices[index], event, decisions)
    for decision in decisions { perform(decision, on: index) }
  }

  private mutating func perform(_ decision: Replica.Decision, on index: Int) {
    let life = devices[index].life
    switch decision {
    case .keep(let delta, let number):
      devices[index].order(SimulatedDevice.Write(number: number, delta: delta))
    case .send(let request, let ticket):
      messages.append(.request(request, ticket, from: index, life: life))
      check(request, of: devices[index])
    case .follow(let cursor, _):
      devices[index].followed = server.version(of: cursor)
      if devices[index].followed == nil {
        messages.append(.event(.followReset, to: index, life: life))
      }
    case .unfollow:
      devices[index].followed = nil
    case .findZone(let name):
      messages.append(.event(.zone(name, simulatedZones[name]), to: index, life: life))
    case .wait(let until):
      devices[index].alarm = until
    case .show:
      break
    case .tell(let notice):
      devices[index].hear(notice)
      if case .restored = notice, restores == 0 { fault = "it read a log anew without a reason" }
      if case .rejected(_, let rejection, wasKept: true) = notice, rejection.code == .inFuture {
        fault = "it dropped an edit for its clock"
      }
    }
  }

  private mutating func check(_ request: Replica.Request, of device: SimulatedDevice) {
    guard case .sync(_, let edits) = request else { return }
    if !device.promised.isSuperset(of: edits.map(\.id)) { fault = "it sent what was not durable" }
  }

  // MARK: Steps

  /// Something happens.
  package mutating func step() {
    let index = dice.number(in: 0...devices.count - 1)
    switch dice.number(in: 0...99) {
    case 0..<25: tap(index)
    case 25..<45: write(index, fails: dice.chance(1, in: 60))
    case 45..<75: deliver(dice.number(in: 0...max(0, messages.count - 1)), faults: true)
    case 75..<87: push(to: index, faults: true)
    case 87..<95: passTime(dice.number(in: Int64(0)...60_000))
    case 95: feed(.cameToFront, to: index)
    case 96: kill(index)
    case 97 where dice.chance(1, in: 4): backup = server
    case 98 where isRestored && dice.chance(1, in: 12): restore()
    case 98 where dice.chance(1, in: 2): restart()
    case 98: devices[index].skew = dice.one(of: Self.skews)
    case 99: feed(.dismissed(devices[index].replica.rejected.map(\.id)), to: index)
    default: passTime(dice.number(in: Int64(0)...7_200_000))
    }
  }

  private mutating func tap(_ index: Int) {
    edits += 1
    let id = Edit.ID(high: UInt64(index) + 1, low: UInt64(edits))
    let edit = edit(on: devices[index].replica.shown)
    feed(.edited([ProposedEdit(id: id, edit: edit)]), to: index)
  }

  private mutating func write(_ index: Int, fails: Bool) {
    guard !devices[index].writes.isEmpty else { return }
    feed(devices[index].write(fails: fails), to: index)
  }

  private mutating func kill(_ index: Int) {
    devices[index].kill()
    start(index)
  }

  private mutating func restart() {
    messages = messages.map { message in
      guard case .request(_, let ticket, let index, let life) = message else { return message }
      return .event(.unreachable(ticket), to: index, life: life)
    }
    for index in devices.indices where devices[index].followed != nil {
      devices[index].followed = nil
      messages.append(
        .event(.followEnded(hadBegun: true), to: index, life: devices[index].life))
    }
  }

  /// The server is restored from its backup.
  package mutating func restore() {
    restores += 1
    server = backup
    restart()
  }

  private mutating func passTime(_ milliseconds: Int64) {
    now = now.adding(milliseconds: milliseconds)
    for index in devices.indices { ring(index) }
  }

  private mutating func ring(_ index: Int) {
    guard let alarm = devices[index].alarm,
      alarm <= now.adding(milliseconds: devices[index].skew)
    else { return }
    devices[index].alarm = nil
    feed(.timePassed, to: index)
  }

  private mutating func deliver(_ position: Int, faults: Bool) {
    guard messages.indices.contains(position) else { return }
    let message = messages.remove(at: position)
    switch message {
    case .event(let kind, let index, let life):
      if life == devices[index].life { feed(kind, to: index) }
    case .request(let request, let ticket, let index, let life):
      let fate = faults ? dice.number(in: 0...19) : 19
      let lost = Message.event(.unreachable(ticket), to: index, life: life)
      if fate == 0 { return messages.append(lost) }
      // Doubled: the copy arrives later, when the first was answered.
      if fate == 1 { messages.append(message) }
      let kind: Replica.Event.Kind =
        switch server.answer(request, from: devices[index].name, at: now) {
        case .success(let answer): .answered(ticket, answer, date: date)
        case .failure(let error): .refused(ticket, error.refusal, date: date)
        }
      messages.append(fate == 2 ? lost : .event(kind, to: index, life: life))
    }
  }

  /// The `Date` of an answer: whole seconds.
  private var date: Instant { Instant(seconds: now.seconds) }

  private mutating func push(to index: Int, faults: Bool) {
    guard let start = devices[index].followed else { return }
    if faults, dice.chance(1, in: 20) {
      devices[index].followed = nil
      return feed(.followEnded(hadBegun: dice.chance(2, in: 3)), to: index)
    }
    guard start < server.log.count else { return }
    let end = min(server.log.count, start + dice.number(in: 1...3))
    devices[index].followed = end
    feed(.followed(server.entries(start..<end), server.cursor(at: end)), to: index)
  }

  // MARK: The end

  /// Lets everything arrive, without faults, until every device is in step. Answers whether they
  /// came there.
  package mutating func settle() -> Bool {
    for _ in 0..<20_000 {
      for index in devices.indices {
        while !devices[index].writes.isEmpty { write(index, fails: false) }
        push(to: index, faults: false)
      }
      if !messages.isEmpty {
        deliver(0, faults: false)
      } else if isSettled {
        return true
      } else {
        let alarms = devices.compactMap { device in
          device.alarm?.adding(milliseconds: -device.skew)
        }
        guard let next = alarms.min() else { return false }
        passTime(max(0, next.milliseconds - now.milliseconds))
      }
    }
    return false
  }

  private var isSettled: Bool {
    devices.allSatisfy { device in
      device.replica.standing == .inStep && device.writes.isEmpty
        && device.replica.kept.state == server.state
        && device.replica.queue.allSatisfy { $0.retriedUntil != nil }
    }
  }

  // MARK: Edits

  /// An edit that a person may make who sees this.
  private mutating func edit(on state: AccountState) -> Edit {
    let ids = state.roster.ids
    guard let id = ids.randomElement(using: &dice), !dice.chance(1, in: 12) else {
      return Edit(.add(.some(.of(UInt64(dice.number(in: 1...12))), "a", .weekly, times: 3)))
    }
    switch dice.number(in: 0...19) {
    case 0: return Edit(.delete(id))
    case 1: return Edit(.alter(id, [.retitling(to: .of(dice.one(of: ["a", "b", "c"])))]))
    case 2: return Edit(.alter(id, [.rescheduling(to: dice.one(of: Interval.allCases))]))
    case 3, 4, 5: return Edit(.setActivity(.keyed([id: dice.chance(3, in: 4)])))
    case 6: return Edit(.move(id, before: dice.one(of: ids + [.of(99)])))
    case 7: return Edit(.skip(id))
    case 8:
      return Edit(.configure(.init(timeZone: .of(dice.one(of: ["Asia/Tokyo", "Europe/Berlin"])))))
    case 9, 10, 11, 12:
      let own = devices.flatMap { $0.replica.queue.suffix(2).map(\.id) }
      let old = server.log.suffix(8).map(\.id)
      return Edit(.undo(dice.one(of: own + old + [.of(7)])))
    default: return Edit(.bump(id, by: .of(dice.one(of: [1, 1, 2, -1])), note: nil))
    }
  }
}
