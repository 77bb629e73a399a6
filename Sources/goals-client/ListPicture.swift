import GoalsCore
import Terminal

/// The list for people: a line for each goal, with a bar.
///
///     Yoga     ██████░░░░  3 of 5 this month   2 today   streak 4
///     Water    ██████████  8 of 8 glasses today, done   streak 12
///     Reading  off
///
/// On a terminal each takes one line: a title that is too long is cut, and where that is not enough
/// the last words are left out. A narrow terminal has no bars. What is piped is cut nowhere: there
/// only a title of more than 40 cells reaches out of its column.
struct ListPicture {
  let goals: Goals
  /// How many edits of a goal wait to be sent.
  var waiting: [Goal.ID: Int] = [:]
  /// Whether these are all goals.
  var isWhole = true
  let style: Style

  var text: String {
    guard !goals.items.isEmpty else {
      return isWhole ? "No goals yet: `goals add Yoga --every week`.\n" : ""
    }
    return lines(of: goals.items)
  }

  func lines(of items: [Goals.Item]) -> String {
    let titles = items.map { $0.goal.title.text.shown() }
    let words = items.map { self.words(of: $0) }
    let longest = words.map { lead + Self.cells(of: $0) }.max() ?? 0
    let widest = titles.map(\.cells).max() ?? 0
    let column = style.width.map { width in
      min(widest, max(hasBars ? 10 : 6, width / 4, width - longest))
    }
    return items.indices.map { index in
      let title =
        column.map { titles[index].shown(within: $0).padded(to: $0) }
        ?? titles[index].padded(to: min(widest, 40))
      let fitting = self.fitting(words[index], beside: column)
      let said = items[index].progress.isActive ? fitting : style.faint(fitting)
      return "\(style.bold(title))  \(bar(of: items[index]))\(said)\n"
    }.joined()
  }

  /// Whether there is room for a bar beside a title and the numbers.
  private var hasBars: Bool { (style.width ?? .max) >= 30 }

  private var barWidth: Int { (style.width ?? .max) < 60 ? 5 : 10 }

  /// The cells of the bar, and of the spaces around it.
  private var lead: Int { hasBars ? barWidth + 4 : 2 }

  private static let space = "   "

  private static func cells(of words: [String]) -> Int { words.joined(separator: space).cells }

  private func fitting(_ words: [String], beside column: Int?) -> String {
    guard let width = style.width, let column else { return words.joined(separator: Self.space) }
    let room = max(1, width - column - lead)
    var words = words
    while words.count > 1, Self.cells(of: words) > room { words.removeLast() }
    return words.joined(separator: Self.space).shown(within: room)
  }

  /// What is said of a goal, the most important first.
  private func words(of item: Goals.Item) -> [String] {
    guard case .active(let running) = item.progress else { return ["off"] }
    var parts = [Self.progress(of: item)]
    if item.goal.interval != .daily, running.today != 0 { parts.append("\(running.today) today") }
    if let count = waiting[item.goal.id] { parts.append("\(count) to be sent") }
    if item.streak.current > 0 { parts.append("streak \(item.streak.current)") }
    return parts
  }

  /// How far the goal has come in its period: `3 of 5 this month`.
  static func progress(of item: Goals.Item) -> String {
    guard case .active(let running) = item.progress else { return "off" }
    let goal = item.goal
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

  /// The bar and the spaces behind it; nothing for a goal that is off.
  private func bar(of item: Goals.Item) -> String {
    guard hasBars, case .active(let running) = item.progress else { return "" }
    let goal = item.goal
    let share = Double(max(0, running.count)) / Double(goal.frequency.value)
    let full = min(barWidth, Int(share * Double(barWidth)))
    let (block, rest) = style.hasUnicode ? ("█", "░") : ("#", "-")
    return style.paint(String(repeating: block, count: full), goal.colour)
      + style.faint(String(repeating: rest, count: barWidth - full)) + "  "
  }
}
