import TestSupport

@testable import GoalsCore

/// An account decided twice: by the core and by the simple model. Every step is played on both, and
/// what they do not agree on is said.
struct SideBySide {
  private(set) var script: EditScript
  private(set) var state: AccountState
  private(set) var log: [RecordedEdit] = []
  private var recorded = RecordedEdits()
  private(set) var simple: SimpleAccount
  /// Kept from look to look, as the shell does.
  var streaks = StreakCounts()
  let clocks: SimpleClocks
  private let zones: Zones

  init(_ script: EditScript, zones: TestZones) {
    self.script = script.with([])
    self.zones = zones.zones
    clocks = zones.clocks
    state = AccountState(calendar: script.calendar)
    simple = SimpleAccount(SimpleLog(initial: script.calendar))
  }

  /// What the two first do not agree on in a script; nil where they agree on everything.
  static func disagreement(on script: EditScript, zones: TestZones) -> String? {
    var both = SideBySide(script, zones: zones)
    for step in script.steps {
      if let disagreement = both.play(step) { return disagreement }
    }
    return nil
  }

  var calendar: GoalCalendar { known(zones.calendar(state.calendar), state.calendar.timeZone) }

  /// The names of what came of the last batch.
  private(set) var verdicts: [String] = []

  /// What the two do not agree on after this step.
  mutating func play(_ step: EditScript.Step) -> String? {
    script.steps.append(step)
    switch step {
    case .send(let batch, let now): return send(batch, at: now)
    case .look(let instant, let window): return look(at: instant, in: window)
    }
  }

  private mutating func send(_ batch: Batch, at now: Instant) -> String? {
    let ruling = state.judge(
      batch, chain: .link(UInt64(log.count)),
      by: Circumstances(
        now: now, zones: zones, maximumGoals: script.maximumGoals, recorded: recorded))
    let expected = simple.ruling(
      on: batch,
      by: SimpleCircumstances(
        now: now, device: batch.device, maximumGoals: script.maximumGoals, clocks: clocks))
    verdicts = ruling.outcomes.map(\.status.name) + ["\(ruling.result)"]
    if ruling.result != expected.result || ruling.outcomes.count != expected.outcomes.count {
      return "the batch is \(ruling.result) \(ruling.outcomes.map(\.status.phrase)), but should be "
        + "\(expected.result) \(expected.outcomes.map(\.outcome.phrase))"
    }
    for (outcome, (id, wanted)) in zip(ruling.outcomes, expected.outcomes) {
      if outcome.id != id { return "the outcome is of \(outcome.id.map(\.low) ?? 0)" }
      if let difference = difference(outcome, wanted) { return difference }
    }
    if ruling.recorded.count != expected.entries.count {
      return "\(ruling.recorded.count) are recorded, but should be \(expected.entries.count)"
    }
    return take(ruling, as: expected)
  }

  private mutating func take(_ ruling: Ruling, as expected: SimpleRuling) -> String? {
    for edit in ruling.recorded {
      edit.transform(&state)
      log.append(edit)
      recorded.record(edit)
    }
    simple = expected.account
    if let ruled = ruling.state, state != ruled {
      return "the ruling's state is not that with what is recorded"
    }
    return ruling.recorded.isEmpty ? nil : presentDifference
  }

  private func difference(_ outcome: Outcome, _ wanted: SimpleRuling.Outcome) -> String? {
    switch (outcome.status, wanted) {
    case (.applied(let version), .applied(let entry)) where version.number == entry.version:
      return outcome.recorded.map { $0.difference(from: entry) } ?? "no edit is with the outcome"
    case (.duplicate(let version), .duplicate(let known)) where version.number == known:
      // Of an edit of the same batch the log does not know yet.
      return known > log.count || outcome.recorded == log[known - 1]
        ? nil : "another edit is with the outcome"
    case (.unchanged, .unchanged), (.skipped, .skipped): return nil
    case (.rejected(let rejection), .rejected(let codes)) where codes.contains(rejection.code):
      return nil
    case (.applied, _), (.duplicate, _), (.unchanged, _), (.rejected, _), (.skipped, _):
      return "the outcome is \(outcome.status.phrase), but should be \(wanted.phrase)"
    }
  }

  /// The present values that the two do not agree on.
  var presentDifference: String? {
    if state.roster.ids != simple.list {
      return "the list is \(state.roster.ids.map(\.low)), but should be \(simple.list.map(\.low))"
    }
    if state.calendar != simple.settings {
      return "the calendar is \(state.calendar), but should be \(simple.settings)"
    }
    for (id, goal) in simple.goals {
      guard let real = state.roster.goal(id) else { return "goal \(id.low) is not kept" }
      if real.goal != goal.goal {
        return "the goal is \(real.goal), but should be \(goal.goal)"
      }
      if real.isActive != goal.activity.present { return "goal \(id.low) is on or off wrongly" }
    }
    if state.roster.everMade != simple.goals.count { return "there are goals that never were" }
    return nil
  }
}
