import ArgumentParser
import ChangePropagation
import Foundation
import GoalsClient
import GoalsCore
import GoalsPictures
import GoalsWire
import JSON
import Terminal

/// `goals list`.
struct List: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Show the goals and their progress.")

  @OptionGroup var options: PrintOptions

  func run() async throws {
    let session = try Session.open()
    session.signIn()
    await session.meet()
    try StandardOutput.write(
      options.json
        ? session.listJSON(isUpToDate: session.isUpToDate) : session.picture(in: .ofOutput).text)
    session.tellState()
    try session.close()
  }
}

/// `goals watch`.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the goals, and what changes, until Ctrl-C.")

  @OptionGroup var options: PrintOptions

  func run() async throws {
    let session = try Session.open()
    session.signIn()
    let again = Task {
      guard await session.signInAgain() else { return }
      let end = CommandFailure("You have signed out, so the watch ends.")
      end.tell()
      Foundation.exit(end.code)
    }
    defer { again.cancel() }
    let redraws = isatty(STDOUT_FILENO) == 1 && !options.json
    let resizes = Changes<Void>(on: session.client.network)
    let resized = DispatchSource.makeSignalSource(signal: SIGWINCH)
    resized.setEventHandler { resizes.announce(()) }
    resized.activate()
    defer { resized.cancel() }
    let all = session.client.goals.combine(session.client.status) { _, _ in () }
      .combine(resizes.accumulate(into: 0) { count, _ in count += 1 }) { _, _ in () }
    var last: (text: String, remarks: [String], isUpToDate: Bool) = ("", [], false)
    for await _ in all.values {
      // While it is tried again, what was wrong is so, as far as is known.
      let isAsking = session.client.status.current.standing == .asking
      let remarks = isAsking ? last.remarks : session.remarks
      let isUpToDate = isAsking ? last.isUpToDate : session.isUpToDate
      let style = Style.ofOutput
      let text =
        options.json
        ? session.listJSON(isUpToDate: isUpToDate)
        : session.picture(in: style).text(beside: redraws ? remarks : [])
      guard text != last.text || remarks != last.remarks else { continue }
      if redraws {
        // The screen is drawn anew: its begin, then what is below (ECMA-48).
        let notes = remarks.map { "\n\($0)" }.joined() + (remarks.isEmpty ? "" : "\n")
        try StandardOutput.write("\u{1B}[H\u{1B}[J\(text)\(notes)")
      } else {
        if text != last.text { try StandardOutput.write(text) }
        for remark in remarks where !last.remarks.contains(remark) {
          StandardError.write("goals: \(remark)\n")
        }
      }
      last = (text, remarks, isUpToDate)
    }
  }
}

/// `goals history`.
struct History: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what became of a goal, as a calendar.")

  @Argument(help: "The start of the goal's title.") var goal: String
  @Option(help: "How many days to show, at most 3660 (default: a year, or what fits the terminal).")
  var days: Int?
  @OptionGroup var options: PrintOptions

  func validate() throws {
    try goal.checkAsName()
    guard 1...Int(HistoryWindow.maximumDays) ~= days ?? 1 else {
      throw ValidationError("--days takes a number from 1 to \(HistoryWindow.maximumDays).")
    }
  }

  func run() async throws {
    let session = try Session.open()
    session.signIn()
    await session.meet()
    let item = try await session.judged(asking: "shown") { try session.item(named: goal) }
    let style = Style.ofOutput
    // The present week may have one day so far.
    let fitting = options.json ? nil : HistoryPicture.weeks(in: style).map { $0 * 7 - 6 }
    let days = days ?? min(365, fitting ?? .max)
    guard let today = session.client.today, let from = today.adding(days: 1 - Int64(days)),
      let history = session.client.history(of: item.goal.id, in: HistoryWindow(from: from))
    else { throw CommandFailure("The account's time zone is not known on this machine.") }
    try StandardOutput.write(
      options.json
        ? session.json(of: history)
        : try picture(of: item.goal, history, from...today, style, session))
    session.tellState()
    try session.close()
  }

  private func picture(
    of goal: Goal, _ history: GoalHistory, _ days: ClosedRange<Day>, _ style: Style,
    _ session: Session
  ) throws -> String {
    guard let calendar = session.client.calendar,
      let tracked = session.client.replica.shown.roster.listed(goal.id),
      let end = days.upperBound.adding(days: 1)
    else { throw CommandFailure("The goal is gone.") }
    let map = HeatMap(
      of: tracked, history: history, window: days.lowerBound..<end, today: days.upperBound,
      calendar: calendar)
    return HistoryPicture(goal: goal, history: history, map: map, style: style).text
  }
}

/// `goals titles`: for the completions of shells. It asks nobody.
struct Titles: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the titles of the goals, a line each.", shouldDisplay: false)

  func run() async throws {
    let session = try Session.open()
    // What begins with a hyphen would stand on the line as an option.
    let titles = session.client.goals.current.items.map { $0.goal.title.text }
      .filter { !$0.hasPrefix("-") }
    try StandardOutput.write(titles.map { $0 + "\n" }.joined())
    session.client.close()
  }
}

extension Session {
  func picture(in style: Style) -> ListPicture {
    var waiting: [Goal.ID: Int] = [:]
    for own in client.status.current.unsent {
      if case .progress(.bump(let id, _, _)) = own.proposed.edit { waiting[id, default: 0] += 1 }
    }
    return ListPicture(
      goals: client.goals.current, waiting: waiting, isWhole: !client.status.current.isCatchingUp,
      style: style)
  }

  /// The goals as `GET /v1/goals` has them, how many edits wait, and whether this is what the
  /// server has.
  func listJSON(isUpToDate: Bool) -> String {
    var json = JSONWriter()
    json.object { json in
      json.array("goals") { json in
        for item in client.goals.current.items { json.value(item) }
      }
      json.member("waiting", client.status.current.unsent.count)
      json.member("upToDate", isUpToDate)
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  fileprivate func json(of history: GoalHistory) -> String {
    var json = JSONWriter()
    json.object { json in
      history.writeMembers(to: &json)
      json.member("upToDate", isUpToDate)
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}

extension ListPicture {
  /// The list, cut where a terminal has no room for it and the remarks below: what is above its
  /// first line can't be drawn anew.
  fileprivate func text(beside remarks: [String]) -> String {
    guard let height = style.height, let width = style.width else { return text }
    let below = remarks.reduce(remarks.isEmpty ? 1 : 2) { $0 + ($1.cells + width - 1) / width }
    let lines = text.split(separator: "\n")
    let room = max(1, height - below)
    guard lines.count > room else { return text }
    let more = "… and \(lines.count - room + 1) more".shown(within: width)
    return (lines.prefix(room - 1) + [more[...]]).joined(separator: "\n") + "\n"
  }
}
