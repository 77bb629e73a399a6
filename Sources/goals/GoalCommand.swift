import ArgumentParser
import GoalsService
import Terminal

/// `goals goal`.
struct GoalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "goal", abstract: "List the goals of an account.", subcommands: [List.self])

  func run() throws {
    throw ValidationError("Say what to do: list.")
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the goals of an account, with their progress.")

    @OptionGroup var database: DatabaseOptions
    @Argument(help: "The account's id, or its name if only one has it.") var account: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let reply = try Administrator(database).perform(.listGoals(account: account))
      guard case .goals(let list) = reply else { throw reply.surprise }
      if json { return try printJSON(list.goals.map { GoalListing(listed: $0) }) }
      var table = Table("GOAL", "PROGRESS", "STREAK", "ID")
      for goal in list.goals {
        table.add(goal.title, goal.progressInWords, goal.active ? "\(goal.streak)" : "", goal.id)
      }
      try StandardOutput.write(list.goals.isEmpty ? "No goals yet.\n" : table.text)
    }
  }
}

extension AdminReply.ListedGoal {
  /// `3 of 8 glasses today`.
  fileprivate var progressInWords: String {
    guard let progress else { return "off" }
    let period =
      switch interval {
      case "daily": "today"
      case "weekly": "this week"
      default: "this month"  // NB: open: the name of an interval
      }
    let counted = "\(progress) of \(frequency)" + (unit.map { " \($0)" } ?? "")
    return "\(counted) \(period)" + (progress < frequency ? "" : ", done")
  }
}

/// A goal as programs read it: every field there, null where there is nothing to say.
private struct GoalListing: Encodable {
  let listed: AdminReply.ListedGoal

  private enum Key: String, CodingKey {
    case id, title, interval, frequency, unit, active, progress, today, state, streak
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(listed.id, forKey: .id)
    try members.encode(listed.title, forKey: .title)
    try members.encode(listed.interval, forKey: .interval)
    try members.encode(listed.frequency, forKey: .frequency)
    try members.encode(listed.unit, forKey: .unit)
    try members.encode(listed.active, forKey: .active)
    try members.encode(listed.progress, forKey: .progress)
    try members.encode(listed.today, forKey: .today)
    try members.encode(listed.state, forKey: .state)
    try members.encode(listed.streak, forKey: .streak)
  }
}
