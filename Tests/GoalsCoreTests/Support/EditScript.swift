@testable import GoalsCore

/// What is done to an account, step by step, as plain values: it can be repeated, and shortened.
struct EditScript {
  enum Step {
    /// A batch of edits arrives.
    case send(Batch, now: Instant)
    /// The list, and the history of every goal in a window of days, are read.
    case look(at: Instant, in: Range<Day>)
  }

  /// The calendar with which the account begins.
  let calendar: CalendarSettings
  let maximumGoals: Int
  var steps: [Step] = []

  func with(_ steps: some Sequence<Step>) -> EditScript {
    var script = self
    script.steps = Array(steps)
    return script
  }

  /// The shortest script found by leaving out steps, of which this still holds.
  ///
  /// First the conditions of batches go, because they hold at one version only. Then runs of half
  /// the steps, then of a quarter, down to single ones and to single edits.
  func shrunk(while holds: (EditScript) -> Bool) -> EditScript {
    var script = self
    for place in script.steps.indices.reversed() {
      let simpler = script.unconditional(at: place)
      if holds(simpler) { script = simpler }
    }
    script = script.shortened(while: holds)
    for place in script.steps.indices {
      while let shorter = script.shortened(at: place).first(where: holds) { script = shorter }
    }
    return script
  }

  private func shortened(while holds: (EditScript) -> Bool) -> EditScript {
    var script = self
    var length = max(1, steps.count / 2)
    while true {
      let count = script.steps.count
      var start = 0
      while start < script.steps.count {
        let end = min(start + length, script.steps.count)
        let candidate = with(script.steps[..<start] + script.steps[end...])
        if holds(candidate) { script = candidate } else { start = end }
      }
      if length == 1, script.steps.count == count { return script }
      length = max(1, length / 2)
    }
  }

  /// The script in which a step's batch is sent under no condition.
  private func unconditional(at place: Int) -> EditScript {
    guard case .send(let batch, let now) = steps[place] else { return self }
    var script = self
    script.steps[place] = .send(Batch(device: batch.device, proposals: batch.proposals), now: now)
    return script
  }

  /// The scripts in which one edit of a step's batch is left out.
  private func shortened(at place: Int) -> [EditScript] {
    guard case .send(let batch, let now) = steps[place], batch.proposals.count > 1 else {
      return []
    }
    return batch.proposals.indices.map { left in
      let proposals = batch.proposals.indices.filter { $0 != left }.map { batch.proposals[$0] }
      var script = self
      script.steps[place] = .send(
        Batch(
          device: batch.device, proposals: proposals, isAtomic: batch.isAtomic,
          isOneChange: batch.isOneChange,
          precondition: batch.precondition, isDryRun: batch.isDryRun,
          shows: batch.shows), now: now)
      return script
    }
  }
}

extension EditScript: CustomStringConvertible {
  var description: String {
    let head =
      "\(calendar.timeZone), days from \(calendar.dayStart), weeks from \(calendar.weekStart), "
      + "at most \(maximumGoals) goals"
    return ([head] + steps.map(\.description)).joined(separator: "\n")
  }
}

extension EditScript.Step: CustomStringConvertible {
  var description: String {
    switch self {
    case .send(let batch, let now): "\(now): \(batch.phrase)"
    case .look(let instant, let window): "\(instant): look, from \(window)"
    }
  }
}

extension Batch {
  fileprivate var phrase: String {
    let condition = precondition.map { "if \($0), " } ?? ""
    return (isAtomic ? "atomic, " : "") + (isOneChange ? "one change, " : "")
      + (isDryRun ? "dry run, " : "") + condition + proposals.map(\.phrase).joined(separator: "; ")
  }
}

extension Proposal {
  fileprivate var phrase: String {
    switch self {
    case .edit(let proposed):
      "edit \(proposed.id.low)" + (proposed.at.map { " at \($0)" } ?? "")
        + (proposed.day.map { " for \($0)" } ?? "")
        + (proposed.lacksGoalID ? " without goal id" : "") + ": \(proposed.edit.phrase)"
    case .put(let goal, let id, let at):
      "edit \(id.low)" + (at.map { " at \($0)" } ?? "") + ": put \(goal.phrase)"
    case .refused(let rejection, _, _): "refused as \(rejection.code.rawValue)"
    }
  }
}

extension Edit {
  /// The edit in short words.
  var phrase: String {
    switch self {
    case .goal(.add(let goal)): "add \(goal.phrase)"
    case .goal(.delete(let id)): "delete \(id.low)"
    case .goal(.update(let goal)): "update \(goal.phrase)"
    case .goal(.alter(let id, let changes)): "alter \(id.low) \(changes.all)"
    case .goal(.setActivity(.listed(let values))): "setActivity \(values)"
    case .goal(.setActivity(.keyed(let activity))):
      "setActivity \(activity.elements.map { "\($0.goal.low): \($0.isActive)" })"
    case .goal(.move(let id, let before)):
      "move \(id.low) before \(before.map { "\($0.low)" } ?? "the end")"
    case .progress(.bump(let id, let increment, let note)):
      "bump \(id.low) by \(increment.value)" + (note.map { " \"\($0)\"" } ?? "")
    case .progress(.skip(let id)): "skip \(id.low)"
    case .account(.configure(let changes)):
      "configure "
        + [changes.timeZone?.text, changes.weekStart?.rawValue, changes.dayStart?.description]
        .compactMap { $0 }.joined(separator: " ")
    case .account(.undo(let id)): "undo \(id.low)"
    }
  }
}

extension Goal {
  fileprivate var phrase: String {
    "\(id.low) \"\(title)\" \(colour) \(interval) \(frequency.value) \(unit?.text ?? "-")"
  }
}
