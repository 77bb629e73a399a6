import GoalsCore
import GoalsPictures
import Terminal

/// A goal's history for people: a calendar heat map, weeks as columns, and what it comes to.
struct HistoryPicture {
  let goal: Goal
  let history: GoalHistory
  let map: HeatMap
  let style: Style

  var text: String {
    var lines = [style.bold(goal.title.text.shown(within: 60))]
    for row in map.rows { lines += self.lines(of: row) + [""] }
    lines.append(summary)
    lines += history.days.suffix(Self.lately).flatMap { day in
      day.notes.map { "\(day.day)  \($0.text.shown(within: max(20, style.width - 12)))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// So many of the last days with a count show their notes.
  private static let lately = 10

  private func lines(of row: ArraySlice<HeatMap.Cell>) -> [String] {
    guard let first = row.first else { return [] }
    let lead = map.offset(of: first.day.weekday)
    // Two cells of the terminal a week, the last weeks first to stay where the line is short.
    let columns = (lead + row.count + 6) / 7
    let shown = min(columns, max(4, (style.width - 5) / 2))
    var lines = [months(of: row, lead: lead, columns: columns, shown: shown)]
    for weekday in 0..<7 {
      var line = name(ofDay: weekday).padded(to: 5)
      for column in (columns - shown)..<columns {
        let index = column * 7 + weekday - lead
        let cell =
          row.indices.contains(row.startIndex + index) && index >= 0
          ? row[row.startIndex + index] : nil
        line += cell.map(mark) ?? " "
        line += " "
      }
      lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
    }
    return lines
  }

  private func months(
    of row: ArraySlice<HeatMap.Cell>, lead: Int, columns: Int, shown: Int
  ) -> String {
    var line = "     "
    for (index, cell) in row.enumerated() where cell.day.date.day == 1 {
      let column = (index + lead) / 7 - (columns - shown)
      let place = 5 + 2 * column
      guard column >= 0, place + 3 <= 5 + 2 * shown, line.count <= place else { continue }
      line = line.padded(to: place) + Self.months[Int(cell.day.date.month) - 1]
    }
    return line
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Every other day has its name.
  private func name(ofDay index: Int) -> String {
    guard index % 2 == 0, let start = Weekday.allCases.firstIndex(of: map.weekStart) else {
      return ""
    }
    return Weekday.allCases[(start + index) % 7].rawValue.prefix(3).capitalized
  }

  private func mark(_ cell: HeatMap.Cell) -> String {
    let letters: (String, String)
    switch cell.look {
    case .missing, .absent, .ahead: return " "
    case .excused: return style.faint(style.hasUnicode ? "–" : "/")
    case .empty, .quiet: return style.faint(style.hasUnicode ? "·" : ".")
    case .low: letters = ("░", "1")
    case .middle: letters = ("▒", "2")
    case .high: letters = ("▓", "3")
    case .full: letters = ("█", "#")
    }
    return style.paint(style.hasUnicode ? letters.0 : letters.1, goal.colour)
  }

  private var summary: String {
    let unit = goal.unit.map { " " + $0.text.shown(within: 20) } ?? ""
    var parts = ["\(history.total)\(unit) in all"]
    if let (met, judged) = history.completion {
      let period =
        switch goal.interval {
        case .daily: "days"
        case .weekly: "weeks"
        case .monthly: "months"
        }
      parts.append("\(met) of \(judged) \(period) met")
    }
    parts.append("streak \(history.streak.current), longest \(history.streak.longest)")
    return parts.joined(separator: " · ")
  }
}
