import GoalsCore
import Terminal

/// The list for people: a line for each goal, with a bar.
///
///     Yoga     ██████░░░░  3 of 5 this month   2 today   streak 4
///     Water    ██████████  8 of 8 glasses today, done   streak 12
///     Reading  off
struct ListPicture {
  let goals: Goals
  /// How many edits of a goal wait to be sent.
  var waiting: [Goal.ID: Int] = [:]
  let style: Style

  private static let bar = 10

  var text: String {
    guard !goals.entries.isEmpty else { return "No goals yet: `goals add Yoga --every week`.\n" }
    let titles = goals.entries.map { $0.goal.title.text.shown(within: 40) }
    let widest = titles.map(\.cells).max() ?? 0
    return zip(goals.entries, titles).map { entry, title in
      style.bold(title.padded(to: widest)) + "  " + line(of: entry) + "\n"
    }.joined()
  }

  /// The line of one goal, without its title.
  func line(of entry: Goals.Entry) -> String {
    guard case .active(let running) = entry.progress else { return style.faint("off") }
    var parts = [words(of: entry.goal, running)]
    if entry.goal.interval != .daily, running.today != 0 { parts.append("\(running.today) today") }
    if entry.streak.current > 0 { parts.append("streak \(entry.streak.current)") }
    if let count = waiting[entry.goal.id] { parts.append(style.faint("\(count) to be sent")) }
    return bar(of: entry.goal, running) + "  " + parts.joined(separator: "   ")
  }

  private func words(of goal: Goal, _ running: RunningPeriod) -> String {
    let period =
      switch goal.interval {
      case .daily: "today"
      case .weekly: "this week"
      case .monthly: "this month"
      }
    let unit = goal.unit.map { " " + $0.text.shown(within: 20) } ?? ""
    let words = "\(running.count) of \(goal.frequency.value)\(unit) \(period)"
    switch running.state {
    case .open: return words
    case .met: return words + ", done"
    case .excused: return words + ", skipped"
    }
  }

  private func bar(of goal: Goal, _ running: RunningPeriod) -> String {
    let share = Double(max(0, running.count)) / Double(goal.frequency.value)
    let full = min(Self.bar, Int(share * Double(Self.bar)))
    let (block, rest) = style.hasUnicode ? ("█", "░") : ("#", "-")
    return style.paint(String(repeating: block, count: full), goal.colour)
      + style.faint(String(repeating: rest, count: Self.bar - full))
  }
}
