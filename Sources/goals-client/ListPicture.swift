import GoalsCore
import Terminal

/// The list for people: a line for each goal, with a bar.
///
///     Yoga     ██████░░░░  3 of 5 this month   2 today   streak 4
///     Water    ██████████  8 of 8 glasses today, done   streak 12
///     Reading  off
///
/// On a terminal each takes one line: a title that is too long is cut, and where that is not enough
/// the last words are left out.
struct ListPicture {
  let goals: Goals
  /// How many edits of a goal wait to be sent.
  var waiting: [Goal.ID: Int] = [:]
  /// Whether these are all goals.
  var isWhole = true
  let style: Style

  var text: String {
    guard !goals.entries.isEmpty else {
      return isWhole ? "No goals yet: `goals add Yoga --every week`.\n" : ""
    }
    return lines(of: goals.entries)
  }

  func lines(of entries: [Goals.Entry]) -> String {
    let titles = entries.map { $0.goal.title.text.shown() }
    let words = entries.map { self.words(of: $0) }
    var column = titles.map(\.cells).max() ?? 0
    if let width = style.width {
      let longest = words.map { lead + Self.cells(of: $0) }.max() ?? 0
      column = min(column, max(10, width / 4, width - longest))
    }
    return entries.indices.map { index in
      let title = style.bold(titles[index].shown(within: column).padded(to: column))
      let fitting = self.fitting(words[index], beside: column)
      guard case .active(let running) = entries[index].progress else {
        return "\(title)  \(style.faint(fitting))\n"
      }
      return "\(title)  \(bar(of: entries[index].goal, running))  \(fitting)\n"
    }.joined()
  }

  private var barWidth: Int { (style.width ?? .max) < 60 ? 5 : 10 }

  /// The cells of the bar, and of the spaces around it.
  private var lead: Int { barWidth + 4 }

  private static let space = "   "

  private static func cells(of words: [String]) -> Int { words.joined(separator: space).cells }

  private func fitting(_ words: [String], beside column: Int) -> String {
    guard let width = style.width else { return words.joined(separator: Self.space) }
    let room = max(1, width - column - lead)
    var words = words
    while words.count > 1, Self.cells(of: words) > room { words.removeLast() }
    return words.joined(separator: Self.space).shown(within: room)
  }

  /// What is said of a goal, the most important first.
  private func words(of entry: Goals.Entry) -> [String] {
    guard case .active(let running) = entry.progress else { return ["off"] }
    var parts = [words(of: entry.goal, running)]
    if entry.goal.interval != .daily, running.today != 0 { parts.append("\(running.today) today") }
    if let count = waiting[entry.goal.id] { parts.append("\(count) to be sent") }
    if entry.streak.current > 0 { parts.append("streak \(entry.streak.current)") }
    return parts
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
    let full = min(barWidth, Int(share * Double(barWidth)))
    let (block, rest) = style.hasUnicode ? ("█", "░") : ("#", "-")
    return style.paint(String(repeating: block, count: full), goal.colour)
      + style.faint(String(repeating: rest, count: barWidth - full))
  }
}
