import GoalsCore

/// A phone that counts offline: a queue of edits, a position in the log, and a replica.
struct Device {
  /// What the server said last of an edit that it recorded.
  struct Acknowledgement {
    let version: Int
    /// How often the server's data had been brought back by then.
    let history: Int
  }

  /// What a restart loses, unless it was written down.
  struct Memory {
    /// Edits that are not acknowledged, oldest first.
    var queue: [DeviceEdit] = []
    /// Its own that are, of the last 30 days.
    var archive: [DeviceEdit] = []
    var replica: Replica
    var cursor: String?
    /// Its cursor is of another history: it has to read the list.
    var isLost = false
  }

  let number: Int
  /// How far its clock is ahead of the true time, in milliseconds.
  let error: Int64
  let calendar: CalendarSettings
  private let reader: PayloadReader
  var memory: Memory
  private var written: Memory
  private(set) var run = 0
  private var offlineUntil: Instant?
  private var edits = 0

  // What no device knows of itself: for the judgement at the end.
  private(set) var acknowledged: [Edit.ID: Acknowledgement] = [:]
  private(set) var sent: [Edit.ID: DeviceEdit] = [:]
  /// After how many restores it was told last what became of an edit.
  private(set) var decidedIn: [Edit.ID: Int] = [:]
  /// How many of its edits a restore had taken away that it could bring back.
  private(set) var broughtBack = 0
  /// After how many restores it learned last that it is in another history.
  private(set) var resetIn: Int?

  init(
    _ number: Int, error: Int64, calendar: CalendarSettings, _ reader: PayloadReader
  ) {
    self.reader = reader
    self.number = number
    self.error = error
    self.calendar = calendar
    memory = Memory(replica: Replica(calendar))
    written = memory
  }

  /// Loses what it had not written down.
  mutating func restart() {
    run += 1
    memory = written
  }

  // MARK: Asking

  /// What its owner does now and then: counts something, and lets it sync.
  mutating func wake(at now: Instant, _ schedule: Schedule, _ dice: inout Dice) -> [Asked] {
    for _ in 0..<dice.number(0...3) { memory.queue.append(makeEdit(at: now, schedule, &dice)) }
    if dice.chance(60) { written = memory }
    if let offlineUntil, now < offlineUntil { return [] }
    offlineUntil =
      dice.chance(10) ? now.adding(milliseconds: schedule.duration * 1000 / 3) : nil
    return [request(&dice)]
  }

  private mutating func makeEdit(
    at now: Instant, _ schedule: Schedule, _ dice: inout Dice
  ) -> DeviceEdit {
    let maker = EditMaker(
      device: number, now: now.adding(milliseconds: error), goals: memory.replica.goals,
      recent: memory.replica.recent)
    if schedule.restores == 0, dice.chance(3), let known = memory.archive.last {
      return maker.conflict(with: known.id)
    }
    edits += 1
    return maker.edit(Edit.ID(high: UInt64(number + 1), low: UInt64(edits)), &dice)
  }

  private mutating func request(_ dice: inout Dice) -> Asked {
    var asked = ask(dice.pick(.sync, .sync, .sync, .sync, .sync, .send, .fetch, .list))
    asked.limit = dice.pick(1, 2, 3, 500)
    if asked.operation == .sync || asked.operation == .send {
      asked.edits = Array(memory.queue.prefix(dice.number(1...6)))
      asked.isAtomic = dice.chance(15)
    }
    if asked.operation == .send, asked.edits.isEmpty { return ask(.fetch) }
    let isPositional = asked.edits.contains { $0.isPositional }
    if dice.chance(isPositional ? 50 : 30) {
      asked.ifVersion = memory.replica.version
    }
    return prepared(asked)
  }

  /// What it asks when nothing is in its way any more: everything, and all it lacks.
  mutating func thoroughRequest() -> Asked {
    var asked = ask(.sync)
    asked.edits = memory.queue
    if memory.queue.contains(where: \.isPositional) { asked.ifVersion = memory.replica.version }
    return prepared(asked)
  }

  private func ask(_ operation: Asked.Operation) -> Asked {
    Asked(
      device: number, run: run, operation: memory.isLost ? .list : operation,
      after: memory.cursor)
  }

  /// Writes down what is sent, so that no restart forgets what the server may know.
  private mutating func prepared(_ asked: Asked) -> Asked {
    guard asked.operation != .list else { return asked }
    if !asked.edits.isEmpty {
      written.queue = memory.queue
      written.archive = memory.archive
    }
    for edit in asked.edits where edit.isSound { sent[edit.id] = edit }
    return asked
  }

  // MARK: Learning

  /// Takes in an answer, and says what to ask at once because of it.
  mutating func receive(
    _ answer: Answered, to asked: Asked, in history: Int, _ dice: inout Dice
  ) throws(Violation) -> [Asked] {
    switch (answer.status, answer.code) {
    case (200, _) where asked.operation == .list:
      guard memory.isLost else { return [] }
      startAnew(from: answer, in: history, isWhole: dice.chance(50))
      return [request(&dice)]
    case (200, _), (409, "batch-rejected"):
      for (edit, outcome) in zip(asked.edits, answer.outcomes) { settle(edit, outcome, history) }
      guard answer.status == 200, asked.operation != .send, !memory.isLost,
        asked.after == memory.cursor
      else { return [] }
      for edit in answer.edits { try memory.replica.append(edit, reader) }
      memory.cursor = answer.cursor
      if dice.chance(30) { written = memory }
      return answer.more == true && dice.chance(70) ? [request(&dice)] : []
    case (409, _):
      for edit in asked.edits {
        let outcome = answer.outcomes.first { $0.id == edit.id.description }
        if let outcome {
          settle(edit, outcome, history)
        } else if edit.isPositional {
          // It was made for a list that is no more, and is not in the log.
          decidedIn[edit.id] = history
          forget(edit.id)
        }
      }
    case (410, _) where asked.after == memory.cursor:
      memory.isLost = true
      return [ask(.list)]
    default: break
    }
    return []
  }

  private mutating func settle(_ edit: DeviceEdit, _ outcome: Answered.Outcome, _ history: Int) {
    decidedIn[edit.id] = history
    switch (outcome.status, outcome.code) {
    case ("applied", _), ("duplicate", _):
      if !memory.archive.contains(where: { $0.id == edit.id }) { memory.archive.append(edit) }
      if let told = acknowledged[edit.id], told.history < history, outcome.status == "applied" {
        broughtBack += 1
      }
      acknowledged[edit.id] = Acknowledgement(version: outcome.version ?? 0, history: history)
      forget(edit.id)
    case ("rejected", "in-future"), ("rejected", "version-required"), ("skipped", _):
      break
    case ("rejected", "invalid"), ("rejected", "id-conflict"), ("unchanged", _):
      forget(edit.id, isSound: edit.isSound)
    default:
      guard let index = memory.queue.firstIndex(where: { $0.id == edit.id }) else { return }
      memory.queue[index].refusals += 1
      if memory.queue[index].refusals > 1 { memory.queue.remove(at: index) }
    }
  }

  private mutating func forget(_ id: Edit.ID, isSound: Bool = true) {
    memory.queue.removeAll { $0.id == id && $0.isSound == isSound }
  }

  /// Goes on in another history, as the contract says: from the list that it read, and with its own
  /// edits of before sent again. One that wants the `whole` log reads that from its start.
  private mutating func startAnew(from answer: Answered, in history: Int, isWhole: Bool) {
    memory.isLost = false
    memory.queue = memory.archive + memory.queue
    memory.archive = []
    memory.cursor = isWhole ? nil : answer.cursor
    let version = isWhole ? 0 : answer.version ?? 0
    memory.replica =
      version == 0 ? Replica(calendar) : Replica(after: version, listed: answer.goals)
    resetIn = history
    written = memory
  }
}
