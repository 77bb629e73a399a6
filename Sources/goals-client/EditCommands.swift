import ArgumentParser
import GoalsClient
import GoalsCore
import GoalsWire
import JSON
import Terminal

/// `goals bump`.
struct Bump: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count progress of a goal.",
    usage: "goals bump GOAL [+N|-N] [--on DAY] [--note TEXT] [--json]",
    discussion: """
      It counts at once, on this machine, and is sent when a server is in reach. GOAL is the start of \
      a title. DAY is today, yesterday, a weekday, or a date.
      """)

  @Argument(help: "The start of the goal's title.") var goal: String
  @Option(help: .hidden) var by = 1
  @Option(help: ArgumentHelp("The day that it counts on (default: today).", valueName: "day"))
  var on: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A note, of at most 500 characters.", valueName: "text"))
  var note: String?
  @OptionGroup var options: PrintOptions

  /// The arguments with `+2` and `-2` as the option that they stand for: what begins with a sign
  /// would be taken for an option's name. What a note or a day begins with is its own.
  static func withoutSigns(_ words: [String]) -> [String] {
    guard words.first == "bump" else { return words }
    return zip([""] + words, words).map { before, word in
      let isNumber = "+-".contains(word.prefix(1)) && !word.isEmpty && Int(word) != nil
      return isNumber && before != "--note" && before != "--on" ? "--by=\(word)" : word
    }
  }

  func validate() throws {
    guard Increment(by) != nil else { throw ValidationError("\(Increment.rule).".capitalizedFirst) }
    if let note, Note(note) == nil { throw ValidationError("\(Note.rule).".capitalizedFirst) }
  }

  func run() async throws {
    guard let by = Increment(by) else { return }
    let session = try Session.open()
    let entry = try session.client.goals.current.goal(named: goal)
    try await session.make(
      Edit(.bump(entry.goal.id, by: by, note: note.flatMap { Note($0) })), on: on,
      showing: entry.goal, options)
  }
}

/// `goals skip`.
struct Skip: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Excuse the day, week or month of a goal, so that its streak holds.")

  @Argument(help: "The start of the goal's title.") var goal: String
  @Option(
    help: ArgumentHelp(
      "A day of it: today, yesterday, a weekday, or a date (default: today).", valueName: "day"))
  var on: String?
  @OptionGroup var options: PrintOptions

  func run() async throws {
    let session = try Session.open()
    let entry = try session.client.goals.current.goal(named: goal)
    try await session.make(
      Edit(.skip(entry.goal.id)), on: on, showing: entry.goal, options)
  }
}

/// `goals add`.
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Add a goal, and turn it on.")

  enum Period: String, CaseIterable, ExpressibleByArgument {
    case day, week, month

    var interval: Interval {
      switch self {
      case .day: .daily
      case .week: .weekly
      case .month: .monthly
      }
    }
  }

  @Argument(help: "Its title.") var title: String
  @Option(help: "The period in which it is to be reached: day, week or month.")
  var every = Period.day
  @Option(help: "How often in a period.") var times = 1
  @Option(help: "What is counted, such as km.") var unit: String?
  @Option(help: "blue, cyan, green, yellow, orange, red, purple, or #rrggbb.") var colour = "green"
  @OptionGroup var options: PrintOptions

  func validate() throws {
    let faults = [
      Title(title) == nil ? Title.rule : nil, Frequency(times) == nil ? Frequency.rule : nil,
      unit.map { Unit($0) == nil } ?? false ? Unit.rule : nil,
      Colour(colour) == nil ? Colour.rule : nil,
    ].compactMap(\.self)
    guard faults.isEmpty else {
      throw ValidationError(faults.map { "\($0).".capitalizedFirst }.joined(separator: "\n"))
    }
  }

  func run() async throws {
    guard let title = Title(title), let frequency = Frequency(times),
      let colour = Colour(colour)
    else { return }
    let session = try Session.open()
    let goal = Goal(
      id: session.client.world.makeID(), title: title, colour: colour, interval: every.interval,
      frequency: frequency, unit: unit.flatMap { Unit($0) })
    let edits = [Edit(.add(goal)), Edit(.setActivity(.keyed([goal.id: true])))]
    let ids = try await session.record { client throws(EditFailure) in
      try await client.make(edits)
    }
    try await session.send(ids[1], showing: goal, options)
  }
}

/// `goals undo`.
struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take back what was done last on this machine.")

  @OptionGroup var options: PrintOptions

  func run() async throws {
    let session = try Session.open()
    for own in session.client.undoable {
      do {
        let id = try await session.client.make(Edit(.undo(own.id)))
        if !options.json {
          try StandardOutput.write("Took back: \(session.words(for: own.proposed.edit))\n")
        }
        return try await session.send(id, showing: nil, options)
      } catch EditFailure.rejected(let rejection) where rejection.code == .notUndoable {
        continue
      } catch let failure as EditFailure {
        throw failure.asCommandFailure
      }
    }
    throw CommandFailure("Nothing of the last 30 days that was done on this machine can be undone.")
  }
}

extension Session {
  /// Makes an edit: shows what came of it at once, and then tries to send it for a short time.
  func make(
    _ edit: Edit, on word: String?, showing goal: Goal, _ options: PrintOptions
  ) async throws {
    guard let today = client.today, let calendar = client.calendar else {
      throw CommandFailure("The account's time zone is not known on this machine.")
    }
    let named = try word.map { try DayArgument($0, today: today) }
    let at = try named?.at(today: today, in: calendar)
    let id = try await record { client throws(EditFailure) in
      try await client.make(edit, at: at, on: named?.day)
    }
    try await send(id, showing: goal, options)
  }

  func record<Made>(
    _ body: (GoalsClient) async throws(EditFailure) -> Made
  ) async throws -> Made {
    do throws(EditFailure) {
      return try await body(client)
    } catch {
      throw error.asCommandFailure
    }
  }

  /// Shows a goal, tries to send for a short time, and says whether something waits.
  func send(_ id: Edit.ID, showing goal: Goal?, _ options: PrintOptions) async throws {
    if let goal, !options.json { try StandardOutput.write(line(of: goal)) }
    signIn()
    await meet()
    if options.json {
      try StandardOutput.write(answer(id, goal))
    } else if let waiting {
      try StandardOutput.write("\(waiting)\n")
    }
    try close()
  }

  private func line(of goal: Goal) -> String {
    let entry = client.goals.current.entries.first { $0.goal.id == goal.id }
    let picture = ListPicture(goals: client.goals.current, style: .ofOutput)
    let title = picture.style.bold(goal.title.text.shown(within: 40))
    return entry.map { "\(title)  \(picture.line(of: $0))\n" } ?? ""
  }

  private func answer(_ id: Edit.ID, _ goal: Goal?) -> String {
    let status = client.status.current
    let own = status.rejected.first { $0.id == id }
    var json = JSONWriter()
    json.object { json in
      json.member("edit", id)
      json.member("sent", own == nil && !status.unsent.contains { $0.id == id })
      if case .rejected(let rejection)? = own?.standing {
        json.object("rejected") { json in
          json.member("code", rejection.code.rawValue)
          json.member("detail", rejection.detail)
        }
      }
      if let entry = client.goals.current.entries.first(where: { $0.goal.id == goal?.id }) {
        json.member("goal", entry)
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}

extension EditFailure {
  var asCommandFailure: CommandFailure {
    switch self {
    case .rejected(let rejection): CommandFailure(rejection.detail)
    case .unchanged: CommandFailure("That is so already.")
    case .notKept(let error):
      CommandFailure(
        "Nothing was counted: this machine could not keep it\(error.map { ": I \($0)" } ?? "").")
    }
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
