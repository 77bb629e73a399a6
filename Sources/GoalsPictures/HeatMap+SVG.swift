import GoalsCore

/// A heat map as an SVG document that stands alone: it loads nothing, and its own style follows the
/// reader's preference for light or dark.
extension HeatMap {
  /// Lengths, in pixels.
  private enum Measure {
    static let cell = 11
    static let step = 14
    static let margin = 24
    /// The left edge of the cells, beside the weekdays' names.
    static let left = 64
    /// The heights of the head above the first row, of a line of the summary, and of a row.
    static let head = 70
    static let line = 17
    static let row = 7 * step + 36
    /// From a row's top to its cells, below the months' names.
    static let months = 20
    static let foot = 40
    static let minimumWidth = 440
    /// The sizes for estimating widths: of the bold title, and of the other texts, whose font is
    /// not bold and counts for an eighth less than its size.
    static let font = (title: 17, summary: 11, label: 10)
  }

  /// - Parameter tag: distinguishes the ids of this document from those of another on the same
  ///   page.
  public func svg(tag: String) -> [UInt8] {
    let rows = rows
    let width = rows.map { self.width(of: $0, isYear: rows.count > 1) }.max() ?? 0
    let room = (width - 2 * Measure.margin) * 100
    let summary = summary(fitting: room / Measure.font.summary)
    let head = Measure.head + (summary.count - 1) * Measure.line
    let height = head + rows.count * Measure.row + Measure.foot
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" \
      height="\(height)" role="img" aria-labelledby="t-\(tag) d-\(tag)">
      """,
      "<title id=\"t-\(tag)\">\(xml(goal.title.text))</title>",
      "<desc id=\"d-\(tag)\">\(xml(description))</desc>", style(tag: tag),
      """
      <defs><pattern id="p-\(tag)" width="4" height="4" patternUnits="userSpaceOnUse" \
      patternTransform="rotate(45)"><path class="h" d="M0 0V4"/></pattern></defs>
      """,
      "<rect class=\"bg\" width=\"\(width)\" height=\"\(height)\" rx=\"12\"/>",
      text("t", Measure.margin, 36, goal.title.text.fitting(room / Measure.font.title)),
    ]
    for (index, line) in summary.enumerated() {
      lines.append(text("s", Measure.margin, 56 + index * Measure.line, line))
    }
    for (index, row) in rows.enumerated() {
      draw(row, top: head + index * Measure.row, isYear: rows.count > 1, into: &lines)
    }
    drawLegend(width: width, baseline: height - 22, into: &lines)
    lines.append("</svg>\n")
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// The width of a picture that has room for a row and the names of its months.
  private func width(of row: ArraySlice<Cell>, isYear: Bool) -> Int {
    guard let first = row.first else { return Measure.minimumWidth }
    let columns = (row.count + offset(of: first.day.weekday) + 6) / 7
    let cells = columns * Measure.step - (Measure.step - Measure.cell)
    let names = monthLabels(of: row, isYear: isYear).map { label in
      label.column * Measure.step + label.text.width * Measure.font.label / 100
    }
    return max(
      Measure.minimumWidth, Measure.left + cells + Measure.margin,
      Measure.left + (names.max() ?? 0) + Measure.margin / 4)
  }

  private func monthLabels(of row: ArraySlice<Cell>, isYear: Bool) -> [MonthLabel] {
    let before = row.first.map { offset(of: $0.day.weekday) } ?? 0
    return MonthLabel.labels(of: row.map { $0.day }, before: before, saysYear: !isYear)
  }

  // MARK: Rows

  private func draw(
    _ row: ArraySlice<Cell>, top: Int, isYear: Bool, into lines: inout [String]
  ) {
    guard let first = row.first else { return }
    let cellsTop = top + Measure.months
    if isYear {
      lines.append(text("y", Measure.margin, cellsTop - 8, String(first.day.date.year)))
    }
    for (name, day) in [("Mon", Weekday.monday), ("Wed", .wednesday), ("Fri", .friday)] {
      let y = cellsTop + offset(of: day) * Measure.step + 9
      lines.append(text("m", Measure.margin, y, name))
    }
    let before = offset(of: first.day.weekday)
    for label in monthLabels(of: row, isYear: isYear) {
      lines.append(text("m", Measure.left + label.column * Measure.step, cellsTop - 8, label.text))
    }
    for (index, cell) in row.enumerated() where cell.look != .missing {
      let x = Measure.left + (index + before) / 7 * Measure.step
      let y = cellsTop + (index + before) % 7 * Measure.step
      let today = cell.day == today ? " n" : ""
      lines.append(
        """
        <rect class="\(cell.look.letter)\(today)" x="\(x)" y="\(y)" width="11" height="11" rx="2.5">\
        <title>\(tip(of: cell))</title></rect>
        """)
    }
  }

  /// The text that a day shows under the pointer.
  private func tip(of cell: Cell) -> String {
    let said: String =
      switch cell.look {
      case .missing: "no day"
      case .absent: cell.period == nil ? "no goal" : "paused"
      case .ahead: "not yet"
      case .excused: "excused"
      case .empty, .quiet, .low, .middle, .high, .full: progress(of: cell)
      }
    return "\(cell.day): \(said)"
  }

  private func progress(of cell: Cell) -> String {
    guard let period = cell.period else { return "\(cell.count)" }
    let need = "\(period.count) of \(period.frequency.value)"
    return switch period.interval {
    case .daily: need
    case .weekly: "\(cell.count) (week: \(need))"
    case .monthly: "\(cell.count) (month: \(need))"
    }
  }

  // MARK: Texts

  private func text(_ style: String, _ x: Int, _ y: Int, _ text: String) -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\">\(xml(text))</text>"
  }

  /// The goal's rhythm, total, completion and streak.
  private var facts: [String] {
    var facts = [goal.rhythm, "\(history.total) \(goal.unit?.text ?? "counted")"]
    if let (met, judged) = history.completion {
      facts.append("\(met) of \(judged) \(goal.interval.noun)\(judged == 1 ? "" : "s") met")
    }
    facts.append("streak \(history.streak.current), longest \(history.streak.longest)")
    return facts
  }

  /// The facts in lines of at most `width` hundredths of the font's size, as far as they fit.
  private func summary(fitting width: Int) -> [String] {
    facts.reduce(into: []) { lines, fact in
      if let line = lines.last.map({ "\($0) · \(fact)" }), line.width <= width {
        lines[lines.count - 1] = line
      } else {
        lines.append(fact)
      }
    }
  }

  /// The facts in a sentence, for people who do not see the picture.
  private var description: String {
    let last = window.upperBound.adding(days: -1) ?? window.upperBound
    return """
      A calendar from \(window.lowerBound) to \(last), a cell a day, stronger the further the goal \
      came: \(facts.joined(separator: ", ")).
      """
  }

  // MARK: Legend

  private func drawLegend(width: Int, baseline: Int, into lines: inout [String]) {
    let scale: [Look] = [.empty, .low, .middle, .high, .full]
    let right = width - Measure.margin
    let first = right - 32 - scale.count * Measure.step
    lines.append(
      "<text class=\"m e\" x=\"\(right)\" y=\"\(baseline)\">More</text>")
    lines.append("<text class=\"m e\" x=\"\(first - 5)\" y=\"\(baseline)\">Less</text>")
    for (index, look) in scale.enumerated() {
      lines.append(sample(look, x: first + index * Measure.step, baseline: baseline))
    }
    var x = Measure.margin
    let names: [(Look, String)] = [
      (.quiet, "\(goal.interval.noun) met"), (.excused, "excused"), (.absent, "paused"),
      (.ahead, "not yet"),
    ]
    // Days before the goal's creation look absent, too; the legend does not explain them.
    for (look, name) in names
    where cells.contains(where: { $0.look == look && (look != .absent || $0.period != nil) }) {
      lines.append(sample(look, x: x, baseline: baseline))
      lines.append(text("m", x + Measure.step + 3, baseline, name))
      x += Measure.step + 18 + 6 * name.utf8.count
    }
  }

  private func sample(_ look: Look, x: Int, baseline: Int) -> String {
    """
    <rect class="\(look.letter)" x="\(x)" y="\(baseline - 9)" width="11" height="11" rx="2.5"/>
    """
  }

  // MARK: Style

  private func style(tag: String) -> String {
    let hatch = ".x{fill:url(#p-\(tag))}"
    return """
      <style>:root{color-scheme:light dark}text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,\
      "Helvetica Neue","Noto Sans",Arial,sans-serif;font-size:11px}\
      .t{font-size:17px;font-weight:600}.s{font-size:12.5px}.y{font-size:12px;font-weight:600}\
      .e{text-anchor:end}.h{stroke-width:2.4}.p{opacity:.45}.o,.x{stroke-width:1}.o{fill:none}\
      .n{stroke-width:1.5}\(hatch)
      \(HeatMapShades.light(goal.colour).css)
      @media(prefers-color-scheme:dark){\(HeatMapShades.dark(goal.colour).css)}</style>
      """
  }
}

extension HeatMapShades {
  fileprivate var css: String {
    """
    .bg{fill:\(background.css)}.t,.y{fill:\(text.css)}.s,.m{fill:\(muted.css)}\
    .z,.p{fill:\(empty.css)}.o,.x,.h{stroke:\(line.css)}.q{fill:\(quiet.css)}\
    .a{fill:\(low.css)}.b{fill:\(middle.css)}.c{fill:\(high.css)}.d{fill:\(full.css)}\
    .n{stroke:\(text.css)}
    """
  }
}

extension HeatMap.Look {
  /// The CSS class of the cell.
  fileprivate var letter: String {
    switch self {
    case .missing: ""
    case .absent: "p"
    case .ahead: "o"
    case .empty: "z"
    case .excused: "x"
    case .quiet: "q"
    case .low: "a"
    case .middle: "b"
    case .high: "c"
    case .full: "d"
    }
  }
}

extension Goal {
  /// "5 times a month".
  fileprivate var rhythm: String {
    let times =
      switch (unit, frequency.value) {
      case (let unit?, let count): "\(count) \(unit.text)"
      case (nil, 1): "once"
      case (nil, 2): "twice"
      case (nil, let count): "\(count) times"
      }
    return "\(times) a \(interval.noun)"
  }
}

extension Interval {
  fileprivate var noun: String {
    switch self {
    case .daily: "day"
    case .weekly: "week"
    case .monthly: "month"
    }
  }
}
