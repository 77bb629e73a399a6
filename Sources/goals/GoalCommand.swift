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
      if json { return try printJSON(list.goals) }
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
