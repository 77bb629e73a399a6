@testable import GoalsCore

// How what the core says is compared with what the simple model says.

extension RecordedEdit {
  /// What is recorded otherwise than it should be.
  func difference(from entry: SimpleEntry) -> String? {
    if version.number != entry.version { return "the version is not \(entry.version)" }
    if id != entry.id { return "the id is not \(entry.id)" }
    if at != entry.at { return "recorded at \(at), but should be at \(entry.at)" }
    if recordedAt != entry.recordedAt { return "recordedAt is not \(entry.recordedAt)" }
    if device != entry.device { return "the device is not \(entry.device)" }
    if edit != entry.edit || edit.keys != entry.edit.keys {
      return "recorded is \(edit.phrase), but should be \(entry.edit.phrase)"
    }
    if day.map({ Int($0.number) }) != entry.day {
      return "it counts on \(day?.number ?? -1), but should on \(entry.day ?? -1)"
    }
    return (undone != nil) == (edit.type == .undo) ? nil : "what it takes back is wrong"
  }
}

extension Edit {
  /// Of an activity the goals, in order.
  fileprivate var keys: [Goal.ID] {
    if case .goal(.setActivity(.keyed(let activity))) = self { activity.goals } else { [] }
  }
}

extension KeyedActivity {
  fileprivate var goals: [Goal.ID] { elements.map(\.goal) }
}

extension Period {
  var simple: Range<Int> { Int(start.number)..<Int(end.number) }
}

extension GoalProgress {
  var simple: SimpleProgress? {
    switch self {
    case .inactive: nil
    case .active(let running):
      SimpleProgress(
        period: running.period.simple, count: running.count, today: running.today,
        state: running.state)
    }
  }
}

extension JudgedPeriod {
  var simple: SimpleHistory.Judgement {
    SimpleHistory.Judgement(
      interval: interval, period: period.simple, count: count, frequency: frequency.value,
      state: state)
  }
}

extension SimpleHistory.Judgement {
  var phrase: String {
    let days = [period.lowerBound, period.upperBound].map { "\(Day(clamping: Int64($0)))" }
    return "\(interval) \(days[0])..<\(days[1]) \(count)/\(frequency) \(state)"
  }
}

extension Outcome.Status {
  var name: String {
    switch self {
    case .applied: "applied"
    case .duplicate: "duplicate"
    case .unchanged: "unchanged"
    case .rejected(let rejection): rejection.code.rawValue
    case .skipped: "skipped"
    }
  }

  var phrase: String {
    switch self {
    case .applied(let version), .duplicate(let version): "\(name) \(version)"
    case .rejected(let rejection): "\(name) (\(rejection.detail))"
    case .unchanged, .skipped: name
    }
  }
}

extension SimpleRuling.Outcome {
  var phrase: String {
    switch self {
    case .applied(let entry): "applied \(entry.version)"
    case .duplicate(let version): "duplicate \(version)"
    case .unchanged: "unchanged"
    case .rejected(let codes): codes.map(\.rawValue).sorted().joined(separator: " or ")
    case .skipped: "skipped"
    }
  }
}
