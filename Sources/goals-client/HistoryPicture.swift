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
    var lines = [style.bold(goal.title.text.shown(within: style.width ?? .max))]
    for row in rows { lines += self.lines(of: row) + [""] }
    lines += summary
    let notes = history.days.flatMap { day in day.notes.map { (day.day, $0.text) } }
    lines += notes.suffix(Self.mostNotes).map { day, text in
      "\(day)  \(text.shown(within: max(20, (style.width ?? .max) - 12)))"
    }
    let older = notes.count - Self.mostNotes
    if older > 0 { lines.append("… and \(older) more note\(older == 1 ? "" : "s") before these") }
    return lines.joined(separator: "\n") + "\n"
  }

  /// So many notes are shown, the last ones.
  private static let mostNotes = 20

  /// How many weeks stand side by side on the terminal: two cells each, behind the names of days.
  static func weeks(in style: Style) -> Int? { style.width.map { max(4, ($0 - nameWidth) / 2) } }

  private static let nameWidth = 5

  /// The rows of the map, those cut in pieces that are wider than the terminal.
  private var rows: [ArraySlice<HeatMap.Cell>] {
    guard let weeks = Self.weeks(in: style) else { return map.rows }
    return map.rows.flatMap { row in
      var pieces: [ArraySlice<HeatMap.Cell>] = []
      var rest = row
      while let first = rest.first {
        let piece = rest.prefix(7 * weeks - map.offset(of: first.day.weekday))
        pieces.append(piece)
        rest = rest.dropFirst(piece.count)
      }
      return pieces
    }
  }

  private func lines(of row: ArraySlice<HeatMap.Cell>) -> [String] {
    guard let first = row.first else { return [] }
    let lead = map.offset(of: first.day.weekday)
    let columns = (lead + row.count + 6) / 7
    var lines = [months(of: row, from: first.day, lead: lead)]
    for weekday in 0..<7 {
      let cells = (0..<columns).map { column in
        let index = row.startIndex + column * 7 + weekday - lead
        return row.indices.contains(index) ? mark(row[index]) : " "
      }
      let line = name(ofDay: weekday).padded(to: Self.nameWidth) + cells.joined(separator: " ")
      lines.append(String(line.reversed().drop { $0 == " " }.reversed()))
    }
    return lines
  }

  /// The year of the first day, and the months over the weeks in which they begin; a later January
  /// is named by its year.
  private func months(of row: ArraySlice<HeatMap.Cell>, from first: Day, lead: Int) -> String {
    var line = "\(first.date.year)"
    for (index, cell) in row.enumerated() where cell.day.date.day == 1 {
      let place = Self.nameWidth + 2 * ((index + lead) / 7)
      let date = cell.day.date
      let isNewYear = date.month == 1 && date.year != first.date.year
      let name = isNewYear ? "\(date.year)" : Self.months[Int(date.month) - 1]
      guard place + name.count <= style.width ?? .max, line.count < place else { continue }
      line = line.padded(to: place) + name
    }
    return line
  }

  static let months = [
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

  /// What it comes to: on one line, or on several of a terminal that is narrow.
  private var summary: [String] {
    let unit = goal.unit.map { " " + $0.text.shown(within: 20) } ?? ""
    var parts = ["\(history.total)\(unit) in this time"]
    if let (met, judged) = history.completion {
      let period =
        switch goal.interval {
        case .daily: "day"
        case .weekly: "week"
        case .monthly: "month"
        }
      parts.append("\(met) of \(judged) \(period)\(judged == 1 ? "" : "s") met")
    }
    parts.append("streak \(history.streak.current), longest \(history.streak.longest)")
    return parts.dropFirst().reduce(into: [parts[0]]) { lines, part in
      let longer = "\(lines[lines.count - 1]) · \(part)"
      if longer.cells <= style.width ?? .max {
        lines[lines.count - 1] = longer
      } else {
        lines.append(part)
      }
    }.map { $0.shown(within: style.width ?? .max) }
  }
}
