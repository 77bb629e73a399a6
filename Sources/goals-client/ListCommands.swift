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
      options.json ? session.listJSON : session.picture(in: .ofOutput).text)
    if let waiting = session.waiting, !options.json { StandardError.write("\(waiting)\n") }
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
    await session.meet()
    let style = Style.ofOutput
    let isTerminal = isatty(STDOUT_FILENO) == 1
    var last = ""
    for await _ in session.client.goals.combine(session.client.status, { _, _ in () }).values {
      let text = options.json ? session.listJSON : session.picture(in: style).text
      guard text != last else { continue }
      last = text
      // Where it is a terminal the screen is drawn anew: its begin, then what is below (ECMA-48).
      let screen = isTerminal && !options.json
      let note = screen ? session.waiting.map { "\n\($0)\n" } ?? "" : ""
      try StandardOutput.write(screen ? "\u{1B}[H\u{1B}[J\(text)\(note)" : text)
    }
  }
}

/// `goals history`.
struct History: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what became of a goal, as a calendar.")

  @Argument(help: "The start of the goal's title.") var goal: String
  @Option(help: "How many days to show, at most 3660.") var days = 365
  @OptionGroup var options: PrintOptions

  func validate() throws {
    guard 1...Int(HistoryWindow.maximumDays) ~= days else {
      throw ValidationError("--days takes a number from 1 to \(HistoryWindow.maximumDays).")
    }
  }

  func run() async throws {
    let session = try Session.open()
    session.signIn()
    await session.meet()
    let entry = try session.client.goals.current.goal(named: goal)
    guard let today = session.client.today, let from = today.adding(days: 1 - Int64(days)),
      let history = session.client.history(of: entry.goal.id, in: HistoryWindow(from: from))
    else { throw CommandFailure("The account's time zone is not known on this machine.") }
    try StandardOutput.write(
      options.json
        ? JSONWriter.line(history) : try picture(of: entry.goal, history, from...today, session))
    try session.close()
  }

  private func picture(
    of goal: Goal, _ history: GoalHistory, _ days: ClosedRange<Day>, _ session: Session
  ) throws -> String {
    guard let calendar = session.client.calendar,
      let tracked = session.client.replica.shown.roster.listed(goal.id),
      let end = days.upperBound.adding(days: 1)
    else { throw CommandFailure("The goal is gone.") }
    let map = HeatMap(
      of: tracked, history: history, window: days.lowerBound..<end, today: days.upperBound,
      calendar: calendar)
    return HistoryPicture(goal: goal, history: history, map: map, style: .ofOutput).text
  }
}

/// `goals titles`: for the completions of shells. It asks nobody.
struct Titles: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the titles of the goals, a line each.", shouldDisplay: false)

  func run() async throws {
    let session = try Session.open()
    let titles = session.client.goals.current.entries.map { $0.goal.title.text + "\n" }
    try StandardOutput.write(titles.joined())
    session.client.close()
  }
}

extension Session {
  func picture(in style: Style) -> ListPicture {
    var waiting: [Goal.ID: Int] = [:]
    for own in client.status.current.unsent {
      if case .progress(.bump(let id, _, _)) = own.proposed.edit { waiting[id, default: 0] += 1 }
    }
    return ListPicture(goals: client.goals.current, waiting: waiting, style: style)
  }

  /// The goals as `GET /v1/goals` has them, and how many edits wait.
  var listJSON: String {
    var json = JSONWriter()
    json.object { json in
      json.array("goals") { json in
        for entry in client.goals.current.entries { json.value(entry) }
      }
      json.member("waiting", client.status.current.unsent.count)
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}

extension JSONWriter {
  static func line(_ value: some JSONWritable) -> String {
    var json = JSONWriter()
    json.value(value)
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}
