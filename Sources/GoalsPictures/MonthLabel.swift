import GoalsCore

/// The name of a month over the week in which it begins.
struct MonthLabel: Hashable, Sendable {
  /// The column of the week, from 0.
  let column: Int
  var text: String

  private static let names = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// The width of a name in weeks, without and with a year.
  private static let width = (plain: 3, withYear: 4)

  /// The labels of days in weeks side by side.
  ///
  /// - Parameters:
  ///   - before: how many days of the first week come before the first day.
  ///   - saysYear: whether each January shows its year or, without a January, the first month.
  static func labels(of days: [Day], before: Int, saysYear: Bool) -> [MonthLabel] {
    var labels: [(label: MonthLabel, date: (year: Int, month: Int, day: Int))] = []
    for (index, day) in days.enumerated() {
      let date = day.date
      let column = (index + before) / 7
      guard date.day == 1 || index == 0 else { continue }
      // The rest of a month gives way to the name of the next month.
      if let last = labels.last, column - last.label.column < width.plain { labels.removeLast() }
      labels.append((MonthLabel(column: column, text: names[date.month - 1]), date))
    }
    guard saysYear else { return labels.map { $0.label } }
    let januaries = labels.indices.filter { labels[$0].date.month == 1 && labels[$0].date.day == 1 }
    let hasRoom = { (index: Int) in
      index + 1 == labels.count
        || labels[index + 1].label.column - labels[index].label.column >= width.withYear
    }
    let first = labels.indices.filter(hasRoom).prefix(1)
    for index in januaries.isEmpty ? Array(first) : januaries {
      labels[index].label.text += " \(labels[index].date.year)"
    }
    return labels.map { $0.label }
  }
}
