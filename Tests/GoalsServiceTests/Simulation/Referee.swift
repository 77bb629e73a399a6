import GoalsCore
import GoalsStore

@testable import GoalsService

/// Watches every answer, and holds it against the log as it was before and is after.
struct Referee {
  private let account: Account.ID
  private let calendar: CalendarSettings
  private let world: World
  private let reader: PayloadReader
  private(set) var ledger: Ledger
  /// The version before the answers that are looked at.
  private var before = 0

  init(_ server: SimulatedServer, _ reader: PayloadReader) throws {
    self.reader = reader
    account = server.record.id
    calendar = server.record.initialCalendar
    world = server.world
    ledger = Ledger(calendar)
    try ledger.readOn(in: server.store, of: account, reader)
  }

  /// Looks at what requests that came at once were answered.
  mutating func check(
    _ asked: [Asked], _ answers: [Answered], from server: SimulatedServer
  ) throws {
    before = ledger.version
    try ledger.readOn(in: server.store, of: account, reader)
    for (asked, answer) in zip(asked, answers) {
      try check(asked, answer, isAlone: answers.count == 1, server.world.now())
    }
  }

  /// Looks at the log after a restore, which has to be what it was at some version.
  mutating func checkRestored(_ server: SimulatedServer) throws {
    let old = ledger.entries
    ledger = Ledger(calendar)
    try ledger.readOn(in: server.store, of: account, reader)
    try claim(
      ledger.entries.elementsEqual(old.prefix(ledger.version)),
      "what was restored is not what was there")
  }

  // MARK: One answer

  private func check(
    _ asked: Asked, _ answer: Answered, isAlone: Bool, _ now: Instant
  ) throws(Violation) {
    let about = "\(asked.operation) of device \(asked.device): \(answer.status)"
    if let version = answer.version, asked.operation != .list {
      try claim((before...ledger.version).contains(version), "\(about) speaks of \(version)")
    }
    switch answer.status {
    case 200:
      if asked.operation == .list { return try checkList(answer, now) }
      if asked.operation != .fetch { try checkOutcomes(asked, answer, isAlone: isAlone) }
      if asked.operation != .send { try checkPage(asked, answer) }
      return
    case 409:
      try checkConflict(asked, answer)
    case 410:
      try claim(
        asked.after.map { ledger.version(of: $0) == nil } ?? false, "\(about), for its own cursor")
    case 503:
      break
    default:
      throw Violation("\(about) \(String(decoding: answer.body, as: UTF8.self))")
    }
    if isAlone { try claim(ledger.version == before, "\(about), and yet it recorded something") }
  }

  /// Of edits that are decided, exactly those that are said to be applied are new in the log.
  private func checkOutcomes(
    _ asked: Asked, _ answer: Answered, isAlone: Bool
  ) throws(Violation) {
    try claim(answer.outcomes.count == asked.edits.count, "not an outcome for each edit")
    var applied: [Int] = []
    for (edit, outcome) in zip(asked.edits, answer.outcomes) {
      let recorded = ledger.version(of: edit.id)
      let about = "edit \(edit.id) \(outcome.status) \(outcome.version ?? 0)"
      switch outcome.status {
      case "applied":
        try claim(recorded == outcome.version, "\(about), but logged as \(recorded ?? 0)")
        try claim(recorded.map { $0 > before } ?? false, "\(about), but it was there before")
        applied.append(recorded ?? 0)
      case "duplicate":
        try claim(recorded == outcome.version, "\(about), but logged as \(recorded ?? 0)")
      case "unchanged", "rejected":
        let isOld = recorded.map { $0 <= before } ?? false
        try claim(!isOld || outcome.code == "id-conflict", "\(about), but logged before")
        try claim(isOld || !isAlone || recorded == nil, "\(about), but logged now")
      default: throw Violation(about)
      }
    }
    if let first = applied.first {
      let base = asked.ifVersion ?? first - 1
      try claim(
        applied == Array(base..<base + applied.count).map { $0 + 1 },
        "recorded as \(applied) what was meant for \(base)")
    }
    guard isAlone else { return }
    try claim(applied.count == ledger.version - before, "\(applied) is not all that was recorded")
    try claim(
      !asked.isAtomic || applied.isEmpty || !answer.outcomes.contains { $0.status == "rejected" },
      "half a batch was recorded")
  }

  /// A batch is refused as a whole only for its reason.
  private func checkConflict(_ asked: Asked, _ answer: Answered) throws(Violation) {
    switch answer.code {
    case "version-mismatch":
      try claim(asked.ifVersion != before || before != ledger.version, "the version did match")
      try claim(
        asked.edits.contains { ledger.version(of: $0.id).map { $0 > before } ?? true },
        "there was nothing to record")
      for outcome in answer.outcomes {
        let recorded = outcome.id.flatMap { Edit.ID($0) }.flatMap { ledger.version(of: $0) }
        try claim(outcome.isRecorded && recorded == outcome.version, "outcomes of a mismatch")
      }
      let told = Set(answer.outcomes.compactMap { $0.id.flatMap { Edit.ID($0) } })
      let known = asked.edits.filter { edit in
        ledger.version(of: edit.id).map { $0 <= before } ?? false && edit.isSound
      }
      try claim(told.isSuperset(of: known.map(\.id)), "an edit that was recorded is not told")
    case "batch-rejected":
      try claim(asked.isAtomic, "the batch was not atomic")
      try claim(answer.outcomes.contains { $0.status == "rejected" }, "nothing was rejected")
      for (edit, outcome) in zip(asked.edits, answer.outcomes) where outcome.isRecorded {
        try claim(ledger.version(of: edit.id) == outcome.version, "outcomes of a rejected batch")
      }
    default: throw Violation("409 \(answer.code ?? "")")
    }
  }

  /// A page begins where it was asked to, and its cursor is the position after its last edit.
  private func checkPage(_ asked: Asked, _ answer: Answered) throws(Violation) {
    let after = asked.after ?? ledger.start
    guard let first = ledger.version(of: after) else {
      throw Violation("a page after \(after), which is not in the log")
    }
    let end = first + answer.edits.count
    let head = answer.version ?? -1
    try claim(end <= head && answer.edits.count <= asked.limit, "\(answer.edits.count) edits")
    try claim(
      answer.edits.elementsEqual(ledger.entries[first..<end].map(\.payload)),
      "the page after \(first) is not what the log holds")
    try claim(
      answer.cursor == ledger.cursor(after: end),
      "the cursor after \(end) is \(answer.cursor ?? "")")
    try claim(answer.more == (end < head), "more: \(answer.more ?? false), at \(end) of \(head)")
    try claim(
      end == head || answer.edits.count == asked.limit, "a page of \(answer.edits.count) edits")
  }

  /// Among requests that record something, nobody knows which list was read.
  private func checkList(_ answer: Answered, _ now: Instant) throws(Violation) {
    guard before == ledger.version else { return }
    try claim(answer.body == ledger.list(at: now, in: world), "the list is not the log's fold")
  }
}
